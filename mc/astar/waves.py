"""Bidirectional search if walks cost something: waves of locations spread through regions.

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

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.astar.sides import Progress
from puzzlemc.mc.heuristics.assignment import matching_of
from puzzlemc.mc.packed.successors import Region
from puzzlemc.mc.search.buckets import Space
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.astar.search import MET, is_first, raise_limit, swap
    from puzzlemc.mc.heuristics.assignment import Matching, bound_near
    from puzzlemc.mc.packed.costs import INFINITE, NEVER
    from puzzlemc.mc.packed.successors import flood, spread, spread_in_word
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.search.buckets import is_over, lowest, put
    from puzzlemc.mc.search.state_table import ENDED, FULL, PAUSED, find
    from puzzlemc.mc.words import ALL, Flag, Index, Numbers, Word, Words2, Words3, bit, lowest_bit

    # Columns of `Waves.entries`, the waves. Column 1 is the next entry of the bucket, see `buckets.put`.
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


class Waves(Space):
    """The open and the closed list of one side. The arrays have a fixed capacity: see `WaveSide.grow`.

    rows       (capacity, words): each at the least location of its region
    node_info  (capacity, 3): of each row, see above
    entries    (capacity, 7): the waves, see above
    sets       (capacity, 2, words of a bit set): the region of each row, and its locations reached so far
    fronts     (capacity, words of a bit set): the locations of each wave
    free       the first wave that can be reused, -1 if there is none
    """

    sets: Words3  # public
    fronts: Words2  # public
    free: Index

    def __init__(self, capacity: int, words: int, parts: int) -> None:
        """Empty lists for `capacity` rows and twice as many waves, with `parts` words in a bit set."""
        super().__init__(capacity, words, 3, 2 * capacity, 7)
        self.sets = view(np.zeros((capacity, 2, parts), np.uint64))
        self.fronts = view(np.zeros((2 * capacity, parts), np.uint64))
        self.free = -1

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each row."""
        return ["rows", "node_info", "sets"]


class WaveProgress(Progress):
    """The progress of a search by waves.

    code   the location code where the sides met in the best plan
    begun  the number of sides that have expanded their waves of cost 0
    """

    code: Index  # public
    begun: Index

    def __init__(self) -> None:
        super().__init__()
        self.code, self.begun = -1, 0
        self.by_layers = False


class Side:
    """One side of a search by waves.

    waves             its open and closed list
    arrival           the number of the arrival that the last call of `least_cost` found
    steps             (location codes,): scratch, the number of walks to each location
    row, here, after  (1, words): scratch, the row that is expanded, a row of `least_cost`, a successor
    front, following  (1, words of a bit set): scratch, the locations that are expanded, and their neighbours
    region, matching  scratch
    """

    tables: Tables  # readonly
    waves: Waves  # readonly
    arrival: Index  # readonly
    region: Region
    matching: Matching
    steps: Numbers
    row: Words2
    here: Words2
    after: Words2
    front: Words2
    following: Words2

    def __init__(self, tables: Tables, waves: Waves) -> None:
        self.tables, self.waves, self.arrival = tables, waves, -1
        self.region, self.matching = Region(tables.walks), matching_of(tables)
        self.steps = view(np.zeros(tables.first.shape[0] - 1, np.int64))
        words, parts = waves.rows.shape[1], waves.fronts.shape[1]
        self.row, self.here, self.after = (view(np.zeros((1, words), np.uint64)) for _ in range(3))
        self.front, self.following = (view(np.zeros((1, parts), np.uint64)) for _ in range(2))


def meet(ahead: Side, behind: Side, progress: WaveProgress, steps: int) -> int:
    """Bidirectional search by waves, for a number of expansions. The status is as in `search.meet`.

    The stopping rule: a plan that no meeting has found costs at least the sum of the least open costs of both
    sides. Take a cheapest plan within the limit. Each of its states with a cost from the start below all open
    costs ahead was expanded ahead, and each of its states with a cost to the goal below all open costs behind was
    expanded behind. If the sum of the least open costs exceeds the cost of the plan, the plan has a step from a
    state that was expanded ahead to a state that was expanded behind. Of all such steps of cheapest plans, take
    the one that arose first. The state of it that was expanded later meets the other one: otherwise its own side
    would have expanded the other one before, from a state with which it forms such a step that arose earlier.

    The waves of cost 0 of both sides are expanded before all others: `progress.begun` counts the
    sides that have done so. MET if `best` is within the limit, ENDED if one side has no wave left.
    """

    progress.steps = steps
    return _meet(ahead, behind, progress)


