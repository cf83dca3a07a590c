"""Bidirectional search in compiled code if walks cost something: waves of locations spread through regions.

Each walk in a region has a cost, so the locations of a region have different costs. One row still represents the
whole region: the row with the canonical location. Beside it is the set of the locations reached so far. A *wave*
is the set of locations of one row that are reached at one cost. Waves are expanded in the order of their costs,
within the search limit. A location that is not yet in the set of its row is reached at its least cost, so each
location is expanded once. The next wave of the row is the set of its neighbours by one walk. Every other action
leads to a row whose wave is a single location, an *arrival*.

All arrivals are stored: the least cost of a location is the minimum, over the arrivals, of the cost of the arrival
and of the walks from it.

The bound of a row must be consistent, and equal for all locations of its region. Then, if a location is within the
limit, all of a cheapest path to it is within the limit and was expanded before. The assignment bound has this
property, since it does not count walks.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.astar.search import ENDED, FULL, MET, PAUSED, is_first, next_limit
from puzzlemc.mc.heuristics.assignment import bound, matching
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.buckets import ENTRIES, LEAST_NEXT, NEXT_BOUND, OPEN, ROWS, is_over, lowest, put
from puzzlemc.mc.packed.layout import Numbers, PackedStates, Shorts
from puzzlemc.mc.packed.successors import canonical_location, flood, regions, spread, spread_in_word
from puzzlemc.mc.packed.tables import INFINITE, NEVER, find, lowest_bit

# Columns of `Waves.waves`. Column 1 is the next entry of the bucket, see `buckets.put`.
ROW = 0
COST = 2
LOCATION = 3  # the location code of an arrival; -1 for any other wave
BEFORE = 4  # the row that the action of the arrival leads from, -1 at a start of the search
ACTION = 5  # the number of that action in the model
LINK = 6  # the previous arrival at the same row, -1 if there is none
# Columns of `Waves.node_info`.
BOUND = 0
OPPOSITE = 1  # the same row on the other side, -1 if the other side does not have it
LAST = 2  # the latest arrival


class Waves(NamedTuple):
    """The open and the closed list of one side. The arrays have a fixed capacity: see `WaveSide.grow`."""

    rows: PackedStates  # (capacity, words): each at the least location of its region
    sets: PackedStates  # (capacity, 2, words of a bit set): the region, and its locations reached so far
    node_info: Shorts  # (capacity, 3): of each row, see above
    slots: Shorts  # of the hash table: row number, -1 where free
    waves: Shorts  # (capacity, 7): see above
    fronts: PackedStates  # (capacity, words of a bit set): the locations of each wave
    open_buckets: Shorts  # first wave by cost, -1 where the bucket is empty
    next_buckets: Shorts  # first wave by cost and bound
    counters: Numbers  # as in `buckets`; last, the first wave that can be reused, -1 if there is none


FREE = 7


@cached()
def least_cost(tables, side, row, code, around, steps):  # type: ignore[no-untyped-def]
    """The least cost of a location code in a row, and the number of the first arrival that gives it.

    NEVER and -1 if no arrival reaches it. `steps` (location codes,) is scratch space.
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
        cost = side.waves[number, COST] + tables.walk_cost * far
        if far >= 0 and (cost < least or (cost == least and number < first)):
            least, first = cost, number
        number = np.int64(side.waves[number, LINK])
    return least, first


@cached(inline="always")
def _new_wave(waves, counters):  # type: ignore[no-untyped-def]
    """The number of an unused wave."""
    number = counters[FREE]
    if number >= 0:
        counters[FREE] = waves[number, 1]
        return number
    number = counters[ENTRIES]
    counters[ENTRIES] += 1
    return number


@cached()
def _meet_at(tables, other, opposite, front, cost, best, row, around, steps):  # type: ignore[no-untyped-def]
    """Update `best` with the plans through the locations of a front that the other side has reached, too."""
    for v in range(len(front)):
        left = front[v] & other.sets[opposite, 1, v]
        while left:
            code = 64 * v + lowest_bit(left)
            left &= left - np.uint64(1)
            rest, _ = least_cost(tables, other, opposite, code, around, steps)
            if cost + rest < best[0]:
                best[0], best[1], best[2], best[3] = cost + rest, row, opposite, code


