"""The open and the closed list of a search in compiled code: rows, found again by a hash table, in buckets.

States are rows in one growing array, found again by a hash table of row numbers (open addressing, linear
probing). A row that is open is *ready* if its cost so far plus its lower bound is within the limit, and stands in
the ready bucket of its cost; else in the later bucket of that sum; or, if its bound says that it is of no use,
among the hopeless, which have their turn when nothing else is left. A row may have several entries, of which the
first that is taken closes it.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.rows.layout import Numbers, Rows, Shorts
from puzzlemc.mc.rows.tables import HOPELESS, find


class Space(NamedTuple):
    """The open and the closed list of a search. The arrays have a fixed capacity: see `space.grown`."""

    rows: Rows  # (capacity, words)
    facts: Shorts  # (capacity, 4): of each row, see below
    slots: Shorts  # of the hash table: row number, -1 where free
    entry: Shorts  # (capacity, 2): a row that waits, the next entry of its bucket or -1
    ready: Shorts  # first entry by cost, -1 where the bucket is empty
    later: Shorts  # first entry by cost and bound
    scalars: Numbers


# The places of Space.facts. CLOSED is 0, or the limit within which the row was closed, and one.
PARENT, ACTION, COST, CLOSED = 0, 1, 2, 3
# The places of Space.scalars.
ROWS = 0  # in use
ENTRIES = 1  # in use
LOW = 2  # no ready row costs less
READY = 3  # number of ready entries
LATER = 4  # number of later entries
NEXT = 5  # no later entry has a lesser sum
USELESS = 6  # first of the hopeless, -1 if none


@cached()
def rehash(rows, used, slots):  # type: ignore[no-untyped-def]
    """Enter the rows in use into an empty table."""
    for i in range(used):
        slots[find(rows, slots, rows[i])] = i


@cached()
def put(entry, ready, later, scalars, number, cost, estimate, limit):  # type: ignore[no-untyped-def]
    """Let an entry wait: ready by cost if cost and estimate are within the limit, else later, or hopeless.

    The arrays are those of a space: to hand over the whole of it would take longer than what is done here.
    """
    total = cost + estimate
    if estimate >= HOPELESS:
        entry[number, 1] = scalars[USELESS]
        scalars[USELESS] = number
    elif total <= limit:
        entry[number, 1] = ready[cost]
        ready[cost] = number
        scalars[READY] += 1
        scalars[LOW] = min(scalars[LOW], cost)
    else:
        entry[number, 1] = later[total]
        later[total] = number
        scalars[LATER] += 1
        scalars[NEXT] = min(scalars[NEXT], total)


@cached()
def admit(space, limit):  # type: ignore[no-untyped-def]
    """Make ready what waits for a limit that has come."""
    scalars = space.scalars
    while scalars[LATER] and scalars[NEXT] <= limit:
        total = scalars[NEXT]
        number = np.int64(space.later[total])
        if number < 0:
            scalars[NEXT] += 1
            continue
        space.later[total] = space.entry[number, 1]
        scalars[LATER] -= 1
        cost = np.int64(space.facts[space.entry[number, 0], COST])
        put(space.entry, space.ready, space.later, scalars, number, cost, np.int64(0), limit)


@cached()
def despair(space, limit):  # type: ignore[no-untyped-def]
    """Let the hopeless wait as if they had no bound: nothing else is left."""
    scalars = space.scalars
    number = scalars[USELESS]
    scalars[USELESS] = -1
    while number >= 0:
        following = np.int64(space.entry[number, 1])
        cost = np.int64(space.facts[space.entry[number, 0], COST])
        put(space.entry, space.ready, space.later, scalars, number, cost, np.int64(0), limit)
        number = following


@cached()
def lowest(space):  # type: ignore[no-untyped-def]
    """The least cost of a ready row, there being one."""
    scalars = space.scalars
    while space.ready[scalars[LOW]] < 0:
        scalars[LOW] += 1
    return scalars[LOW]


@cached()
def enter(rows, slots, facts, scalars, row, cost, at, action, once):  # type: ignore[no-untyped-def]
    """Note a way to a row at that cost, by an action from the row `at`: its number, -1 if it was known as cheap.

    With `once` any row that is known is left as it is. The arrays are those of a space, as in `put`.
    """
    slot = find(rows, slots, row)
    known = np.int64(slots[slot])
    if known < 0:
        known = scalars[ROWS]
        scalars[ROWS] += 1
        rows[known] = row
        slots[slot] = known
    elif once or facts[known, COST] <= cost:
        return np.int64(-1)
    facts[known, PARENT] = at
    facts[known, ACTION] = action
    facts[known, COST] = cost
    facts[known, CLOSED] = 0
    return known


@cached()
def is_over(space):  # type: ignore[no-untyped-def]
    """Has the search closed all its rows?"""
    scalars = space.scalars
    return scalars[READY] == 0 and scalars[LATER] == 0 and scalars[USELESS] < 0
