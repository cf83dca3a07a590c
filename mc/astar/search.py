"""Search over rows in compiled code: from one end, and from both ends within a limit."""

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
    """Close the open rows of the least cost: (status, goal row or -1, steps left). FULL where an array is.

    A row that `other` has, too, is a meeting: `best` becomes (sum of the costs, row here, row there) if that is
    less, and a row whose cost and bound are no less is left out. With `greedy` the bound alone is what buckets go
    by, and no row is entered twice.
    """
    words, most_new = space.rows.shape[1], tables.most
    row, after = np.empty(words, np.uint64), np.empty((most_new, words), np.uint64)
    by, price = np.empty(most_new, np.int64), np.empty(most_new, np.int64)
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
        if knows_pairs:  # only now: of many rows it is never asked
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
        for i in range(successors(tables, row, around, after, by, price)):
            cost = paid + price[i]
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
            if cost + estimate >= best[0]:  # no use: a run that is known costs no more
                if new == known and new != best[1]:  # forgotten again, where it is new
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
    """Search from one end, by cost and bound (A*, Hart, Nilsson and Raphael 1968): (status, goal row, limit).

    `limit` is a lower bound on the cost of any goal row. ENDED where all rows are closed, FOUND where the goal row
    of least cost is closed, PAUSED after `most_steps` closed rows, FULL where an array has to grow. `best` is as
    in `_close`: MET where no run costs less than one that is known.
    """
    nobody = Space(
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
            tables, frozen, stubborn, pairs, goal_mask, goal_value, space, nobody, best, limit, most_steps, greedy
        )
        if status in (FOUND, FULL):
            return status, hit, limit
    return PAUSED, np.int64(-1), limit


@cached()
def _is_within(ahead, behind, limit):  # type: ignore[no-untyped-def]
    """Are there open rows on both sides whose costs sum up to no more than the limit?"""
    return ahead.counters[OPEN] > 0 and behind.counters[OPEN] > 0 and lowest(ahead) + lowest(behind) <= limit


@cached()
def is_first(ahead, behind, split):  # type: ignore[no-untyped-def]
    """Is it the forward side's turn? Raises the split of a side where neither has rows below its own."""
    cost, other_cost = lowest(ahead), lowest(behind)
    if cost >= split[0] and other_cost >= split[1]:
        if ahead.counters[ROWS] <= behind.counters[ROWS]:
            split[0] = cost + 1
        else:
            split[1] = other_cost + 1
    return cost < split[0]


@cached()
def _note(space, waiting):  # type: ignore[no-untyped-def]
    """Note the least cost of an open row and the least bound of a row in the next buckets; NEVER for none."""
    if waiting[0] < NEVER or waiting[1] < NEVER:  # else only pruned rows waited before
        waiting[0] = lowest(space) if space.counters[OPEN] else NEVER
        waiting[1] = space.counters[LEAST_NEXT] if space.counters[NEXT_BOUND] else NEVER


@cached()
def next_limit(ahead, behind, limit, best_cost):  # type: ignore[no-untyped-def]
    """The next limit for which something waits, or the cost of the best run."""
    soonest = limit + 1
    if not ahead.counters[OPEN]:
        soonest = max(soonest, ahead.counters[LEAST_NEXT])
    if not behind.counters[OPEN]:
        soonest = max(soonest, behind.counters[LEAST_NEXT])
    return min(soonest, best_cost)


@cached()
def meet(tables, frozen, stubborn, pairs, ahead, behind, best, limit, split, waiting, least_price, most_steps):  # type: ignore[no-untyped-def]
    """Search from both ends, with a pair of tables and one of what is known of frozen objects: (status, limit).

    `limit` is a lower bound on the cost of any run that is not in `best`. A run that is cheaper than `best`
    passes through a row that is open on the forward side and later through one that is open on the backward
    side, so it costs at least what each of these has as cost and bound, and at least the sum of both costs and
    one action (Eckerle et al. 2017). So within a limit, each side closes its rows below a cost of its own,
    `split`, until those sum up to the limit; the side that has seen fewer rows raises its own (after GBFHS,
    Barley et al. 2018). MET where `best` is within the limit, ENDED where one side has closed all its rows,
    PAUSED after `most_steps` closed rows, FULL where an array has to grow. The third place of `split` says that
    the last call was PAUSED before the open rows of a cost were all closed: how often a search pauses does not
    change what it sees. `waiting` tells of each side what waited when the limit that is in its third place was
    last exhausted, see `_note`: that is what a proof is made of.
    """
    goal = np.zeros((0, ahead.rows.shape[1]), np.uint64)
    while most_steps > 0:
        if best[0] <= limit and not split[2]:
            return MET, limit
        hope = ahead.counters[OPEN] + ahead.counters[NEXT_BOUND] > 0
        other_hope = behind.counters[OPEN] + behind.counters[NEXT_BOUND] > 0
        if not (hope and other_hope):
            waiting[:, 2] = limit
            _note(ahead, waiting[0])
            _note(behind, waiting[1])
            if best[0] < NEVER:
                return MET, best[0]
            if is_over(ahead) or is_over(behind):
                return ENDED, limit
            if not hope:
                reopen_pruned(ahead, limit)
            if not other_hope:
                reopen_pruned(behind, limit)
            continue
        if not _is_within(ahead, behind, limit - least_price):
            waiting[:, 2] = limit
            _note(ahead, waiting[0])
            _note(behind, waiting[1])
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
    """Set `marked` for each row of one to three objects, wherever it walks to.

    Its shape is (location codes, bits, bits or 1, bits or 1); in an entry the bits fall.
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
