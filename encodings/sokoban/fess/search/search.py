"""Feature space search: expand the open position of least weight of one cell of the feature space after another.

The features (Shoham and Schaeffer 2020) are the number of targets filled in the order of the plan, the number of
components into which the boxes cut the floor, and the number of boxes out of plan. A child has the weight of its
parent if one of six *advisors* ranks it first among its siblings, and 1 more otherwise. Among equal weights the
least distance goes first.
"""

import numpy as np

from puzzlemc.encodings.sokoban.fess.deadlocks.corrals import is_dead_corral
from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import is_frozen_off_goals, is_wedged
from puzzlemc.encodings.sokoban.fess.deadlocks.groups import has_dead_group
from puzzlemc.encodings.sokoban.fess.deadlocks.matching import cannot_match
from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import has_pattern, is_pattern
from puzzlemc.encodings.sokoban.fess.domain.counters import (
    ADVISORS,
    BURIED,
    COUNT,
    EAGER,
    EXPANDED,
    FEATURES,
    GAME,
    HERE,
    HURRY,
    LOOSE,
    NAME,
    OUT_OF_PLAN,
    REGIONS,
    SPARE,
    THERE,
    WALLED,
    WITH_CORRALS,
    WITH_ENDS,
    WITH_GROUPS,
    WITH_MATCHING,
    WORK,
)
from puzzlemc.encodings.sokoban.fess.domain.floods import (
    FULL,
    count_regions,
    flood,
    is_in_part,
    list_regions,
    part_at,
    parts_at,
)
from puzzlemc.encodings.sokoban.fess.domain.moves import PUSH, box_moves
from puzzlemc.encodings.sokoban.fess.domain.positions import entry, find, merge, without_first
from puzzlemc.encodings.sokoban.fess.features.lanes import FAR
from puzzlemc.encodings.sokoban.fess.features.loose import judge, judge_child, judge_rest, lane_of, packed_targets
from puzzlemc.encodings.sokoban.fess.search.meetings import insert, look_up
from puzzlemc.encodings.sokoban.fess.search.turns import next_cell
from puzzlemc.mc.jit import kernel

PAUSED, MET, SOLVED, ENDED, NO_ROOM, CROWDED = range(6)
# Work is counted in visited cells, of which a processor does some 50 million a second. In these units: the cost
# of a position, of a lifted box, of a move of it, and of a child.
POSITION, LIFT, MOVE, CHILD = 40, 40, 6, 24
PACKING, PARTS, CLEARING, ROOM, FREEDOM, NEARNESS = range(6)  # the advisors


@kernel()
def _new_stamp(seen, stamps):  # type: ignore[no-untyped-def]
    """A new mark, which no cell has yet."""
    if stamps[0] > 1 << 30:
        seen[:] = 0
        stamps[0] = 0
    stamps[0] += 1
    return stamps[0]


@kernel()
def _place(side, room, number):  # type: ignore[no-untyped-def]
    """Put the boxes of a position on the board; return their number."""
    on, boxes, bits = room.on, room.boxes, side.bits
    count = 0
    for word in range(bits.shape[1]):
        left = bits[number, word]
        room.row[word] = left
        cell = word * 64
        while left:
            if left & np.uint64(0xFF) == 0:
                left >>= np.uint64(8)
                cell += 8
                continue
            if left & np.uint64(1):
                boxes[count] = cell
                on[cell] = 1
                count += 1
            left >>= np.uint64(1)
            cell += 1
    return count


@kernel()
def _stage(side, on):  # type: ignore[no-untyped-def]
    """The number of targets filled in the order of the plan."""
    order = side.order
    stage = 0
    while stage < len(order) and on[order[stage]]:
        stage += 1
    return stage


@kernel()
def _distance(side, stage, boxes, count, weight):  # type: ignore[no-untyped-def]
    """The sum of distances of boxes to empty targets, plus `weight` times that of the next target to a box."""
    far, following = side.far[stage], side.next[stage]
    total, nearest = 0, FAR
    for at in range(count):
        total += min(far[boxes[at]], FAR)
        if following[boxes[at]] > 0:
            nearest = min(nearest, following[boxes[at]])
    return total + weight * nearest


@kernel()
def _count_astray(side, stage, boxes, count):  # type: ignore[no-untyped-def]
    """The number of boxes out of plan."""
    out_of_plan = side.out_of_plan[stage]
    total = 0
    for at in range(count):
        total += out_of_plan[boxes[at]]
    return total


@kernel(inline="always")
def _beyond(near, on, dead_squares, game, box, side):  # type: ignore[no-untyped-def]
    """The cell that must be free for a step of a box, besides the stand of the player; the wall if it is not."""
    stand = near[box, side]
    if game == 0:
        target = near[box, side ^ 2]
        return target if on[target] == 0 and dead_squares[target] == 0 else len(near) - 1
    return near[stand, side] if on[near[stand, side]] == 0 and dead_squares[stand] == 0 else len(near) - 1


