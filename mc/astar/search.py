"""A* over packed states: from one side, and from both sides with a common search limit. Compiled."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.astar.sides import Goal, Progress, Side
    from puzzlemc.mc.heuristics.assignment import bound_near
    from puzzlemc.mc.heuristics.frozen import frozen_costs
    from puzzlemc.mc.heuristics.pairs import bound_of_pairs
    from puzzlemc.mc.heuristics.stubborn import stubborn_set
    from puzzlemc.mc.heuristics.triples import bound_by_prices, bound_of_triples
    from puzzlemc.mc.packed.costs import INFINITE, NEVER
    from puzzlemc.mc.packed.images import least_image
    from puzzlemc.mc.packed.successors import Region, flood, successors
    from puzzlemc.mc.packed.tables import Tables, held
    from puzzlemc.mc.search.buckets import CLOSED, COST, Space, admit, enter, is_over, lowest, put, reopen_pruned
    from puzzlemc.mc.search.state_table import ENDED, FOUND, FULL, PAUSED, find_hashed, hash_of, home
    from puzzlemc.mc.words import Bytes4, Flag, Index, Numbers, Word, Words2

    MET = 4  # one more status of a search: `best` is proved optimal

    # The bound of pairs rests for RESTED expansions if it has deferred less than one in EARNING of LOOKED states:
    # it costs about as much as the rest of an expansion, but all that follows a deferred state is deferred, too.
    LOOKED, EARNING, RESTED = 1 << 12, 64, 1 << 15


# Called from Python


def search(side: Side, goal: Goal, progress: Progress, steps: Index, greedy: Flag) -> int:
    """Run A* from one side (Hart, Nilsson and Raphael 1968); return the status.

    The status is ENDED if all rows are closed, FOUND if a goal row of least cost is closed, PAUSED after `steps`
    expansions, FULL if an array must grow, MET if no plan costs less than `progress.best`. With `greedy`, the
    buckets are ordered by h alone, and no row is inserted twice.
    """
    progress.steps = steps
    return _search(side, goal, progress, greedy)


def meet(ahead: Side, behind: Side, progress: Progress, least_cost: Index, steps: Index) -> int:
    """Run bidirectional A* with a common search limit; return the status.

    A plan that is cheaper than `progress.best` passes through an open row of the forward side and later through an
    open row of the backward side. So it costs at least the f of each of these rows, and at least the sum of both g
    plus one step (Eckerle et al. 2017), which costs `least_cost`. Within a limit, each side expands its rows with
    g below its own split, until both splits sum to the limit (after GBFHS, Barley et al. 2018). The side whose
    next two layers are smaller raises its split. With each limit, both splits begin at 0 again, because the layers
    of the sides grow at different rates.

    The status is MET if `best` is within the limit, ENDED if one side has closed all its rows, PAUSED after
    `steps` expansions, FULL if an array must grow.
    """
    progress.steps = steps
    none = np.zeros((0, ahead.tables.masks.shape[2]), np.uint64)
    return _meet(ahead, behind, Goal(none, none), progress, least_cost)


def mark(tables: Tables, space: Space, objects: npt.NDArray[np.int64], marked: npt.NDArray[np.bool_]) -> None:
    """Set `marked` for each row of one to three objects, at all locations of its region.

    objects  (64 * words,): the number of the object at each place of a row
    marked   (location codes, objects, objects or 1, objects or 1): its indices are the objects in falling order
    """
    bits = np.zeros(64 * tables.masks.shape[2], np.int64)
    _mark(tables, space, view(objects), view(marked.view(np.uint8)), view(bits), Region(tables.walks))


def estimates(side: Side, rows: npt.NDArray[np.uint64], *, with_pairs: bool) -> npt.NDArray[np.int64]:
    """The bound of each row as the search computes it when it inserts a row; `with_pairs`, when it expands one."""
    found = np.zeros(len(rows), np.int64)
    _estimate_all(side, view(np.ascontiguousarray(rows)), with_pairs, view(found))
    return found


def estimates_by_triples(side: Side, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The bound of triples of each row."""
    found = np.zeros(len(rows), np.int64)
    _estimate_by_triples(side, view(np.ascontiguousarray(rows)), view(found))
    return found


