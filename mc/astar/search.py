"""A* over packed states in compiled code: from one side, and from both sides with a common search limit."""

import numpy as np

from puzzlemc.mc.heuristics.assignment import bound, matching
from puzzlemc.mc.heuristics.frozen import bound_beside, costs_beside, frozen_objects
from puzzlemc.mc.heuristics.pairs import bound_of_pairs, excesses_for
from puzzlemc.mc.heuristics.stubborn import sets_of, stubborn_set
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.buckets import (
    CLOSED,
    COST,
    ENTRIES,
    LEAST_NEXT,
    NEXT_BOUND,
    OPEN,
    PRUNED,
    ROWS,
    Space,
    admit,
    enter,
    is_over,
    lowest,
    put,
    reopen_pruned,
)
from puzzlemc.mc.packed.successors import flood, regions, successors
from puzzlemc.mc.packed.tables import INFINITE, NEVER, find, held

# The status of a search: nothing left to expand, a goal is expanded, the steps are used up, `best` is proved
# optimal, an array is full.
ENDED, FOUND, PAUSED, MET, FULL = 0, 1, 2, 3, 4


@cached()
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


@cached()
def _close(tables, frozen, stubborn, pairs, goal_mask, goal_value, space, other, best, limit, most_steps, greedy):  # type: ignore[no-untyped-def]
    """Expand the open rows of the least cost: (status, goal row or -1, steps left).

    If `other` has a successor, too, the two sides meet: `best` becomes (sum of both costs, row here, row there) if
    that is less. Successors with f >= best[0] are dropped. With `greedy`, the buckets are ordered by h alone, and
    no row is inserted twice. ENDED means here that no open row of that cost is left.
    """
    words, most_new = space.rows.shape[1], tables.most
    row, after = np.empty(words, np.uint64), np.empty((most_new, words), np.uint64)
    by, step_cost = np.empty(most_new, np.int64), np.empty(most_new, np.int64)
    around = regions(tables)
    some, sets, allowed = len(stubborn.first) > 1, sets_of(tables), around.allowed
    near, union, blocked = tables.near, tables.union, tables.blocked
    work = matching(tables)
    key, distance, weights = tables.key, tables.distance, tables.weights
    first, block, costs, kept = frozen.first, frozen.block, frozen.costs, np.empty(words, np.uint64)
    nothing = np.zeros((0, 0), np.int32)
    knows_frozen, knows_pairs = len(first) > 1, len(pairs.at) > 0
    excess = excesses_for(pairs, distance.shape[2])
    counters, rows, node_info, slots, entries = (
        space.counters,
        space.rows,
        space.node_info,
        space.slots,
        space.entries,
    )
    open_buckets, next_buckets = space.open_buckets, space.next_buckets
    other_rows, other_slots, other_info = other.rows, other.slots, other.node_info
    is_met = other.counters[ROWS] > 0
    most_rows, most_entries = min(len(rows), len(slots) // 2) - most_new, len(entries) - most_new
    now = lowest(space)
    while True:
        if greedy and counters[OPEN]:
            now = lowest(space)
        number = open_buckets[now]
        if number < 0:
            return ENDED, np.int64(-1), most_steps
        if most_steps == 0:
            return PAUSED, np.int64(-1), most_steps
        at = np.int64(entries[number, 0])
        paid = np.int64(node_info[at, COST])
        if (
            counters[ROWS] > most_rows
            or counters[ENTRIES] > most_entries
            or paid + tables.largest_increase >= len(open_buckets)
        ):
            return FULL, np.int64(-1), most_steps
        open_buckets[now] = entries[number, 1]
        counters[OPEN] -= 1
        if node_info[at, CLOSED]:
            continue
        most_steps -= 1
        if knows_pairs:  # computed only now: most rows are never expanded
            beside = np.int64(-1)
            if knows_frozen and frozen_objects(first, block, key, rows, at, kept):
                beside = costs_beside(frozen, kept, counters[ROWS])
            if beside >= 0:
                estimate = np.int64(bound_of_pairs(pairs, key, distance, costs[beside], rows, at, work, excess))
            else:
                estimate = np.int64(bound_of_pairs(pairs, key, distance, nothing, rows, at, work, excess))
            if limit < paid + estimate and estimate < INFINITE:
                put(entries, open_buckets, next_buckets, counters, number, paid, estimate, limit)
                continue
        node_info[at, CLOSED] = limit + 1
        row[:] = rows[at]
        if meets(row, goal_mask, goal_value):
            return FOUND, at, most_steps
        if some:
            stubborn_set(stubborn, near, union, blocked, key, row, sets, allowed)
        for i in range(successors(tables, row, around, after, by, step_cost)):
            cost = paid + step_cost[i]
            known = counters[ROWS]
            new = enter(rows, slots, node_info, counters, after[i], cost, at, tables.action_info[by[i], 1], greedy)
            if new < 0:
                continue
            if is_met:
                there = np.int64(other_slots[find(other_rows, other_slots, after[i])])
                if there >= 0 and cost + other_info[there, COST] < best[0]:
                    best[0], best[1], best[2] = cost + other_info[there, COST], new, there
            beside = np.int64(-1)
            if knows_frozen and frozen_objects(first, block, key, after, i, kept):
                beside = costs_beside(frozen, kept, counters[ROWS])
            if beside >= 0:
                estimate = np.int64(bound_beside(key, distance, costs[beside], after, i, work))
            else:
                estimate = np.int64(bound(key, distance, weights, after, i, work))
            if cost + estimate >= best[0]:  # it cannot lead to a cheaper plan
                if new == known and new != best[1]:  # remove the row if it is new
                    slots[find(rows, slots, after[i])] = -1
                    counters[ROWS] -= 1
                continue
            if greedy and estimate < INFINITE:
                cost, estimate = estimate, np.int64(0)
            number = counters[ENTRIES]
            counters[ENTRIES] += 1
            entries[number, 0] = new
            put(entries, open_buckets, next_buckets, counters, number, cost, estimate, limit)


@cached()
def search(tables, frozen, stubborn, pairs, goal_mask, goal_value, space, best, limit, most_steps, greedy):  # type: ignore[no-untyped-def]
    """A* from one side (Hart, Nilsson and Raphael 1968): (status, goal row, limit).

    `limit` is the search limit: a lower bound on the cost of every goal row. The status is ENDED if all rows are
    closed, FOUND if a goal row of least cost is closed, PAUSED after `most_steps` expansions, FULL if an array
    must grow, MET if no plan costs less than `best[0]`. For `best` and `greedy` see `_close`.
    """
    no_other = Space(
        space.rows,
        space.node_info,
        space.slots,
        space.entries,
        space.open_buckets,
        space.next_buckets,
        np.zeros_like(space.counters),
    )
    while most_steps > 0:
        if best[0] <= limit:
            return MET, np.int64(-1), best[0]
        if not space.counters[OPEN]:
            if space.counters[NEXT_BOUND]:
                limit = max(limit + 1, space.counters[LEAST_NEXT])
                admit(space, limit)
            elif best[0] < NEVER:
                return MET, np.int64(-1), best[0]
            elif space.counters[PRUNED] >= 0:
                reopen_pruned(space, limit)
            else:
                return ENDED, np.int64(-1), limit
            continue
        status, hit, most_steps = _close(
            tables,
            frozen,
            stubborn,
            pairs,
            goal_mask,
            goal_value,
            space,
            no_other,
            best,
            limit,
            most_steps,
            greedy,
        )
        if status in (FOUND, FULL):
            return status, hit, limit
    return PAUSED, np.int64(-1), limit


@cached()
def _is_within(ahead, behind, limit):  # type: ignore[no-untyped-def]
    """Are there an open row ahead and an open row behind whose costs sum to at most the limit?"""
    return ahead.counters[OPEN] > 0 and behind.counters[OPEN] > 0 and lowest(ahead) + lowest(behind) <= limit


@cached()
def is_first(ahead, behind, split):  # type: ignore[no-untyped-def]
    """Is it the turn of the forward side? Raises the split of a side if no side has open rows below its split."""
    cost, other_cost = lowest(ahead), lowest(behind)
    if cost >= split[0] and other_cost >= split[1]:
        if ahead.counters[ROWS] <= behind.counters[ROWS]:
            split[0] = cost + 1
        else:
            split[1] = other_cost + 1
    return cost < split[0]


@cached()
def _record_exhausted(space, exhausted):  # type: ignore[no-untyped-def]
    """Record (least open g, least f in the next buckets) of one side in `exhausted`; NEVER for an empty list."""
    if exhausted[0] < NEVER or exhausted[1] < NEVER:  # else only pruned rows were left before
        exhausted[0] = lowest(space) if space.counters[OPEN] else NEVER
        exhausted[1] = space.counters[LEAST_NEXT] if space.counters[NEXT_BOUND] else NEVER


@cached()
def next_limit(ahead, behind, limit, best_cost):  # type: ignore[no-untyped-def]
    """The least search limit above `limit` that adds an open row to a side without one, at most `best_cost`."""
    soonest = limit + 1
    if not ahead.counters[OPEN]:
        soonest = max(soonest, ahead.counters[LEAST_NEXT])
    if not behind.counters[OPEN]:
        soonest = max(soonest, behind.counters[LEAST_NEXT])
    return min(soonest, best_cost)


@cached()
def meet(tables, frozen, stubborn, pairs, ahead, behind, best, limit, split, exhausted, least_cost, most_steps):  # type: ignore[no-untyped-def]
    """Bidirectional A* with a common search limit: (status, limit).

    `tables`, `frozen`, `stubborn` and `pairs` are pairs of values, first the forward side. `limit` is a lower
    bound on the cost of every plan other than `best`. A plan that is cheaper than `best` passes through an open
    row of the forward side and later through an open row of the backward side. So it costs at least the f of each
    of these rows, and at least the sum of both g plus one step (Eckerle et al. 2017). Within a limit, each side
    expands its rows with g below its own `split`, until both splits sum to the limit; the side with fewer rows
    raises its split (after GBFHS, Barley et al. 2018).

    The status is MET if `best` is within the limit, ENDED if one side has closed all its rows, PAUSED after
    `most_steps` expansions, FULL if an array must grow. `split[2]` is true if the last call was PAUSED before all
    open rows of a cost were closed; so the pauses do not change the order of expansions. `exhausted[side]` =
    (least open g, least deferred f, last exhausted limit), from which proofs are made.
    """
    goal = np.zeros((0, ahead.rows.shape[1]), np.uint64)
    while most_steps > 0:
        if best[0] <= limit and not split[2]:
            return MET, limit
        has_work = ahead.counters[OPEN] + ahead.counters[NEXT_BOUND] > 0
        other_has_work = behind.counters[OPEN] + behind.counters[NEXT_BOUND] > 0
        if not (has_work and other_has_work):
            exhausted[:, 2] = limit
            _record_exhausted(ahead, exhausted[0])
            _record_exhausted(behind, exhausted[1])
            if best[0] < NEVER:
                return MET, best[0]
            if is_over(ahead) or is_over(behind):
                return ENDED, limit
            if not has_work:
                reopen_pruned(ahead, limit)
            if not other_has_work:
                reopen_pruned(behind, limit)
            continue
        if not _is_within(ahead, behind, limit - least_cost):
            exhausted[:, 2] = limit
            _record_exhausted(ahead, exhausted[0])
            _record_exhausted(behind, exhausted[1])
            limit = next_limit(ahead, behind, limit, best[0])
            admit(ahead, limit)
            admit(behind, limit)
            continue
        if is_first(ahead, behind, split):
            status, _, most_steps = _close(
                tables[0],
                frozen[0],
                stubborn[0],
                pairs[0],
                goal,
                goal,
                ahead,
                behind,
                best,
                limit,
                most_steps,
                False,
            )
        else:
            best[1], best[2] = best[2], best[1]
            status, _, most_steps = _close(
                tables[1],
                frozen[1],
                stubborn[1],
                pairs[1],
                goal,
                goal,
                behind,
                ahead,
                best,
                limit,
                most_steps,
                False,
            )
            best[1], best[2] = best[2], best[1]
        split[2] = status == PAUSED
        if status == FULL:
            return FULL, limit
    return PAUSED, limit


@cached()
def mark(tables, space, marked):  # type: ignore[no-untyped-def]
    """Set `marked` for each row of one to three objects, at all locations of its region.

    `marked` has the shape (location codes, bits, bits or 1, bits or 1); its indices are the bits in falling order.
    """

    codes, far, _, _, seen, _, _ = regions(tables)
    bits = np.zeros(3, np.int64)
    for number in range(space.counters[ROWS]):
        row = space.rows[number]
        bits[:] = 0
        count = held(tables, row, bits)
        first, second, third = bits[count - 1], bits[max(0, count - 2)], bits[max(0, count - 3)]
        for i in range(flood(tables, row, codes, far, seen)):
            marked[codes[i], first, second if count > 1 else 0, third if count > 2 else 0] = True