@kernel()
def _open_steps(near, on, dead_squares, game, boxes, count, seen, stamp):  # type: ignore[no-untyped-def]
    """The number of box steps that the player can make from its component."""
    total, wall = 0, len(near) - 1
    for at in range(count):
        for d in range(4):
            stand = near[boxes[at], d]
            if on[stand] == 0 and seen[stand] == stamp:
                total += _beyond(near, on, dead_squares, game, boxes[at], d) != wall
    return total


@kernel()
def _list_steps(near, on, dead_squares, game, boxes, count, leave, room):  # type: ignore[no-untyped-def]
    """List the steps of all boxes except the lifted one, number `leave`; return their number.

    Only steps whose stand is in the tree are listed. `room.uses` gets the number of steps that use each cell.
    """
    found, uses, stands, beyond = room.tree.found, room.uses, room.stands, room.beyond
    for cell in range(len(uses)):
        uses[cell] = 0
    total, wall = 0, len(near) - 1
    for at in range(count):
        if at == leave:
            continue
        for d in range(4):
            stand = near[boxes[at], d]
            if found[stand] == 0 or found[stand] == FULL:
                continue
            other = _beyond(near, on, dead_squares, game, boxes[at], d)
            if other != wall:
                stands[total] = stand
                beyond[total] = other
                uses[stand] += 1
                uses[other] += 1
                total += 1
    return total


@kernel()
def _steps_left(near, on, dead_squares, game, room, total, root, box, first):  # type: ignore[no-untyped-def]
    """The number of box steps, listed ones and its own, that remain when the lifted box is put down on `box`.

    first  the component of the player, as in `part_at`
    """
    tree, wall = room.tree, len(near) - 1
    whole = parts_at(tree, root, box) == 1
    result = 0
    for d in range(4):
        stand = near[box, d]
        if on[stand] == 0 and (whole or is_in_part(near, tree, root, box, first, stand)):
            result += _beyond(near, on, dead_squares, game, box, d) != wall
    if whole:
        return result + total - room.uses[box]
    for at in range(total):
        stand = room.stands[at]
        if stand != box and room.beyond[at] != box and is_in_part(near, tree, root, box, first, stand):
            result += 1
    return result


@kernel()
def _enter(side, known, settings, room, parent, hashed, player, area, opens, parts, slot, boxes, count, both):  # type: ignore[no-untyped-def]
    """Store and evaluate the new position on the board; return MET or SOLVED if it ends the search, else PAUSED.

    The player reaches `area` cells, the least of which is `player`, and can make `opens` box steps; the floor has
    `parts` components. `known` has the positions seen from this end, from the other end, and from the other end by
    searches of the other kind. `room.judged` has the evaluation of a loose plan. `room.best` is updated for the
    advisors. The position is not yet in a heap; its key is its distance.
    """
    counters, row = side.counters, room.row
    number = counters[COUNT]
    counters[COUNT] += 1
    for word in range(len(row)):
        side.bits[number, word] = row[word]
    side.hashes[number] = hashed
    side.players[number] = player
    side.parents[number] = parent
    side.slots[slot] = entry(hashed, number)
    if both:
        met = look_up(known[1], hashed)
        if met < 0:
            met = look_up(known[2], hashed)
        if met >= 0:
            counters[HERE], counters[THERE] = number, met
            return MET
        insert(known[0], hashed, counters[NAME] << 32 | number)
    stage = _stage(side, room.on)
    # Searched from both ends, the goal is a position of the other side, with the player in its place.
    if stage == len(side.order) and (counters[SPARE] or not settings[WITH_ENDS]):
        counters[HERE] = number
        return SOLVED
    if settings[LOOSE]:
        stage, distance, astray = room.judged[0], room.judged[1], room.judged[2]
    else:
        astray = _count_astray(side, stage, boxes, count)
        distance = _distance(side, stage, boxes, count, settings[HURRY])
    features = settings[FEATURES]
    cell = stage if features & 1 else 0
    cell = cell * (REGIONS + 1) + (min(parts, REGIONS) if features & 2 else 0)
    cell = cell * (OUT_OF_PLAN + 1) + (min(astray, OUT_OF_PLAN) if features & 4 else 0)
    side.cells[number] = cell
    side.keys[number] = distance
    best = room.best
    for advisor in range(6):
        if advisor == PACKING:
            value = np.int64(-stage)
        elif advisor == PARTS:
            value = np.int64(parts)
        elif advisor == CLEARING:
            value = np.int64(astray)
        elif advisor == ROOM:
            value = np.int64(-area)
        elif advisor == FREEDOM:
            value = np.int64(-opens)
        else:
            value = np.int64(distance)
        value = value * (1 << 20) + distance
        if value < best[advisor]:
            best[advisor] = value
            best[8 + advisor] = number
    return PAUSED


