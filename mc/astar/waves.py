"""Search from both ends in compiled code where walks cost: waves of locations through regions.

Walks lead through the region of a row at a price for each step, so a run may come to each location of the region
at another cost. Still one row stands for all of them, as where walks are free: the one at the least location.
Beside it stands the set of locations that were come to so far. A *wave* is the locations of a row that are come to
at one cost. Waves are followed in the order of their costs, within a limit: what a wave does not find in the set
it comes to at the least cost, so each location is left just once. The next wave of the row is what walks lead to
from there in one step; other actions lead to rows where the wave is one location, an *arrival*.

All arrivals are kept: the least cost of a location is that of an arrival and of the walks from there.

The bound of a row must be consistent, and the same for its whole region. Then all of a cheapest way to a location
is within the limit if the location is, and was followed before. Bounds by single objects are such, for these do
not count walks.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.astar.search import ENDED, FULL, MET, PAUSED, is_first, next_limit
from puzzlemc.mc.heuristics.assignment import bound, matching
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.buckets import ENTRIES, LEAST_NEXT, NEXT_BOUND, OPEN, ROWS, is_over, lowest, put
from puzzlemc.mc.packed.layout import Numbers, Rows, Shorts
from puzzlemc.mc.packed.successors import canonical_location, flood, regions, spread, spread_in_word
from puzzlemc.mc.packed.tables import INFINITE, NEVER, find, lowest_bit

# Columns of `Waves.waves`. The second is the next of the bucket, see `buckets.put`.
ROW = 0
COST = 2
LOCATION = 3  # where an arrival is; -1 for another wave
BEFORE = 4  # the row that an action has led from to the arrival, -1 where the search starts
ACTION = 5  # number of that action in the model
LINK = 6  # the arrival before at the same row, -1 if none
# Columns of `Waves.node_info`.
BOUND = 0
TWIN = 1  # the same row on the other side, -1 if it has none
LAST = 2  # the latest arrival


class Waves(NamedTuple):
    """One side of the search. The arrays have a fixed capacity: see `grown`."""

    rows: Rows  # (capacity, words): each at the least location of its region
    sets: Rows  # (capacity, 2, words for a bit for each location): the region, and what was come to
    node_info: Shorts  # (capacity, 3): of each row, see above
    slots: Shorts  # of the hash table: row number, -1 where free
    waves: Shorts  # (capacity, 7): see above
    fronts: Rows  # (capacity, words for a bit for each location): locations of each wave
    open_buckets: Shorts  # first wave by cost, -1 where the bucket is empty
    next_buckets: Shorts  # first wave by cost and bound
    counters: Numbers  # see `buckets`, and in the end the first wave that is free to be used again, -1 if none


FREE = 7


@cached()
def least_cost(tables, side, row, code, around, steps):  # type: ignore[no-untyped-def]
    """The least cost at which arrivals let a run come to a location code in a row, and the first such arrival.

    NEVER and -1 where none is. `steps` (location codes,) is to work in.
    """
    here = side.rows[row].copy()
    here[0] = here[0] & ~tables.key | np.uint64(code)
    for i in range(len(steps)):
        steps[i] = -1
    for i in range(flood(tables, here, around.codes, around.far, around.seen)):
        steps[around.codes[i]] = around.far[i]
    least, first = NEVER, np.int64(-1)
    number = np.int64(side.node_info[row, LAST])
    while number >= 0:
        far = steps[side.waves[number, LOCATION]]
        cost = side.waves[number, COST] + tables.pace * far
        if far >= 0 and (cost < least or (cost == least and number < first)):
            least, first = cost, number
        number = np.int64(side.waves[number, LINK])
    return least, first


@cached(inline="always")
def _new_wave(waves, counters):  # type: ignore[no-untyped-def]
    """The number of a wave that is not in use."""
    number = counters[FREE]
    if number >= 0:
        counters[FREE] = waves[number, 1]
        return number
    number = counters[ENTRIES]
    counters[ENTRIES] += 1
    return number


@cached()
def _meet_at(tables, other, twin, front, cost, best, row, around, steps):  # type: ignore[no-untyped-def]
    """Note the least cost of a run through the locations of a front that the other side has come to, too."""
    for v in range(len(front)):
        left = front[v] & other.sets[twin, 1, v]
        while left:
            code = 64 * v + lowest_bit(left)
            left &= left - np.uint64(1)
            rest, _ = least_cost(tables, other, twin, code, around, steps)
            if cost + rest < best[0]:
                best[0], best[1], best[2], best[3] = cost + rest, row, twin, code


@cached()
def _follow(tables, side, other, best, limit, most_steps):  # type: ignore[no-untyped-def]
    """Follow the open waves of the least cost: (status, steps left). ENDED when that is done.

    FULL where an array is. A location that the other side has come to, too, is a meeting: `best` becomes (sum of
    the costs, row here, row there, location) if that is less. MET where that is within the limit.
    """
    words, parts, most_new = side.rows.shape[1], side.fronts.shape[1], tables.most
    key, pace, near, union, blocked = tables.key, tables.pace, tables.near, tables.union, tables.blocked
    first, masks, prices = tables.first, tables.masks, tables.action_info
    distance, weights = tables.distance, tables.weights
    rows, sets, node_info, slots, counters = side.rows, side.sets, side.node_info, side.slots, side.counters
    waves, fronts, open_buckets, next_buckets = side.waves, side.fronts, side.open_buckets, side.next_buckets
    other_rows, other_slots, other_sets, other_info = other.rows, other.slots, other.sets, other.node_info
    around, work, steps = regions(tables), matching(tables), np.empty(len(first) - 1, np.int64)
    reached, row, after = around.sets, np.empty(words, np.uint64), np.empty((1, words), np.uint64)
    front, following = np.empty(parts, np.uint64), np.empty(parts, np.uint64)
    most_rows, most_waves = min(len(rows), len(slots) // 2) - most_new, len(waves) - most_new
    now = lowest(side)
    while True:
        number = np.int64(open_buckets[now])
        if number < 0:
            return ENDED, most_steps
        if most_steps == 0:
            return PAUSED, most_steps
        if (
            counters[ROWS] > most_rows
            or counters[ENTRIES] > most_waves
            or now + tables.largest_increase >= len(open_buckets)
        ):
            return FULL, most_steps
        open_buckets[now] = waves[number, 1]
        counters[OPEN] -= 1
        most_steps -= 1
        at = np.int64(waves[number, ROW])
        some = False
        for v in range(parts):
            front[v] = fronts[number, v] & ~sets[at, 1, v]
            sets[at, 1, v] |= front[v]
            following[v] = 0
            some |= front[v] != 0
        if waves[number, LOCATION] < 0:
            waves[number, 1] = counters[FREE]
            counters[FREE] = number
        if not some:
            continue

        for v in range(parts):
            left = front[v]
            while left:
                code = 64 * v + lowest_bit(left)
                left &= left - np.uint64(1)
                for u in range(parts):
                    following[u] |= near[code, u]
        some, is_met, twin = False, False, np.int64(node_info[at, TWIN])
        for v in range(parts):
            following[v] &= sets[at, 0, v] & ~sets[at, 1, v]
            some |= following[v] != 0
            if twin >= 0 and following[v] & other_sets[twin, 1, v]:
                is_met = True
        if is_met:
            _meet_at(tables, other, twin, following, now + pace, best, at, around, steps)
        if some and node_info[at, BOUND] < INFINITE and now + pace + node_info[at, BOUND] < best[0]:
            new = _new_wave(waves, counters)
            waves[new, ROW], waves[new, COST], waves[new, LOCATION] = at, now + pace, -1
            fronts[new] = following
            put(
                waves, open_buckets, next_buckets, counters, new, now + pace, np.int64(node_info[at, BOUND]), limit
            )

        for v in range(parts):
            left = front[v]
            while left:
                code = 64 * v + lowest_bit(left)
                left &= left - np.uint64(1)
                row[:] = rows[at]
                row[0] = row[0] & ~key | np.uint64(code)
                for a in range(first[code], first[code + 1]):
                    fit, dead = True, False
                    for w in range(words):
                        fit &= row[w] & masks[a, 0, w] == masks[a, 1, w]
                    if not fit:
                        continue
                    for w in range(words):
                        after[0, w] = row[w] & masks[a, 2, w] | masks[a, 3, w]
                        dead |= after[0, w] & masks[a, 4, w] != 0
                    if dead:
                        continue
                    place = np.int64(after[0, 0] & key)
                    if len(union) > 0:
                        reached[0, 0] = spread_in_word(union, blocked, key, after, 0)
                    else:
                        spread(near, blocked, key, after, 0, reached)
                    w = 0
                    while not reached[0, w]:
                        w += 1
                    after[0, 0] = after[0, 0] & ~key | np.uint64(64 * w + lowest_bit(reached[0, w]))
                    slot = find(rows, slots, after[0])
                    there = np.int64(slots[slot])
                    if there < 0:
                        there = counters[ROWS]
                        counters[ROWS] += 1
                        slots[slot] = there
                        rows[there] = after[0]
                        for u in range(parts):
                            sets[there, 0, u], sets[there, 1, u] = reached[0, u], 0
                        twin = np.int64(other_slots[find(other_rows, other_slots, after[0])])
                        if twin >= 0:
                            other_info[twin, TWIN] = there
                        node_info[there, BOUND] = bound(key, distance, weights, after, 0, work)
                        node_info[there, TWIN], node_info[there, LAST] = twin, -1
                    bit = np.uint64(1) << np.uint64(place % 64)
                    if sets[there, 1, place // 64] & bit or node_info[there, BOUND] >= INFINITE:
                        continue
                    cost, estimate = now + prices[a, 0], np.int64(node_info[there, BOUND])
                    if cost + estimate >= best[0]:
                        continue
                    new = counters[ENTRIES]
                    counters[ENTRIES] += 1
                    waves[new, ROW], waves[new, COST], waves[new, LOCATION] = there, cost, place
                    waves[new, BEFORE], waves[new, ACTION] = at, prices[a, 1]
                    waves[new, LINK], node_info[there, LAST] = node_info[there, LAST], new
                    for u in range(parts):
                        fronts[new, u] = 0
                    fronts[new, place // 64] = bit
                    twin = np.int64(node_info[there, TWIN])
                    if twin >= 0 and other_sets[twin, 1, place // 64] & bit:
                        _meet_at(tables, other, twin, fronts[new], cost, best, there, around, steps)
                    put(waves, open_buckets, next_buckets, counters, new, cost, estimate, limit)
        if best[0] <= limit:
            return MET, most_steps


@cached()
def _admit(side, limit):  # type: ignore[no-untyped-def]
    """Move waves within the new limit from the next buckets to the open ones."""
    counters = side.counters
    while counters[NEXT_BOUND] and counters[LEAST_NEXT] <= limit:
        number = np.int64(side.next_buckets[counters[LEAST_NEXT]])
        if number < 0:
            counters[LEAST_NEXT] += 1
            continue
        side.next_buckets[counters[LEAST_NEXT]] = side.waves[number, 1]
        counters[NEXT_BOUND] -= 1
        cost = np.int64(side.waves[number, COST])
        put(side.waves, side.open_buckets, side.next_buckets, counters, number, cost, np.int64(0), limit)


@cached()
def begin(tables, side, rows):  # type: ignore[no-untyped-def]
    """Let arrivals wait at these rows, which cost nothing."""
    sets, at = regions(tables).sets, rows.copy()
    for i in range(len(rows)):
        spread(tables.near, tables.blocked, tables.key, rows, i, sets)
        canonical_location(tables, at, i, regions(tables))
        slot = find(side.rows, side.slots, at[i])
        row = np.int64(side.slots[slot])
        if row < 0:
            row = side.counters[ROWS]
            side.counters[ROWS] += 1
            side.slots[slot] = row
            side.rows[row] = at[i]
            side.sets[row, 0], side.sets[row, 1] = sets[0], 0
            estimate = bound(tables.key, tables.distance, tables.weights, at, i, matching(tables))
            side.node_info[row, BOUND], side.node_info[row, TWIN], side.node_info[row, LAST] = estimate, -1, -1
        wave, place = side.counters[ENTRIES], np.int64(rows[i, 0] & tables.key)
        side.counters[ENTRIES] += 1
        side.waves[wave, ROW], side.waves[wave, COST], side.waves[wave, LOCATION] = row, 0, place
        side.waves[wave, BEFORE], side.waves[wave, ACTION] = -1, -1
        side.waves[wave, LINK], side.node_info[row, LAST] = side.node_info[row, LAST], wave
        side.fronts[wave] = 0
        side.fronts[wave, place // 64] = np.uint64(1) << np.uint64(place % 64)
        put(
            side.waves,
            side.open_buckets,
            side.next_buckets,
            side.counters,
            wave,
            np.int64(0),
            np.int64(0),
            np.int64(0),
        )


@cached()
def meet(tables, ahead, behind, best, limit, split, most_steps):  # type: ignore[no-untyped-def]
    """Search from both ends, with a pair of tables: (status, limit). As `search.meet`, but for what follows.

    Of a cheapest run within the limit each state whose cost from the start is less than that of all that waits
    ahead was followed there, and each whose cost to the goal is less than that of all that waits behind was
    followed behind. If both add up to more than the run costs, it has a step from a state that was followed
    ahead to one that was followed behind. Of all such steps of cheapest runs take the first that came to be: the
    state that was followed later comes upon the other one. Else its own side would have followed that before,
    from a state with which it makes such a step that came to be earlier. So a run that was not met costs no less
    than that sum.

    The waves of cost 0 are followed on both sides before all else: `split[2]` counts these. MET where `best` is
    within the limit, ENDED where one side has nothing more to follow.
    """
    while most_steps > 0:
        if best[0] <= limit:
            return MET, limit
        is_ahead = split[2] == 1
        if split[2] > 1:
            if is_over(ahead) or is_over(behind):
                return (MET, best[0]) if best[0] < NEVER else (ENDED, limit)
            has_open = ahead.counters[OPEN] > 0 and behind.counters[OPEN] > 0
            if not has_open or lowest(ahead) + lowest(behind) > limit:
                limit = next_limit(ahead, behind, limit, best[0])
                _admit(ahead, limit)
                _admit(behind, limit)
                continue
            is_ahead = is_first(ahead, behind, split)
        if is_ahead:
            status, most_steps = _follow(tables[0], ahead, behind, best, limit, most_steps)
        else:
            best[1], best[2] = best[2], best[1]
            status, most_steps = _follow(tables[1], behind, ahead, best, limit, most_steps)
            best[1], best[2] = best[2], best[1]
        if status == FULL:
            return FULL, limit
        if status == ENDED and split[2] < 2:
            split[2] += 1
    return PAUSED, limit
