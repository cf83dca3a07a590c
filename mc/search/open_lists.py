"""Several open lists of successors that are not generated yet, as pairs of a state and an operator.

In each list, pairs of the least key come first, the earliest of them first. The list that has been used least
comes next (alternation; Röger and Helmert 2010); a boost puts lists of preferred operators first for some time.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.search.growing import Growing
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Index, Ints2, Numbers

    KEYS = 1 << 14  # larger keys count as the largest


class OpenLists(Growing):
    """Lists by number. The array `entries` has a fixed capacity: the owner enlarges it.

    entries      (capacity, 3): a state, an operator, and the next entry of its bucket or of the free list, -1 at
                 the end
    first        (lists, KEYS): the first entry of each bucket, -1 if it is empty
    last         (lists, KEYS): the last entry of each bucket, if it is not empty
    least        (lists,): no smaller key has an entry
    size         (lists,): the number of entries
    priority     (lists,): how many times the list was used, less its boosts
    entry_count  the number of entries that were used so far
    free         the first entry of the free list, -1 if it is empty
    """

    entries: Ints2  # public
    first: Ints2
    last: Ints2
    least: Numbers
    size: Numbers  # readonly
    priority: Numbers  # readonly
    entry_count: Index  # readonly
    free: Index

    def __init__(self, lists: int, capacity: int) -> None:
        """Empty lists."""
        super().__init__()
        self.entries = view(np.zeros((capacity, 3), np.int32))
        self.first, self.last = view(np.full((lists, KEYS), -1, np.int32)), view(np.zeros((lists, KEYS), np.int32))
        self.least, self.size, self.priority = (view(np.zeros(lists, np.int64)) for _ in range(3))
        self.entry_count, self.free = 0, -1


def insert(lists: OpenLists, number: Index, key: Index, state: Index, operator: Index) -> None:
    """Insert a pair into a list. There must be room."""
    entry: Index = lists.free
    if entry >= 0:
        lists.free = lists.entries[entry, 2]
    else:
        entry = lists.entry_count
        lists.entry_count += 1
    lists.entries[entry, 0] = state
    lists.entries[entry, 1] = operator
    lists.entries[entry, 2] = -1
    bucket: Index = min(key, KEYS - 1)
    if lists.first[number, bucket] < 0:
        lists.first[number, bucket] = entry
    else:
        lists.entries[lists.last[number, bucket], 2] = entry
    lists.last[number, bucket] = entry
    lists.least[number] = min(lists.least[number], bucket)
    lists.size[number] += 1


def next_list(lists: OpenLists) -> Index:
    """The number of the list that comes next, -1 if all are empty."""
    best: Index = -1
    number: Index
    for number in range(lists.size.shape[0]):
        if lists.size[number] and (best < 0 or lists.priority[number] < lists.priority[best]):
            best = number
    return best


def remove(lists: OpenLists, number: Index) -> Index:
    """Remove the first pair of a list, which must have one; return its entry, which can still be read."""
    while lists.first[number, lists.least[number]] < 0:
        lists.least[number] += 1
    bucket: Index = lists.least[number]
    entry: Index = lists.first[number, bucket]
    lists.first[number, bucket] = lists.entries[entry, 2]
    lists.entries[entry, 2] = lists.free
    lists.free = entry
    lists.size[number] -= 1
    lists.priority[number] += 1
    return entry
