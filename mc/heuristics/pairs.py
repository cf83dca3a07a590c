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

If the graph of the places is bipartite, and each action moves an object along an edge, the places of the objects
determine the parity of the number of actions to the goal. The assignment has the same parity, so the sum of the
excesses is rounded up to an even number.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.heuristics.assignment import MATCH, OBJECTS, U, V, assignment, listed
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates
from puzzlemc.mc.packed.tables import Tables, lowest_bit

FAR = 1 << 14  # the cost of an unreachable pair of targets
NOWHERE = 255  # the part of a location code that is an object's place or has no value
MOST_COSTS = 1 << 26  # entries of the table, counted for both orders of a pair
MOST_PARTS = 1 << 26  # location codes beside pairs: their parts are computed without a look at the clock
STATE_BYTES = 14  # memory for each state (two objects and a part) of the search that fills the table
SHARE = 16  # the tables take at most one SHARE-th of the memory


class Pairs(NamedTuple):
    """The least costs of pairs of objects. An object has a number; it stands for one place.

    at     (bits,): the number of the object of each bit; empty if this bound is not used
    part   (objects, objects, location codes): the number of the region of a location beside two objects
    costs  (pairs, parts, targets, targets): the least cost at which a pair reaches two targets, the object with
           the lower number the first one; FAR if it cannot. For the numbers of pairs see `_pair`
    most   the largest sum of excesses that is added
    step   the sum of excesses is rounded up to a multiple of this
    """

    at: Numbers
    part: npt.NDArray[np.uint8]
    costs: npt.NDArray[np.int16]
    most: int
    step: int


def no_pairs() -> Pairs:
    """A value that switches this bound off."""
    return Pairs(np.zeros(0, np.int64), np.zeros((0, 0, 0), np.uint8), np.zeros((0, 0, 0, 0), np.int16), 0, 1)


def pairs_of(
    layout: Layout,
    actions: PackedActions,
    tables: Tables,
    codes: Numbers,
    targets: Numbers,
    objects: PackedStates,
    memory: int,
) -> Pairs:
    """The least costs of two objects to two of the targets, which are given by their bits.

    The search goes backward: `actions` are the reversed actions without the walks, and at the targets the location
    has one of `codes`. Each action moves one object and requires no other one. `tables` have the walks, `objects`
    (words,) are the bits of all objects. The bound is switched off if walks cost something, if not all actions
    cost the same, or if the tables exceed their share of the memory, given in bytes.
    """
    if tables.walk_cost or not len(tables.near) or not len(actions) or not actions.is_somewhere.all():
        return no_pairs()
    step_cost = int(actions.step_cost[0])
    if (actions.step_cost != step_cost).any() or not 0 < step_cost < FAR:
        return no_pairs()
    bits = np.flatnonzero(layout.unpacked(objects[None, :])[0])
    at = np.full(64 * layout.words, -1, np.int64)
    at[bits] = np.arange(len(bits))
    count, ends = len(bits), len(targets)
    room = memory // SHARE
    codes_beside = count**2 * (layout.key + 1)
    if count < 2 or ends < 2 or codes_beside > min(room, MOST_PARTS) or count**2 * ends**2 > MOST_COSTS:
        return no_pairs()
    rule, taken = np.nonzero(layout.unpacked(actions.clear & ~actions.set & objects))
    other, placed = np.nonzero(layout.unpacked(actions.set & objects))
    every = np.arange(len(actions))
    if len(rule) != len(actions) or len(other) != len(actions) or (rule != every).any() or (other != every).any():
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
    block = layout.unpacked(actions.mask & ~actions.value & objects)[:, bits]
    costs = np.full((pairs, parts, ends, ends), FAR, np.int16)
    longest = _list_costs(
        np.searchsorted(at[taken[order]], np.arange(count + 1)),
        actions.source[order],
        actions.target[order],
        at[placed[order]],
        block[order],
        part,
        parts,
        codes,
        at[targets],
        costs,
    )
    if longest * step_cost >= FAR:
        return no_pairs()
    costs[costs < FAR] *= np.int16(step_cost)
    step = step_cost * (2 if _is_bipartite(count, at[taken], at[placed]) else 1)
    most = ends // 2 * longest * step_cost // step + 1
    return Pairs(at, part, costs, most * step, step)


def _is_bipartite(count: int, before: Numbers, after: Numbers) -> bool:
    """Is the graph of the places bipartite, with an edge for each action from `before` to `after`?"""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in zip(before.tolist(), after.tolist(), strict=True):
        near[one].append(other)
        near[other].append(one)
    half = [-1] * count
    for start in range(count):
        queue = [start] if half[start] < 0 else []
        half[start] = max(0, half[start])
        while queue:
            here = queue.pop()
            for there in near[here]:
                if half[there] < 0:
                    half[there] = 1 - half[here]
                    queue.append(there)
                elif half[there] == half[here]:
                    return False
    return True


@cached(inline="always")
def _pair(first, second):  # type: ignore[no-untyped-def]
    """The number of a pair of objects; `first` must be less than `second`."""
    return second * (second - 1) // 2 + first


@cached()
def _parts(near, blocked, here, part):  # type: ignore[no-untyped-def]
    """Write the regions beside any two objects to `part`; return the largest number of regions, -1 if too many."""
    words, most = near.shape[1], 0
    queue = np.empty(len(here), np.int64)
    for first in range(len(part)):
        for second in range(first):
            found, one, other = part[first, second], blocked[first], blocked[second]
            number = 0
            for start in range(len(here)):
                if not here[start] or found[start] != NOWHERE or start in (one, other):
                    continue
                if number == NOWHERE:
                    return -1
                found[start], queue[0], place, count = number, start, 0, 1
                while place < count:
                    for w in range(words):
                        left = near[queue[place], w]
                        while left:
                            code = 64 * w + lowest_bit(left)
                            left &= left - np.uint64(1)
                            if found[code] == NOWHERE and code not in (one, other):
                                found[code], queue[count] = number, code
                                count += 1
                    place += 1
                number += 1
            part[second, first] = found
            most = max(most, number)
    return most


@cached()
def _list_costs(first, source, target, placed, block, part, parts, codes, ends, costs):  # type: ignore[no-untyped-def]
    """Write the costs of pairs, in actions, to `costs`: breadth-first search from each two of `ends`.

    Action a moves object number i, where `first[i] <= a < first[i + 1]`, to object number `placed[a]`, and the
    location from `source[a]` to `target[a]`; it requires that no object of `block[a]` is there. Returns the
    largest finite cost.
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
    """A working array for pairs with an excess: each has its two objects and its excess."""
    return np.empty((objects * (objects - 1) // 2 if len(pairs.at) > 0 else 0, 3), np.int64)


@cached()
def bound_of_pairs(pairs, key, distance, beside, rows, i, work, excess):  # type: ignore[no-untyped-def]
    """The assignment bound of row i plus the excesses of disjoint pairs."""
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
                if left >= more:  # the term of the other object is at least 0
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
    """The cost of a single object to a target, alone or beside frozen objects."""

    cost = np.int64(distance[code, bit, target])
    return max(cost, np.int64(beside[bit, target])) if len(beside) > 0 else cost