@cached()
def _follow(tables, side, other, best, limit, most_steps):  # type: ignore[no-untyped-def]
    """Expand the open waves of the least cost: (status, steps left).

    ENDED means here that no open wave of that cost is left. If the other side has reached a location, too, the
    sides meet: `best` becomes (sum of both costs, row here, row there, location code) if that is less. MET if it
    is within the limit.
    """
    words, parts, most_new = side.rows.shape[1], side.fronts.shape[1], tables.most
    key, walk_cost, near, union, blocked = tables.key, tables.walk_cost, tables.near, tables.union, tables.blocked
    first, masks, step_costs = tables.first, tables.masks, tables.action_info
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
        some, is_met, opposite = False, False, np.int64(node_info[at, OPPOSITE])
        for v in range(parts):
            following[v] &= sets[at, 0, v] & ~sets[at, 1, v]
            some |= following[v] != 0
            if opposite >= 0 and following[v] & other_sets[opposite, 1, v]:
                is_met = True
        if is_met:
            _meet_at(tables, other, opposite, following, now + walk_cost, best, at, around, steps)
        if some and node_info[at, BOUND] < INFINITE and now + walk_cost + node_info[at, BOUND] < best[0]:
            new = _new_wave(waves, counters)
            waves[new, ROW], waves[new, COST], waves[new, LOCATION] = at, now + walk_cost, -1
            fronts[new] = following
            put(
                waves,
                open_buckets,
                next_buckets,
                counters,
                new,
                now + walk_cost,
                np.int64(node_info[at, BOUND]),
                limit,
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
                        opposite = np.int64(other_slots[find(other_rows, other_slots, after[0])])
                        if opposite >= 0:
                            other_info[opposite, OPPOSITE] = there
                        node_info[there, BOUND] = bound(key, distance, weights, after, 0, work)
                        node_info[there, OPPOSITE], node_info[there, LAST] = opposite, -1
                    bit = np.uint64(1) << np.uint64(place % 64)
                    if sets[there, 1, place // 64] & bit or node_info[there, BOUND] >= INFINITE:
                        continue
                    cost, estimate = now + step_costs[a, 0], np.int64(node_info[there, BOUND])
                    if cost + estimate >= best[0]:
                        continue
                    new = counters[ENTRIES]
                    counters[ENTRIES] += 1
                    waves[new, ROW], waves[new, COST], waves[new, LOCATION] = there, cost, place
                    waves[new, BEFORE], waves[new, ACTION] = at, step_costs[a, 1]
                    waves[new, LINK], node_info[there, LAST] = node_info[there, LAST], new
                    for u in range(parts):
                        fronts[new, u] = 0
                    fronts[new, place // 64] = bit
                    opposite = np.int64(node_info[there, OPPOSITE])
                    if opposite >= 0 and other_sets[opposite, 1, place // 64] & bit:
                        _meet_at(tables, other, opposite, fronts[new], cost, best, there, around, steps)
                    put(waves, open_buckets, next_buckets, counters, new, cost, estimate, limit)
        if best[0] <= limit:
            return MET, most_steps


@cached()
def _admit(side, limit):  # type: ignore[no-untyped-def]
    """Move waves within the new search limit from the next buckets to the open buckets."""
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
    """Insert an open arrival of cost 0 for each of these rows."""
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
            side.node_info[row, BOUND], side.node_info[row, OPPOSITE], side.node_info[row, LAST] = estimate, -1, -1
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
    """Bidirectional search by waves: (status, limit). The arguments and the status are as in `search.meet`.

    The stopping rule: a plan that no meeting has found costs at least the sum of the least open costs of both
    sides. Take a cheapest plan within the limit. Each of its states with a cost from the start below all open
    costs ahead was expanded ahead, and each of its states with a cost to the goal below all open costs behind was
    expanded behind. If the sum of the least open costs exceeds the cost of the plan, the plan has a step from a
    state that was expanded ahead to a state that was expanded behind. Of all such steps of cheapest plans, take
    the one that arose first. The state of it that was expanded later meets the other one: otherwise its own side
    would have expanded the other one before, from a state with which it forms such a step that arose earlier.

    The waves of cost 0 of both sides are expanded before all others: `split[2]` counts the sides that have done
    so. MET if `best` is within the limit, ENDED if one side has no wave left.
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
