"""Deadlock patterns: boxes that cannot reach targets, whatever the other boxes do.

A search over a few boxes, without the others, decides whether they can reach targets. It is a relaxation: every
solution of the level, restricted to these boxes, is a solution of it. So if it is exhausted, each position with
these boxes is dead. Boxes are removed one by one as long as the rest stays dead; the rest becomes a *pattern*:
these boxes are dead with the player in the same component of the floor between them.

After the pattern search of Junghanns and Schaeffer, *Sokoban: Enhancing General Single-Agent Search Methods Using
Domain Knowledge*, Artificial Intelligence 129 (2001). It works for pulls as for pushes.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import is_frozen_off_goals, is_wedged
from puzzlemc.encodings.sokoban.fess.domain.boards import Bytes, Numbers, Shorts, Words
from puzzlemc.encodings.sokoban.fess.domain.floods import flood, least_after
from puzzlemc.encodings.sokoban.fess.domain.moves import PUSH
from puzzlemc.encodings.sokoban.fess.domain.positions import entry, find
from puzzlemc.encodings.sokoban.fess.features import plan
from puzzlemc.mc.jit import kernel

FEW, MANY = 3, 500  # limits of the positions of a search
BOXES = 24  # the most boxes of a search
STEPS = 256  # classes of the sum of distances to targets
PATTERNS = 1 << 14
BLOCK = 16  # patterns that are adjacent in memory
BLOCKS = PATTERNS * 4 // BLOCK  # the most full blocks
KNOWN = 1 << 20  # the most search results in the cache
KNOWN_OF_LEG = 1 << 14
ALIVE, DEAD, UNKNOWN, GIVEN_UP = range(4)  # results: UNKNOWN past FEW positions, GIVEN_UP past a larger limit


class Patterns(NamedTuple):
    """The patterns that a side has learned, and work arrays.

    rows, parts  (patterns, words): the boxes of a pattern, and the component of the player, as bits
    first, fill  by cell: the first block of the patterns with a box there, or -1, and the number of its entries
    folded       (blocks, BLOCK): all words of the row of a pattern, combined into one
    numbers      (blocks, BLOCK): the numbers of the patterns
    after        by block: the next block of the same cell, which is full, or -1
    used         the numbers of patterns, blocks and marks
    known        by hash of boxes and component of the player: the cached result in the lowest two bits
    home         by cell: the distance of a lone box to the nearest target
    on, inside, seen, lit, queue, stuck  working arrays by cell
    states       (positions, boxes): the cells of the boxes of each position of a search
    bits, hashes, players, slots  the same positions in a hash table
    heads, next  linked lists of the open positions by sum of distances; -1 ends a list
    boxes        the boxes of a search, and these without one
    """

    rows: Words
    parts: Words
    first: Shorts
    fill: Shorts
    folded: Words
    numbers: Shorts
    after: Shorts
    used: npt.NDArray[np.int64]
    known: Words
    home: Shorts
    on: Bytes
    inside: Shorts
    seen: Shorts
    lit: Shorts
    queue: Numbers
    stuck: Bytes
    states: Numbers
    bits: Words
    hashes: Words
    players: Shorts
    slots: npt.NDArray[np.int64]
    heads: Shorts
    next: Shorts
    boxes: Numbers


def no_patterns(near: Numbers, game: int, targets: Shorts, known: int) -> Patterns:
    """Empty patterns for a game with these targets; `known`, a power of two, is the size of the cache."""
    cells = len(near) - 1
    words = cells // 64 + 1
    on = np.zeros(cells + 1, np.uint8)
    on[cells] = 1
    home = np.zeros(cells + 1, np.int32)
    measure: Any = plan.measure
    measure(near, game, on, targets, home)
    return Patterns(
        rows=np.zeros((PATTERNS, words), np.uint64),
        parts=np.zeros((PATTERNS, words), np.uint64),
        first=np.full(cells + 1, -1, np.int32),
        fill=np.zeros(cells + 1, np.int32),
        folded=np.zeros((BLOCKS + cells, BLOCK), np.uint64),
        numbers=np.zeros((BLOCKS + cells, BLOCK), np.int32),
        after=np.full(BLOCKS + cells, -1, np.int32),
        used=np.zeros(4, np.int64),
        known=np.zeros(known, np.uint64),
        home=home,
        on=on,
        inside=np.zeros(cells + 1, np.int32),
        seen=np.zeros(cells + 1, np.int32),
        lit=np.zeros(cells + 1, np.int32),
        queue=np.zeros(cells + 1, np.uint16),
        stuck=on.copy(),
        states=np.zeros((MANY + 1, BOXES), np.uint16),
        bits=np.zeros((MANY + 1, words), np.uint64),
        hashes=np.zeros(MANY + 1, np.uint64),
        players=np.zeros(MANY + 1, np.int32),
        slots=np.full(1 << (2 * MANY).bit_length(), -1, np.int64),
        heads=np.full(STEPS, -1, np.int32),
        next=np.full(MANY + 1, -1, np.int32),
        boxes=np.zeros((2, BOXES), np.uint16),
    )


@kernel()
def is_pattern(patterns, row, box, player):  # type: ignore[no-untyped-def]
    """Does a position contain a pattern with this box?"""
    rows, parts = patterns.rows, patterns.parts
    block, fill = np.int64(patterns.first[box]), patterns.fill[box]
    if block < 0:
        return False
    word, shift = player >> 6, np.uint64(player & 63)
    folded = np.uint64(0)
    for at in range(len(row)):
        folded |= row[at]
    while block >= 0:
        for place in range(fill):
            # This test reads adjacent memory and excludes most patterns.
            if patterns.folded[block, place] & ~folded:
                continue
            number = patterns.numbers[block, place]
            if parts[number, word] >> shift & np.uint64(1):
                fits = True
                for at in range(len(row)):
                    if rows[number, at] & ~row[at]:
                        fits = False
                        break
                if fits:
                    return True
        block, fill = np.int64(patterns.after[block]), BLOCK
    return False


@kernel()
def has_pattern(patterns, row, boxes, count, player):  # type: ignore[no-untyped-def]
    """Does a position contain a pattern?"""
    found = False
    for at in range(count):
        found = found or is_pattern(patterns, row, boxes[at], player)
    return found


@kernel()
def stamp_of(used):  # type: ignore[no-untyped-def]
    """A new mark."""
    used[2] += 1
    return used[2]


@kernel()
def clear_marks(patterns):  # type: ignore[no-untyped-def]
    """Reset all marks before their numbers overflow. No mark may be in use."""
    if patterns.used[2] > 1 << 30:
        for cell in range(len(patterns.seen)):
            patterns.seen[cell] = patterns.lit[cell] = patterns.inside[cell] = 0
        patterns.used[2] = 0


@kernel()
def _wait(patterns, number, count):  # type: ignore[no-untyped-def]
    """Add an open position; return the sum of the distances of its boxes to targets."""
    steps = 0
    for at in range(count):
        steps += patterns.home[patterns.states[number, at]]
    steps = min(steps, STEPS - 1)
    patterns.next[number] = patterns.heads[steps]
    patterns.heads[steps] = number
    return steps


@kernel()
def find_out(near, dead_squares, game, is_target, codes, patterns, boxes, count, player, inside_stamp, most):  # type: ignore[no-untyped-def]
    """Can these boxes alone reach targets, or let the player into the cells that have the stamp?

    No cell has the stamp -1. Returns ALIVE or DEAD, UNKNOWN or GIVEN_UP when the limit of positions was reached,
    and the work. Positions nearer to the targets go first.
    """
    on, seen, lit, queue, stuck = patterns.on, patterns.seen, patterns.lit, patterns.queue, patterns.stuck
    inside, heads = patterns.inside, patterns.heads
    states, bits, hashes = patterns.states, patterns.bits, patterns.hashes
    players, slots, used = patterns.players, patterns.slots, patterns.used
    words = bits.shape[1]
    at_home = True
    for at in range(count):
        at_home = at_home and is_target[boxes[at]] == 1
    if at_home:
        return ALIVE, count
    slots[:] = -1
    heads[:] = -1
    bits[0, :] = 0
    hashed = np.uint64(0)
    for at in range(count):
        box = boxes[at]
        states[0, at] = box
        on[box] = 1
        bits[0, box >> 6] |= np.uint64(1) << np.uint64(box & 63)
        hashed ^= codes[0, box]
    reach = stamp_of(used)
    work, least = flood(near, on, player, queue, lit, reach)
    for at in range(count):
        on[boxes[at]] = 0
    players[0] = least
    hashes[0] = hashed ^ codes[1, least]
    slots[find(hashes, bits, players, slots, hashes[0], bits[0], least)] = entry(hashes[0], 0)
    total, result = 1, DEAD
    lowest = _wait(patterns, 0, count)
    while result == DEAD:
        while lowest < STEPS and heads[lowest] < 0:
            lowest += 1
        if lowest == STEPS:
            break
        number = heads[lowest]
        heads[lowest] = patterns.next[number]
        row = states[number]
        hashed = hashes[number] ^ codes[1, players[number]]
        for at in range(count):
            on[row[at]] = 1
        if number:
            reach = stamp_of(used)
            size, _ = flood(near, on, players[number], queue, lit, reach)
            work += size
        for at in range(count):
            box = row[at]
            for d in range(4):
                if game == PUSH:
                    stand, target, after = near[box, d ^ 2], near[box, d], box
                else:
                    stand = target = near[box, d]
                    after = near[stand, d]
                if (
                    on[stand]
                    or lit[stand] != reach
                    or on[target]
                    or (on[after] and after != box)
                    or dead_squares[target]
                ):
                    continue
                on[box] = 0
                on[target] = 1
                alive = False
                if inside_stamp < 0:
                    used[2] += 3
                    least, done = least_after(
                        *(near, on, lit, reach, players[number], box, target, after, queue, seen, used[2] - 2)
                    )
                    work += done
                else:
                    size, least = flood(near, on, after, queue, seen, stamp_of(used))
                    work += size
                    for other in range(size):
                        if inside[queue[other]] == inside_stamp:
                            alive = True
                            break
                if not alive and is_target[target] == 1:
                    alive = True
                    for other in range(count):
                        if other != at and is_target[row[other]] == 0:
                            alive = False
                            break
                if not alive:
                    for word in range(words):
                        bits[total, word] = bits[number, word]
                    bits[total, box >> 6] ^= np.uint64(1) << np.uint64(box & 63)
                    bits[total, target >> 6] ^= np.uint64(1) << np.uint64(target & 63)
                    code = hashed ^ codes[0, box] ^ codes[0, target] ^ codes[1, least]
                    slot = find(hashes, bits, players, slots, code, bits[total], least)
                    if slots[slot] < 0:
                        for other in range(count):
                            states[total, other] = row[other]
                        states[total, at] = target
                        dead = is_pattern(patterns, bits[total], target, least)
                        if not dead and game == PUSH and is_wedged(near, on, dead_squares, target):
                            dead = is_frozen_off_goals(near, dead_squares, is_target, states[total], count, stuck)
                        if not dead:
                            slots[slot] = entry(code, total)
                            hashes[total] = code
                            players[total] = least
                            lowest = min(lowest, _wait(patterns, total, count))
                            total += 1
                on[box] = 1
                on[target] = 0
                if alive:
                    result = ALIVE
                elif total > most:
                    result = UNKNOWN if most <= FEW else GIVEN_UP
                if result != DEAD:
                    break
            if result != DEAD:
                break
        for at in range(count):
            on[row[at]] = 0
    return result, work


@kernel()
def learn(near, patterns, boxes, count, player):  # type: ignore[no-untyped-def]
    """Store a pattern if there is room: these boxes, with the player in the component of that cell."""
    used, first, fill = patterns.used, patterns.first, patterns.fill
    number = used[0]
    if number >= PATTERNS or used[1] + count > len(patterns.after):
        return
    on, queue = patterns.on, patterns.queue
    rows, parts = patterns.rows, patterns.parts
    rows[number, :] = 0
    parts[number, :] = 0
    folded = np.uint64(0)
    for at in range(count):
        box = boxes[at]
        on[box] = 1
        rows[number, box >> 6] |= np.uint64(1) << np.uint64(box & 63)
        folded |= np.uint64(1) << np.uint64(box & 63)
    for at in range(count):
        box = boxes[at]
        if first[box] < 0 or fill[box] == BLOCK:
            patterns.after[used[1]] = first[box]
            first[box], fill[box] = used[1], 0
            used[1] += 1
        patterns.folded[first[box], fill[box]] = folded
        patterns.numbers[first[box], fill[box]] = number
        fill[box] += 1
    size, _ = flood(near, on, player, queue, patterns.seen, stamp_of(used))
    for at in range(size):
        cell = queue[at]
        parts[number, cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    for at in range(count):
        on[boxes[at]] = 0
    used[0] += 1


@kernel()
def thin(near, dead_squares, game, is_target, codes, patterns, count, player, most):  # type: ignore[no-untyped-def]
    """Remove boxes from a dead set as long as the rest stays dead; return the number left and the work."""
    boxes, fewer = patterns.boxes[0], patterns.boxes[1]
    at = work = 0
    while at < count and count > 1:
        left = 0
        for other in range(count):
            if other != at:
                fewer[left] = boxes[other]
                left += 1
        found, done = find_out(near, dead_squares, game, is_target, codes, patterns, fewer, left, player, -1, most)
        work += done
        if found == DEAD:
            for other in range(left):
                boxes[other] = fewer[other]
            count = left
        else:
            at += 1
    return count, work


@kernel()
def _place_of(known, key):  # type: ignore[no-untyped-def]
    """The place of a result in the cache."""
    return np.int64((key >> np.uint64(8)) & np.uint64(len(known) - 1))


@kernel()
def is_dead(near, dead_squares, game, is_target, codes, patterns, count, key, player, inside_stamp, most):  # type: ignore[no-untyped-def]
    """`find_out` of the first `count` of `patterns.boxes`, with a cache. Dead boxes become a pattern.

    key     a hash of the boxes and of the question
    player  the least cell that the player reaches between all boxes
    """
    known, boxes = patterns.known, patterns.boxes[0]
    # The result depends on the player's component of the floor between these boxes alone, which is in the key
    # `full`. Its computation takes a flood, so the key `quick` uses the player's component between all boxes
    # instead.
    quick = (key ^ (codes[1, player] >> np.uint64(1))) & ~np.uint64(3)
    near_by = known[_place_of(known, quick)]
    if near_by & ~np.uint64(3) == quick and near_by and (most <= FEW or near_by & np.uint64(3) != UNKNOWN):
        return np.int64(near_by & np.uint64(3)), np.int64(count)
    for at in range(count):
        patterns.on[boxes[at]] = 1
    work, least = flood(near, patterns.on, player, patterns.queue, patterns.seen, stamp_of(patterns.used))
    for at in range(count):
        patterns.on[boxes[at]] = 0
    full = (key ^ codes[1, least]) & ~np.uint64(3)
    found = known[_place_of(known, full)]
    if found & ~np.uint64(3) == full and found and (most <= FEW or found & np.uint64(3) != UNKNOWN):
        known[_place_of(known, quick)] = quick | (found & np.uint64(3))
        return np.int64(found & np.uint64(3)), np.int64(work)
    asked = boxes, count, player, inside_stamp, most
    result, done = find_out(near, dead_squares, game, is_target, codes, patterns, *asked)
    work += done
    known[_place_of(known, full)] = full | np.uint64(result)
    known[_place_of(known, quick)] = quick | np.uint64(result)
    if result == DEAD:
        left, done = thin(near, dead_squares, game, is_target, codes, patterns, count, player, most)
        learn(near, patterns, boxes, left, player)
        work += done
    return np.int64(result), np.int64(work)
