"""The inner loop of explicit search, compiled by numba: Dijkstra over rows of 64-bit words.

States are rows in one growing array, found again by a hash table of row numbers (open addressing, linear
probing). Action a is enabled in a row where `row & mask[a] == value[a]`, leads to `row & keep[a] | set[a]`, and is
dropped where the result meets `dead[a]`. The actions of a row are those from `first[k]` to `first[k + 1]`, where k
is the row's first word under `key`. Costs are small: what waits at cost c stands in queue c modulo their number.

Where steps between locations are free, one row can stand for a whole region of locations: see `flood`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

EXHAUSTED, FOUND, PAUSED, LAYER = 0, 1, 2, 3
OPEN, CLOSED = np.uint8(0), np.uint8(1)

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """Actions as arrays: (actions, words) of uint64, and their costs and places by location code."""

    key: np.uint64
    first: Ints
    mask: Words
    value: Words
    keep: Words
    set: Words
    dead: Words
    price: Ints
    number: Ints
    # Free steps between locations, if rows stand for regions: from `free_first[k]` on, each to the location code
    # `free_to`, open where `row & free_mask == free_value` but for the location.
    free_first: Ints
    free_to: Ints
    free_mask: Words
    free_value: Words


class Space(NamedTuple):
    """All that a search has found; arrays are replaced by larger ones as it grows."""

    rows: Words  # (room, words)
    parent: Ints
    action: Ints
    cost: Ints
    closed: npt.NDArray[np.uint8]
    slots: Ints  # of the hash table: row number, -1 where free
    queues: Ints  # (costs + 1, room) row numbers
    sizes: Ints  # of the queues
    scalars: Ints  # rows in use, current cost, next place in the current queue


@njit(cache=True, inline="always")
def _hash(row, words):  # type: ignore[no-untyped-def]
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        h ^= row[w]
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    return h


@njit(cache=True)
def find(rows, slots, row):  # type: ignore[no-untyped-def]
    """The slot of the row in the table, or the free slot where it belongs."""
    words = rows.shape[1]
    last = np.uint64(len(slots) - 1)
    at = _hash(row, words) & last
    while slots[at] >= 0:
        other = rows[slots[at]]
        same = True
        for w in range(words):
            if other[w] != row[w]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return at


@njit(cache=True)
def flood(tables, row, codes, seen, stamp):  # type: ignore[no-untyped-def]
    """List in `codes` the locations that free steps lead to from the row; their number. `seen` gets the stamp."""
    words = row.shape[0]
    key = tables.key
    codes[0] = np.int64(row[0] & key)
    seen[codes[0]] = stamp
    count, place = 1, 0
    while place < count:
        here = codes[place]
        place += 1
        for e in range(tables.free_first[here], tables.free_first[here + 1]):
            there = tables.free_to[e]
            if seen[there] == stamp:
                continue
            is_open = True
            for w in range(words):
                if row[w] & tables.free_mask[e, w] != tables.free_value[e, w]:
                    is_open = False
                    break
            if is_open:
                seen[there] = stamp
                codes[count] = there
                count += 1
    return count


@njit(cache=True)
def settle(tables, row, codes, seen, stamp):  # type: ignore[no-untyped-def]
    """Move the row to the least location of its region: one row stands for all of them."""
    count = flood(tables, row, codes, seen, stamp)
    least = codes[0]
    for i in range(1, count):
        least = min(least, codes[i])
    row[0] = row[0] & ~tables.key | np.uint64(least)


@njit(cache=True)
def _more(array, room):  # type: ignore[no-untyped-def]
    larger = np.empty(room, array.dtype)
    larger[: len(array)] = array
    return larger


@njit(cache=True)
def successors(tables, row, codes, others, seen, stamp, after, by):  # type: ignore[no-untyped-def]
    """Write the successors of a row, or of its region, to `after`, and the places of their actions to `by`.

    Returns their number and the last stamp used. `codes`, `others` and `seen` are room for `flood`.
    """
    words = row.shape[0]
    regions = len(tables.free_to) > 0
    count, found = 1, 0
    codes[0] = np.int64(row[0] & tables.key)
    if regions:
        stamp += 1
        count = flood(tables, row, codes, seen, stamp)
    for i in range(count):
        row[0] = row[0] & ~tables.key | np.uint64(codes[i])
        for a in range(tables.first[codes[i]], tables.first[codes[i] + 1]):
            fits = True
            for w in range(words):
                if row[w] & tables.mask[a, w] != tables.value[a, w]:
                    fits = False
                    break
            if not fits:
                continue
            for w in range(words):
                after[found, w] = row[w] & tables.keep[a, w] | tables.set[a, w]
                if after[found, w] & tables.dead[a, w]:
                    fits = False
            if fits:
                if regions:
                    stamp += 1
                    settle(tables, after[found], others, seen, stamp)
                by[found] = a
                found += 1
    return found, stamp


@njit(cache=True)
def add(space, slot, row):  # type: ignore[no-untyped-def]
    """Add a new row, in the slot where it belongs: its number, and the space, grown if need be."""
    rows, parent, action, cost, closed, slots, queues, sizes, scalars = space
    used = scalars[0]
    if used == len(rows):
        room = 2 * used
        larger = np.empty((room, rows.shape[1]), np.uint64)
        larger[:used] = rows
        rows = larger
        parent, action, cost, closed = (
            _more(parent, room),
            _more(action, room),
            _more(cost, room),
            _more(closed, room),
        )
    rows[used] = row
    closed[used] = OPEN
    slots[slot] = used
    scalars[0] = used + 1
    if 2 * scalars[0] > len(slots):
        slots = np.full(2 * len(slots), np.int64(-1))
        for i in range(scalars[0]):
            slots[find(rows, slots, rows[i])] = i
    return used, Space(rows, parent, action, cost, closed, slots, queues, sizes, scalars)


@njit(cache=True)
def meets(row, mask, value):  # type: ignore[no-untyped-def]
    """Does the row satisfy any of the cubes?"""
    for g in range(mask.shape[0]):
        fits = True
        for w in range(row.shape[0]):
            if row[w] & mask[g, w] != value[g, w]:
                fits = False
                break
        if fits:
            return True
    return False


@njit(cache=True)
def explore(tables, goal_mask, goal_value, space, other, best, most_rows, most_steps):  # type: ignore[no-untyped-def]
    """Search on from where `space` stands: (status, number of the goal row or -1, the space).

    The goal is any of the cubes (goal_mask, goal_value). Where a row is closed here and in `other`, `best`
    becomes (sum of the costs, row here, row there) if that is less. Stops when it closes a goal row (FOUND), when
    nothing waits (EXHAUSTED), at the end of a layer (LAYER), or after `most_steps` closed rows or when there are
    `most_rows` rows (PAUSED).
    """
    words, width, locations = space.rows.shape[1], space.queues.shape[0], len(tables.first) - 1
    row = np.empty(words, np.uint64)
    after, by = np.empty((len(tables.mask) + 1, words), np.uint64), np.empty(len(tables.mask) + 1, np.int64)
    codes, others = np.empty(locations, np.int64), np.empty(locations, np.int64)
    seen, stamp = np.zeros(locations, np.int64), 0
    now, place = space.scalars[1], space.scalars[2]
    status, hit = PAUSED, np.int64(-1)
    steps = 0
    while steps < most_steps and space.scalars[0] < most_rows:
        here = now % width
        if place == space.sizes[here]:
            space.sizes[here] = 0
            place = 0
            status = EXHAUSTED
            for ahead in range(1, width):
                if space.sizes[(now + ahead) % width] > 0:
                    now += ahead
                    status = LAYER
                    break
            break
        at = space.queues[here, place]
        place += 1
        if space.closed[at] or space.cost[at] != now:
            continue
        space.closed[at] = CLOSED
        steps += 1
        row[:] = space.rows[at]
        if meets(row, goal_mask, goal_value):
            status, hit = FOUND, at
            break
        if other.scalars[0] > 0:
            met = other.slots[find(other.rows, other.slots, row)]
            if met >= 0 and other.closed[met] and now + other.cost[met] < best[0]:
                best[0], best[1], best[2] = now + other.cost[met], at, met
        count, stamp = successors(tables, row, codes, others, seen, stamp, after, by)
        for i in range(count):
            cost = now + tables.price[by[i]]
            slot = find(space.rows, space.slots, after[i])
            known = space.slots[slot]
            if known < 0:
                known, space = add(space, slot, after[i])
            elif space.closed[known] or space.cost[known] <= cost:
                continue
            space.parent[known] = at
            space.action[known] = tables.number[by[i]]
            space.cost[known] = cost
            there = cost % width
            if space.sizes[there] == space.queues.shape[1]:
                queues = np.empty((width, 2 * space.queues.shape[1]), np.int64)
                queues[:, : space.queues.shape[1]] = space.queues
                space = with_queues(space, queues)
            space.queues[there, space.sizes[there]] = known
            space.sizes[there] += 1
    space.scalars[1], space.scalars[2] = now, place
    return status, hit, space


@njit(cache=True)
def greedy(tables, goal_mask, goal_value, space, most_rows, most_steps):  # type: ignore[no-untyped-def]
    """Best-first search: always close a row of the least potential, the latest of them first.

    The cost of a row is its potential and prices are what actions change it by; `queues[0]` links the rows that
    wait at one potential, and `sizes` holds the first of each, -1 where none waits.
    """
    words, locations = space.rows.shape[1], len(tables.first) - 1
    row = np.empty(words, np.uint64)
    after, by = np.empty((len(tables.mask) + 1, words), np.uint64), np.empty(len(tables.mask) + 1, np.int64)
    codes, others = np.empty(locations, np.int64), np.empty(locations, np.int64)
    seen, stamp = np.zeros(locations, np.int64), 0
    now = space.scalars[1]
    status, hit = PAUSED, np.int64(-1)
    steps = 0
    while steps < most_steps and space.scalars[0] < most_rows:
        while now < len(space.sizes) and space.sizes[now] < 0:
            now += 1
        if now == len(space.sizes):
            status = EXHAUSTED
            break
        at = space.sizes[now]
        space.sizes[now] = space.queues[0, at]
        space.closed[at] = CLOSED
        steps += 1
        row[:] = space.rows[at]
        if meets(row, goal_mask, goal_value):
            status, hit = FOUND, at
            break
        count, stamp = successors(tables, row, codes, others, seen, stamp, after, by)
        potential = space.cost[at]
        for i in range(count):
            slot = find(space.rows, space.slots, after[i])
            if space.slots[slot] >= 0:
                continue
            known, space = add(space, slot, after[i])
            if space.queues.shape[1] < len(space.rows):
                queues = np.empty((1, len(space.rows)), np.int64)
                queues[0, : space.queues.shape[1]] = space.queues[0]
                space = with_queues(space, queues)
            space.parent[known] = at
            space.action[known] = tables.number[by[i]]
            there = potential + tables.price[by[i]]
            space.cost[known] = there
            space.queues[0, known] = space.sizes[there]
            space.sizes[there] = known
            now = min(now, there)
    space.scalars[1] = now
    return status, hit, space


@njit(cache=True)
def with_queues(space, queues):  # type: ignore[no-untyped-def]
    """The same space with longer queues."""
    return Space(
        space.rows,
        space.parent,
        space.action,
        space.cost,
        space.closed,
        space.slots,
        queues,
        space.sizes,
        space.scalars,
    )
