"""Loose plans: targets are filled in any order in which no box bars the way to an empty target.

A target is *packed* if it is filled and all targets that must be filled before it are packed. Packed boxes count
as walls. They divide the floor into components, and the other boxes and targets are useful only in the component
of the player. If a target there is reached by no box, or a box reaches no target, some box must be unpacked again.
Distances ignore these walls: one table of distances suffices, whereas there are as many sets of packed boxes as
positions.
"""

import numpy as np

from puzzlemc.encodings.sokoban.fess.domain.boards import NEVER
from puzzlemc.encodings.sokoban.fess.domain.counters import GAME, WORK
from puzzlemc.encodings.sokoban.fess.domain.floods import flood
from puzzlemc.encodings.sokoban.fess.domain.moves import PUSH
from puzzlemc.encodings.sokoban.fess.features.lanes import FAR
from puzzlemc.mc.jit import kernel


@kernel()
def packed_targets(side, on, packed):  # type: ignore[no-untyped-def]
    """The number of packed targets; they are marked in `packed`."""
    order, need = side.order, side.need
    total = 0
    for at in range(len(order)):
        packed[at] = on[order[at]]
        if packed[at]:
            for before in range(at):
                if need[at, before] and not packed[before]:
                    packed[at] = 0
                    break
        total += packed[at]
    return total


@kernel()
def _fill(side, lane, packed):  # type: ignore[no-untyped-def]
    """Fill in a lane by backward search from all targets at once; return the number of visited cells."""
    lanes, order, near, game = side.lanes, side.order, side.near, side.counters[GAME]
    walls, marks, waiting, comes = lanes.walls, lanes.marks, lanes.waiting, lanes.comes[lane]
    cells, words = comes.shape
    for cell in range(cells):
        marks[cell] = 0
        for word in range(words):
            comes[cell, word] = 0
    left = 0
    for target in range(len(order)):
        cell = order[target]
        walls[cell] = packed[target]
        if not packed[target]:
            comes[cell, target >> 6] = np.uint64(1) << np.uint64(target & 63)
            marks[cell] = 1  # the cell is in the queue
            waiting[left] = cell
            left += 1
    head, tail, work = 0, left, cells
    while left:
        cell = waiting[head]
        head = head + 1 if head + 1 < cells else 0
        left -= 1
        work += 1
        marks[cell] = 0
        for d in range(4):
            before = near[cell, d]
            # The push to `cell` needs the player beyond `before`; the pull needs it beyond `cell`.
            player = near[before, d] if game == PUSH else near[cell, d ^ 2]
            if walls[before] or walls[player]:
                continue
            is_new = False
            for word in range(words):
                more = comes[cell, word] & ~comes[before, word]
                if more:
                    comes[before, word] |= more
                    is_new = True
            if is_new and marks[before] == 0:
                marks[before] = 1
                waiting[tail] = before
                tail = tail + 1 if tail + 1 < cells else 0
                left += 1
    for cell in range(cells):
        if walls[cell] == 0 and marks[cell] == 0:
            size, _ = flood(near, walls, cell, waiting, marks, 1)
            for at in range(size):
                lanes.parts[lane, waiting[at]] = cell
    for target in range(len(order)):
        walls[order[target]] = 0
    return work