def expansion(side: Side, row: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """The successors of a row (words,) that the search follows, and the step costs to them."""
    count = _expand(side, view(np.ascontiguousarray(row).reshape(1, -1)), 0)
    return np.asarray(side.found.after)[:count].copy(), np.asarray(side.found.step_cost)[:count].copy()


# From one side


def _estimate(side: Side, rows: Words2, i: Index, with_pairs: Flag, most: Index) -> Index:
    """The bound of row i, with pairs or without; at most `most` sets of frozen objects are stored."""
    side.matching.beside = frozen_costs(side.frozen, side.tables, rows, i, most)
    if with_pairs:
        return bound_of_pairs(side.pairs, side.tables, rows, i, side.matching)
    return bound_near(side.tables, rows, i, side.matching)


def _estimate_all(side: Side, rows: Words2, with_pairs: Flag, found: Numbers) -> None:
    """Write the bounds of all rows to `found`."""
    i: Index
    for i in range(rows.shape[0]):
        found[i] = _estimate(side, rows, i, with_pairs, INFINITE)


def _estimate_by_triples(side: Side, rows: Words2, found: Numbers) -> None:
    """Write the bounds of triples of all rows to `found`."""
    i: Index
    for i in range(rows.shape[0]):
        found[i] = bound_of_triples(side.triples, side.tables, rows, i, INFINITE)


def _expand(side: Side, rows: Words2, i: Index) -> Index:
    """Write the successors of row i that the search follows to `side.found`; return their number."""
    w: Index
    for w in range(rows.shape[1]):
        side.found.row[0, w] = rows[i, w]
    if side.stubborn.first.shape[0] > 1:
        stubborn_set(side.stubborn, side.tables.walks, side.found.row, side.found.allowed)
    return successors(side.tables, side.found)


def _meets(goal: Goal, rows: Words2, i: Index) -> Flag:
    """Does row i satisfy any of the cubes?"""
    g: Index
    w: Index
    for g in range(goal.mask.shape[0]):
        fits: Flag = True
        for w in range(rows.shape[1]):
            if rows[i, w] & goal.mask[g, w] != goal.value[g, w]:
                fits = False
                break
        if fits:
            return True
    return False


def _is_full(side: Side, cost: Index) -> Flag:
    """May an expansion at this cost exceed the capacity of an array?"""
    most: Index = side.tables.most
    return (
        side.space.used > side.space.rows.shape[0] - most
        or side.space.used > side.space.slots.shape[0] // 2 - most
        or side.space.entry_count > side.space.entries.shape[0] - most
        or cost + side.tables.largest_increase >= side.space.open_buckets.shape[0]
    )


def _close(side: Side, other: Space, goal: Goal, progress: Progress, greedy: Flag) -> Index:
    """Expand the open rows of the least cost; return the status.

    If `other` has a successor, too, the two sides meet: `progress` gets the plan if it is cheaper. Successors with
    f >= best are dropped. ENDED means here that no open row of that cost is left.
    """
    now: Index = lowest(side.space)
    while True:
        if greedy and side.space.open_count:
            now = lowest(side.space)
        number: Index = side.space.open_buckets[now]
        if number < 0:
            return ENDED
        if progress.steps == 0:
            return PAUSED
        at: Index = side.space.entries[number, 0]
        paid: Index = side.space.node_info[at, COST]
        if _is_full(side, paid):
            return FULL
        side.space.open_buckets[now] = side.space.entries[number, 1]
        side.space.open_count -= 1
        if side.space.node_info[at, CLOSED]:
            continue
        progress.steps -= 1
        if side.triples.at.shape[0] > 0 and not side.has_reopened:
            enough: Index = progress.limit + 1 - paid
            together: Index = bound_of_triples(side.triples, side.tables, side.space.rows, at, enough)
            if together < INFINITE:
                together = min(together, side.tables.largest_increase)
            if progress.limit < paid + together:
                put(side.space, number, paid, together, progress.limit)
                continue
        if side.rest > 0:
            side.rest -= 1
        elif side.pairs.at.shape[0] > 0:  # computed only now: most rows are never expanded
            estimate: Index = _estimate(side, side.space.rows, at, True, side.space.used)
            side.looked += 1
            if progress.limit < paid + estimate and estimate < INFINITE:
                side.deferred += 1
                put(side.space, number, paid, estimate, progress.limit)
                continue
            if side.looked >= LOOKED:
                if EARNING * side.deferred < side.looked:
                    side.rest = RESTED
                side.looked = 0
                side.deferred = 0
        side.space.node_info[at, CLOSED] = progress.limit + 1
        if _meets(goal, side.space.rows, at):
            progress.hit = at
            return FOUND
        if side.images.codes.shape[0] > 0:
            _enter_successors(side, other, progress, at, greedy, side.image)
        else:
            _enter_successors(side, other, progress, at, greedy, side.found.after)


def _enter_successors(
    side: Side, other: Space, progress: Progress, at: Index, greedy: Flag, after: Words2
) -> None:
    """Open the successors of row `at`; under symmetries, their least images, written to `after`."""
    paid: Index = side.space.node_info[at, COST]
    number: Index
    for number in range(_list_wanted(side, progress, at, after)):
        i: Index = side.wanted[number]
        hash: Word = side.hashes[number]
        cost: Index = paid + side.found.step_cost[i]
        action: Index = side.tables.action_info[side.found.by[i], 1]
        known: Index = side.space.used
        new: Index = enter(side.space, after, i, hash, cost, at, action, greedy)
        if new < 0:
            continue
        if other.used > 0:
            there: Index = other.slots[find_hashed(other, after, i, hash)]
            if there >= 0 and cost + other.node_info[there, COST] < progress.best:
                progress.best = cost + other.node_info[there, COST]
                progress.row = new
                progress.opposite = there
        # All images have the same bound; that of the successor is computed from the assignment of row `at`.
        estimate: Index = _estimate(side, side.found.after, i, False, side.space.used)
        if cost + estimate >= progress.best:  # it cannot lead to a cheaper plan
            if new == known and new != progress.row:  # remove the row if it is new
                side.space.slots[find_hashed(side.space, after, i, hash)] = -1
                side.space.used -= 1
            continue
        estimate = max(estimate, side.by_prices[number])
        if greedy and estimate < INFINITE:
            cost = estimate
            estimate = 0
        entry: Index = side.space.entry_count
        side.space.entry_count += 1
        side.space.entries[entry, 0] = new
        put(side.space, entry, cost, estimate, progress.limit)


def _list_wanted(side: Side, progress: Progress, at: Index, after: Words2) -> Index:
    """Write the successors of row `at` that may lead to a cheaper plan to `wanted`, and return how many there are.

    What a lookup reads first is read for all of them, one right after the other: the memory answers them together.
    """
    paid: Index = side.space.node_info[at, COST]
    uses_prices: Flag = side.triples.at.shape[0] > 0 and progress.best < NEVER and not side.has_reopened
    slots: Index = side.space.slots.shape[0]
    count: Index = 0
    met: Index = 0
    i: Index
    for i in range(_expand(side, side.space.rows, at)):
        bound: Index = 0
        if uses_prices:
            bound = bound_by_prices(side.triples, side.tables, side.found.after, i)
            # A successor that cannot lead to a cheaper plan does not by a meeting there, either.
            if paid + side.found.step_cost[i] + bound >= progress.best:
                continue
        if side.images.codes.shape[0] > 0:
            least_image(side.images, side.tables.walks, side.found.after, i, after, side.found.other)
        side.wanted[count] = i
        most: Index = side.tables.largest_increase - side.found.step_cost[i]  # the buckets have room for that
        side.by_prices[count] = min(bound, most)
        side.hashes[count] = hash_of(after, i)
        count += 1
    for i in range(count):
        side.likely[i] = side.space.slots[home(slots, side.hashes[i])]
    for i in range(count):
        if side.likely[i] >= 0:
            met += side.space.node_info[side.likely[i], COST] + (side.space.rows[side.likely[i], 0] & 1)
    side.met = met
    return count


def _reopen(side: Side, progress: Progress) -> None:
    """Reopen the pruned states of a side."""
    side.has_reopened = True
    reopen_pruned(side.space, progress.limit)


def _search(side: Side, goal: Goal, progress: Progress, greedy: Flag) -> Index:
    """`search` in compiled code, until `progress.steps` is 0."""
    status: Index
    while progress.steps > 0:
        if progress.best <= progress.limit:
            progress.limit = progress.best
            return MET
        if not side.space.open_count:
            if side.space.next_count:
                progress.limit = max(progress.limit + 1, side.space.least_next)
                admit(side.space, progress.limit)
            elif progress.best < NEVER:
                progress.limit = progress.best
                return MET
            elif side.space.pruned >= 0:
                _reopen(side, progress)
            else:
                return ENDED
            continue
        status = _close(side, side.none, goal, progress, greedy)
        if status in (FOUND, FULL):
            return status
    return PAUSED


# From both sides


def swap(progress: Progress) -> None:
    """Exchange the rows where the sides met: the other side is expanded next."""
    row: Index = progress.row
    progress.row = progress.opposite
    progress.opposite = row


def _is_within(ahead: Space, behind: Space, limit: Index) -> Flag:
    """Are there an open row ahead and an open row behind whose costs sum to at most the limit?"""
    return ahead.open_count > 0 and behind.open_count > 0 and lowest(ahead) + lowest(behind) <= limit


def is_first(ahead: Space, behind: Space, progress: Progress) -> Flag:
    """Is it the turn of the forward side? Raises the split of a side if no side has open rows below its split."""
    cost: Index = lowest(ahead)
    other_cost: Index = lowest(behind)
    if cost >= progress.split and other_cost >= progress.other_split:
        goes_on: Flag = ahead.used <= behind.used
        if progress.by_layers:
            goes_on = _two_layers(ahead, progress, 0) <= _two_layers(behind, progress, 1)
        if goes_on:
            progress.split = cost + 1
            progress.layers[0, 1] = progress.layers[0, 0]
            progress.layers[0, 0] = 0
        else:
            progress.other_split = other_cost + 1
            progress.layers[1, 1] = progress.layers[1, 0]
            progress.layers[1, 0] = 0
    return cost < progress.split


def _two_layers(space: Space, progress: Progress, side: Index) -> Index:
    """The number of open entries of least g of a side, and of the next layer if it grows as this one has grown."""
    if progress.layers[side, 0] == 0:
        number: Index = space.open_buckets[lowest(space)]
        while number >= 0:
            progress.layers[side, 0] += 1
            number = space.entries[number, 1]
    size: Index = progress.layers[side, 0]
    last: Index = progress.layers[side, 1]
    return size + (size * size // last if last > 0 else size)


def _record_exhausted(space: Space, progress: Progress, side: Index) -> None:
    """Record (least open g, least f in the next buckets, limit) of a side; NEVER for an empty list."""
    # If both were NEVER, only pruned rows were left before.
    if progress.exhausted[side, 0] < NEVER or progress.exhausted[side, 1] < NEVER:
        progress.exhausted[side, 0] = lowest(space) if space.open_count else NEVER
        progress.exhausted[side, 1] = space.least_next if space.next_count else NEVER
    progress.exhausted[side, 2] = progress.limit


def raise_limit(ahead: Space, behind: Space, progress: Progress) -> None:
    """Raise the search limit to the least one that adds an open row to a side without one, at most to `best`."""
    soonest: Index = progress.limit + 1
    if not ahead.open_count:
        soonest = max(soonest, ahead.least_next)
    if not behind.open_count:
        soonest = max(soonest, behind.least_next)
    progress.limit = min(soonest, progress.best)
    if not progress.by_layers:
        return
    progress.split = 0
    progress.other_split = 0
    side: Index
    for side in range(2):
        progress.layers[side, 0] = 0
        progress.layers[side, 1] = 0


def _meet(ahead: Side, behind: Side, goal: Goal, progress: Progress, least_cost: Index) -> Index:
    """`meet` in compiled code, until `progress.steps` is 0. `goal` has no cubes."""
    status: Index
    while progress.steps > 0:
        if progress.best <= progress.limit and not progress.is_inside:
            return MET
        has_work: Flag = ahead.space.open_count + ahead.space.next_count > 0
        other_has_work: Flag = behind.space.open_count + behind.space.next_count > 0
        if not (has_work and other_has_work):
            _record_exhausted(ahead.space, progress, 0)
            _record_exhausted(behind.space, progress, 1)
            if progress.best < NEVER:
                progress.limit = progress.best
                return MET
            if is_over(ahead.space) or is_over(behind.space):
                return ENDED
            if not has_work:
                _reopen(ahead, progress)
            if not other_has_work:
                _reopen(behind, progress)
            continue
        if not _is_within(ahead.space, behind.space, progress.limit - least_cost):
            _record_exhausted(ahead.space, progress, 0)
            _record_exhausted(behind.space, progress, 1)
            raise_limit(ahead.space, behind.space, progress)
            admit(ahead.space, progress.limit)
            admit(behind.space, progress.limit)
            continue
        if is_first(ahead.space, behind.space, progress):
            status = _close(ahead, behind.space, goal, progress, False)
        else:
            swap(progress)
            status = _close(behind, ahead.space, goal, progress, False)
            swap(progress)
        progress.is_inside = status in (PAUSED, FULL)
        if status == FULL:
            return FULL
    return PAUSED


# Dead patterns


def _mark(tables: Tables, space: Space, objects: Numbers, marked: Bytes4, bits: Numbers, region: Region) -> None:
    """`mark` in compiled code; `bits` (64 * words,) is scratch space."""
    number: Index
    i: Index
    for number in range(space.used):
        bits[0] = 0
        count: Index = held(tables, space.rows, number, bits)
        first: Index = objects[bits[0]]
        second: Index = objects[bits[1]] if count > 1 else 0
        third: Index = objects[bits[2]] if count > 2 else 0
        if second > first:
            first, second = second, first
        if third > first:
            first, third = third, first
        if third > second:
            second, third = third, second
        for i in range(flood(tables.walks, space.rows, number, region)):
            marked[region.codes[i], first, second, third] = 1
