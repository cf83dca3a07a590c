"""Matching deadlocks: no assignment gives each goal a box of its own around the frozen boxes.

For each box that is not frozen, the goals that it reaches alone with the frozen boxes are known. If no matching
gives each goal without a frozen box a box of its own (Kuhn 1955, by augmenting paths), the position is dead. Many
positions have the same frozen boxes, so the reachable goals are cached as bits. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import freeze, thaw
    from puzzlemc.encodings.sokoban.fess.domain.games import PUSH, Boxes, Game
    from puzzlemc.encodings.sokoban.fess.domain.lone_box import NEVER, LoneBox, spread_from
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Ints2, Word, Words, Words2, Words3, bit, lowest_bit

    LANES = 32  # sets of frozen boxes in the cache


class Matching:
    """The targets that a lone box reaches, by sets of frozen boxes (lanes), and working arrays.

    lone     the board; its walls are set to the frozen boxes
    targets  their cells
    ways     (LANES + 1, cells + 1, words): the reachable targets as bits; lane 0 has no frozen box
    frozen   (LANES + 1, words of a position): the frozen boxes of a lane
    row      the frozen boxes of the position at hand
    owner    by target: the number of its box, or -1
    taken, tried  sets of targets as bits
    path     the boxes of an augmenting path, and the target for which each is asked
    work     visited cells and boxes, so far
    """

    lone: LoneBox
    targets: Ints
    ways: Words3
    frozen: Words2
    row: Words
    owner: Ints
    taken: Words
    tried: Words
    path: Ints2
    work: Index

    def __init__(
        self,
        near: npt.NDArray[np.int16],
        kind: int,
        targets: npt.NDArray[np.int32],
        reach: npt.NDArray[np.int32],
        boxes: int,
    ) -> None:
        """For a game with `boxes` boxes.

        near, kind  as in `Game`
        targets     the cells of the targets
        reach       (targets, cells + 1): the steps of a lone box to each target
        """
        count, cells = len(targets), len(near) - 1
        bits = np.packbits(reach < NEVER, axis=0, bitorder="little")
        words, words_of_position = count // 64 + 1, cells // 64 + 1
        ways = np.zeros((LANES + 1, cells + 1, words), np.uint64)
        ways[0].view(np.uint8)[:, : len(bits)] = bits.T
        self.lone, self.targets, self.ways = LoneBox(near, kind), view(targets), view(ways)
        self.frozen = view(np.zeros((LANES + 1, words_of_position), np.uint64))
        self.row = view(np.zeros(words_of_position, np.uint64))
        self.owner, self.path = view(np.zeros(count, np.int32)), view(np.zeros((boxes + 2, 2), np.int32))
        self.taken, self.tried = view(np.zeros(words, np.uint64)), view(np.zeros(words, np.uint64))
        self.work = 0


def _lane(boxes: Boxes, match: Matching) -> Index:
    """The lane of the frozen (stuck) boxes, computed if the cache has another set there."""
    factor: Word = 0x9E3779B97F4A7C15
    hashed: Word = 0
    word: Index
    at: Index
    cell: Index
    for word in range(match.row.shape[0]):
        match.row[word] = 0
    for at in range(boxes.count):
        box: Word = boxes.cells[at]
        if boxes.stuck[box]:
            match.row[box >> 6] |= bit(box & 63)
            with cython.overflowcheck(False):  # the product wraps around
                hashed = hashed + (box * box + 1) * factor & ALL
    lane: Index = 1 + (hashed >> 32) % LANES
    same: Flag = True
    for word in range(match.row.shape[0]):
        same = same and match.frozen[lane, word] == match.row[word]
    if same:
        return lane
    for word in range(match.row.shape[0]):
        match.frozen[lane, word] = match.row[word]
    for cell in range(match.lone.cells + 1):
        match.lone.walls[cell] = boxes.stuck[cell]
        for word in range(match.taken.shape[0]):
            match.ways[lane, cell, word] = 0
    for at in range(match.targets.shape[0]):
        if boxes.stuck[match.targets[at]]:
            continue
        spread_from(match.lone, match.targets[at])
        match.work += match.lone.cells + 1
        for cell in range(match.lone.cells + 1):
            if match.lone.steps[cell] < NEVER:
                match.ways[lane, cell, at >> 6] |= bit(at & 63)
    return lane


def cannot_match(game: Game, boxes: Boxes, match: Matching) -> Flag:
    """Is there no way to give each target a box of its own? Pull games have no frozen boxes."""
    free: Index = match.targets.shape[0]
    spare: Index = boxes.count - free
    lane: Index = 0
    at: Index
    match.work += boxes.count >> 1
    if game.kind == PUSH and freeze(game, boxes):
        lane = _lane(boxes, match)
        free = spare = 0
        for at in range(boxes.count):
            spare += boxes.stuck[boxes.cells[at]] == 0
        for at in range(match.targets.shape[0]):
            free += boxes.stuck[match.targets[at]] == 0
        spare -= free
    for at in range(match.taken.shape[0]):
        match.taken[at] = 0
    for at in range(boxes.count):
        if spare < 0:
            break
        if not (lane and boxes.stuck[boxes.cells[at]]) and not _augment(boxes, match, lane, at):
            spare -= 1
    if game.kind == PUSH:
        thaw(boxes)
    return spare < 0


def _augment(boxes: Boxes, match: Matching, lane: Index, first: Index) -> Flag:
    """Give a box, by number, a target of its own; False if there is no augmenting path."""
    words: Index = match.taken.shape[0]
    depth: Index = 0
    last: Index = -1
    word: Index
    for word in range(words):
        match.tried[word] = 0
    match.path[0, 0] = first
    while depth >= 0:
        box: Index = boxes.cells[match.path[depth, 0]]
        asked: Index = -1
        match.work += 1
        for word in range(words):
            left: Word = match.ways[lane, box, word] & (ALL ^ match.tried[word])
            if left == 0:
                continue
            empty: Word = left & (ALL ^ match.taken[word])
            if empty:
                last = word * 64 + lowest_bit(empty)
                break
            if asked < 0:
                asked = word * 64 + lowest_bit(left)
        if last >= 0:
            break
        if asked < 0:
            depth -= 1
            continue
        match.tried[asked >> 6] |= bit(asked & 63)
        depth += 1
        match.path[depth, 0] = match.owner[asked]
        match.path[depth, 1] = asked
    if last < 0:
        return False
    match.taken[last >> 6] |= bit(last & 63)
    # Each box on the path gets the target for which the next box was asked.
    while depth >= 0:
        match.owner[last] = match.path[depth, 0]
        last = match.path[depth, 1]
        depth -= 1
    return True
