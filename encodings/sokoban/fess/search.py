"""The search: cells of the feature space in turn, of each the position of least weight, all its children at once.

Features (Shoham and Schaeffer 2020) are how many targets are filled in the order of the plan, into how many
parts the boxes cut the floor, and how many boxes are strays. A child weighs as much as its parent where one of
six *advisors* holds it for the best of all children, and 1 more otherwise. Of equal weight the least distance
goes first.
"""

import numpy as np

from puzzlemc.encodings.sokoban.fess.corrals import is_dead_corral, is_pattern
from puzzlemc.encodings.sokoban.fess.floods import count_regions, flood
from puzzlemc.encodings.sokoban.fess.freeze import is_frozen_off_goals, is_wedged
from puzzlemc.encodings.sokoban.fess.matching import cannot_match
from puzzlemc.encodings.sokoban.fess.moves import PUSH, box_moves
from puzzlemc.encodings.sokoban.fess.positions import find, merge, without_first
from puzzlemc.encodings.sokoban.fess.sides import (
    ADVISORS,
    BURIED,
    COUNT,
    CURSOR,
    EXPANDED,
    FEATURES,
    GAME,
    HERE,
    HURRY,
    LOOSE,
    REGIONS,
    SPARE,
    STRAYS,
    THERE,
    WITH_CORRALS,
    WITH_MATCHING,
    WORK,
)
from puzzlemc.mc.jit import kernel

PAUSED, MET, SOLVED, ENDED, FULL, CROWDED = range(6)
FAR = 64  # what a box counts that cannot come to an empty target
PACKING, PARTS, CLEARING, ROOM, FREEDOM, NEARNESS = range(6)  # the advisors


@kernel()
def _new_stamp(seen, stamps):  # type: ignore[no-untyped-def]
    """A mark that no cell has."""
    if stamps[0] > 1 << 30:
        seen[:] = 0
        stamps[0] = 0
    stamps[0] += 1
    return stamps[0]


@kernel()
def _place(side, room, number):  # type: ignore[no-untyped-def]
    """Put the boxes of a position on the board: how many they are."""
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
    """How many targets are filled in the order of the plan."""
    order = side.order
    stage = 0
    while stage < len(order) and on[order[stage]]:
        stage += 1
    return stage


@kernel()
def _loose_stage(side, on, packed):  # type: ignore[no-untyped-def]
    """How many targets are filled that are in nobody's way; they are marked in `packed`."""
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
def _loose(side, on, packed, boxes, count):  # type: ignore[no-untyped-def]
    """How far boxes and targets are from each other that are not packed, and how many of these boxes are strays.

    `on` is 2 meanwhile where a box is packed.
    """
    order, reach, bars = side.order, side.reach, side.bars
    distance = strays = 0
    for at in range(len(order)):
        if packed[at]:
            on[order[at]] = 2
    for at in range(count):
        box = boxes[at]
        if on[box] == 2:
            continue
        nearest, stray = FAR, 0
        for target in range(len(order)):
            if not packed[target]:
                nearest = min(nearest, reach[target, box])
                stray |= bars[target, box]
        distance += nearest
        strays += stray
    for target in range(len(order)):
        if packed[target]:
            on[order[target]] = 1
            continue
        nearest = FAR
        for at in range(count):
            if on[boxes[at]] != 2:
                nearest = min(nearest, reach[target, boxes[at]])
        distance += nearest
    return distance, strays


@kernel()
def _distance(side, stage, boxes, count, weight):  # type: ignore[no-untyped-def]
    """How far the boxes are from empty targets, and with some weight, how far the next target is from a box."""
    far, following = side.far[stage], side.next[stage]
    total, nearest = 0, FAR
    for at in range(count):
        total += min(far[boxes[at]], FAR)
        if following[boxes[at]] > 0:
            nearest = min(nearest, following[boxes[at]])
    return total + weight * nearest


@kernel()
def _strays(side, stage, boxes, count):  # type: ignore[no-untyped-def]
    """How many boxes are strays."""
    stray = side.stray[stage]
    total = 0
    for at in range(count):
        total += stray[boxes[at]]
    return total


