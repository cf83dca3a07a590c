"""Pair excesses: the assignment bound plus the cost that pairs of objects add because they block each other.

Two objects in each other's way cost more than both alone (linear conflicts: Junghanns and Schaeffer 2001). A table
has the least costs of two objects, without any others, to two targets, from any location. Let c(i, t) be the cost
of object i alone to target t, and D(i, j, t, s) the cost of both i to t and j to s.

At the goal each target has one object, and each action moves at most one object. Take disjoint pairs of objects,
and a plan that brings each object i to a target t(i). It costs at least the sum of D(i, j, t(i), t(j)) over the
pairs plus the sum of c(i, t(i)) over the other objects. The minimum of this sum over all t is hard to compute. But
an assignment has dual variables u(t) and v(i) with c(i, t) >= u(t) + v(i), whose sum is the cost of the assignment
(duality of linear programs). The sum above, minus all dual variables, is at least the sum over the pairs of

    excess(i, j) = least over t and s, not the same, of D(i, j, t, s) - u(t) - v(i) - u(s) - v(j).

So the cost of the assignment plus the excesses of disjoint pairs is a lower bound (like additive pattern
databases: Felner, Korf and Hanan 2004). It is not consistent, because the chosen pairs may change from state to
state. A pair that costs no more together on its assigned targets has excess 0; the pairs with the largest excesses
are chosen first.

An assignment has many dual variables. Those in the middle of their ranges leave more of c(i, t) - u(t) - v(i) to
the targets that an object is not assigned to, so the excess is larger. They are fractions: all are multiplied by
SCALE, and the sum of the excesses is rounded up, because costs are integers.

If the graph of the places is bipartite, and each action moves an object along an edge, the places of the objects
determine the parity of the number of actions to the goal. The assignment has the same parity, so the sum of the
excesses is rounded up to an even number.

Compiled: see `mc/words.py`. `build_tables.py` makes the arrays.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.heuristics.assignment import Matching, bound_near, keep
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.words import (
        Bytes,
        Bytes2,
        Bytes3,
        Flag,
        Index,
        Ints2,
        Ints3,
        Numbers,
        Numbers2,
        Shorts3,
        Shorts4,
        Word,
        Words2,
        lowest_bit,
    )

    FAR = 1 << 14  # the cost of an unreachable pair of targets
    NOWHERE = 255  # the part of a location code that is an object's place or has no value
    SCALE = 4  # a dual variable is a multiple of 1 / SCALE
    SWEEPS = 2  # how often each dual variable goes to the middle of its range


class PairActions:
    """The actions that fill the table of pairs, by the object that they move.

    first   (objects + 1,): the actions that move object i are those from `first[i]` to before `first[i + 1]`
    steps   (actions, 3): the location codes before and after each action, and the number of the object after it
    block   (actions, objects): the objects that must be absent
    codes   the location codes at the targets
    ends    (targets,): the numbers of the objects on the targets
    """

    first: Numbers  # readonly
    steps: Numbers2  # readonly
    block: Bytes2
    codes: Numbers  # readonly
    ends: Numbers  # readonly

    def __init__(
        self,
        first: npt.NDArray[np.int64],
        steps: npt.NDArray[np.int64],
        block: npt.NDArray[np.bool_],
        codes: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
    ) -> None:
        self.first, self.steps, self.codes, self.ends = view(first), view(steps), view(codes), view(ends)
        self.block = view(np.ascontiguousarray(block).view(np.uint8))


class Pairs:
    """The least costs of pairs of objects. An object has a number; it stands for one place.

    at      (bits,): the number of the object of each bit; empty if this bound is not used
    part    (objects, objects, location codes): the number of the region of a location beside two objects
    costs   (pairs, parts, targets, targets): the least cost at which a pair reaches two targets, the object with
            the lower number the first one; FAR if it cannot. For the numbers of pairs see `_pair`
    hinders (pairs,): do two objects cost more together than alone, from some part to some targets?
    most    the largest sum of excesses that is added
    step    the sum of excesses is rounded up to a multiple of this
    unit    the cost of an action
    actions  the actions from which the table was made
    alone   (targets + 1, targets): the costs of single objects of a row; objects are counted from 1
    excess  (pairs of targets, 3): scratch space: two objects, and SCALE times the excess of the pair
    u, v    scratch space: SCALE times the dual variables, by target from 0, and by object from 1
    """

    at: Numbers  # readonly
    part: Bytes3  # readonly
    costs: Shorts4  # readonly
    hinders: Bytes  # readonly
    most: Index  # readonly
    step: Index  # readonly
    unit: Index  # readonly
    actions: PairActions  # readonly
    alone: Numbers2
    excess: Numbers2
    u: Numbers
    v: Numbers

    def __init__(
        self,
        at: npt.NDArray[np.int64],
        part: npt.NDArray[np.uint8],
        costs: npt.NDArray[np.int16],
        hinders: npt.NDArray[np.bool_],
        most: int,
        step: int,
        unit: int,
        actions: PairActions,
    ) -> None:
        self.unit, self.actions = unit, actions
        self.at, self.part, self.costs, self.most, self.step = view(at), view(part), view(costs), most, step
        self.hinders = view(hinders.view(np.uint8))
        targets = costs.shape[3]
        self.alone = view(np.zeros((targets + 1, targets), np.int64))
        self.excess = view(np.zeros((targets * (targets - 1) // 2, 3), np.int64))
        self.u, self.v = view(np.zeros(targets, np.int64)), view(np.zeros(targets + 1, np.int64))


# Called from Python


def number_parts(
    near: Words2, blocked: npt.NDArray[np.int64], here: npt.NDArray[np.bool_], part: npt.NDArray[np.uint8]
) -> int:
    """Write the regions beside any two objects to `part`; return the largest number of regions, -1 if too many.

    `blocked` are the location codes of the objects. `here` is true for the location codes with a value.
    """
    queue = view(np.zeros(len(here), np.int64))
    return _number_parts(near, view(blocked), view(here.view(np.uint8)), view(part), queue)


def list_costs(actions: PairActions, part: npt.NDArray[np.uint8], parts: int, costs: npt.NDArray[np.int16]) -> int:
    """Write the costs of pairs, in actions, to `costs`: breadth-first search from each two targets.

    Returns the largest finite cost.
    """
    count = len(part)
    cost = view(np.zeros((count, count, parts), np.int16))
    queue = view(np.zeros((count * count * parts, 3), np.int32))
    longest = 0
    for i in range(actions.ends.shape[0]):
        for j in range(i):
            longest = max(longest, _list_costs(actions, view(part), i, j, cost, queue, view(costs)))
            if longest >= FAR:
                return FAR
    return longest


def list_hindering(
    part: npt.NDArray[np.uint8], costs: npt.NDArray[np.int16], distance: Ints3, bits: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """The field `hinders`; `distance` as in `Tables`, and the bits of the objects."""
    found = np.zeros(len(costs), np.uint8)
    _mark_hindering(view(part), view(costs), distance, view(bits), view(found))
    return found.view(np.bool_)


# The table


def _pair(first: Index, second: Index) -> Index:
    """The number of a pair of objects; `first` must be less than `second`."""
    return second * (second - 1) // 2 + first


def _number_parts(near: Words2, blocked: Numbers, here: Bytes, part: Bytes3, queue: Numbers) -> Index:
    """`number_parts` in compiled code; `queue` (location codes,) is scratch space."""
    most: Index = 0
    first: Index
    second: Index
    start: Index
    code: Index
    w: Index
    for first in range(part.shape[0]):
        for second in range(first):
            one: Index = blocked[first]
            other: Index = blocked[second]
            number: Index = 0
            for start in range(here.shape[0]):
                if not here[start] or part[first, second, start] != NOWHERE or start in (one, other):
                    continue
                if number == NOWHERE:
                    return -1
                part[first, second, start] = number
                queue[0] = start
                place: Index = 0
                count: Index = 1
                while place < count:
                    for w in range(near.shape[1]):
                        left: Word = near[queue[place], w]
                        while left:
                            code = 64 * w + lowest_bit(left)
                            left &= left - 1
                            if part[first, second, code] == NOWHERE and code != one and code != other:
                                part[first, second, code] = number
                                queue[count] = code
                                count += 1
                    place += 1
                number += 1
            for code in range(here.shape[0]):
                part[second, first, code] = part[first, second, code]
            most = max(most, number)
    return most


def _list_costs(
    actions: PairActions, part: Bytes3, i: Index, j: Index, cost: Shorts3, queue: Ints2, costs: Shorts4
) -> Index:
    """Write the costs of pairs to targets i and j. Returns the largest finite cost, FAR if it is too large.

    `cost` (objects, objects, parts) and `queue` (objects * objects * parts, 3) are scratch space.
    """
    longest: Index = 0
    head: Index = 0
    size: Index = 0
    one: Index
    two: Index
    k: Index
    a: Index
    which: Index
    for one in range(cost.shape[0]):
        for two in range(cost.shape[1]):
            for k in range(cost.shape[2]):
                cost[one, two, k] = FAR
    one = actions.ends[i]
    two = actions.ends[j]
    for a in range(actions.codes.shape[0]):
        k = part[one, two, actions.codes[a]]
        if k != NOWHERE and cost[one, two, k] == FAR:
            cost[one, two, k] = 0
            queue[size, 0] = one
            queue[size, 1] = two
            queue[size, 2] = k
            size += 1
    while head < size:
        one = queue[head, 0]
        two = queue[head, 1]
        k = queue[head, 2]
        head += 1
        paid: Index = cost[one, two, k]
        if one < two:
            costs[_pair(one, two), k, i, j] = paid
        else:
            costs[_pair(two, one), k, j, i] = paid
        if paid + 1 >= FAR:
            return FAR
        longest = max(longest, paid)
        for which in range(2):
            moved: Index = one if which == 0 else two
            other: Index = two if which == 0 else one
            for a in range(actions.first[moved], actions.first[moved + 1]):
                to: Index = actions.steps[a, 2]
                if to == other or actions.block[a, other] or part[moved, other, actions.steps[a, 0]] != k:
                    continue
                there: Index = part[to, other, actions.steps[a, 1]]
                new_one: Index = to if which == 0 else one
                new_two: Index = two if which == 0 else to
                if there == NOWHERE or cost[new_one, new_two, there] < FAR:
                    continue
                cost[new_one, new_two, there] = paid + 1
                queue[size, 0] = new_one
                queue[size, 1] = new_two
                queue[size, 2] = there
                size += 1
    return longest


def _mark_hindering(part: Bytes3, costs: Shorts4, distance: Ints3, bits: Numbers, found: Bytes) -> None:
    """Write `hinders` to `found`. Alone, an object costs the same from all locations of a part."""
    first: Index
    second: Index
    code: Index
    t: Index
    s: Index
    for second in range(part.shape[0]):
        for first in range(second):
            pair: Index = _pair(first, second)
            number: Index = 0  # the parts are numbered in the order of their least location codes
            for code in range(part.shape[2]):
                if part[first, second, code] != number or found[pair]:
                    continue
                for t in range(costs.shape[2]):
                    for s in range(costs.shape[3]):
                        alone: Index = distance[code, bits[first], t] + distance[code, bits[second], s]
                        if t != s and costs[pair, number, t, s] > alone:
                            found[pair] = True
                number += 1


# The bound


def bound_of_pairs(pairs: Pairs, tables: Tables, rows: Words2, i: Index, matching: Matching) -> Index:
    """The assignment bound of row i plus the excesses of disjoint pairs. The assignment is kept."""
    alone: Index = bound_near(tables, rows, i, matching)
    keep(tables, rows, i, matching, alone)
    if alone >= FAR or matching.count != tables.distance.shape[2]:
        return alone
    _list_costs_alone(pairs, matching)
    _center(pairs, matching)
    added: Index = _disjoint_excesses(pairs, _list_excesses(pairs, matching))
    added = (added + SCALE - 1) // SCALE
    added = (added + pairs.step - 1) // pairs.step * pairs.step
    return alone + min(added, pairs.most)


def _list_costs_alone(pairs: Pairs, matching: Matching) -> None:
    """Write the cost of each object alone to each target to `pairs.alone`."""
    one: Index
    t: Index
    for one in range(1, matching.count + 1):
        for t in range(matching.count):
            cost: Index = matching.distance[matching.code, matching.objects[one], t]
            if matching.beside >= 0:
                cost = max(cost, matching.costs[matching.beside, matching.objects[one], t])
            pairs.alone[one, t] = cost


def _center(pairs: Pairs, matching: Matching) -> None:
    """Write SCALE times dual variables of the assignment in the middle of their ranges to `pairs.u` and `pairs.v`.

    An object and its target share one range, which depends on the dual variables of all others.
    """
    count: Index = matching.count
    one: Index
    t: Index
    s: Index
    for one in range(1, count + 1):
        pairs.u[one - 1] = SCALE * matching.u[one]
        pairs.v[one] = SCALE * matching.v[one]
    for _ in range(SWEEPS):
        for one in range(1, count + 1):
            t = matching.match[one] - 1
            own: Index = pairs.alone[one, t]
            low: Index = -SCALE * FAR
            for s in range(count):
                if s != t and pairs.alone[one, s] < FAR:
                    low = max(low, pairs.u[s] - SCALE * (pairs.alone[one, s] - own))
            high: Index = SCALE * FAR
            for s in range(1, count + 1):
                if s != one and pairs.alone[s, t] < FAR:
                    high = min(high, SCALE * pairs.alone[s, t] - pairs.v[s])
            if low == -SCALE * FAR or high == SCALE * FAR:
                continue  # without an end, a range has no middle
            pairs.u[t] = (low + high) // 2
            pairs.v[one] = SCALE * own - pairs.u[t]


def _list_excesses(pairs: Pairs, matching: Matching) -> Index:
    """Write all pairs with an excess to `pairs.excess`; return their number."""
    count: Index = matching.count
    found: Index = 0
    i: Index
    j: Index
    for i in range(1, count + 1):
        for j in range(i + 1, count + 1):
            # The table has the object of the smaller number first.
            is_rising: Flag = pairs.at[matching.objects[i]] < pairs.at[matching.objects[j]]
            one: Index = i if is_rising else j
            two: Index = j if is_rising else i
            first: Index = pairs.at[matching.objects[one]]
            second: Index = pairs.at[matching.objects[two]]
            pair: Index = _pair(first, second)
            if not pairs.hinders[pair]:
                continue
            part: Index = pairs.part[first, second, matching.code]
            t: Index = matching.match[one] - 1
            s: Index = matching.match[two] - 1
            if pairs.costs[pair, part, t, s] <= pairs.alone[one, t] + pairs.alone[two, s]:
                continue
            more: Index = _excess(pairs, matching, one, two, pair, part)
            if more > 0 and more < SCALE * FAR:
                pairs.excess[found, 0] = one
                pairs.excess[found, 1] = two
                pairs.excess[found, 2] = more
                found += 1
    return found


def _excess(pairs: Pairs, matching: Matching, one: Index, two: Index, pair: Index, part: Index) -> Index:
    """SCALE times the excess of two objects of a row, SCALE * FAR if they can reach no two targets."""
    more: Index = SCALE * FAR
    t: Index
    u: Index
    for t in range(matching.count):
        if pairs.alone[one, t] >= FAR:
            continue
        left: Index = SCALE * pairs.alone[one, t] - pairs.u[t] - pairs.v[one]
        if left >= more:  # the term of the other object is at least 0
            continue
        for u in range(matching.count):
            if u == t or pairs.costs[pair, part, t, u] >= FAR:
                continue
            rest: Index = SCALE * pairs.alone[two, u] - pairs.u[u] - pairs.v[two]
            hindered: Index = pairs.costs[pair, part, t, u] - pairs.alone[one, t] - pairs.alone[two, u]
            more = min(more, left + rest + SCALE * max(0, hindered))
    return more


def _disjoint_excesses(pairs: Pairs, found: Index) -> Index:
    """SCALE times the sum of the excesses of disjoint pairs, the largest ones first."""
    total: Index = 0
    n: Index
    while True:
        largest: Index = 0
        best: Index = -1
        for n in range(found):
            if pairs.excess[n, 2] > largest:
                largest = pairs.excess[n, 2]
                best = n
        if best < 0:
            return total
        total += largest
        one: Index = pairs.excess[best, 0]
        two: Index = pairs.excess[best, 1]
        for n in range(found):
            first: Index = pairs.excess[n, 0]
            second: Index = pairs.excess[n, 1]
            if first in (one, two) or second in (one, two):
                pairs.excess[n, 2] = 0