@kernel()
def begin(side, known, settings, room, boxes, player, both):  # type: ignore[no-untyped-def]
    """Add a start position, unless it is known; status as of `_enter`."""
    on, row, codes = room.on, room.row, side.codes
    row[:] = 0
    hashed = np.uint64(0)
    for at in range(len(boxes)):
        box = boxes[at]
        on[box] = 1
        room.boxes[at] = box
        row[box >> 6] |= np.uint64(1) << np.uint64(box & 63)
        hashed ^= codes[0, box]
    stamp = _new_stamp(room.seen, room.stamps)
    area, least = flood(side.near, on, player, room.queue, room.seen, stamp)
    hashed ^= codes[1, least]
    slot = find(side.hashes, side.bits, side.players, side.slots, hashed, row, least)
    status = PAUSED
    if side.slots[slot] < 0:
        number = side.counters[COUNT]
        opens = _open_steps(
            side.near, on, side.dead_squares, side.counters[GAME], boxes, len(boxes), room.seen, stamp
        )
        if settings[LOOSE]:
            judge(side, room, room.boxes, len(boxes), settings[WALLED], player)
        # They are counted first: the parts are counted over the same marks.
        parts = 1 + count_regions(side.near, on, room.queue, room.seen, stamp)
        status = _enter(
            *(side, known, settings, room, -1, hashed, least, area, opens, parts, slot),
            *(room.boxes, len(boxes), both),
        )
        if status == PAUSED:  # else it has no cell
            _file(side, number, 0)
    for at in range(len(boxes)):
        on[boxes[at]] = 0
    return status


@kernel()
def _file(side, number, weight):  # type: ignore[no-untyped-def]
    """Push a position with that weight into the heap of its cell."""
    side.keys[number] += weight << 32
    side.down[number] = -1
    side.right[number] = -1
    cell = side.cells[number]
    side.heads[cell] = merge(side.keys, side.down, side.right, side.heads[cell], number)


@kernel()
def _next(side, eager):  # type: ignore[no-untyped-def]
    """Pop the first position of the next cell; -1 if no position is open."""
    heads = side.heads
    cell = next_cell(heads, side.counters, eager)
    if cell < 0:
        return -1
    number = heads[cell]
    heads[cell] = without_first(side.keys, side.down, side.right, number)
    return number


@kernel()
def _regions_beside(near, on, seen, box):  # type: ignore[no-untyped-def]
    """The number of components of the floor, each with its own stamp, next to a box."""
    total = 0
    for d in range(4):
        cell = near[box, d]
        if on[cell]:
            continue
        is_new = True
        for before in range(d):
            other = near[box, before]
            if on[other] == 0 and seen[other] == seen[cell]:
                is_new = False
        total += is_new
    return total


