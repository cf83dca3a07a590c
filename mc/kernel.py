"""The inner loops of explicit search, compiled by numba: rows of 64-bit words, in buckets.

States are rows in one growing array, found again by a hash table of row numbers (open addressing, linear
probing). Action a is enabled in a row where `row & mask[a] == value[a]`, leads to `row & keep[a] | set[a]`, and is
dropped where the result meets `dead[a]`. The actions of a row are those from `first[k]` to `first[k + 1]`, where k
is the row's first word under `key`. Actions that only change the location, *walks*, are not followed one by one:
see `successors`.

A row that waits is *ready* if its cost so far plus its lower bound is within the limit, and stands in the ready
bucket of its cost; else in the later bucket of that sum; or, if its bound says that it is of no use, among the
hopeless, which have their turn when nothing else is left.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.cpython.unsafe import numbers

from puzzlemc.mc.jit import cached

_zeros: Any = numbers.trailing_zeros

ENDED, FOUND, PAUSED, MET, FULL = 0, 1, 2, 3, 4
NEVER = 1 << 62  # the cost of no meeting
HOPELESS = 1 << 28  # a bound that says: of no use; larger than any other

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]


class Tables(NamedTuple):
    """Actions as arrays: (actions, words) of uint64, and their costs and places by location code.

    distance    (location codes, bits, targets): the least cost at which the object of that bit, were it alone,
                gets to each target; no targets where there is no bound
    masks       (actions, 5, words): mask, value, keep, set and dead of each action
    triples     (actions, bits, words): what makes a dead triple with the action's object and one more; or empty
    facts       (actions, 2): its cost, and its number in the model
    walk_first  the walks, actions that only change the location, of location code k: those from walk_first[k] on
    walk_to     the location code each leads to
    walk_masks  (walks, 2, words): mask and value of each, but for the location
    pace        the cost of a walk
    start       the row where runs start, for a backward search with walks that cost; else empty
    most        successors that a row may have
    """

    key: np.uint64
    first: Ints
    masks: Words
    triples: Words
    facts: Shorts
    walk_first: Ints
    walk_to: Ints
    walk_masks: Words
    pace: int
    start: Words
    most: int
    distance: Shorts
    weights: Shorts  # of bits that hold, and not negative; used where there are no targets
    reach: int  # the cost of a successor and its bound exceed the row's cost by no more


class Space(NamedTuple):
    """All that a search has found. The arrays have a fixed room: see `roomier`."""

    rows: Words  # (room, words)
    facts: Shorts  # (room, 4): of each row, see below
    slots: Shorts  # of the hash table: row number, -1 where free
    entry: Shorts  # (room, 2): a row that waits, the next entry of its bucket or -1
    ready: Shorts  # first entry by cost, -1 where the bucket is empty
    later: Shorts  # first entry by cost and bound
    scalars: Ints


PARENT, ACTION, COST, CLOSED = 0, 1, 2, 3  # the places of Space.facts
# The places of Space.scalars.
ROWS = 0  # in use
ENTRIES = 1  # in use
LOW = 2  # no ready row costs less
READY = 3  # number of ready entries
LATER = 4  # number of later entries
NEXT = 5  # no later entry has a lesser sum
USELESS = 6  # first of the hopeless, -1 if none


@cached(inline="always")
def _hash(row, words):  # type: ignore[no-untyped-def]
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        h ^= row[w]
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    return h


@cached()
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


@cached()
def flood(tables, row, codes, far, seen, stamp):  # type: ignore[no-untyped-def]
    """List in `codes` the locations that walks lead to from the row, nearest first, and their steps in `far`.

    Returns their number. `seen` gets the stamp.
    """
    words = row.shape[0]
    codes[0], far[0] = np.int64(row[0] & tables.key), 0
    seen[codes[0]] = stamp
    count, place = 1, 0
    while place < count:
        here = codes[place]
        for e in range(tables.walk_first[here], tables.walk_first[here + 1]):
            there = tables.walk_to[e]
            if seen[there] == stamp:
                continue
            is_open = True
            for w in range(words):
                if row[w] & tables.walk_masks[e, 0, w] != tables.walk_masks[e, 1, w]:
                    is_open = False
                    break
            if is_open:
                seen[there] = stamp
                codes[count], far[count] = there, far[place] + 1
                count += 1
        place += 1
    return count


@cached()
def settle(tables, row, codes, far, seen, stamp):  # type: ignore[no-untyped-def]
    """Move the row to the least location of its region: one row stands for all of them."""
    count = flood(tables, row, codes, far, seen, stamp)
    least = codes[0]
    for i in range(1, count):
        least = min(least, codes[i])
    row[0] = row[0] & ~tables.key | np.uint64(least)


@cached()
def held(tables, row, bits):  # type: ignore[no-untyped-def]
    """List in `bits` those that hold in the row, but for the location, lowest first; their number."""
    count = 0
    for w in range(len(row)):
        left = row[w] & ~tables.key if w == 0 else row[w]
        while left:
            bits[count] = 64 * w + np.int64(_zeros(left))
            left &= left - np.uint64(1)
            count += 1
    return count


@cached()
def bound(tables, row, scratch):  # type: ignore[no-untyped-def]
    """A lower bound on the cost of getting an object of its own to each target; HOPELESS where there is none.

    Where there are no targets but weights, the sum of these, which guides and bounds nothing. Else the least sum
    of single distances over all assignments (Kuhn 1955, by shortest augmenting paths: Jonker and Volgenant 1987).
    """
    targets = tables.distance.shape[2]
    if targets == 0 and len(tables.weights) == 0:
        return np.int64(0)
    code = np.int64(row[0] & tables.key)
    distance = tables.distance[code]
    objects = scratch[0]
    count = held(tables, row, objects[1:])
    total = np.int64(0)
    if targets == 0:
        for i in range(1, count + 1):
            total += tables.weights[objects[i]]
        return total
    if count < targets:
        return np.int64(HOPELESS)
    u, v, match, way, least, used = scratch[1], scratch[2], scratch[3], scratch[4], scratch[5], scratch[6]
    v[: count + 1] = 0
    match[: count + 1] = 0
    for i in range(1, targets + 1):
        u[i] = 0
        match[0] = i
        u[0] = 0
        for j in range(count + 1):
            least[j] = NEVER
            used[j] = 0
        j0 = 0
        while True:
            used[j0] = 1
            i0 = match[j0]
            delta, j1 = NEVER, 0
            for j in range(1, count + 1):
                if used[j]:
                    continue
                reduced = distance[objects[j], i0 - 1] - u[i0] - v[j]
                if reduced < least[j]:
                    least[j] = reduced
                    way[j] = j0
                if least[j] < delta:
                    delta, j1 = least[j], j
            for j in range(count + 1):
                if used[j]:
                    u[match[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            total += delta
            j0 = j1
            if match[j0] == 0:
                break
        if total >= HOPELESS:
            return np.int64(HOPELESS)
        while j0:
            match[j0] = match[way[j0]]
            j0 = way[j0]
    return total


@cached()
def alone(tables, starts, bits):  # type: ignore[no-untyped-def]
    """Least costs by (location code, bit) of a single object, from the starts (location code, bit).

    Only actions that move the object count. Label correcting: a shorter way is followed again.
    """
    codes = len(tables.first) - 1
    words = tables.masks.shape[2]
    cost = np.full((codes, bits), HOPELESS, np.int32)
    waiting = np.zeros((codes, bits), np.uint8)
    room = codes * bits + 1
    queue = np.empty(room, np.int32)
    head, size = 0, 0
    for s in range(len(starts)):
        cost[starts[s, 0], starts[s, 1]] = 0
        waiting[starts[s, 0], starts[s, 1]] = 1
        queue[size] = starts[s, 0] * bits + starts[s, 1]
        size += 1
    row, new, place = np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(2, np.int64)
    while size:
        code, b = queue[head] // bits, queue[head] % bits
        head = (head + 1) % room
        size -= 1
        waiting[code, b] = 0
        row[:] = 0
        row[b // 64] = np.uint64(1) << np.uint64(b % 64)
        row[0] |= np.uint64(code)
        for a in range(tables.first[code], tables.first[code + 1]):
            fits = True
            for w in range(words):
                if row[w] & tables.masks[a, 0, w] != tables.masks[a, 1, w]:
                    fits = False
                    break
            if not fits:
                continue
            for w in range(words):
                new[w] = row[w] & tables.masks[a, 2, w] | tables.masks[a, 3, w]
            held(tables, new, place)
            c, after = np.int64(new[0] & tables.key), place[0]
            moved = after != b
            total = cost[code, b] + (tables.facts[a, 0] if moved else 0)
            if total >= cost[c, after]:
                continue
            cost[c, after] = total
            if waiting[c, after]:
                continue
            waiting[c, after] = 1
            if moved:
                queue[(head + size) % room] = c * bits + after
            else:
                head = (head - 1) % room
                queue[head] = c * bits + after
            size += 1
    return cost


@cached()
def _fits(tables, row, a):  # type: ignore[no-untyped-def]
    for w in range(row.shape[0]):  # noqa: SIM110, numba has no all() of a generator
        if row[w] & tables.masks[a, 0, w] != tables.masks[a, 1, w]:
            return False
    return True


@cached()
def is_entered(tables, row):  # type: ignore[no-untyped-def]
    """Is the row where a run starts or comes to by an action other than a walk?"""
    code = np.int64(row[0] & tables.key)
    for a in range(tables.first[code], tables.first[code + 1]):
        if _fits(tables, row, a):
            return True
    for w in range(row.shape[0]):  # noqa: SIM110
        if row[w] != tables.start[w]:
            return False
    return True


@cached()
def _holds_triple(tables, row, a, bits):  # type: ignore[no-untyped-def]
    """Does the row hold a dead triple with the object that action a has just placed?"""
    for i in range(held(tables, row, bits)):
        for w in range(len(row)):
            if row[w] & tables.triples[a, bits[i], w]:
                return True
    return False


@cached()
def successors(tables, row, codes, far, others, bits, seen, stamp, after, by, price):  # type: ignore[no-untyped-def]
    """Write the successors of a row to `after`, the places of their actions to `by`, their costs to `price`.

    Returns their number and the last stamp used. `codes`, `far`, `others`, `bits` and `seen` are room to work in.
    Without walks the successors are by one action. With walks, a forward row is followed from all locations that
    it walks to. If walks are free, it stands for all of them, and so do its successors. If not, rows are those
    which a run enters by another action, and a backward row's successors are all those from which one walks to
    where an action leads to the row.
    """
    words = row.shape[0]
    walks = len(tables.walk_to) > 0
    free = walks and tables.pace == 0
    back = walks and len(tables.start) > 0
    count, found = 1, 0
    codes[0], far[0] = np.int64(row[0] & tables.key), 0
    if walks and not back:
        stamp += 1
        count = flood(tables, row, codes, far, seen, stamp)
    for i in range(count):
        row[0] = row[0] & ~tables.key | np.uint64(codes[i])
        for a in range(tables.first[codes[i]], tables.first[codes[i] + 1]):
            if not _fits(tables, row, a):
                continue
            dead = False
            for w in range(words):
                after[found, w] = row[w] & tables.masks[a, 2, w] | tables.masks[a, 3, w]
                dead |= after[found, w] & tables.masks[a, 4, w] != 0
            if dead or (len(tables.triples) > 0 and _holds_triple(tables, after[found], a, bits)):
                continue
            by[found], price[found] = a, tables.facts[a, 0] + tables.pace * far[i]
            if free:
                stamp += 1
                settle(tables, after[found], others, far, seen, stamp)
            if not back:
                found += 1
                continue
            stamp += 1
            before = after[len(after) - 1]
            before[:] = after[found]
            reached = flood(tables, before, others, far, seen, stamp)
            for j in range(reached):
                after[found] = before
                after[found, 0] = before[0] & ~tables.key | np.uint64(others[j])
                if is_entered(tables, after[found]):
                    by[found], price[found] = a, tables.facts[a, 0] + tables.pace * far[j]
                    found += 1
    return found, stamp


@cached()
def rehash(rows, used, slots):  # type: ignore[no-untyped-def]
    """Enter the rows in use into an empty table."""
    for i in range(used):
        slots[find(rows, slots, rows[i])] = i


@cached()
def _put(space, number, cost, estimate, limit):  # type: ignore[no-untyped-def]
    """Let an entry wait: ready by cost if cost and estimate are within the limit, else later, or hopeless."""
    scalars = space.scalars
    total = cost + estimate
    if estimate >= HOPELESS:
        space.entry[number, 1] = scalars[USELESS]
        scalars[USELESS] = number
    elif total <= limit:
        space.entry[number, 1] = space.ready[cost]
        space.ready[cost] = number
        scalars[READY] += 1
        scalars[LOW] = min(scalars[LOW], cost)
    else:
        space.entry[number, 1] = space.later[total]
        space.later[total] = number
        scalars[LATER] += 1
        scalars[NEXT] = min(scalars[NEXT], total)


@cached()
def _admit(space, limit):  # type: ignore[no-untyped-def]
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
        _put(space, number, cost, np.int64(0), limit)


@cached()
def _despair(space, limit):  # type: ignore[no-untyped-def]
    """Let the hopeless wait as if they had no bound: nothing else is left."""
    number = space.scalars[USELESS]
    space.scalars[USELESS] = -1
    while number >= 0:
        following = np.int64(space.entry[number, 1])
        cost = np.int64(space.facts[space.entry[number, 0], COST])
        _put(space, number, cost, np.int64(0), limit)
        number = following


@cached()
def _lowest(space):  # type: ignore[no-untyped-def]
    """The least cost of a ready row, there being one."""
    scalars = space.scalars
    while space.ready[scalars[LOW]] < 0:
        scalars[LOW] += 1
    return scalars[LOW]


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
def _close(tables, goal_mask, goal_value, space, other, best, limit, most_steps, greedy):  # type: ignore[no-untyped-def]
    """Close the ready rows of the least cost: (status, goal row or -1, steps left). FULL where an array is.

    A row that `other` has, too, is a meeting: `best` becomes (sum of the costs, row here, row there) if that is
    less. With `greedy` the bound alone is what buckets go by, and no row is entered twice.
    """
    words, locations, most_new = space.rows.shape[1], len(tables.first) - 1, tables.most
    row, after = np.empty(words, np.uint64), np.empty((most_new, words), np.uint64)
    by, price = np.empty(most_new, np.int64), np.empty(most_new, np.int64)
    codes, far = np.empty(locations, np.int64), np.empty(locations, np.int64)
    others, bits = np.empty(locations, np.int64), np.empty(64 * words, np.int64)
    seen, stamp = np.zeros(locations, np.int64), np.int64(0)
    scratch = np.zeros((7, tables.distance.shape[1] + tables.distance.shape[2] + 2), np.int64)
    scalars, rows, facts, slots, entry = space.scalars, space.rows, space.facts, space.slots, space.entry
    room, entries = min(len(rows), len(slots) // 2) - most_new, len(entry) - most_new
    now = _lowest(space)
    while most_steps > 0:
        if greedy and scalars[READY]:
            now = _lowest(space)
        number = space.ready[now]
        if number < 0:
            return ENDED, np.int64(-1), most_steps
        at = np.int64(entry[number, 0])
        paid = np.int64(facts[at, COST])
        if scalars[ROWS] > room or scalars[ENTRIES] > entries or paid + tables.reach >= len(space.ready):
            return FULL, np.int64(-1), most_steps
        space.ready[now] = entry[number, 1]
        scalars[READY] -= 1
        if facts[at, CLOSED]:
            continue
        facts[at, CLOSED] = 1
        most_steps -= 1
        row[:] = rows[at]
        if meets(row, goal_mask, goal_value):
            return FOUND, at, most_steps
        count, stamp = successors(tables, row, codes, far, others, bits, seen, stamp, after, by, price)
        for i in range(count):
            cost = paid + price[i]
            slot = find(rows, slots, after[i])
            known = np.int64(slots[slot])
            if known < 0:
                known = scalars[ROWS]
                scalars[ROWS] += 1
                rows[known] = after[i]
                slots[slot] = known
            elif greedy or facts[known, COST] <= cost:
                continue
            facts[known, PARENT] = at
            facts[known, ACTION] = tables.facts[by[i], 1]
            facts[known, COST] = cost
            facts[known, CLOSED] = 0
            if other.scalars[ROWS] > 0:
                met = np.int64(other.slots[find(other.rows, other.slots, after[i])])
                if met >= 0 and cost + other.facts[met, COST] < best[0]:
                    best[0], best[1], best[2] = cost + other.facts[met, COST], known, met
            estimate = np.int64(bound(tables, after[i], scratch))
            number = scalars[ENTRIES]
            scalars[ENTRIES] += 1
            entry[number, 0] = known
            if greedy and estimate < HOPELESS:
                cost, estimate = estimate, np.int64(0)
            _put(space, number, cost, estimate, limit)
    return PAUSED, np.int64(-1), most_steps


@cached()
def mark(tables, space, marked):  # type: ignore[no-untyped-def]
    """Set `marked` for each row of one to three objects, wherever it walks to.

    Its shape is (location codes, bits, bits or 1, bits or 1); in an entry the bits fall.
    """
    locations = marked.shape[0]
    codes, far, seen = np.empty(locations, np.int64), np.empty(locations, np.int64), np.zeros(locations, np.int64)
    bits = np.zeros(3, np.int64)
    for number in range(space.scalars[ROWS]):
        row = space.rows[number]
        bits[:] = 0
        count = held(tables, row, bits)
        first, second, third = bits[count - 1], bits[max(0, count - 2)], bits[max(0, count - 3)]
        for i in range(flood(tables, row, codes, far, seen, number + 1)):
            marked[codes[i], first, second if count > 1 else 0, third if count > 2 else 0] = True


@cached()
def is_over(space):  # type: ignore[no-untyped-def]
    """Has the search closed all its rows?"""
    scalars = space.scalars
    return scalars[READY] == 0 and scalars[LATER] == 0 and scalars[USELESS] < 0


@cached()
def search(tables, goal_mask, goal_value, space, limit, most_steps, greedy):  # type: ignore[no-untyped-def]
    """Search from one end, by cost and bound (A*, Hart, Nilsson and Raphael 1968): (status, goal row, limit).

    `limit` is a lower bound on the cost of any goal row. ENDED where all rows are closed, FOUND where the goal row
    of least cost is closed, PAUSED after `most_steps` closed rows, FULL where an array has to grow.
    """
    best = np.array([NEVER, -1, -1], np.int64)
    nobody = Space(
        space.rows, space.facts, space.slots, space.entry, space.ready, space.later, np.zeros_like(space.scalars)
    )
    while most_steps > 0:
        if not space.scalars[READY]:
            if space.scalars[LATER]:
                limit = max(limit + 1, space.scalars[NEXT])
                _admit(space, limit)
            elif space.scalars[USELESS] >= 0:
                _despair(space, limit)
            else:
                return ENDED, np.int64(-1), limit
            continue
        status, hit, most_steps = _close(
            tables, goal_mask, goal_value, space, nobody, best, limit, most_steps, greedy
        )
        if status in (FOUND, FULL):
            return status, hit, limit
    return PAUSED, np.int64(-1), limit


@cached()
def meet(forward, backward, ahead, behind, best, limit, split, least_price, most_steps):  # type: ignore[no-untyped-def]
    """Search from both ends: (status, limit).

    `limit` is a lower bound on the cost of any run that is not in `best`. A run that is cheaper than `best` passes
    through a row that waits on the forward side and later through one that waits on the backward side, so it costs
    at least what each of these has as cost and bound, and at least the sum of both costs and one action (Eckerle
    et al. 2017). So within a limit, each side closes its rows below a cost of its own, `split`, until those sum up
    to the limit; the side that has seen fewer rows raises its own (after GBFHS, Barley et al. 2018). MET where
    `best` is within the limit, ENDED where one side has closed all its rows, PAUSED after `most_steps` closed
    rows, FULL where an array has to grow.
    """
    goal, greedy = np.zeros((0, ahead.rows.shape[1]), np.uint64), len(split) == 0
    while most_steps > 0:
        if best[0] <= limit:
            return MET, limit
        hope = ahead.scalars[READY] + ahead.scalars[LATER] > 0
        other_hope = behind.scalars[READY] + behind.scalars[LATER] > 0
        if not (hope and other_hope):
            if best[0] < NEVER:
                return MET, best[0]
            if is_over(ahead) or is_over(behind):
                return ENDED, limit
            if not hope:
                _despair(ahead, limit)
            if not other_hope:
                _despair(behind, limit)
            continue
        if ahead.scalars[READY] and behind.scalars[READY]:
            cost, other_cost = _lowest(ahead), _lowest(behind)
            if cost + other_cost + least_price <= limit:
                if cost >= split[0] and other_cost >= split[1]:
                    if ahead.scalars[ROWS] <= behind.scalars[ROWS]:
                        split[0] = cost + 1
                    else:
                        split[1] = other_cost + 1
                first = cost < split[0]
                tables, here, there = (forward, ahead, behind) if first else (backward, behind, ahead)
                if not first:
                    best[1], best[2] = best[2], best[1]
                status, _, most_steps = _close(tables, goal, goal, here, there, best, limit, most_steps, greedy)
                if not first:
                    best[1], best[2] = best[2], best[1]
                if status == FULL:
                    return FULL, limit
                continue
        soonest = limit + 1
        if not ahead.scalars[READY]:
            soonest = max(soonest, ahead.scalars[NEXT])
        if not behind.scalars[READY]:
            soonest = max(soonest, behind.scalars[NEXT])
        limit = min(soonest, best[0])
        _admit(ahead, limit)
        _admit(behind, limit)
    return PAUSED, limit