@kernel()
def _open_steps(near, on, never, game, boxes, count, seen, stamp):  # type: ignore[no-untyped-def]
    """How many steps of a box the player can make from where it can be now."""
    total = 0
    for at in range(count):
        box = boxes[at]
        for d in range(4):
            stand = near[box, d]
            if on[stand] == 0 and seen[stand] == stamp:
                if game == 0:
                    target = near[box, d ^ 2]
                    total += on[target] == 0 and never[target] == 0
                else:
                    total += on[near[stand, d]] == 0 and never[stand] == 0
    return total


@kernel()
def _enter(side, other, settings, room, parent, hashed, player, area, slot, boxes, count, stamp, both):  # type: ignore[no-untyped-def]
    """Number a new position that is on the board, and judge it: MET or SOLVED where it ends the search, or PAUSED.

    `room.best` gets what the advisors think of it. It is not yet in a heap; its key is its distance.
    """
    scalars, on, row = side.scalars, room.on, room.row
    number = scalars[COUNT]
    scalars[COUNT] += 1
    for word in range(len(row)):
        side.bits[number, word] = row[word]
    side.hashes[number] = hashed
    side.players[number] = player
    side.parents[number] = parent
    side.slots[slot] = number
    if both:
        met = other.slots[find(other.hashes, other.bits, other.players, other.slots, hashed, row, player)]
        if met >= 0:
            scalars[HERE], scalars[THERE] = number, met
            return MET
    stage = _stage(side, on)
    if stage == len(side.order) and scalars[GAME] == 0:
        scalars[HERE] = number
        return SOLVED
    # All opens are counted first: the parts are counted over the same marks.
    opens = _open_steps(side.near, on, side.never, scalars[GAME], boxes, count, room.seen, stamp)
    parts = 1 + count_regions(side.near, on, room.queue, room.seen, stamp)
    if settings[LOOSE]:
        stage = _loose_stage(side, on, room.packed)
        distance, strays = _loose(side, on, room.packed, boxes, count)
    else:
        strays = _strays(side, stage, boxes, count)
        distance = _distance(side, stage, boxes, count, settings[HURRY])
    features = settings[FEATURES]
    cell = stage if features & 1 else 0
    cell = cell * (REGIONS + 1) + (min(parts, REGIONS) if features & 2 else 0)
    cell = cell * (STRAYS + 1) + (min(strays, STRAYS) if features & 4 else 0)
    side.cells[number] = cell
    side.keys[number] = distance
    best = room.best
    for advisor in range(6):
        if advisor == PACKING:
            value = np.int64(-stage)
        elif advisor == PARTS:
            value = np.int64(parts)
        elif advisor == CLEARING:
            value = np.int64(strays)
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
def begin(side, other, settings, room, boxes, player, both):  # type: ignore[no-untyped-def]
    """Let the search begin from a position, unless it has seen it: as `_enter`."""
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
        number = side.scalars[COUNT]
        status = _enter(
            side, other, settings, room, -1, hashed, least, area, slot, room.boxes, len(boxes), stamp, both
        )
        if status == PAUSED:  # else it has no cell
            _file(side, number, 0)
    for at in range(len(boxes)):
        on[boxes[at]] = 0
    return status


@kernel()
def _file(side, number, weight):  # type: ignore[no-untyped-def]
    """Let a position wait in its cell with that weight."""
    side.keys[number] += weight << 32
    side.down[number] = -1
    side.right[number] = -1
    cell = side.cells[number]
    side.heads[cell] = merge(side.keys, side.down, side.right, side.heads[cell], number)


@kernel()
def _next(side):  # type: ignore[no-untyped-def]
    """Take the first position out of the next cell that has any; -1 where nothing waits."""
    heads, scalars = side.heads, side.scalars
    cursor = scalars[CURSOR]
    for _ in range(len(heads)):
        cursor += 1
        if cursor >= len(heads):
            cursor = 0
        number = heads[cursor]
        if number >= 0:
            heads[cursor] = without_first(side.keys, side.down, side.right, number)
            scalars[CURSOR] = cursor
            return number
    return -1