def least_cost(side: Side, row: Index, code: Index) -> Index:  # public
    """The least cost of a location code in a row, and in `side.arrival` the first arrival that gives it.

    NEVER and -1 if no arrival reaches it.
    """
    w: Index
    i: Index
    for w in range(side.here.shape[1]):
        side.here[0, w] = side.waves.rows[row, w]
    side.here[0, 0] = side.here[0, 0] & side.tables.outside[0] | code
    for i in range(side.steps.shape[0]):
        side.steps[i] = -1
    for i in range(flood(side.tables.walks, side.here, 0, side.region)):
        side.steps[side.region.codes[i]] = side.region.far[i]
    least: Index = NEVER
    first: Index = -1
    number: Index = side.waves.node_info[row, LAST]
    while number >= 0:
        far: Index = side.steps[side.waves.entries[number, LOCATION]]
        cost: Index = side.waves.entries[number, COST] + side.tables.walks.cost * far
        if far >= 0 and (cost < least or (cost == least and number < first)):
            least = cost
            first = number
        number = side.waves.entries[number, LINK]
    side.arrival = first
    return least


def begin(side: Side, rows: Words2) -> None:  # public
    """Insert an open arrival of cost 0 for each of these rows."""
    i: Index
    w: Index
    for i in range(rows.shape[0]):
        for w in range(rows.shape[1]):
            side.after[0, w] = rows[i, w]
        place: Index = rows[i, 0] & side.tables.key
        row: Index = _enter_row(side)
        new: Index = _new_arrival(side.waves, row, 0, place)
        side.waves.entries[new, BEFORE] = -1
        side.waves.entries[new, ACTION] = -1
        put(side.waves, new, 0, 0, 0)


# Rows and waves


def _admit(waves: Waves, limit: Index) -> None:
    """Move waves within the new search limit from the next buckets to the open buckets."""
    while waves.next_count and waves.least_next <= limit:
        number: Index = waves.next_buckets[waves.least_next]
        if number < 0:
            waves.least_next += 1
            continue
        waves.next_buckets[waves.least_next] = waves.entries[number, 1]
        waves.next_count -= 1
        put(waves, number, waves.entries[number, COST], 0, limit)


def _new_wave(waves: Waves) -> Index:
    """The number of an unused wave."""
    number: Index = waves.free
    if number >= 0:
        waves.free = waves.entries[number, 1]
        return number
    number = waves.entry_count
    waves.entry_count += 1
    return number


def _new_arrival(waves: Waves, row: Index, cost: Index, place: Index) -> Index:
    """The number of a new arrival at a location of a row. The caller sets BEFORE and ACTION, and inserts it."""
    new: Index = waves.entry_count
    waves.entry_count += 1
    waves.entries[new, ROW] = row
    waves.entries[new, COST] = cost
    waves.entries[new, LOCATION] = place
    waves.entries[new, LINK] = waves.node_info[row, LAST]
    waves.node_info[row, LAST] = new
    v: Index
    for v in range(waves.fronts.shape[1]):
        waves.fronts[new, v] = 0
    waves.fronts[new, place >> 6] = bit(place & 63)
    return new


def _enter_row(side: Side) -> Index:
    """The number of the row of the region of `side.after`, which becomes that row. It is inserted if it is new."""
    if side.tables.walks.union.shape[0] > 0:
        side.region.sets[0, 0] = spread_in_word(side.tables.walks, side.after, 0)
    else:
        spread(side.tables.walks, side.after, 0, side.region)
    w: Index = 0
    while not side.region.sets[0, w]:
        w += 1
    least: Word = 64 * w + lowest_bit(side.region.sets[0, w])
    side.after[0, 0] = side.after[0, 0] & side.tables.outside[0] | least
    slot: Index = find(side.waves, side.after, 0)
    row: Index = side.waves.slots[slot]
    if row < 0:
        row = side.waves.used
        side.waves.used += 1
        side.waves.slots[slot] = row
        for w in range(side.after.shape[1]):
            side.waves.rows[row, w] = side.after[0, w]
        for w in range(side.front.shape[1]):
            side.waves.sets[row, 0, w] = side.region.sets[0, w]
            side.waves.sets[row, 1, w] = 0
        side.waves.node_info[row, BOUND] = bound_near(side.tables, side.after, 0, side.matching)
        side.waves.node_info[row, OPPOSITE] = -1
        side.waves.node_info[row, LAST] = -1
    return row


