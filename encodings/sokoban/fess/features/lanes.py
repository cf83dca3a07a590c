"""Lanes: a cache of the targets that a box can reach, by the set of targets that are already packed.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import Marks
from puzzlemc.encodings.sokoban.fess.domain.counters import Counters
from puzzlemc.encodings.sokoban.fess.domain.reach import Reach, fill_reach
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import flood, new_stamp
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Shorts2, Word, Words, Words2, Words3, bit

    FAR = 64  # cost of an unreachable target; longer distances are capped at FAR - 1

MOST_LANES = 1 << 12
MEMORY = 1 << 24  # bytes of the lanes of a side


class Lanes:
    """Reachability by packed targets. Lane 0 has no packed target; its floor is one component.

    order   the targets
    sets    (lanes + 1, words): the packed targets of a lane, as bits
    comes   (lanes + 1, cells + 1, words): the targets that a lone box reaches with packed boxes as walls, as bits
    parts   (lanes + 1, cells + 1): the least cell of the component of the floor between packed boxes
    reach   (cells + 1, targets): the steps of a lone box to each target, without packed boxes
    number  of lanes in use, besides lane 0
    """

    order: Ints  # readonly
    sets: Words2  # readonly
    comes: Words3  # readonly
    parts: Shorts2  # readonly
    reach: Shorts2  # readonly
    number: Index  # public
    _counters: Counters
    _reach: Reach
    _marks: Marks

    def __init__(
        self,
        near: npt.NDArray[np.int16],
        kind: int,
        order: npt.NDArray[np.int32],
        reach: npt.NDArray[np.int32],
        exact: bool,
        counters: Counters,
    ) -> None:
        """Lanes of which only lane 0 is filled in; `reach` has the steps by target and cell.

        The work is added to the counters.
        """
        count, cells = reach.shape
        words = count // 64 + 1
        self.number = max(16, min(MOST_LANES, MEMORY // (cells * (words * 8 + 2))))
        comes = np.zeros((self.number + 1, cells, words), np.uint64)
        self.order, self.comes = view(order), view(comes)
        self.sets = view(np.full((self.number + 1, words), ALL, np.uint64))
        self.parts = view(np.zeros((self.number + 1, cells), np.int16))
        self.reach = view(np.ascontiguousarray(np.minimum(reach, FAR - 1).T.astype(np.int16)))
        self._counters, self._reach, self._marks = counters, Reach(near, kind, order, exact), Marks(cells - 1)
        fill_reach(self._reach, self.comes, 0)


def lane_of(lanes: Lanes, packed: Words) -> Index:  # public
    """The lane of the packed targets, which are bits; computed if necessary."""
    word: Index
    factor: Word = 0x9E3779B97F4A7C15
    mixed: Word = 0
    is_there: Flag = True
    for word in range(packed.shape[0]):
        with cython.overflowcheck(False):  # the product wraps around
            mixed = (mixed ^ packed[word]) * factor & ALL
        mixed ^= mixed >> 29
    lane: Index = 1 + (mixed >> 20) % lanes.number
    for word in range(packed.shape[0]):
        is_there = is_there and lanes.sets[lane, word] == packed[word]
        lanes.sets[lane, word] = packed[word]
    if not is_there:
        _fill(lanes, lane, packed)
    return lane


def _fill(lanes: Lanes, lane: Index, packed: Words) -> None:
    """Fill in a lane, and add the number of visited cells to the work."""
    target: Index
    for target in range(lanes.order.shape[0]):
        if packed[target >> 6] & bit(target & 63):
            lanes._reach.floor.on[lanes.order[target]] = 1
    visited: Index = fill_reach(lanes._reach, lanes.comes, lane)
    _divide(lanes, lane)
    for target in range(lanes.order.shape[0]):
        lanes._reach.floor.on[lanes.order[target]] = 0
    lanes._counters.work += 2 * (lanes.comes.shape[1] + (visited if lanes._reach.exact else 0))


def _divide(lanes: Lanes, lane: Index) -> None:
    """Fill in the components of the floor between packed boxes."""
    cell: Index
    at: Index
    new_stamp(lanes._marks)
    for cell in range(lanes.comes.shape[1]):
        if lanes._reach.floor.on[cell] == 0 and lanes._marks.seen[cell] != lanes._marks.stamp:
            size: Index = flood(lanes._reach.floor, cell, lanes._marks)
            for at in range(size):
                lanes.parts[lane, lanes._marks.cells[at]] = cell