@kernel()
def _expand(side, other, settings, room, corrals, number, both):  # type: ignore[no-untyped-def]
    """Enter and file all children of a position: as `_enter`."""
    near, on, never, seen, row = side.near, room.on, side.never, room.seen, room.row
    scalars, codes, boxes = side.scalars, side.codes, room.boxes
    game, guarded = scalars[GAME], scalars[GAME] == PUSH and scalars[SPARE] == 0
    cells = len(near) - 1
    count = _place(side, room, number)
    player = side.players[number]
    stamp = _new_stamp(seen, room.stamps)
    area, _ = flood(near, on, player, room.queue, seen, stamp)
    work = area + 0
    status = PAUSED
    dead = False
    if settings[WITH_MATCHING] and scalars[SPARE] == 0:
        dead, done = cannot_match(
            near,
            never,
            game,
            side.order,
            side.reach,
            boxes,
            count,
            room.stuck,
            room.ways,
            room.fringe,
            room.partner,
            room.path,
            room.tried,
        )
        work += done
    if not dead and guarded and settings[WITH_CORRALS] and area + count < cells:
        dead, done = is_dead_corral(near, on, never, side.is_target, codes, corrals, player, seen, stamp)
        work += done
    if dead:
        scalars[BURIED] += 1
        for at in range(count):
            on[boxes[at]] = 0
        scalars[WORK] += work
        return status
    scalars[EXPANDED] += 1
    first = scalars[COUNT]
    best = room.best
    best[:8] = np.int64(1) << 60
    best[8:] = -1
    plain = side.hashes[number] ^ codes[1, player]
    for at in range(count):
        box = boxes[at]
        # The marks of the player's cells are written over by the children.
        if at:
            stamp = _new_stamp(seen, room.stamps)
            size, _ = flood(near, on, player, room.queue, seen, stamp)
            work += size
        moves, size = box_moves(
            near,
            on,
            never,
            game,
            box,
            seen,
            stamp,
            room.found,
            room.low,
            room.up,
            room.turn,
            room.order,
            room.block,
            room.visited,
            room.waiting,
            room.targets,
            room.players,
            0,
        )
        work += size
        if moves == 0:
            continue
        on[box] = 0
        row[box >> 6] ^= np.uint64(1) << np.uint64(box & 63)
        without = plain ^ codes[0, box]
        for move in range(moves):
            target = room.targets[move]
            on[target] = 1
            boxes[at] = target
            row[target >> 6] ^= np.uint64(1) << np.uint64(target & 63)
            dead = False
            if guarded and is_wedged(near, on, never, target):
                dead = is_frozen_off_goals(near, never, side.is_target, boxes, count, room.stuck)
                work += count
            if not dead:
                inner = _new_stamp(seen, room.stamps)
                area, least = flood(near, on, room.players[move], room.queue, seen, inner)
                work += area
                if guarded and is_pattern(corrals, row, target, least):
                    dead = True
            if not dead:
                hashed = without ^ codes[0, target] ^ codes[1, least]
                slot = find(side.hashes, side.bits, side.players, side.slots, hashed, row, least)
                if side.slots[slot] < 0:
                    work += cells
                    status = _enter(
                        side, other, settings, room, number, hashed, least, area, slot, boxes, count, inner, both
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
        on[boxes[at]] = 0
    scalars[WORK] += work
    if status != PAUSED:
        return status
    weight = side.keys[number] >> 32
    for child in range(first, scalars[COUNT]):
        chosen = False
        for advisor in range(6):
            if best[8 + advisor] == child and settings[ADVISORS] >> advisor & 1:
                chosen = True
        _file(side, child, weight if chosen else weight + 1)
    return status


@kernel()
def search(side, other, settings, room, corrals, most, until, both):  # type: ignore[no-untyped-def]
    """Expand positions until so much work is done: PAUSED, or why it ended.

    CROWDED: its hash table is to be made larger; FULL: it has no room for the children of one more position, of
    which
    there are at most `most`.
    """
    scalars = side.scalars
    while scalars[WORK] < until:
        if scalars[COUNT] + most > len(side.keys):
            return FULL
        if 2 * (scalars[COUNT] + most) > len(side.slots):
            return CROWDED
        number = _next(side)
        if number < 0:
            return ENDED
        scalars[WORK] += 16
        status = _expand(side, other, settings, room, corrals, number, both)
        if status != PAUSED:
            return status
    return PAUSED
