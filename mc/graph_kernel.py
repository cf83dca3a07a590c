"""The inner loops over state graphs, compiled by numba. Graphs are arrays as in `mc/graph.py`; all are documented there.

Edges by source are (first, target, action); turned round, they are (first, source, action) by target.
"""

import numpy as np
from numba import njit

from puzzlemc.mc.kernel import find

FAR = np.int32(2**31 - 1)  # the distance of what is not reached


@njit(cache=True)
def expand(rows, at, mask, value, clear, set_, numbers, after, source, action):  # type: ignore[no-untyped-def]
    """Write the successors of the rows: the row after, the place of the row before, the number of the action.

    `at` tells for each row its group of actions; `mask`, `value`, `clear` and `set_` are (groups, slots, words), as in
    `explicit.Table`. Returns how many there are; there must be room for one a row and slot.
    """
    count = 0
    words = rows.shape[1]
    for i in range(len(rows)):
        group = at[i]
        for slot in range(mask.shape[1]):
            enabled = True
            for w in range(words):
                if rows[i, w] & mask[group, slot, w] != value[group, slot, w]:
                    enabled = False
                    break
            if enabled:
                for w in range(words):
                    after[count, w] = rows[i, w] & ~clear[group, slot, w] | set_[group, slot, w]
                source[count] = i
                action[count] = numbers[group, slot]
                count += 1
    return count


@njit(cache=True)
def insert(rows, used, key, rests, slots, rest_count, number, fresh, numbers):  # type: ignore[no-untyped-def]
    """Add to the first `used` of the rows those that are new, and write the number of each.

    A row is looked up by its rest, all but the location bits under `key`, and then in `number` (rests, codes) by its
    location: a step that only changes the location stays where memory is at hand. Returns `used` and `rest_count`.
    """
    words = rows.shape[1]
    rest = np.empty(words, np.uint64)
    for i in range(len(fresh)):
        for w in range(words):
            rest[w] = fresh[i, w]
        code = np.int64(rest[0] & key)
        rest[0] &= ~key
        slot = find(rests, slots, rest)
        if slots[slot] < 0:
            for w in range(words):
                rests[rest_count, w] = rest[w]
            number[rest_count, :] = -1
            slots[slot] = rest_count
            rest_count += 1
        which = slots[slot]
        if number[which, code] < 0:
            for w in range(words):
                rows[used, w] = fresh[i, w]
            number[which, code] = used
            used += 1
        numbers[i] = number[which, code]
    return used, rest_count


@njit(cache=True)
def turn(first, target, action, back_first, back_source, back_action):  # type: ignore[no-untyped-def]
    """Sort the edges by target (counting sort). `back_first` comes in as zeros."""
    states = len(first) - 1
    for e in range(len(target)):
        back_first[target[e] + 1] += 1
    for s in range(states):
        back_first[s + 1] += back_first[s]
    for s in range(states):
        for e in range(first[s], first[s + 1]):
            at = back_first[target[e]]
            back_source[at] = s
            back_action[at] = action[e]
            back_first[target[e]] += 1
    for s in range(states, 0, -1):
        back_first[s] = back_first[s - 1]
    back_first[0] = 0


@njit(cache=True)
def distances(first, target, action, price, starts, distance, following, before):  # type: ignore[no-untyped-def]
    """Least costs from the starts (Dijkstra 1959, in a ring of buckets: Dial 1969). `distance` comes in as FAR.

    `price` is the cost of each action; `following` and `before`, one a state, are room for the lists of the buckets.
    """
    size = 1
    for a in range(len(price)):
        size = max(size, price[a] + 1)
    bucket = np.full(size, -1, np.int32)
    waiting = 0
    for i in range(len(starts)):
        s = starts[i]
        if distance[s] == 0:
            continue
        distance[s] = 0
        following[s], before[s] = bucket[0], -1
        if bucket[0] >= 0:
            before[bucket[0]] = s
        bucket[0] = s
        waiting += 1
    cost = 0
    while waiting:
        here = cost % size
        while bucket[here] >= 0:
            s = bucket[here]
            bucket[here] = following[s]
            if following[s] >= 0:
                before[following[s]] = -1
            waiting -= 1
            for e in range(first[s], first[s + 1]):
                t = target[e]
                new = cost + price[action[e]]
                if new >= distance[t]:
                    continue
                if distance[t] != FAR:  # it waits in a later bucket: take it out
                    if before[t] >= 0:
                        following[before[t]] = following[t]
                    else:
                        bucket[distance[t] % size] = following[t]
                    if following[t] >= 0:
                        before[following[t]] = before[t]
                else:
                    waiting += 1
                distance[t] = new
                there = new % size
                following[t], before[t] = bucket[there], -1
                if bucket[there] >= 0:
                    before[bucket[there]] = t
                bucket[there] = t
        cost += 1


@njit(cache=True)
def count_cubes(rows, chosen, mask, value, counts):  # type: ignore[no-untyped-def]
    """Add up in `counts` (cubes, 2) the rows in which each cube holds, and those of them that are chosen."""
    words = rows.shape[1]
    for i in range(len(rows)):
        for c in range(len(mask)):
            holds = True
            for w in range(words):
                if rows[i, w] & mask[c, w] != value[c, w]:
                    holds = False
                    break
            if holds:
                counts[c, 0] += 1
                counts[c, 1] += chosen[i]


@njit(cache=True)
def count_losing(first, target, solvable, depth, counts):  # type: ignore[no-untyped-def]
    """Add up in `counts`, by depth, the edges from solvable states to others."""
    for s in range(len(solvable)):
        if solvable[s]:
            for e in range(first[s], first[s + 1]):
                if not solvable[target[e]]:
                    counts[depth[s]] += 1


@njit(cache=True)
def mark_neighbours(first, target, chosen, found):  # type: ignore[no-untyped-def]
    """Set `found` at each state that an edge leads to from a state of the list `chosen`."""
    for i in range(len(chosen)):
        for e in range(first[chosen[i]], first[chosen[i] + 1]):
            found[target[e]] = True
