"""Lanes: a cache of the targets that a box can reach, by the set of targets that are already packed.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.domain.counters import Counters
from puzzlemc.encodings.sokoban.fess.domain.floods import Marks
from puzzlemc.encodings.sokoban.fess.domain.games import Floor
from puzzlemc.encodings.sokoban.fess.domain.lone_box import NEVER
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.floods import flood, new_stamp
    from puzzlemc.encodings.sokoban.fess.domain.games import PUSH
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Flag,
        Index,
        Ints,
        Shorts,
        Shorts2,
        Word,
        Words,
        Words2,
        Words3,
        bit,
    )

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

    order: Ints
    sets: Words2
    comes: Words3
    parts: Shorts2
    reach: Shorts2
    number: Index
    _kind: Index
    _counters: Counters
    _row: Words
    _floor: Floor
    _marks: Marks
    _waits: Bytes
    _waiting: Shorts

    def __init__(
        self,
        near: npt.NDArray[np.int16],
        kind: int,
        order: npt.NDArray[np.int32],
        reach: npt.NDArray[np.int32],
        counters: Counters,
    ) -> None:
        """Lanes of which only lane 0 is filled in; `reach` has the steps by target and cell.

        The work is added to the counters.
        """
        count, cells = reach.shape
        words = count // 64 + 1
        self.number = max(16, min(MOST_LANES, MEMORY // (cells * (words * 8 + 2))))
        comes = np.zeros((self.number + 1, cells, words), np.uint64)
        bits = np.packbits(reach < NEVER, axis=0, bitorder="little")
        comes[0].view(np.uint8)[:, : len(bits)] = bits.T
        self.order, self.comes = view(order), view(comes)
        self.sets = view(np.full((self.number + 1, words), ALL, np.uint64))
        self.parts = view(np.zeros((self.number + 1, cells), np.int16))
        self.reach = view(np.ascontiguousarray(np.minimum(reach, FAR - 1).T.astype(np.int16)))
        self._kind, self._counters, self._floor, self._marks = kind, counters, Floor(near), Marks(cells - 1)
        self._row, self._waits = view(np.zeros(words, np.uint64)), view(np.zeros(cells, np.uint8))
        self._waiting = view(np.zeros(cells, np.int16))


def lane_of(lanes: Lanes, packed: Bytes) -> Index:
    """The lane of the packed targets, computed if necessary."""
    word: Index
    target: Index
    factor: Word = 0x9E3779B97F4A7C15
    mixed: Word = 0
    is_there: Flag = True
    for word in range(lanes._row.shape[0]):
        lanes._row[word] = 0
    for target in range(lanes.order.shape[0]):
        if packed[target]:
            lanes._row[target >> 6] |= bit(target & 63)
    for word in range(lanes._row.shape[0]):
        with cython.overflowcheck(False):  # the product wraps around
            mixed = (mixed ^ lanes._row[word]) * factor & ALL
        mixed ^= mixed >> 29
    lane: Index = 1 + (mixed >> 20) % lanes.number
    for word in range(lanes._row.shape[0]):
        is_there = is_there and lanes.sets[lane, word] == lanes._row[word]
        lanes.sets[lane, word] = lanes._row[word]
    if not is_there:
        _fill(lanes, lane, packed)
    return lane


def is_reachable(lanes: Lanes, lane: Index, box: Index, target: Index) -> Flag:
    """Does a lone box reach the target between packed boxes?"""
    return lanes.comes[lane, box, target >> 6] >> (target & 63) & 1 != 0


def _fill(lanes: Lanes, lane: Index, packed: Bytes) -> None:
    """Fill in a lane, and add the number of visited cells to the work."""
    target: Index
    _spread(lanes, lane, _begin(lanes, lane, packed))
    _divide(lanes, lane)
    for target in range(lanes.order.shape[0]):
        lanes._floor.on[lanes.order[target]] = 0


def _begin(lanes: Lanes, lane: Index, packed: Bytes) -> Index:
    """Set the packed targets as walls, and let the other targets wait; return how many these are."""
    cell: Index
    word: Index
    target: Index
    left: Index = 0
    for cell in range(lanes.comes.shape[1]):
        lanes._waits[cell] = 0
        for word in range(lanes.comes.shape[2]):
            lanes.comes[lane, cell, word] = 0
    for target in range(lanes.order.shape[0]):
        cell = lanes.order[target]
        lanes._floor.on[cell] = packed[target]
        if not packed[target]:
            lanes.comes[lane, cell, target >> 6] = bit(target & 63)
            lanes._waits[cell] = 1
            lanes._waiting[left] = cell
            left += 1
    return left


def _spread(lanes: Lanes, lane: Index, left: Index) -> None:
    """Fill in the reachable targets by backward search from all targets at once.

    left  the number of waiting cells, which are in a ring
    """
    cells: Index = lanes.comes.shape[1]
    words: Index = lanes.comes.shape[2]
    head: Index = 0
    tail: Index = left
    work: Index = cells
    d: Index
    word: Index
    while left:
        cell: Index = lanes._waiting[head]
        head = head + 1 if head + 1 < cells else 0
        left -= 1
        work += 1
        lanes._waits[cell] = 0
        for d in range(4):
            before: Index = lanes._floor.near[cell, d]
            # The push to `cell` needs the player beyond `before`; the pull needs it beyond `cell`.
            player: Index = lanes._floor.near[before, d] if lanes._kind == PUSH else lanes._floor.near[cell, d ^ 2]
            if lanes._floor.on[before] or lanes._floor.on[player]:
                continue
            is_new: Flag = False
            for word in range(words):
                more: Word = lanes.comes[lane, cell, word] & (ALL ^ lanes.comes[lane, before, word])
                if more:
                    lanes.comes[lane, before, word] |= more
                    is_new = True
            if is_new and not lanes._waits[before]:
                lanes._waits[before] = 1
                lanes._waiting[tail] = before
                tail = tail + 1 if tail + 1 < cells else 0
                left += 1
    lanes._counters.work += work


def _divide(lanes: Lanes, lane: Index) -> None:
    """Fill in the components of the floor between packed boxes."""
    cell: Index
    at: Index
    new_stamp(lanes._marks)
    for cell in range(lanes.comes.shape[1]):
        if lanes._floor.on[cell] == 0 and lanes._marks.seen[cell] != lanes._marks.stamp:
            size: Index = flood(lanes._floor, cell, lanes._marks)
            for at in range(size):
                lanes.parts[lane, lanes._marks.cells[at]] = cell
