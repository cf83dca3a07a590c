"""Matching deadlocks: no assignment gives each goal a box of its own around the frozen boxes.

For each box that is not frozen, the goals that it reaches alone with the frozen boxes are known. If no matching
gives each goal without a frozen box a box of its own (Kuhn 1955, by augmenting paths), the position is dead. Many
positions have the same frozen boxes, so the reachable goals are cached as bits. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.domain.pairing import Pairing
from puzzlemc.encodings.sokoban.fess.domain.reach import Reach, fill_reach
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import PUSH
    from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import freeze, thaw
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Game
    from puzzlemc.encodings.sokoban.fess.domain.pairing import augment, clear
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Word, Words, Words2, Words3, bit

    LANES = 32  # sets of frozen boxes in the cache


class Matching:
    """The targets that a lone box reaches, by sets of frozen boxes (lanes), and working arrays.

    reach    the board; its walls are set to the frozen boxes
    targets  their cells
    ways     (LANES + 1, cells + 1, words): the reachable targets as bits; lane 0 has no frozen box
    frozen   (LANES + 1, words of a position): the frozen boxes of a lane
    row      the frozen boxes of the position at hand
    pairing  of boxes and targets; its work includes visited cells
    """

    reach: Reach  # readonly
    targets: Ints  # readonly
    ways: Words3  # readonly
    frozen: Words2  # readonly
    row: Words  # readonly
    pairing: Pairing  # readonly

    def __init__(
        self,
        near: npt.NDArray[np.int16],
        kind: int,
        targets: npt.NDArray[np.int32],
        boxes: int,
        exact: bool,
    ) -> None:
        """For a game with `boxes` boxes.

        near, kind  as in `Game`
        targets     the cells of the targets
        """
        count, cells = len(targets), len(near) - 1
        words_of_position = cells // 64 + 1
        self.reach, self.targets = Reach(near, kind, targets, exact), view(targets)
        self.ways = view(np.zeros((LANES + 1, cells + 1, count // 64 + 1), np.uint64))
        fill_reach(self.reach, self.ways, 0)
        self.frozen = view(np.zeros((LANES + 1, words_of_position), np.uint64))
        self.row = view(np.zeros(words_of_position, np.uint64))
        self.pairing = Pairing(boxes, count)


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
    for cell in range(match.reach.floor.cells + 1):
        match.reach.floor.on[cell] = boxes.stuck[cell]
    match.pairing.work += 2 * (match.reach.floor.cells + fill_reach(match.reach, match.ways, lane))
    return lane


def cannot_match(game: Game, boxes: Boxes, match: Matching) -> Flag:  # public
    """Is there no way to give each target a box of its own? Pull games have no frozen boxes."""
    free: Index = match.targets.shape[0]
    spare: Index = boxes.count - free
    lane: Index = 0
    at: Index
    match.pairing.work += boxes.count >> 1
    if game.kind == PUSH and freeze(game, boxes):
        lane = _lane(boxes, match)
        free = spare = 0
        for at in range(boxes.count):
            spare += boxes.stuck[boxes.cells[at]] == 0
        for at in range(match.targets.shape[0]):
            free += boxes.stuck[match.targets[at]] == 0
        spare -= free
    clear(match.pairing)
    for at in range(boxes.count):
        if spare < 0:
            break
        if not (lane and boxes.stuck[boxes.cells[at]]) and not augment(match.pairing, match.ways, lane, boxes, at):
            spare -= 1
    if game.kind == PUSH:
        thaw(boxes)
    return spare < 0