@kernel()
def _expand(side, known, settings, room, patterns, number, both):  # type: ignore[no-untyped-def]
    """Generate all children of a position; status as of `_enter`."""
    near, on, full, dead_squares, row = side.near, room.on, room.full, side.dead_squares, room.row
    seen, tree = room.seen, room.tree
    counters, codes, boxes = side.counters, side.codes, room.boxes
    game, guarded = counters[GAME], counters[SPARE] == 0
    cells = len(near) - 1
    count = _place(side, room, number)
    player = side.players[number]
    stamp = _new_stamp(seen, room.stamps)
    area, _ = flood(near, on, player, room.queue, seen, stamp)
    work = POSITION + cells
    status = PAUSED
    dead = False
    stage = distance = astray = lost = 0
    if settings[WITH_MATCHING] and counters[SPARE] == 0:
        dead, done = cannot_match(near, dead_squares, game, side.order, boxes, count, room.stuck, side.match)
        work += done
    if not dead and guarded:
        dead = has_pattern(patterns, row, boxes, count, player)
    corral = list_regions(near, on, room.queue, room.starts, seen, stamp)
    room.stamps[0] += corral
    if not dead and guarded and settings[WITH_CORRALS] and corral:
        dead, done = is_dead_corral(
            *(near, on, dead_squares, game, side.is_target, codes, patterns, player),
            *(room.queue, room.starts, corral),
        )
        work += done >> 1
    if not dead and guarded and settings[WITH_GROUPS]:
        dead, done = has_dead_group(side, room, patterns, number, count)
        work += done
    if dead:
        counters[BURIED] += 1
        for at in range(count):
            on[boxes[at]] = 0
        counters[WORK] += work
        return status
    counters[EXPANDED] += 1
    first = counters[COUNT]
    best = room.best
    best[:8] = np.int64(1) << 60
    best[8:] = -1
    plain = side.hashes[number] ^ codes[1, player]
    for at in range(count):
        full[boxes[at]] = FULL
    for at in range(count):
        box = boxes[at]
        moves, size = box_moves(
            *(near, on, full, dead_squares, game, box, seen, stamp),
            *(tree, room.visited, room.waiting, room.targets, room.players),
        )
        if size:
            work += LIFT + size + (count >> 1) + MOVE * moves
        if moves == 0:
            continue
        on[box] = 0
        row[box >> 6] ^= np.uint64(1) << np.uint64(box & 63)
        without = plain ^ codes[0, box]
        others = 1 + corral - _regions_beside(near, on, seen, box)
        if settings[LOOSE]:
            stage = packed_targets(side, on, room.without_packed)
            lane = lane_of(side, room.without_packed, settings[WALLED])
            distance, astray, lost = judge_rest(
                side, on, room.without_packed, boxes, count, at, room.without_nearest, lane, player
            )
            work += count * len(side.order) >> 5
        steps = _list_steps(near, on, dead_squares, game, boxes, count, at, room)
        # All places in the tables are looked at first: the processor then waits for them at once.
        waited = np.int64(0)
        for move in range(moves):
            target = room.targets[move]
            first_cell, area, least = part_at(tree, box, target, room.players[move])
            hashed = without ^ codes[0, target] ^ codes[1, least]
            room.firsts[move], room.sizes[move], room.leasts[move] = first_cell, area, least
            room.hashed[move] = hashed
            waited |= side.slots[np.int64(hashed & np.uint64(len(side.slots) - 1))]
            if both:
                waited |= known[0].refs[np.int64(hashed & np.uint64(len(known[0].refs) - 1))]
                waited |= known[1].refs[np.int64(hashed & np.uint64(len(known[1].refs) - 1))]
                waited |= known[2].refs[np.int64(hashed & np.uint64(len(known[2].refs) - 1))]
        room.waited[0] = waited
        for move in range(moves):
            target = room.targets[move]
            area, least, hashed = np.int64(room.sizes[move]), np.int64(room.leasts[move]), room.hashed[move]
            on[target] = 1
            boxes[at] = target
            row[target >> 6] ^= np.uint64(1) << np.uint64(target & 63)
            slot = find(side.hashes, side.bits, side.players, side.slots, hashed, row, least)
            dead = side.slots[slot] >= 0
            if not dead and guarded:
                dead = is_pattern(patterns, row, target, least)
                if not dead and game == PUSH and is_wedged(near, on, dead_squares, target):
                    dead = is_frozen_off_goals(near, dead_squares, side.is_target, boxes, count, room.stuck)
                    work += count
            if not dead:
                work += CHILD
                parts = others + parts_at(tree, box, target)
                if settings[LOOSE]:
                    judge_child(
                        *(
                            side,
                            room,
                            boxes,
                            count,
                            target,
                            stage,
                            distance,
                            astray,
                            lost,
                            settings[WALLED],
                        ),
                        *(player, room.players[move]),
                    )
                    work += len(side.order) >> 2
                    if side.is_target[target]:
                        work += count * len(side.order) >> 5
                on[target] = 0
                opens = _steps_left(near, on, dead_squares, game, room, steps, box, target, room.firsts[move])
                on[target] = 1
                status = _enter(
                    *(side, known, settings, room, number, hashed, least, area, opens, parts, slot),
                    *(boxes, count, both),
                )
            on[target] = 0
            row[target >> 6] ^= np.uint64(1) << np.uint64(target & 63)
            if status != PAUSED:
                break
        boxes[at] = box
        on[box] = 1
        row[box >> 6] ^= np.uint64(1) << np.uint64(box & 63)
        if status != PAUSED:
            break
    for at in range(count):
        on[boxes[at]] = full[boxes[at]] = 0
    counters[WORK] += work
    if status != PAUSED:
        return status
    weight = side.keys[number] >> 32
    for child in range(first, counters[COUNT]):
        chosen = False
        for advisor in range(6):
            if best[8 + advisor] == child and settings[ADVISORS] >> advisor & 1:
                chosen = True
        _file(side, child, weight if chosen else weight + 1)
    return status


@kernel()
def search(side, known, settings, room, patterns, most, until, both):  # type: ignore[no-untyped-def]
    """Expand positions until the work reaches `until`; return PAUSED, or the reason of the end.

    CROWDED: the hash table must grow. NO_ROOM: the arrays have no room for the children of one more position,
    at most `most` of them.
    """
    counters = side.counters
    while counters[WORK] < until:
        if counters[COUNT] + most > len(side.keys):
            return NO_ROOM
        if 2 * (counters[COUNT] + most) > len(side.slots):
            return CROWDED
        number = _next(side, settings[EAGER])
        if number < 0:
            return ENDED
        status = _expand(side, known, settings, room, patterns, number, both)
        if status != PAUSED:
            return status
    return PAUSED
