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
CLOSED = np.uint8(1)

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
    scalars: Ints  # rows in use, current cost, next place in the current queue, rows closed


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
def explore(tables, goal_mask, goal_value, space, other, best, most_rows, most_steps):  # type: ignore[no-untyped-def]
    """Search on from where `space` stands: (status, number of the goal row or -1, the space).

    The goal is any of the cubes (goal_mask, goal_value). Where a row is closed here and in `other`, `best`
    becomes (sum of the costs, row here, row there) if that is less. Stops when it closes a goal row (FOUND), when
    nothing waits (EXHAUSTED), at the end of a layer (LAYER), or after `most_steps` closed rows or when there are
    `most_rows` rows (PAUSED).
    """
    key, first, mask, value = tables.key, tables.first, tables.mask, tables.value
    keep, set_, dead, price, number = tables.keep, tables.set, tables.dead, tables.price, tables.number
    regions = len(tables.free_to) > 0
    locations = len(first) - 1
    codes, others = np.empty(locations, np.int64), np.empty(locations, np.int64)
    seen = np.zeros(locations, np.int64)
    stamp = 0
    rows, parent, action, cost, closed, slots, queues, sizes, scalars = space
    words = rows.shape[1]
    width = queues.shape[0]
    used, now, place = scalars[0], scalars[1], scalars[2]
    row, after = np.empty(words, np.uint64), np.empty(words, np.uint64)
    status, hit = PAUSED, np.int64(-1)
    steps = 0
    while steps < most_steps:
        here = now % width
        if place == sizes[here]:
            sizes[here] = 0
            place = 0
            status = EXHAUSTED
            for ahead in range(1, width):
                if sizes[(now + ahead) % width] > 0:
                    now += ahead
                    status = LAYER
                    break
            break
        at = queues[here, place]
        place += 1
        if closed[at] or cost[at] != now:
            continue
        closed[at] = CLOSED
        steps += 1
        row[:] = rows[at]
        for g in range(goal_mask.shape[0]):
            holds = True
            for w in range(words):
                if row[w] & goal_mask[g, w] != goal_value[g, w]:
                    holds = False
                    break
            if holds:
                status, hit = FOUND, at
                break
        if status == FOUND:
            break
        if other.scalars[0] > 0:
            met = other.slots[find(other.rows, other.slots, row)]
            if met >= 0 and other.closed[met] and now + other.cost[met] < best[0]:
                best[0], best[1], best[2] = now + other.cost[met], at, met
        count = 1
        codes[0] = np.int64(row[0] & key)
        if regions:
            stamp += 1
            count = flood(tables, row, codes, seen, stamp)
        for place_in_region in range(count):
            location = codes[place_in_region]
            row[0] = row[0] & ~key | np.uint64(location)
            for a in range(first[location], first[location + 1]):
                enabled = True
                for w in range(words):
                    if row[w] & mask[a, w] != value[a, w]:
                        enabled = False
                        break
                if not enabled:
                    continue
                spared = True
                for w in range(words):
                    after[w] = row[w] & keep[a, w] | set_[a, w]
                    if after[w] & dead[a, w]:
                        spared = False
                        break
                if not spared:
                    continue
                if regions:
                    stamp += 1
                    settle(tables, after, others, seen, stamp)
                new_cost = now + price[a]
                slot = find(rows, slots, after)
                known = slots[slot]
                if known < 0:
                    if used == len(rows):
                        room = 2 * used
                        larger = np.empty((room, words), np.uint64)
                        larger[:used] = rows
                        rows = larger
                        parent = _more(parent, room)
                        action = _more(action, room)
                        cost = _more(cost, room)
                        flags = np.zeros(room, np.uint8)
                        flags[:used] = closed
                        closed = flags
                    known = used
                    used += 1
                    rows[known] = after
                    slots[slot] = known
                    if 2 * used > len(slots):
                        slots = np.full(2 * len(slots), np.int64(-1))
                        for i in range(used):
                            slots[find(rows, slots, rows[i])] = i
                elif closed[known] or cost[known] <= new_cost:
                    continue
                parent[known] = at
                action[known] = number[a]
                cost[known] = new_cost
                there = new_cost % width
                if sizes[there] == queues.shape[1]:
                    longer = np.empty((width, 2 * queues.shape[1]), np.int64)
                    longer[:, : queues.shape[1]] = queues
                    queues = longer
                queues[there, sizes[there]] = known
                sizes[there] += 1
        if used >= most_rows:
            break
    scalars[0], scalars[1], scalars[2] = used, now, place
    scalars[3] += steps
    return status, hit, Space(rows, parent, action, cost, closed, slots, queues, sizes, scalars)
