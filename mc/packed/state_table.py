"""Packed states in a growing array, found by a hash table of their numbers (open addressing, linear probing).

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Word, Words2, mixed


class StateTable:
    """Packed states, each once. The arrays have a fixed capacity: their owner enlarges them.

    rows   (capacity, words): the packed states
    slots  the hash table: the number of a row, -1 where free. Less than 2³² of them
    used   the number of rows in use
    """

    rows: Words2  # public
    slots: Ints  # public
    used: Index  # public

    def __init__(self, capacity: int, words: int, slots: int) -> None:
        """An empty table for that many packed states."""
        self.rows = view(np.zeros((capacity, words), np.uint64))
        self.slots = view(np.full(slots, -1, np.int32))
        self.used = 0

    def number_of(self, row: npt.NDArray[np.uint64]) -> int:
        """The number of a packed state of shape (words,), -1 if the table does not have it."""
        return _number_of(self, view(np.ascontiguousarray(row).reshape(1, -1)))

    def resize(self, slots: int) -> None:
        """Replace the hash table by one with that many slots."""
        self.slots = view(np.full(slots, -1, np.int32))
        rehash(self)


def _number_of(table: StateTable, row: Words2) -> Index:
    """The number of the only row of an array, -1 if the table does not have it."""
    return table.slots[find(table, row, 0)]


def find(table: StateTable, rows: Words2, i: Index) -> Index:
    """The slot of row i of the array in the hash table, or the free slot where it belongs."""
    return find_hashed(table, rows, i, hash_of(rows, i))


def hash_of(rows: Words2, i: Index) -> Word:
    """The hash of row i of the array."""
    words: Index = rows.shape[1]
    hash: Word = 0x9E3779B97F4A7C15
    w: Index
    for w in range(words):
        hash = mixed(hash, rows[i, w])
    return hash


def home(slots: Index, hash: Word) -> Index:
    """The slot at which the search for a hash begins: the high half of the hash as a fraction of all slots."""
    return ((hash >> 32) * slots) >> 32


def find_hashed(table: StateTable, rows: Words2, i: Index, hash: Word) -> Index:
    """As `find`, for a row with a known hash."""
    words: Index = rows.shape[1]
    slots: Index = table.slots.shape[0]
    w: Index
    at: Index = home(slots, hash)
    while table.slots[at] >= 0:
        number: Index = table.slots[at]
        same: Flag = True
        for w in range(words):
            if table.rows[number, w] != rows[i, w]:
                same = False
                break
        if same:
            break
        at += 1
        if at == slots:
            at = 0
    return at


def rehash(table: StateTable) -> None:
    """Insert the rows in use into the hash table, which is empty."""
    i: Index
    for i in range(table.used):
        table.slots[find(table, table.rows, i)] = i
