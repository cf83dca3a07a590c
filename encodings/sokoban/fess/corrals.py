"""Corrals: parts of the floor that the player does not reach, and from whose boxes nothing good can come any more.

A search over the boxes around a corral, without all others, shows whether these boxes alone can let the player
in, or come to goals. It forgets boxes, so that each run of the level is one of its own: where it has seen all
that can be and found neither, the position is dead. The dead boxes are thinned out one by one, and what is left
becomes a *pattern*: these boxes are dead wherever the player is in the same part of the floor between them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.boards import Bytes, Numbers, Shorts, Words
from puzzlemc.encodings.sokoban.fess.floods import flood
from puzzlemc.encodings.sokoban.fess.freeze import is_frozen_off_goals, is_wedged
from puzzlemc.encodings.sokoban.fess.positions import entry, find
from puzzlemc.mc.jit import kernel

POSITIONS = 400  # that the search over the boxes of one corral sees
BOXES = 24  # of a corral, at most
PATTERNS = 1 << 14
ENTRIES = PATTERNS * 4
KNOWN = 1 << 18  # corrals whose result is remembered


class Corrals(NamedTuple):
    """The patterns that a search has learned, and arrays to work in.

    rows, parts  (patterns, words): the boxes of a pattern; the cells in one of which the player is, as bits
    first        by cell: the first entry of the patterns that have a box there, -1 for none
    entries      (entries, 2): a pattern and the next entry
    used         how many patterns, how many entries
    known        by hash of a corral's boxes and the player's part: what was found, its lowest bit says dead
    on, inside, seen, lit, queue, stuck, ring  over cells
    states       (positions, boxes): by number of a position of a corral, where its boxes stand
    bits, hashes, players, slots  the same positions, to find them
    boxes        of the corral, and the same with one left out
    """

    rows: Words
    parts: Words
    first: Shorts
    entries: Shorts
    used: npt.NDArray[np.int64]
    known: Words
    on: Bytes
    inside: Shorts
    seen: Shorts
    lit: Shorts
    queue: Numbers
    ring: Numbers
    stuck: Bytes
    states: Numbers
    bits: Words
    hashes: Words
    players: Shorts
    slots: npt.NDArray[np.int64]
    boxes: Numbers


def no_corrals(cells: int) -> Corrals:
    """Nothing is known yet of the corrals of a level with so many cells."""
    words = cells // 64 + 1
    on = np.zeros(cells + 1, np.uint8)
    on[cells] = 1
    stuck = np.zeros(cells + 1, np.uint8)
    stuck[cells] = 1
    return Corrals(
        rows=np.zeros((PATTERNS, words), np.uint64),
        parts=np.zeros((PATTERNS, words), np.uint64),
        first=np.full(cells + 1, -1, np.int32),
        entries=np.zeros((ENTRIES, 2), np.int32),
        used=np.zeros(4, np.int64),
        known=np.zeros(KNOWN, np.uint64),
        on=on,
        inside=np.zeros(cells + 1, np.int32),
        seen=np.zeros(cells + 1, np.int32),
        lit=np.zeros(cells + 1, np.int32),
        queue=np.zeros(cells + 1, np.uint16),
        ring=np.zeros(cells + 1, np.uint16),
        stuck=stuck,
        states=np.zeros((POSITIONS + 1, BOXES), np.uint16),
        bits=np.zeros((POSITIONS + 1, words), np.uint64),
        hashes=np.zeros(POSITIONS + 1, np.uint64),
        players=np.zeros(POSITIONS + 1, np.int32),
        slots=np.full(1 << (2 * POSITIONS).bit_length(), -1, np.int64),
        boxes=np.zeros((2, BOXES), np.uint16),
    )


@kernel()
def is_pattern(corrals, row, box, player):  # type: ignore[no-untyped-def]
    """Has a position a pattern with that box in it?"""
    rows, parts, entries = corrals.rows, corrals.parts, corrals.entries
    word, shift = player >> 6, np.uint64(player & 63)
    entry = corrals.first[box]
    while entry >= 0:
        number = entries[entry, 0]
        if parts[number, word] >> shift & np.uint64(1):
            fits = True
            for at in range(len(row)):
                if rows[number, at] & ~row[at]:
                    fits = False
                    break
            if fits:
                return True
        entry = entries[entry, 1]
    return False


@kernel()
def _stamp(used):  # type: ignore[no-untyped-def]
    """A new mark."""
    used[2] += 1
    return used[2]


@kernel()
def is_hopeless(near, never, is_goal, codes, corrals, boxes, count, player, inside_stamp):  # type: ignore[no-untyped-def]
    """Can these boxes alone neither come to goals, nor let the player into the corral that has the stamp?

    A stamp of -1 is that of no cell. The search gives up, and says no, when it has seen POSITIONS. Gives its
    answer and
    the work that was done.
    """
    on, seen, lit, queue, stuck = corrals.on, corrals.seen, corrals.lit, corrals.queue, corrals.stuck
    inside = corrals.inside
    states, bits, hashes, players, slots = (
        corrals.states,
        corrals.bits,
        corrals.hashes,
        corrals.players,
        corrals.slots,
    )
    used = corrals.used
    words = bits.shape[1]
    slots[:] = -1
    bits[0, :] = 0
    hashed = np.uint64(0)
    at_home = True
    for at in range(count):
        at_home = at_home and is_goal[boxes[at]] == 1
    if at_home:
        return False, count
    for at in range(count):
        box = boxes[at]
        states[0, at] = box
        on[box] = 1
        bits[0, box >> 6] |= np.uint64(1) << np.uint64(box & 63)
        hashed ^= codes[0, box]
    stamp = _stamp(used)
    work, least = flood(near, on, player, queue, seen, stamp)
    for at in range(count):
        on[boxes[at]] = 0
    players[0] = least
    hashes[0] = hashed ^ codes[1, least]
    slots[find(hashes, bits, players, slots, hashes[0], bits[0], least)] = entry(hashes[0], 0)
    total, number = 1, 0
    hopeless = True
    while number < total and hopeless:
        row = states[number]
        hashed = hashes[number] ^ codes[1, players[number]]
        for at in range(count):
            on[row[at]] = 1
        reach = _stamp(used)
        size, _ = flood(near, on, players[number], queue, lit, reach)
        work += size
        for at in range(count):
            box = row[at]
            for d in range(4):
                stand, target = near[box, d ^ 2], near[box, d]
                if on[stand] or lit[stand] != reach or on[target] or never[target]:
                    continue
                on[box] = 0
                on[target] = 1
                size, least = flood(near, on, box, queue, seen, _stamp(used))
                work += size
                opened = False
                if inside_stamp >= 0:
                    for other in range(size):
                        if inside[queue[other]] == inside_stamp:
                            opened = True
                            break
                solved = is_goal[target] == 1
                if solved:
                    for other in range(count):
                        if other != at and is_goal[row[other]] == 0:
                            solved = False
                            break
                dead = False
                if not opened and not solved:
                    for other in range(count):
                        states[total, other] = row[other]
                    states[total, at] = target
                    if is_wedged(near, on, never, target):
                        dead = is_frozen_off_goals(near, never, is_goal, states[total], count, stuck)
                    if not dead:
                        for word in range(words):
                            bits[total, word] = bits[number, word]
                        bits[total, box >> 6] ^= np.uint64(1) << np.uint64(box & 63)
                        bits[total, target >> 6] ^= np.uint64(1) << np.uint64(target & 63)
                        code = hashed ^ codes[0, box] ^ codes[0, target] ^ codes[1, least]
                        slot = find(hashes, bits, players, slots, code, bits[total], least)
                        if slots[slot] < 0:
                            slots[slot] = entry(code, total)
                            hashes[total] = code
                            players[total] = least
                            total += 1
                on[box] = 1
                on[target] = 0
                if opened or solved or total > POSITIONS:
                    hopeless = False
                    break
            if not hopeless:
                break
        for at in range(count):
            on[row[at]] = 0
        number += 1
    return hopeless, work


@kernel()
def learn(near, corrals, boxes, count, player):  # type: ignore[no-untyped-def]
    """Keep a pattern, where there is room: these boxes, with the player where it reaches that cell."""
    used, entries, first = corrals.used, corrals.entries, corrals.first
    number = used[0]
    if number >= PATTERNS or used[1] + count > ENTRIES:
        return
    on, queue = corrals.on, corrals.queue
    rows, parts = corrals.rows, corrals.parts
    rows[number, :] = 0
    parts[number, :] = 0
    for at in range(count):
        box = boxes[at]
        on[box] = 1
        rows[number, box >> 6] |= np.uint64(1) << np.uint64(box & 63)
        entry = used[1]
        entries[entry, 0] = number
        entries[entry, 1] = first[box]
        first[box] = entry
        used[1] += 1
    size, _ = flood(near, on, player, queue, corrals.seen, _stamp(used))
    for at in range(size):
        cell = queue[at]
        parts[number, cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    for at in range(count):
        on[boxes[at]] = 0
    used[0] += 1


@kernel()
def thin(near, never, is_goal, codes, corrals, count, player):  # type: ignore[no-untyped-def]
    """Leave out boxes of a dead corral without which the others are dead as well: how many are left, the work."""
    boxes, fewer = corrals.boxes[0], corrals.boxes[1]
    at = work = 0
    while at < count and count > 1:
        left = 0
        for other in range(count):
            if other != at:
                fewer[left] = boxes[other]
                left += 1
        hopeless, done = is_hopeless(near, never, is_goal, codes, corrals, fewer, left, player, -1)
        work += done
        if hopeless:
            for other in range(left):
                boxes[other] = fewer[other]
            count = left
        else:
            at += 1
    return count, work


@kernel()
def _place_of(key):  # type: ignore[no-untyped-def]
    """Where a result is kept."""
    return np.int64((key >> np.uint64(8)) & np.uint64(KNOWN - 1))


@kernel()
def is_dead_corral(near, on, never, is_goal, codes, corrals, player, listed, starts, number):  # type: ignore[no-untyped-def]
    """Is some corral of a position dead? Where it is, its pattern is learned. Gives the answer and the work.

    listed, starts, number  the corrals, from `list_regions`
    player                  the least cell that the player reaches
    """
    inside, used, known = corrals.inside, corrals.used, corrals.known
    boxes = corrals.boxes[0]
    wall = len(near) - 1
    work = np.int64(0)
    if used[2] > 1 << 30:
        corrals.seen[:] = 0
        corrals.lit[:] = 0
        inside[:] = 0
        used[2] = 0
    for corral in range(number):
        stamp = _stamp(used)
        count, at_home, key = 0, True, codes[1, wall]
        work += np.int64(starts[corral + 1]) - np.int64(starts[corral])
        for at in range(starts[corral], starts[corral + 1]):
            for d in range(4):
                box = near[listed[at], d]
                if on[box] and box != wall and inside[box] != stamp:
                    inside[box] = stamp
                    if count < BOXES:
                        boxes[count] = box
                    count += 1
                    key ^= codes[0, box]
                    if is_goal[box] == 0:
                        at_home = False
        for at in range(min(count, BOXES)):
            inside[boxes[at]] = 0
        if at_home or count > BOXES:
            continue
        # The result depends on the player's part of the floor between these boxes alone: `full` has it. But that
        # takes a flood, so it is also kept for the player's part between all boxes: `quick`.
        quick = (key ^ (codes[1, player] >> np.uint64(1))) & ~np.uint64(1)
        near_by = _place_of(quick)
        if known[near_by] & ~np.uint64(1) == quick:
            if known[near_by] & np.uint64(1):
                return True, work
            continue
        for at in range(count):
            corrals.on[boxes[at]] = 1
        size, least = flood(near, corrals.on, player, corrals.queue, corrals.seen, _stamp(used))
        work += size
        for at in range(count):
            corrals.on[boxes[at]] = 0
        full = (key ^ codes[1, least]) & ~np.uint64(1)
        place = _place_of(full)
        if known[place] & ~np.uint64(1) == full:
            hopeless = known[place] & np.uint64(1) == np.uint64(1)
            known[near_by] = quick | (known[place] & np.uint64(1))
            if hopeless:
                return True, work
            continue
        for at in range(starts[corral], starts[corral + 1]):
            inside[listed[at]] = stamp
        hopeless, done = is_hopeless(near, never, is_goal, codes, corrals, boxes, count, player, stamp)
        work += done
        for kept in (full, quick):
            known[_place_of(kept)] = kept | np.uint64(1) if hopeless else kept
        if hopeless:
            count, done = thin(near, never, is_goal, codes, corrals, count, player)
            learn(near, corrals, boxes, count, player)
            return True, work + done
    return False, work
