"""Bounds on numbers of true bits: a state that breaks one is dead, and so is all that comes after it.

Compiled: see `mc/words.py`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cython
import numpy as np

from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Words, count_bits


class CountBound(NamedTuple):
    """At least `least` and at most `most` of some bits, given by number, are true in states that are not dead."""

    bits: Sequence[int]
    least: int
    most: int


class CountBounds:
    """Bounds as masks of words.

    least, most  (bounds,)
    entries      (bounds + 1,): where the masks of each bound begin
    word, mask   (entries,): the number of a word of the packed state, and the bits of it that count
    """

    least: Ints
    most: Ints
    entries: Ints
    word: Ints
    mask: Words

    def __init__(self, bounds: Iterable[CountBound] = ()) -> None:
        """The bounds, in the order in which states are tested."""
        least, most, entries, words, masks = list[int](), list[int](), [0], list[int](), list[int]()
        for bound in bounds:
            parts: dict[int, int] = {}
            for number in bound.bits:
                parts[number // 64] = parts.get(number // 64, 0) | 1 << number % 64
            words += parts
            masks += parts.values()
            entries.append(len(words))
            least.append(bound.least)
            most.append(bound.most)
        self.least, self.most = view(np.array(least, np.int32)), view(np.array(most, np.int32))
        self.entries, self.word = view(np.array(entries, np.int32)), view(np.array(words, np.int32))
        self.mask = view(np.array(masks, np.uint64))

    def are_broken(self, table: StateTable, number: int) -> bool:
        """Does a state of the table break one of the bounds?"""
        return bool(broken(self, table, number))


def broken(bounds: CountBounds, table: StateTable, number: Index) -> Flag:
    """Does a state of the table break one of the bounds?"""
    b: Index
    i: Index
    for b in range(bounds.least.shape[0]):
        count: Index = 0
        for i in range(bounds.entries[b], bounds.entries[b + 1]):
            count += count_bits(table.rows[number, bounds.word[i]] & bounds.mask[i])
        if count < bounds.least[b] or count > bounds.most[b]:
            return True
    return False
