"""What pairs of objects cost, and the bound that adds what they cost more than each alone.

Two objects in each other's way cost more than both by themselves (linear conflicts: Junghanns and Schaeffer 2001).
So the least costs are listed of getting two objects, with no others there, to two targets, from wherever the
location is. Let c(i, t) be the cost of object i to target t alone, and D(i, j, t, s) that of i to t and j to s.

At the goal each target holds one object, and each action moves one object at most. Take disjoint pairs of objects,
and a run that brings each i to some target t(i). It costs at least the sum of D(i, j, t(i), t(j)) over the pairs,
and of c(i, t(i)) over the others. To take the least of these sums over all t is hard; but an assignment has prices
u(t) and v(i) with c(i, t) >= u(t) + v(i), whose sum is its cost (duality of linear programs). What is left of the
sum when all prices are taken from it is no less than the sum over the pairs of

    excess(i, j) = least over t and s, not the same, of D(i, j, t, s) - u(t) - v(i) - u(s) - v(j).

So the cost of the assignment and the excesses of disjoint pairs are a lower bound (as additive pattern databases
are: Felner, Korf and Hanan 2004). It is not consistent: a pair may be another one after a step. Where a pair costs
no more together on its targets in the assignment, its excess is 0; of the others the largest are taken first.

Where the places fall into two halves (their graph is bipartite), and each action takes an object from one to the
other, the parities of the objects fix the parity of the number of actions to the goal. So does
each assignment, and what is added is rounded up to be even.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.heuristics.assignment import MATCH, OBJECTS, U, V, assignment, listed
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import Rules
from puzzlemc.mc.packed.layout import Layout, Numbers, Rows
from puzzlemc.mc.packed.tables import Tables, lowest_bit

FAR = 1 << 14  # a cost that says: there is no way
NOWHERE = 255  # the part of a location where it cannot be
MOST_COSTS = 1 << 26  # that are listed, at most, each of them for both orders of a pair
MOST_PARTS = 1 << 26  # codes beside pairs: nothing looks at the clock while their parts are found
STATE_BYTES = 14  # of two objects and a location, on the way there
SHARE = 16  # they take at most one SHARE-th of the memory


class Pairs(NamedTuple):
    """The least costs of two objects.

    at     (bits,): the number of the object of that bit; empty where nothing is known
    part   (objects, objects, location codes): the part of the locations, those that walks lead to from each other
           beside two objects
    costs  (pairs, parts, targets, targets): of a pair, the one of the lower number first: the least cost at which
           it gets to two targets, in this order; FAR where there is no way. See `_pair`
    most   no bound adds more to the assignment
    step   what is added is a multiple of this
    """

    at: Numbers
    part: npt.NDArray[np.uint8]
    costs: npt.NDArray[np.int16]
    most: int
    step: int


def no_pairs() -> Pairs:
    """Nothing is known of pairs."""
    return Pairs(np.zeros(0, np.int64), np.zeros((0, 0, 0), np.uint8), np.zeros((0, 0, 0, 0), np.int16), 0, 1)


def pairs_of(
    layout: Layout,
    rules: Rules,
    tables: Tables,
    codes: Numbers,
    targets: Numbers,
    objects: Rows,
    memory: int,
) -> Pairs:
    """The least costs of two objects to two of the targets, given by their bits, the location at any of the codes.

    `rules`, no walks, lead back from there: each moves one object and does not need another one. `tables` have the
    walks, `objects` (words,) are the bits of objects. Nothing is known where walks cost, where actions do not all
    cost the same, or where it would be too much for the memory.
    """
    if tables.pace or not len(tables.near) or not len(rules) or not rules.is_somewhere.all():
        return no_pairs()
    price = int(rules.price[0])
    if (rules.price != price).any() or not 0 < price < FAR:
        return no_pairs()
    bits = np.flatnonzero(layout.unpacked(objects[None, :])[0])
    at = np.full(64 * layout.words, -1, np.int64)
    at[bits] = np.arange(len(bits))
    count, ends = len(bits), len(targets)
    room = memory // SHARE
    codes_beside = count**2 * (layout.key + 1)
    if count < 2 or ends < 2 or codes_beside > min(room, MOST_PARTS) or count**2 * ends**2 > MOST_COSTS:
        return no_pairs()
    rule, taken = np.nonzero(layout.unpacked(rules.clear & ~rules.set & objects))
    other, placed = np.nonzero(layout.unpacked(rules.set & objects))
    every = np.arange(len(rules))
    if len(rule) != len(rules) or len(other) != len(rules) or (rule != every).any() or (other != every).any():
        return no_pairs()
    here = np.zeros(layout.key + 1, np.bool_)
    here[[*layout.codes]] = True
    part = np.full((count, count, layout.key + 1), NOWHERE, np.uint8)
    parts = _parts(tables.near, tables.blocked[bits].astype(np.int64), here, part)
    pairs = count * (count - 1) // 2
    listed = count**2 * parts * ends**2
    if parts < 0 or listed > MOST_COSTS or part.nbytes + listed + STATE_BYTES * count**2 * parts > room:
        return no_pairs()
    order = np.argsort(taken, kind="stable")
    block = layout.unpacked(rules.mask & ~rules.value & objects)[:, bits]
    costs = np.full((pairs, parts, ends, ends), FAR, np.int16)
    longest = _list_costs(
        np.searchsorted(at[taken[order]], np.arange(count + 1)),
        rules.source[order],
        rules.target[order],
        at[placed[order]],
        block[order],
        part,
        parts,
        codes,
        at[targets],
        costs,
    )
    if longest * price >= FAR:
        return no_pairs()
    costs[costs < FAR] *= np.int16(price)
    step = price * (2 if _is_bipartite(count, at[taken], at[placed]) else 1)
    most = ends // 2 * longest * price // step + 1
    return Pairs(at, part, costs, most * step, step)


def _is_bipartite(count: int, before: Numbers, after: Numbers) -> bool:
    """Do the places fall into two halves, so that each action takes an object from one to the other?"""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in zip(before.tolist(), after.tolist(), strict=True):
        near[one].append(other)
        near[other].append(one)
    half = [-1] * count
    for start in range(count):
        waiting = [start] if half[start] < 0 else []
        half[start] = max(0, half[start])
        while waiting:
            here = waiting.pop()
            for there in near[here]:
                if half[there] < 0:
                    half[there] = 1 - half[here]
                    waiting.append(there)
                elif half[there] == half[here]:
                    return False
    return True


@cached(inline="always")
def _pair(first, second):  # type: ignore[no-untyped-def]
    """The number of a pair of objects, the first of which has the lower number."""
    return second * (second - 1) // 2 + first


@cached()
def _parts(near, blocked, here, part):  # type: ignore[no-untyped-def]
    """Number the parts of the locations beside any two objects: the most that there are, -1 where too many."""
    words, most = near.shape[1], 0
    waiting = np.empty(len(here), np.int64)
    for first in range(len(part)):
        for second in range(first):
            found, one, other = part[first, second], blocked[first], blocked[second]
            number = 0
            for start in range(len(here)):
                if not here[start] or found[start] != NOWHERE or start in (one, other):
                    continue
                if number == NOWHERE:
                    return -1
                found[start], waiting[0], place, count = number, start, 0, 1
                while place < count:
                    for w in range(words):
                        left = near[waiting[place], w]
                        while left:
                            code = 64 * w + lowest_bit(left)
                            left &= left - np.uint64(1)
                            if found[code] == NOWHERE and code not in (one, other):
                                found[code], waiting[count] = number, code
                                count += 1
                    place += 1
                number += 1
            part[second, first] = found
            most = max(most, number)
    return most


@cached()
def _list_costs(first, source, target, placed, block, part, parts, codes, ends, costs):  # type: ignore[no-untyped-def]
    """Write the `costs` of pairs in actions, breadth first from each two ends. The most that one of them is.

    Action a takes object number i to `placed[a]`, where `first[i] <= a < first[i + 1]`, and the location from
    `source[a]` to `target[a]`; `block[a]` are the objects that rule it out.
    """
    count, longest = len(part), np.int64(0)
    cost = np.empty((count, count, parts), np.int16)
    queue = np.empty((count * count * parts, 3), np.int32)
    for i in range(len(ends)):
        for j in range(i):
            cost[:] = FAR
            head, size = 0, 0
            for code in codes:
                k = part[ends[i], ends[j], code]
                if k != NOWHERE and cost[ends[i], ends[j], k] == FAR:
                    cost[ends[i], ends[j], k] = 0
                    queue[size, 0], queue[size, 1], queue[size, 2] = ends[i], ends[j], k
                    size += 1
            while head < size:
                one, two, k = queue[head, 0], queue[head, 1], queue[head, 2]
                head += 1
                paid = cost[one, two, k]
                if one < two:
                    costs[_pair(one, two), k, i, j] = paid
                else:
                    costs[_pair(two, one), k, j, i] = paid
                if paid + 1 >= FAR:
                    return FAR
                longest = max(longest, np.int64(paid))
                for which in range(2):
                    moved, other = (one, two) if which == 0 else (two, one)
                    for a in range(first[moved], first[moved + 1]):
                        to = placed[a]
                        if to == other or block[a, other] or part[moved, other, source[a]] != k:
                            continue
                        there = part[to, other, target[a]]
                        new_one, new_two = (to, two) if which == 0 else (one, to)
                        if there == NOWHERE or cost[new_one, new_two, there] < FAR:
                            continue
                        cost[new_one, new_two, there] = paid + 1
                        queue[size, 0], queue[size, 1], queue[size, 2] = new_one, new_two, there
                        size += 1
    return longest


@cached()
def excesses_for(pairs, objects):  # type: ignore[no-untyped-def]
    """An array for pairs of objects that have an excess: the two objects and the excess of each pair."""
    return np.empty((objects * (objects - 1) // 2 if len(pairs.at) > 0 else 0, 3), np.int64)


@cached()
def bound_of_pairs(pairs, key, distance, beside, rows, i, work, excess):  # type: ignore[no-untyped-def]
    """A lower bound for row i, as `bounds.assignment`, and what disjoint pairs of its objects cost more."""
    code = np.int64(rows[i, 0] & key)
    count = listed(key, rows, i, work)
    total = assignment(distance, beside, code, count, work)
    ends = distance.shape[2]
    if total >= FAR or count != ends:
        return total
    found, alone = 0, total
    for one in range(1, count + 1):
        first, bit, target = pairs.at[work[OBJECTS, one]], work[OBJECTS, one], work[MATCH, one] - 1
        own = _cost(distance, beside, code, bit, target)
        for two in range(one + 1, count + 1):
            other_bit, other_target = work[OBJECTS, two], work[MATCH, two] - 1
            second = pairs.at[other_bit]
            least = pairs.costs[_pair(first, second), pairs.part[first, second, code]]
            if least[target, other_target] <= own + _cost(distance, beside, code, other_bit, other_target):
                continue
            more = np.int64(FAR)
            for t in range(ends):
                left = _cost(distance, beside, code, bit, t) - work[U, t + 1] - work[V, one]
                if left >= more:  # the other's share is no less than 0
                    continue
                for u in range(ends):
                    if u == t or least[t, u] >= FAR:
                        continue
                    its = _cost(distance, beside, code, other_bit, u)
                    rest = its - work[U, u + 1] - work[V, two]
                    hindered = least[t, u] - _cost(distance, beside, code, bit, t) - its
                    more = min(more, left + rest + max(np.int64(0), hindered))
            if 0 < more < FAR:
                excess[found, 0], excess[found, 1], excess[found, 2] = one, two, more
                found += 1
    while True:
        largest, best = np.int64(0), -1
        for n in range(found):
            if excess[n, 2] > largest:
                largest, best = excess[n, 2], n
        if best < 0:
            added = -(-(total - alone) // pairs.step) * pairs.step
            return alone + min(added, pairs.most)
        total += largest
        one, two = excess[best, 0], excess[best, 1]
        for n in range(found):
            if excess[n, 0] == one or excess[n, 1] == one or excess[n, 0] == two or excess[n, 1] == two:
                excess[n, 2] = 0


@cached(inline="always")
def _cost(distance, beside, code, bit, target):  # type: ignore[no-untyped-def]
    """What it costs to get the object of that bit to a target, were it alone, or beside frozen objects."""
    cost = np.int64(distance[code, bit, target])
    return max(cost, np.int64(beside[bit, target])) if len(beside) > 0 else cost
