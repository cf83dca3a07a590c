"""The open and the closed list of a search: packed states, a hash table, and buckets by cost. Compiled.

A state that is not expanded has an entry in one of three lists: in the *open* bucket of its cost g, if g + h is
within the search limit; in the *next* bucket of g + h, if g + h exceeds the limit; or in the *pruned* list, if its
bound is infinite. Pruned states are reopened when nothing else is left. A state may have several entries; the
first one that is taken closes it.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.search.state_table import StateTree
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.search.state_table import ACTION, PARENT, find, find_hashed
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Word, Words2

    # Further columns of Space.node_info. CLOSED is 0 before the expansion; after it, the search limit at the
    # expansion plus one.
    COST, CLOSED = 2, 3


class Space(StateTree):
    """The open and the closed list of a search. The arrays have a fixed capacity: see `space.enlarge`.

    node_info     (capacity, 4): see above
    entries       (capacity, 2): the number of a row, the next entry of its list or -1
    open_buckets  the first entry by cost, -1 where the bucket is empty
    next_buckets  the first entry by g + h, -1 where the bucket is empty
    entry_count   the number of entries in use
    least_open    a lower bound on the cost of an open state
    open_count    the number of open entries
    next_count    the number of entries in next buckets
    least_next    a lower bound on the g + h of an entry in a next bucket
    pruned        the first entry of the pruned list, -1 if it is empty
    """

    entries: Ints2  # public
    open_buckets: Ints  # public
    next_buckets: Ints  # public
    entry_count: Index  # public
    least_open: Index  # public
    open_count: Index  # public
    next_count: Index  # public
    least_next: Index  # public
    pruned: Index  # public

    def __init__(
        self, capacity: int, words: int, columns: int = 4, entries: int = 0, entry_columns: int = 2
    ) -> None:
        """Empty lists for `capacity` rows and `entries` entries (0: as many as rows)."""
        super().__init__(capacity, words, 4 * (1 << (capacity - 1).bit_length()), columns)
        self.entries = view(np.zeros((entries or capacity, entry_columns), np.int32))
        self.open_buckets = view(np.full(1 << 10, -1, np.int32))
        self.next_buckets = view(np.full(1 << 10, -1, np.int32))
        self.entry_count = self.least_open = self.open_count = self.next_count = 0
        self.least_next, self.pruned = INFINITE, -1


def open_rows(space: Space, rows: npt.NDArray[np.uint64]) -> None:
    """Insert distinct rows into empty lists: all are open at cost 0, whatever their bound, the last one first.

    There must be room for them.
    """
    _open_rows(space, view(np.ascontiguousarray(rows)))


def _open_rows(space: Space, rows: Words2) -> None:
    """`open_rows` in compiled code."""
    i: Index
    w: Index
    for i in range(rows.shape[0]):
        for w in range(rows.shape[1]):
            space.rows[i, w] = rows[i, w]
        space.node_info[i, PARENT] = -1
        space.node_info[i, ACTION] = -1
        space.entries[i, 0] = i
        space.entries[i, 1] = i - 1
        space.slots[find(space, rows, i)] = i
    space.used = space.entry_count = space.open_count = rows.shape[0]
    space.open_buckets[0] = rows.shape[0] - 1


def put(space: Space, number: Index, cost: Index, estimate: Index, limit: Index) -> None:
    """Insert an entry: into the open bucket of its cost, the next bucket of its bound, or the pruned list."""
    total: Index = cost + estimate
    if estimate >= INFINITE:
        space.entries[number, 1] = space.pruned
        space.pruned = number
    elif total <= limit:
        space.entries[number, 1] = space.open_buckets[cost]
        space.open_buckets[cost] = number
        space.open_count += 1
        if cost < space.least_open:
            space.least_open = cost
    else:
        space.entries[number, 1] = space.next_buckets[total]
        space.next_buckets[total] = number
        space.next_count += 1
        if total < space.least_next:
            space.least_next = total


def admit(space: Space, limit: Index) -> None:
    """Move entries whose bound is within the new limit from the next buckets to the open ones."""
    while space.next_count and space.least_next <= limit:
        number: Index = space.next_buckets[space.least_next]
        if number < 0:
            space.least_next += 1
            continue
        space.next_buckets[space.least_next] = space.entries[number, 1]
        space.next_count -= 1
        put(space, number, space.node_info[space.entries[number, 0], COST], 0, limit)


def reopen_pruned(space: Space, limit: Index) -> None:
    """Move all pruned entries to the open buckets, with bound 0."""
    number: Index = space.pruned
    space.pruned = -1
    while number >= 0:
        following: Index = space.entries[number, 1]
        put(space, number, space.node_info[space.entries[number, 0], COST], 0, limit)
        number = following


def lowest(space: Space) -> Index:
    """The least cost of an open state. There must be an open state."""
    while space.open_buckets[space.least_open] < 0:
        space.least_open += 1
    return space.least_open


def enter(
    space: Space, rows: Words2, i: Index, hash: Word, cost: Index, at: Index, action: Index, once: Flag
) -> Index:
    """Record that an action leads from row number `at` to row i of an array at this cost; return its number.

    Returns -1, and changes nothing, if the row is known at no greater cost, or if it is known at all and `once`.
    `hash` is that of row i.
    """
    slot: Index = find_hashed(space, rows, i, hash)
    known: Index = space.slots[slot]
    w: Index
    if known < 0:
        known = space.used
        space.used += 1
        for w in range(rows.shape[1]):
            space.rows[known, w] = rows[i, w]
        space.slots[slot] = known
    elif once or space.node_info[known, COST] <= cost:
        return -1
    space.node_info[known, PARENT] = at
    space.node_info[known, ACTION] = action
    space.node_info[known, COST] = cost
    space.node_info[known, CLOSED] = 0
    return known


def is_over(space: Space) -> Flag:  # public
    """Are the open buckets, the next buckets and the pruned list empty?"""
    return space.open_count == 0 and space.next_count == 0 and space.pruned < 0
