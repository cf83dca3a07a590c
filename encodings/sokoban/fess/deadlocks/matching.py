"""Matching deadlocks: no assignment gives each goal a box of its own around the frozen boxes.

For each box that is not frozen, the goals that it reaches alone with the frozen boxes are known. If no matching
gives each goal without a frozen box a box of its own (Kuhn 1955, by augmenting paths), the position is dead. Many
positions have the same frozen boxes, so the reachable goals are cached as bits.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import freeze, thaw
from puzzlemc.encodings.sokoban.fess.domain.boards import NEVER, Shorts, Words
from puzzlemc.encodings.sokoban.fess.features.plan import spread
from puzzlemc.mc.jit import kernel

LANES = 32  # sets of frozen boxes in the cache


class Matching(NamedTuple):
    """The targets that a lone box reaches, by sets of frozen boxes (lanes), and working arrays.

    ways    (LANES + 1, cells + 1, words): the reachable targets as bits; lane 0 has no frozen box
    frozen  (LANES + 1, words of a position): the frozen boxes of a lane
    row     the frozen boxes of the position at hand
    steps, waiting  working arrays by cell
    owner   by target: the number of its box, or -1
    taken, tried  sets of targets as bits
    path    the boxes of an augmenting path, and the target for which each is asked
    """

    ways: Words
    frozen: Words
    row: Words
    steps: Shorts
    waiting: Shorts
    owner: Shorts
    taken: Words
    tried: Words
    path: Shorts


def matching_for(reach: Shorts, boxes: int) -> Matching:
    """Arrays for `boxes` boxes; `reach` has the steps of a lone box to each target, by target and cell."""
    count, cells = len(reach), reach.shape[1] - 1
    bits = np.packbits(reach < NEVER, axis=0, bitorder="little")
    words = count // 64 + 1
    ways = np.zeros((LANES + 1, cells + 1, words), np.uint64)
    ways[0].view(np.uint8)[:, : len(bits)] = bits.T
    return Matching(
        ways=ways,
        frozen=np.zeros((LANES + 1, cells // 64 + 1), np.uint64),
        row=np.zeros(cells // 64 + 1, np.uint64),
        steps=np.zeros(cells + 1, np.int32),
        waiting=np.zeros(cells + 1, np.int32),
        owner=np.zeros(count, np.int32),
        taken=np.zeros(words, np.uint64),
        tried=np.zeros(words, np.uint64),
        path=np.zeros((boxes + 2, 2), np.int32),
    )


@kernel()
def _lane(near, game, targets, boxes, count, stuck, match):  # type: ignore[no-untyped-def]
    """The lane of the frozen (stuck) boxes, computed if the cache has another set there, and the work."""
    ways, frozen, row = match.ways, match.frozen, match.row
    row[:] = 0
    mixed = np.uint64(0)
    for at in range(count):
        box = np.int64(boxes[at])
        if stuck[box]:
            row[box >> 6] |= np.uint64(1) << np.uint64(box & 63)
            mixed += np.uint64(box * box + 1) * np.uint64(0x9E3779B97F4A7C15)
    lane = 1 + np.int64((mixed >> np.uint64(32)) % np.uint64(LANES))
    same = True
    for word in range(len(row)):
        same = same and frozen[lane, word] == row[word]
    if same:
        return lane, 0
    work = 0
    for word in range(len(row)):
        frozen[lane, word] = row[word]
    ways[lane] = 0
    steps, waiting = match.steps, match.waiting
    for target in range(len(targets)):
        goal = targets[target]
        if stuck[goal]:
            continue
        steps[:] = NEVER
        steps[goal] = 0
        waiting[0] = goal
        spread(near, game, stuck, steps, waiting, 1)
        work += len(steps)
        bit = np.uint64(1) << np.uint64(target & 63)
        for cell in range(len(steps)):
            if steps[cell] < NEVER:
                ways[lane, cell, target >> 6] |= bit
    return lane, work


@kernel()
def cannot_match(near, dead_squares, game, targets, boxes, count, stuck, match):  # type: ignore[no-untyped-def]
    """Is there no way to give each target a box of its own? Returns the answer and the work.

    stuck  as for `freeze`; pull games have no frozen boxes
    match  the matching of these targets
    """
    work, lane = count >> 1, 0
    free = len(targets)
    spare = count - len(targets)
    if game == 0 and freeze(near, dead_squares, boxes, count, stuck):
        lane, done = _lane(near, game, targets, boxes, count, stuck, match)
        work += done
    ways, owner, taken, tried, path = match.ways, match.owner, match.taken, match.tried, match.path
    words = len(taken)
    if lane:
        free = spare = 0
        for at in range(count):
            spare += stuck[boxes[at]] == 0
        for target in range(len(targets)):
            free += stuck[targets[target]] == 0
        spare -= free
    for word in range(words):
        taken[word] = 0
    for first in range(count):
        if spare < 0:
            break
        if lane and stuck[boxes[first]]:
            continue
        for word in range(words):
            tried[word] = 0
        depth = 0
        path[0, 0] = first
        last = -1
        while depth >= 0:
            box = boxes[path[depth, 0]]
            work += 1
            asked = -1
            for word in range(words):
                left = ways[lane, box, word] & ~tried[word]
                if left == 0:
                    continue
                empty = left & ~taken[word]
                if empty:
                    last = word * 64 + _lowest(empty)
                    break
                if asked < 0:
                    asked = word * 64 + _lowest(left)
            if last >= 0:
                break
            if asked < 0:
                depth -= 1
                continue
            tried[asked >> 6] |= np.uint64(1) << np.uint64(asked & 63)
            depth += 1
            path[depth, 0] = owner[asked]
            path[depth, 1] = asked
        if last < 0:
            spare -= 1
            continue
        taken[last >> 6] |= np.uint64(1) << np.uint64(last & 63)
        # Each box on the path gets the target for which the next box was asked.
        while depth >= 0:
            owner[last] = path[depth, 0]
            last = path[depth, 1]
            depth -= 1
    if game == 0:
        thaw(boxes, count, stuck)
    return spare < 0, work


@kernel(inline="always")
def _lowest(bits):  # type: ignore[no-untyped-def]
    """The place of the lowest bit of a word that is not 0."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        if bits & ((np.uint64(1) << np.uint64(width)) - np.uint64(1)) == 0:
            bits >>= np.uint64(width)
            place += width
    return place