# Expansion


def _meet_at(other: Side, opposite: Index, fronts: Words2, i: Index, cost: Index, progress: WaveProgress) -> None:
    """Update the plan with those through the locations of front i that the other side has reached, too.

    `opposite` is the row of the front on the other side. The caller sets `progress.row` if the plan has changed.
    """
    v: Index
    for v in range(fronts.shape[1]):
        left: Word = fronts[i, v] & other.waves.sets[opposite, 1, v]
        while left:
            code: Index = 64 * v + lowest_bit(left)
            left &= left - 1
            total: Index = cost + least_cost(other, opposite, code)
            if total < progress.best:
                progress.best = total
                progress.row = other.waves.node_info[opposite, OPPOSITE]
                progress.opposite = opposite
                progress.code = code


def _is_full(side: Side, cost: Index) -> Flag:
    """May an expansion at this cost exceed the capacity of an array?"""
    most: Index = side.tables.most
    return (
        side.waves.used > side.waves.rows.shape[0] - most
        or side.waves.used > side.waves.slots.shape[0] // 2 - most
        or side.waves.entry_count > side.waves.entries.shape[0] - most
        or cost + side.tables.largest_increase >= side.waves.open_buckets.shape[0]
    )


def _take(side: Side, number: Index, at: Index) -> Flag:
    """Write the locations of a wave that its row has not reached yet to `side.front`, and mark them as reached.

    The wave can be reused if it is no arrival. Returns False if there is no such location.
    """
    some: Word = 0
    v: Index
    for v in range(side.front.shape[1]):
        new: Word = side.waves.fronts[number, v] & (ALL ^ side.waves.sets[at, 1, v])
        side.front[0, v] = new
        side.waves.sets[at, 1, v] |= new
        some |= new
    if side.waves.entries[number, LOCATION] < 0:
        side.waves.entries[number, 1] = side.waves.free
        side.waves.free = number
    return some != 0


def _go_on(side: Side, other: Side, progress: WaveProgress, at: Index, now: Index) -> None:
    """Insert the next wave of the row: the neighbours of the front that are not reached yet."""
    parts: Index = side.front.shape[1]
    v: Index
    u: Index
    for v in range(parts):
        side.following[0, v] = 0
    for v in range(parts):
        left: Word = side.front[0, v]
        while left:
            code: Index = 64 * v + lowest_bit(left)
            left &= left - 1
            for u in range(parts):
                side.following[0, u] |= side.tables.walks.near[code, u]
    some: Word = 0
    common: Word = 0
    opposite: Index = side.waves.node_info[at, OPPOSITE]
    for v in range(parts):
        side.following[0, v] &= side.waves.sets[at, 0, v] & (ALL ^ side.waves.sets[at, 1, v])
        some |= side.following[0, v]
        if opposite >= 0:
            common |= side.following[0, v] & other.waves.sets[opposite, 1, v]
    cost: Index = now + side.tables.walks.cost
    if common:
        _meet_at(other, opposite, side.following, 0, cost, progress)
    estimate: Index = side.waves.node_info[at, BOUND]
    if some and estimate < INFINITE and cost + estimate < progress.best:
        new: Index = _new_wave(side.waves)
        side.waves.entries[new, ROW] = at
        side.waves.entries[new, COST] = cost
        side.waves.entries[new, LOCATION] = -1
        for v in range(parts):
            side.waves.fronts[new, v] = side.following[0, v]
        put(side.waves, new, cost, estimate, progress.limit)


