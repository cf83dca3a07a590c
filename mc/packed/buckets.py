"""The open and the closed list of a compiled search: packed states, a hash table, and buckets by cost.

States stand in one growing array and are found by a hash table of their numbers (open addressing, linear
probing). A state that is not expanded has an entry in one of three lists: in the *open* bucket of its cost g, if g
+ h is within the search limit; in the *next* bucket of g + h, if g + h exceeds the limit; or in the *pruned* list,
if its bound is infinite. Pruned states are reopened when nothing else is left. A state may have several entries;
the first one that is taken closes it.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.layout import Numbers, PackedStates, Shorts
from puzzlemc.mc.packed.tables import INFINITE, find


class Space(NamedTuple):
    """The open and the closed list of a search. The arrays have a fixed capacity: see `space.grown`."""

    rows: PackedStates  # (capacity, words)
    node_info: Shorts  # (capacity, 4): parent, action, cost and CLOSED of each row, see below
    slots: Shorts  # of the hash table: row number, -1 where free
    entries: Shorts  # (capacity, 2): the number of a row, the next entry of its bucket or -1
    open_buckets: Shorts  # first entry by cost, -1 where the bucket is empty
    next_buckets: Shorts  # first entry by g + h, -1 where the bucket is empty
    # Numbers that a search changes, see ROWS and the constants after it.
    counters: Numbers


# Columns of Space.node_info. CLOSED is 0 before the expansion; after it, the search limit at the expansion plus
# one.
PARENT, ACTION, COST, CLOSED = 0, 1, 2, 3
# Places in Space.counters.
ROWS = 0  # number of rows in use
ENTRIES = 1  # number of entries in use
LEAST_OPEN = 2  # lower bound on the cost of an open state
OPEN = 3  # number of open entries
NEXT_BOUND = 4  # number of entries in next buckets
LEAST_NEXT = 5  # lower bound on the g + h of an entry in a next bucket
PRUNED = 6  # first entry of the pruned list, -1 if it is empty


@cached()
def rehash(rows, used, slots):  # type: ignore[no-untyped-def]
    """Insert the rows in use into an empty hash table."""
    for i in range(used):
        slots[find(rows, slots, rows[i])] = i


@cached()
def put(entries, open_buckets, next_buckets, counters, number, cost, estimate, limit):  # type: ignore[no-untyped-def]
    """Insert an entry: into the open bucket of its cost, the next bucket of its bound, or the pruned list.

    The arrays are those of a space: passing the whole tuple would take longer than the work done here.
    """
    total = cost + estimate
    if estimate >= INFINITE:
        entries[number, 1] = counters[PRUNED]
        counters[PRUNED] = number
    elif total <= limit:
        entries[number, 1] = open_buckets[cost]
        open_buckets[cost] = number
        counters[OPEN] += 1
        counters[LEAST_OPEN] = min(counters[LEAST_OPEN], cost)
    else:
        entries[number, 1] = next_buckets[total]
        next_buckets[total] = number
        counters[NEXT_BOUND] += 1
        counters[LEAST_NEXT] = min(counters[LEAST_NEXT], total)


@cached()
def admit(space, limit):  # type: ignore[no-untyped-def]
    """Move entries whose bound is within the new limit from the next buckets to the open ones."""
    counters = space.counters
    while counters[NEXT_BOUND] and counters[LEAST_NEXT] <= limit:
        total = counters[LEAST_NEXT]
        number = np.int64(space.next_buckets[total])
        if number < 0:
            counters[LEAST_NEXT] += 1
            continue
        space.next_buckets[total] = space.entries[number, 1]
        counters[NEXT_BOUND] -= 1
        cost = np.int64(space.node_info[space.entries[number, 0], COST])
        put(space.entries, space.open_buckets, space.next_buckets, counters, number, cost, np.int64(0), limit)


@cached()
def reopen_pruned(space, limit):  # type: ignore[no-untyped-def]
    """Move all pruned entries to the open buckets, with bound 0."""
    counters = space.counters
    number = counters[PRUNED]
    counters[PRUNED] = -1
    while number >= 0:
        following = np.int64(space.entries[number, 1])
        cost = np.int64(space.node_info[space.entries[number, 0], COST])
        put(space.entries, space.open_buckets, space.next_buckets, counters, number, cost, np.int64(0), limit)
        number = following


@cached()
def lowest(space):  # type: ignore[no-untyped-def]
    """The least cost of an open state. There must be an open state."""
    counters = space.counters
    while space.open_buckets[counters[LEAST_OPEN]] < 0:
        counters[LEAST_OPEN] += 1
    return counters[LEAST_OPEN]


@cached()
def enter(rows, slots, node_info, counters, row, cost, at, action, once):  # type: ignore[no-untyped-def]
    """Record that an action leads from row number `at` to `row` at this cost; return the number of the row.

    Returns -1, and changes nothing, if the row is known at no greater cost, or if it is known at all and `once`.
    The arrays are those of a space, as in `put`.
    """
    slot = find(rows, slots, row)
    known = np.int64(slots[slot])
    if known < 0:
        known = counters[ROWS]
        counters[ROWS] += 1
        rows[known] = row
        slots[slot] = known
    elif once or node_info[known, COST] <= cost:
        return np.int64(-1)
    node_info[known, PARENT] = at
    node_info[known, ACTION] = action
    node_info[known, COST] = cost
    node_info[known, CLOSED] = 0
    return known


@cached()
def is_over(space):  # type: ignore[no-untyped-def]
    """Are the open buckets, the next buckets and the pruned list empty?"""

    counters = space.counters
    return counters[OPEN] == 0 and counters[NEXT_BOUND] == 0 and counters[PRUNED] < 0
