"""Packed states in a growing array, found by a hash table of their numbers (open addressing, linear probing).

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.search.growing import GROWTH, Growing
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Word, Words2, mixed

    # What a turn of a search returns.
    ENDED = 0  # no state is left to expand
    FOUND = 1  # a goal
    PAUSED = 2
    FULL = 3  # the arrays must grow before the next state can be expanded

    # Columns of StateTree.node_info.
    PARENT = 0  # the number of the state before, -1 at a start of the search
    ACTION = 1  # the number of the action that leads from there


class StateTable(Growing):
    """Packed states, each once. The arrays have a fixed capacity: their owner enlarges them.

    rows   (capacity, words): the packed states
    slots  the hash table: the number of a row, -1 where free. Less than 2³² of them
    used   the number of rows in use
    """

    rows: Words2  # public
    slots: Ints  # public
    used: Index  # public

    def __init__(self, capacity: int, words: int, slots: int) -> None:
        """An empty table for `capacity` packed states."""
        super().__init__()
        self.rows = view(np.zeros((capacity, words), np.uint64))
        self.slots = view(np.full(slots, -1, np.int32))
        self.used = 0

    def number_of(self, row: npt.NDArray[np.uint64]) -> int:
        """The number of a packed state of shape (words,), -1 if the table does not have it."""
        return _number_of(self, view(np.ascontiguousarray(row).reshape(1, -1)))

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return ["rows"]

    @property
    def bytes(self) -> int:
        """The size of these arrays and of the hash table."""
        return self.rows.shape[0] * self.bytes_of(*self.columns()) + 4 * self.slots.shape[0]

    def begin(self, row: npt.NDArray[np.uint64]) -> None:
        """Insert the first packed state, of shape (words,)."""
        np.asarray(self.rows)[0], self.used = row, 1
        rehash(self)

    def make_room(self, more: int, free: int) -> None:
        """Make room for `more` further states, in at most `free` further bytes. Raises LimitReached."""
        needed, slots = self.used + more, self.slots.shape[0]
        if 8 * needed >= 5 * slots:
            slots = max(int(GROWTH * slots), 8 * needed // 5 + 1)
            free -= 4 * (slots - self.slots.shape[0])
            if free < 0:
                raise LimitReached("memory")
            self.resize(slots)
        if needed >= self.rows.shape[0]:
            self.grow(needed + 1, free, *self.columns())

    def resize(self, slots: int) -> None:
        """Replace the hash table by one with `slots` slots."""
        self.slots = view(np.empty(1, np.int32))  # the old table goes before the new one comes
        self.slots = view(np.full(slots, -1, np.int32))
        rehash(self)


class StateTree(StateTable):
    """Packed states, and the way to each.

    node_info  (capacity, columns): PARENT and ACTION, see above, and what a search adds
    """

    node_info: Ints2  # public

    def __init__(self, capacity: int, words: int, slots: int, columns: int = 2) -> None:
        super().__init__(capacity, words, slots)
        self.node_info = view(np.zeros((capacity, columns), np.int32))

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return ["rows", "node_info"]

    def begin(self, row: npt.NDArray[np.uint64]) -> None:
        """Insert the start, of shape (words,)."""
        super().begin(row)
        self.node_info[0, PARENT] = self.node_info[0, ACTION] = -1

    def way(self, number: int) -> list[int]:
        """The numbers of the states on the way to a state, from a start of the search on."""
        states = []
        while number >= 0:
            states.append(number)
            number = self.node_info[number, PARENT]
        return states[::-1]

    def path(self, number: int) -> list[int]:
        """The actions on the way to a state."""
        return [self.node_info[each, ACTION] for each in self.way(number)[1:]]


def has_room(table: StateTable, more: Index) -> Flag:
    """Is there room for `more` further states? The hash table may be five eighths full, and a row stays free."""
    return table.used + more < table.rows.shape[0] and 8 * (table.used + more) < 5 * table.slots.shape[0]


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
    """The number of the state in row i, whose hash is known; -1 if it is not in the table."""
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