def _leave(side: Side, other: Side, progress: WaveProgress, at: Index, code: Index, now: Index) -> None:
    """Insert the arrivals by all actions from a location of a row."""
    words: Index = side.row.shape[1]
    masks = side.tables.masks
    row = side.row
    after = side.after
    w: Index
    a: Index
    for w in range(words):
        row[0, w] = side.waves.rows[at, w]
    row[0, 0] = row[0, 0] & side.tables.outside[0] | code
    for a in range(side.tables.first[code], side.tables.first[code + 1]):
        fit: Flag = True
        for w in range(words):
            if row[0, w] & masks[a, 0, w] != masks[a, 1, w]:
                fit = False
                break
        if not fit:
            continue
        dead: Word = 0
        for w in range(words):
            after[0, w] = row[0, w] & masks[a, 2, w] | masks[a, 3, w]
            dead |= after[0, w] & masks[a, 4, w]
        if not dead:
            _arrive(side, other, progress, at, a, now)


def _arrive(side: Side, other: Side, progress: WaveProgress, at: Index, a: Index, now: Index) -> None:
    """Insert the arrival at `side.after` by action a from row `at`, unless it is of no use."""
    place: Index = side.after[0, 0] & side.tables.key
    used: Index = side.waves.used
    there: Index = _enter_row(side)
    opposite: Index
    if there == used:
        opposite = other.waves.slots[find(other.waves, side.after, 0)]
        if opposite >= 0:
            other.waves.node_info[opposite, OPPOSITE] = there
        side.waves.node_info[there, OPPOSITE] = opposite
    estimate: Index = side.waves.node_info[there, BOUND]
    if side.waves.sets[there, 1, place >> 6] & bit(place & 63) or estimate >= INFINITE:
        return
    cost: Index = now + side.tables.action_info[a, 0]
    if cost + estimate >= progress.best:
        return
    new: Index = _new_arrival(side.waves, there, cost, place)
    side.waves.entries[new, BEFORE] = at
    side.waves.entries[new, ACTION] = side.tables.action_info[a, 1]
    opposite = side.waves.node_info[there, OPPOSITE]
    if opposite >= 0 and other.waves.sets[opposite, 1, place >> 6] & bit(place & 63):
        _meet_at(other, opposite, side.waves.fronts, new, cost, progress)
    put(side.waves, new, cost, estimate, progress.limit)


def _follow(side: Side, other: Side, progress: WaveProgress) -> Index:
    """Expand the open waves of the least cost; return the status.

    ENDED means here that no open wave of that cost is left. If the other side has reached a location, too, the
    sides meet: `progress` gets the plan if it is cheaper. MET if it is within the limit.
    """
    now: Index = lowest(side.waves)
    v: Index
    while True:
        number: Index = side.waves.open_buckets[now]
        if number < 0:
            return ENDED
        if progress.steps == 0:
            return PAUSED
        if _is_full(side, now):
            return FULL
        side.waves.open_buckets[now] = side.waves.entries[number, 1]
        side.waves.open_count -= 1
        progress.steps -= 1
        at: Index = side.waves.entries[number, ROW]
        if not _take(side, number, at):
            continue
        _go_on(side, other, progress, at, now)
        for v in range(side.front.shape[1]):
            left: Word = side.front[0, v]
            while left:
                _leave(side, other, progress, at, 64 * v + lowest_bit(left), now)
                left &= left - 1
        if progress.best <= progress.limit:
            return MET


def _meet(ahead: Side, behind: Side, progress: WaveProgress) -> Index:
    """Run until `progress.steps` are used up or a final status. As `meet`."""
    while progress.steps > 0:
        if progress.best <= progress.limit:
            return MET
        is_ahead: Flag = progress.begun == 1
        if progress.begun > 1:
            if is_over(ahead.waves) or is_over(behind.waves):
                if progress.best < NEVER:
                    progress.limit = progress.best
                    return MET
                return ENDED
            if (
                ahead.waves.open_count == 0
                or behind.waves.open_count == 0
                or lowest(ahead.waves) + lowest(behind.waves) > progress.limit
            ):
                raise_limit(ahead.waves, behind.waves, progress)
                _admit(ahead.waves, progress.limit)
                _admit(behind.waves, progress.limit)
                continue
            is_ahead = is_first(ahead.waves, behind.waves, progress)
        status: Index
        if is_ahead:
            status = _follow(ahead, behind, progress)
        else:
            swap(progress)
            status = _follow(behind, ahead, progress)
            swap(progress)
        if status == FULL:
            return FULL
        if status == ENDED and progress.begun < 2:
            progress.begun += 1
    return PAUSED