@kernel()
def lane_of(side, packed, walled):  # type: ignore[no-untyped-def]
    """The lane of the packed targets, computed if necessary; lane 0 if packed boxes are not walls."""
    if not walled:
        return 0
    sets, row = side.lanes.sets, side.lanes.row
    for word in range(len(row)):
        row[word] = 0
    for target in range(len(side.order)):
        if packed[target]:
            row[target >> 6] |= np.uint64(1) << np.uint64(target & 63)
    mixed = np.uint64(0)
    for word in range(len(row)):
        mixed = (mixed ^ row[word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    lane = 1 + np.int64(mixed >> np.uint64(20)) % (len(sets) - 1)
    is_there = True
    for word in range(len(row)):
        is_there = is_there and sets[lane, word] == row[word]
        sets[lane, word] = row[word]
    if not is_there:
        side.counters[WORK] += _fill(side, lane, packed)
    return lane


@kernel(inline="always")
def _has(bits, at):  # type: ignore[no-untyped-def]
    """Is that bit set?"""
    return bits[at >> 6] >> np.uint64(at & 63) & np.uint64(1) != 0


@kernel()
def judge_rest(side, on, packed, boxes, count, leave, nearest, lane, player):  # type: ignore[no-untyped-def]
    """Evaluate the boxes that are not packed: distance from targets, number of boxes out of plan, and lost ones.

    The box of number `leave` does not count. `nearest` gets how far the nearest box is by target, 0 for packed
    ones. `on` is 2 meanwhile where a box is packed.
    """
    order, comes, reach, bars = side.order, side.lanes.comes[lane], side.lanes.reach, side.bars
    parts = side.lanes.parts[lane]
    distance = astray = lost = 0
    for target in range(len(order)):
        nearest[target] = 0 if packed[target] else FAR
        if packed[target]:
            on[order[target]] = 2
    for at in range(count):
        box = boxes[at]
        if on[box] == 2 or at == leave:
            continue
        if parts[box] != parts[player]:
            lost += 1
            distance += FAR
            continue
        least, out_of_plan = NEVER, 0
        for target in range(len(order)):
            if not packed[target]:
                steps = int(reach[box, target]) if _has(comes[box], target) else NEVER
                least = min(least, steps)
                out_of_plan |= bars[box, target]
                nearest[target] = min(nearest[target], steps)
        distance += min(least, FAR)
        lost += least == NEVER
        astray += out_of_plan
    for target in range(len(order)):
        if packed[target]:
            on[order[target]] = 1
    return distance, astray, lost


@kernel()
def _with(side, packed, nearest, box, lane, player):  # type: ignore[no-untyped-def]
    """The distance that one more unpacked box adds, including the distances of targets to their nearest boxes.

    Also whether it is out of plan, the number of targets that no box reaches, and whether it reaches none itself.
    """
    comes, reach, bars = side.lanes.comes[lane], side.lanes.reach, side.bars
    least, out_of_plan, distance, missed = NEVER, 0, 0, 0
    parts = side.lanes.parts[lane]
    is_here = parts[player] == parts[box]
    for target in range(len(side.order)):
        if not packed[target]:
            steps = int(reach[box, target]) if is_here and _has(comes[box], target) else NEVER
            least = min(least, steps)
            out_of_plan |= bars[box, target]
            steps = min(int(nearest[target]), steps)
            missed += steps == FAR
            distance += steps
    return distance + min(least, FAR), out_of_plan, missed, 1 if least == NEVER else 0


@kernel()
def judge(side, room, boxes, count, walled, player):  # type: ignore[no-untyped-def]
    """Evaluate a position from scratch: `room.judged` gets its stage, distance and boxes out of plan.

    walled  the penalty for a target or box that is lost while packed boxes stay; 0 if packed boxes are not walls
    """
    stage = packed_targets(side, room.on, room.packed)
    lane = lane_of(side, room.packed, walled)
    distance, astray, lost = judge_rest(side, room.on, room.packed, boxes, count, -1, room.nearest, lane, player)
    missed = 0
    for target in range(len(side.order)):
        distance += room.nearest[target]
        missed += room.nearest[target] == FAR
    if walled:
        stage = max(0, stage - walled * max(missed, lost))
    room.judged[0], room.judged[1], room.judged[2] = stage, distance, astray


@kernel()
def judge_child(side, room, boxes, count, target, stage, distance, astray, lost, walled, begun, player):  # type: ignore[no-untyped-def]
    """Evaluate a position from the `judge_rest` of its parent without the box that is on `target` now.

    begun, player  the cell of the player before and after the move
    """
    if side.is_target[target] and packed_targets(side, room.on, room.packed) != stage:
        judge(side, room, boxes, count, walled, player)
        return
    lane = lane_of(side, room.without_packed, walled)
    parts = side.lanes.parts[lane]
    if parts[begun] != parts[player]:
        judge(side, room, boxes, count, walled, player)
        return
    more, out_of_plan, missed, one = _with(side, room.without_packed, room.without_nearest, target, lane, player)
    if walled:
        stage = max(0, stage - walled * max(missed, lost + one))
    room.judged[0], room.judged[1], room.judged[2] = stage, distance + more, astray + out_of_plan
