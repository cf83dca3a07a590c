"""Frozen bits: true bits that no step makes false any more, and what is lost because of them.

A true bit becomes false by one of its *escapes*. Each escape has *blockers*, bits of which none may be true when
it happens. Take the greatest set of true bits such that each escape of each of them has a blocker in the set: none
of them can be the first to become false. They are frozen, now and in all that comes after.

A *demand* is about bits that count, whose number never grows. A state breaks it if a forbidden bit is true, or if
fewer than `least` of the bits that count are true without those that are frozen and useless. Such a state is lost,
and so is all that comes after it. An escape is *ruinous* for a demand if it breaks it while no bit that counts is
to spare. Ruinous escapes lead to lost states only, so they count as blocked.

Compiled: see `mc/words.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Word, Words, Words2, bit, count_bits, lowest_bit

    TRIAL = 1 << 12  # tests, after which
    SHARE = 64  # one in this number of tests must have found a lost state, or the tests end


class Escape(NamedTuple):
    """A way for a bit to become false, except while a blocker is true. It is ruinous for the demands `ruins`."""

    blockers: frozenset[int]
    ruins: frozenset[int] = frozenset()


class Demand(NamedTuple):
    """At least `least` of some bits are true without those that are frozen and useless; no forbidden bit is."""

    counted: frozenset[int]
    least: int
    useless: frozenset[int]
    forbidden: frozenset[int]


class FrozenBits:
    """The escapes of bits, and the demands.

    may_freeze       (words,): the bits whose escapes are known; the other ones never count as frozen
    first, end       the words that have such bits are among those from `first` to before `end`
    escapes          (bits + 1,): where the escapes of each bit begin
    ruins            (escapes,): the demands for which each is ruinous, as bits
    starts           (escapes + 1,): where the blockers of each begin
    blockers         their numbers
    counted, useless, forbidden   (demands, words)
    least            (demands,)
    frozen           (words,): scratch, the bits that may be frozen yet
    tight            scratch, the demands for which no bit that counts is to spare, as bits
    tests, hits      the states that `is_lost_by_step` has looked at, and those of them that are lost
    """

    may_freeze: Words
    first: Index
    end: Index
    escapes: Ints
    ruins: Words
    starts: Ints
    blockers: Ints
    counted: Words2
    useless: Words2
    forbidden: Words2
    least: Ints
    frozen: Words
    tight: Word
    tests: Index  # readonly
    hits: Index  # readonly

    def __init__(
        self, words: int, escapes: Mapping[int, Sequence[Escape]] | None = None, demands: Sequence[Demand] = ()
    ) -> None:
        """The escapes by the numbers of bits of packed states with `words` words. Other bits never freeze.

        There are at most 64 demands.
        """
        known = escapes or {}
        firsts, ruins, starts, blockers = [0], list[int](), [0], list[int]()
        for number in range(64 * words):
            for escape in known.get(number, ()):
                blockers += sorted(escape.blockers)
                starts.append(len(blockers))
                ruins.append(sum(1 << demand for demand in escape.ruins))
            firsts.append(len(ruins))
        self.may_freeze = view(_masks([known], words)[0])
        self.first, self.end = (min(known) // 64, max(known) // 64 + 1) if known else (0, 0)
        self.escapes, self.ruins = view(np.array(firsts, np.int32)), view(np.array(ruins, np.uint64))
        self.starts, self.blockers = view(np.array(starts, np.int32)), view(np.array(blockers, np.int32))
        self.counted = view(_masks([demand.counted for demand in demands], words))
        self.useless = view(_masks([demand.useless for demand in demands], words))
        self.forbidden = view(_masks([demand.forbidden for demand in demands], words))
        self.least = view(np.array([demand.least for demand in demands], np.int32))
        self.frozen = view(np.zeros(words, np.uint64))
        self.tight = self.tests = self.hits = 0

    def is_lost(self, table: StateTable, number: int) -> bool:
        """Is a state of the table lost?"""
        _begin(self, table, number)
        return bool(_is_lost(self, table, number))

    def frozen_in(self, table: StateTable, number: int) -> list[int]:
        """The numbers of the bits that are frozen in a state of the table."""
        _begin(self, table, number)
        _thaw(self)
        words = np.asarray(self.frozen).tolist()
        return [64 * w + b for w, word in enumerate(words) for b in range(64) if word >> b & 1]


def _masks(sets: Sequence[Iterable[int]], words: int) -> npt.NDArray[np.uint64]:
    """Sets of numbers of bits as rows of words."""
    masks = np.zeros((len(sets), words), np.uint64)
    for row, numbers in enumerate(sets):
        for number in numbers:
            masks[row, number // 64] |= np.uint64(1 << number % 64)
    return masks


def is_lost_by_step(known: FrozenBits, table: StateTable, before: Index, number: Index) -> Flag:
    """Is a state lost in which a step from state `before` has set a bit that is frozen now?

    If the step has frozen no bit, the state is as lost as `before`, which was looked at. The test ends for good
    where it finds little.
    """
    w: Index
    fresh: Word = 0
    for w in range(known.first, known.end):
        fresh |= table.rows[number, w] & (ALL ^ table.rows[before, w]) & known.may_freeze[w]
    if fresh == 0 or (known.tests >= TRIAL and known.hits * SHARE < known.tests):
        return False
    known.tests += 1
    _begin(known, table, number)
    for w in range(known.first, known.end):
        left: Word = known.frozen[w] & (ALL ^ table.rows[before, w])
        while left != 0:
            if not _can_escape(known, 64 * w + lowest_bit(left)):
                if _is_lost(known, table, number):
                    known.hits += 1
                    return True
                return False
            left &= left - 1
    return False


def _begin(known: FrozenBits, table: StateTable, number: Index) -> None:
    """Take all true bits as frozen, and see which demands have nothing to spare."""
    w: Index
    k: Index
    for w in range(known.first, known.end):
        known.frozen[w] = table.rows[number, w] & known.may_freeze[w]
    known.tight = 0
    for k in range(known.least.shape[0]):
        if _count(known, table, number, k) <= known.least[k]:
            known.tight |= bit(k)


def _count(known: FrozenBits, table: StateTable, number: Index, demand: Index) -> Index:
    """The number of true bits that count."""
    w: Index
    count: Index = 0
    for w in range(known.frozen.shape[0]):
        count += count_bits(table.rows[number, w] & known.counted[demand, w])
    return count


def _can_escape(known: FrozenBits, number: Index) -> Flag:
    """Has a bit an escape without a blocker that may be frozen, and which is not ruinous?"""
    e: Index
    i: Index
    for e in range(known.escapes[number], known.escapes[number + 1]):
        if known.ruins[e] & known.tight != 0:
            continue
        is_blocked: Flag = False
        for i in range(known.starts[e], known.starts[e + 1]):
            if known.frozen[known.blockers[i] >> 6] & bit(known.blockers[i] & 63) != 0:
                is_blocked = True
                break
        if not is_blocked:
            return True
    return False


def _thaw(known: FrozenBits) -> None:
    """Take bits that can escape out of those that may be frozen, until none can."""
    w: Index
    is_stable: Flag = False
    while not is_stable:
        is_stable = True
        for w in range(known.first, known.end):
            left: Word = known.frozen[w]
            while left != 0:
                b: Index = lowest_bit(left)
                left &= left - 1
                if _can_escape(known, 64 * w + b):
                    known.frozen[w] &= ALL ^ bit(b)
                    is_stable = False


def _is_lost(known: FrozenBits, table: StateTable, number: Index) -> Flag:
    """Find the frozen bits. Is a demand not met?"""
    w: Index
    k: Index
    _thaw(known)
    for k in range(known.least.shape[0]):
        count: Index = _count(known, table, number, k)
        for w in range(known.frozen.shape[0]):
            count -= count_bits(known.frozen[w] & known.useless[k, w])
            if table.rows[number, w] & known.forbidden[k, w] != 0:
                return True
        if count < known.least[k]:
            return True
    return False
