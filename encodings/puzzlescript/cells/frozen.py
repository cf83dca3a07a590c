"""Which objects of a board stay in their cells for ever, and whether the board is lost by that.

All objects whose ways out are known are candidates. One of them is struck out as soon as one of its ways out is
shut by none of the others, until all that are left hold each other in place. Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Bytes2, Flag, Index, Ints, Word, Words, Words2, bit, lowest_bit


class FrozenObjects:
    """The ways out of places (`object × cells + cell`), and needs: see `escapes`.

    cells            the number of cells of the board
    first_way        (places + 1,): where the ways out of a place begin
    ruined           by way out, the needs that it ruins if nothing is to spare, as bits
    first_blocker    by way out, where its blockers begin, and at last where they end
    blocker          the numbers of places
    is_counted, is_useless, is_forbidden   (needs, places)
    least            (needs,)
    is_known         (places,): whether its ways out are known
    is_there, stays  (places,): of the board: whether the object is there, and whether it is a candidate
    there            the places of the objects of the board, of which there are `count`
    spare            (needs,): how many objects more than needed count
    tight            the needs without anything to spare, as bits
    """

    cells: Index
    first_way: Ints
    ruined: Words
    first_blocker: Ints
    blocker: Ints
    is_counted: Bytes2
    is_useless: Bytes2
    is_forbidden: Bytes2
    least: Ints
    is_known: Bytes
    stays: Bytes
    there: Ints
    count: Index
    spare: Ints
    tight: Word

    def __init__(
        self,
        size: tuple[int, int],
        ways: Sequence[tuple[int, int, Sequence[int]]],
        known: npt.NDArray[np.uint8],
        least: Sequence[int],
        needs: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]],
    ) -> None:
        """For boards of a number of objects and of cells.

        A way out is its place, the needs that it ruins as bits, and its blockers. The ways out are in the order of
        their places. The needs are the arrays counted, useless and forbidden.
        """
        things, self.cells = size
        counts = np.bincount([place for place, _, _ in ways], minlength=things * self.cells)
        self.first_way = view(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
        self.ruined, self.tight = view(np.array([each for _, each, _ in ways], np.uint64)), 0
        ends = np.cumsum([0, *(len(blockers) for _, _, blockers in ways)])
        self.first_blocker = view(ends.astype(np.int32))
        self.blocker = view(np.array([each for _, _, blockers in ways for each in blockers], np.int32))
        self.is_counted, self.is_useless, self.is_forbidden = map(view, needs)
        self.least, self.spare = view(np.array(least, np.int32)), view(np.zeros(len(least), np.int32))
        self.is_known = view(known)
        self.stays = view(np.zeros(len(known), np.uint8))
        self.there, self.count = view(np.zeros(len(known), np.int32)), 0

    def are_lost(self, objects: npt.NDArray[np.uint64]) -> bool:
        """Is a board with these masks of objects, of shape (cells, words), lost?"""
        return bool(lost_by_frozen(self, view(np.ascontiguousarray(objects))))

    def frozen_in(self, objects: npt.NDArray[np.uint64]) -> list[int]:
        """The places of a board with these masks of objects whose objects stay for ever."""
        _read(self, view(np.ascontiguousarray(objects)))
        _weigh(self)
        _strike_out(self)
        there = np.asarray(self.there)[: self.count]
        staying = [int(place) for place in there if self.stays[place]]
        np.asarray(self.stays)[there] = 0
        return staying


def lost_by_frozen(known: FrozenObjects, objects: Words2) -> Flag:
    """Does a board with these objects break a need, because of objects that stay for ever?"""
    i: Index
    k: Index
    if known.least.shape[0] == 0:
        return False
    _read(known, objects)
    is_lost: Flag = _weigh(known)
    if not is_lost:
        _strike_out(known)
        for k in range(known.least.shape[0]):
            spare: Index = known.spare[k]
            for i in range(known.count):
                if known.stays[known.there[i]] != 0:
                    spare -= known.is_useless[k, known.there[i]]
            if spare < 0:
                is_lost = True
    for i in range(known.count):
        known.stays[known.there[i]] = 0
    return is_lost


def _read(known: FrozenObjects, objects: Words2) -> None:
    """List the objects of the board. Those whose ways out are known are candidates."""
    cell: Index
    w: Index
    known.count = 0
    for cell in range(objects.shape[0]):
        for w in range(objects.shape[1]):
            left: Word = objects[cell, w]
            while left != 0:
                place: Index = (64 * w + lowest_bit(left)) * known.cells + cell
                left &= left - 1
                known.there[known.count] = place
                known.count += 1
                known.stays[place] = known.is_known[place]


def _weigh(known: FrozenObjects) -> Flag:
    """Count what each need has to spare. Returns whether an object is where none may be."""
    i: Index
    k: Index
    is_lost: Flag = False
    known.tight = 0
    for k in range(known.least.shape[0]):
        known.spare[k] = -known.least[k]
        for i in range(known.count):
            known.spare[k] += known.is_counted[k, known.there[i]]
            if known.is_forbidden[k, known.there[i]] != 0:
                is_lost = True
        if known.spare[k] <= 0:
            known.tight |= bit(k)
    return is_lost


def _strike_out(known: FrozenObjects) -> None:
    """Strike out candidates that have a way out, until none has."""
    i: Index
    is_done: Flag = False
    while not is_done:
        is_done = True
        for i in range(known.count):
            place: Index = known.there[i]
            if known.stays[place] != 0 and _is_open(known, place):
                known.stays[place] = 0
                is_done = False


def _is_open(known: FrozenObjects, place: Index) -> Flag:
    """Has a place a way out that no candidate shuts, and that ruins no need?"""
    way: Index
    i: Index
    for way in range(known.first_way[place], known.first_way[place + 1]):
        if known.ruined[way] & known.tight != 0:
            continue
        is_shut: Flag = False
        for i in range(known.first_blocker[way], known.first_blocker[way + 1]):
            if known.stays[known.blocker[i]] != 0:
                is_shut = True
        if not is_shut:
            return True
    return False
