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

    DONE = -1
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
    _floor: Floor
    _marks: Marks
    _numbers: Shorts
    _lows: Shorts
    _open: Shorts
    _path: Shorts
    _ways: Bytes
    _visited: Index

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
        self._numbers, self._lows, self._open, self._path = (view(np.zeros(cells, np.int16)) for _ in range(4))
        self._ways, self._visited = view(np.zeros(cells, np.uint8)), 0


def lane_of(lanes: Lanes, packed: Words) -> Index:
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
    cell: Index
    _begin(lanes, lane, packed)
    for cell in range(lanes.comes.shape[1]):
        if lanes._floor.on[cell] == 0 and lanes._numbers[cell] == 0:
            _search(lanes, lane, cell)
    _divide(lanes, lane)
    for target in range(lanes.order.shape[0]):
        lanes._floor.on[lanes.order[target]] = 0
    lanes._counters.work += 2 * lanes.comes.shape[1]


def _begin(lanes: Lanes, lane: Index, packed: Words) -> None:
    """Set the packed targets as walls; each other target is reached from its own cell."""
    cell: Index
    word: Index
    target: Index
    lanes._visited = 0
    for cell in range(lanes.comes.shape[1]):
        lanes._numbers[cell] = 0
        for word in range(lanes.comes.shape[2]):
            lanes.comes[lane, cell, word] = 0
    for target in range(lanes.order.shape[0]):
        cell = lanes.order[target]
        if packed[target >> 6] & bit(target & 63):
            lanes._floor.on[cell] = 1
        else:
            lanes.comes[lane, cell, target >> 6] = bit(target & 63)


def _search(lanes: Lanes, lane: Index, root: Index) -> None:
    """Fill in the reachable targets of the cells to which a lone box can go from `root`.

    All cells of a strongly connected component reach the same targets: its own ones, and those of the components
    that it leads to, which are complete before it (Tarjan 1972). A component that is complete has the number DONE.
    """
    words: Index = lanes.comes.shape[2]
    depth: Index = 1
    tail: Index = 1
    word: Index
    lanes._path[0] = root
    lanes._ways[0] = 0
    lanes._open[0] = root
    lanes._visited += 1
    lanes._numbers[root] = lanes._visited
    lanes._lows[root] = lanes._visited
    while depth:
        cell: Index = lanes._path[depth - 1]
        d: Index = lanes._ways[depth - 1]
        if d < 4:
            lanes._ways[depth - 1] = d + 1
            after: Index = lanes._floor.near[cell, d]
            # A push needs the player behind the box, and a pull needs it beyond the next cell of the box.
            player: Index = lanes._floor.near[cell, d ^ 2] if lanes._kind == PUSH else lanes._floor.near[after, d]
            if lanes._floor.on[after] or lanes._floor.on[player]:
                continue
            if lanes._numbers[after] == 0:
                lanes._visited += 1
                lanes._numbers[after] = lanes._visited
                lanes._lows[after] = lanes._visited
                lanes._open[tail] = after
                tail += 1
                lanes._path[depth] = after
                lanes._ways[depth] = 0
                depth += 1
            elif lanes._numbers[after] == DONE:
                for word in range(words):
                    lanes.comes[lane, cell, word] |= lanes.comes[lane, after, word]
            else:
                lanes._lows[cell] = min(lanes._lows[cell], lanes._numbers[after])
            continue
        depth -= 1
        if lanes._lows[cell] == lanes._numbers[cell]:
            tail = _complete(lanes, lane, cell, tail)
        if depth:
            before: Index = lanes._path[depth - 1]
            lanes._lows[before] = min(lanes._lows[before], lanes._lows[cell])
            if lanes._numbers[cell] == DONE:
                for word in range(words):
                    lanes.comes[lane, before, word] |= lanes.comes[lane, cell, word]


def _complete(lanes: Lanes, lane: Index, root: Index, tail: Index) -> Index:
    """Complete the component of `root`, the last of the `tail` open cells from it on; return its place."""
    word: Index
    at: Index
    first: Index = tail - 1
    while lanes._open[first] != root:
        for word in range(lanes.comes.shape[2]):
            lanes.comes[lane, root, word] |= lanes.comes[lane, lanes._open[first], word]
        first -= 1
    for at in range(first, tail):
        cell: Index = lanes._open[at]
        lanes._numbers[cell] = DONE
        for word in range(lanes.comes.shape[2]):
            lanes.comes[lane, cell, word] = lanes.comes[lane, root, word]
    return first


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
