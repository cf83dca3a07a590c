"""The inner loops over state graphs, compiled by numba. Graphs are arrays, documented in `state_graph.py`.

Edges grouped by source are (first, target, action); edges grouped by target are (first, source, action).
"""

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.tables import find

FAR = np.int32(2**31 - 1)  # the distance of a state that is not reached


@cached()
def expand(rows, at, mask, value, clear, set_, numbers, after, source, action):  # type: ignore[no-untyped-def]
    """Write the successors of the rows to `after`, the places of their predecessors to `source`, action numbers to
    `action`.

    `at` is the group of actions of each row; `mask`, `value`, `clear` and `set_` are (groups, slots, words), as in
    `packed.actions.Table`. Returns the number of successors. The arrays must have an entry for each row and slot.
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


@cached()
def insert(rows, used, key, rests, slots, rest_count, number, fresh, numbers):  # type: ignore[no-untyped-def]
    """Insert the new rows of `fresh` behind the first `used` rows, and write the number of each row to `numbers`.

    A row is found by its rest, which is all but the location bits under `key`, in a hash table, and then by its
    location code in `number` (rests, codes). So rows that differ only in the location are near each other in
    memory. Returns the new `used` and `rest_count`.
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


@cached()
def turn(first, target, action, back_first, back_source, back_action):  # type: ignore[no-untyped-def]
    """Group the edges by target (counting sort). `back_first` must be zero."""
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


@cached()
def distances(first, target, action, step_cost, starts, distance, following, before):  # type: ignore[no-untyped-def]
    """Write the least costs from `starts` to `distance`, which must be FAR (Dijkstra 1959, with buckets: Dial
    1969).

    `price` is the cost of each action. `following` and `before`, of the length of `distance`, hold the linked
    lists of the buckets.
    """
    size = 1
    for a in range(len(step_cost)):
        size = max(size, step_cost[a] + 1)
    bucket = np.full(size, -1, np.int32)
    queued = 0
    for i in range(len(starts)):
        s = starts[i]
        if distance[s] == 0:
            continue
        distance[s] = 0
        following[s], before[s] = bucket[0], -1
        if bucket[0] >= 0:
            before[bucket[0]] = s
        bucket[0] = s
        queued += 1
    cost = 0
    while queued:
        here = cost % size
        while bucket[here] >= 0:
            s = bucket[here]
            bucket[here] = following[s]
            if following[s] >= 0:
                before[following[s]] = -1
            queued -= 1
            for e in range(first[s], first[s + 1]):
                t = target[e]
                new = cost + step_cost[action[e]]
                if new >= distance[t]:
                    continue
                if distance[t] != FAR:  # it is in a later bucket: remove it from there
                    if before[t] >= 0:
                        following[before[t]] = following[t]
                    else:
                        bucket[distance[t] % size] = following[t]
                    if following[t] >= 0:
                        before[following[t]] = before[t]
                else:
                    queued += 1
                distance[t] = new
                there = new % size
                following[t], before[t] = bucket[there], -1
                if bucket[there] >= 0:
                    before[bucket[there]] = t
                bucket[there] = t
        cost += 1


@cached()
def count_cubes(rows, chosen, mask, value, counts):  # type: ignore[no-untyped-def]
    """Add to `counts` (cubes, 2) the number of rows in which each cube holds, and of those also chosen."""
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


@cached()
def leaving(first, target, chosen, found):  # type: ignore[no-untyped-def]
    """Write the edges from chosen states to others to `found`, as (state, edge); return how many there are."""
    count = 0
    for s in range(len(chosen)):
        if chosen[s]:
            for e in range(first[s], first[s + 1]):
                if not chosen[target[e]]:
                    if count < len(found):
                        found[count, 0], found[count, 1] = s, e
                    count += 1
    return count


@cached()
def cheapest_path(first, source, action, step_cost, distance, initial, lasts, by):  # type: ignore[no-untyped-def]
    """Find a path with the fewest edges among the cheapest, from one of the first `initial` states to one of
    `lasts`.

    Backward breadth-first search over the edges on cheapest paths; `distance` are the least costs from the initial
    states. `by` must be -1. It receives for each visited state the edge to its successor on the path, -2 for
    `lasts`. Returns the first state of the path.
    """
    queue = np.empty(len(distance), np.int32)
    count = 0
    for i in range(len(lasts)):
        by[lasts[i]] = -2
        queue[count] = lasts[i]
        count += 1
    place = 0
    while place < count:
        t = queue[place]
        place += 1
        if t < initial and distance[t] == 0:
            return t
        for e in range(first[t], first[t + 1]):
            s = source[e]
            if by[s] == -1 and distance[s] != FAR and distance[s] + step_cost[action[e]] == distance[t]:
                by[s] = e
                queue[count] = s
                count += 1
    return -1


@cached()
def paid_steps(first, target, action, step_cost, gone, left, best, initial, number, entries, steps):  # type: ignore[no-untyped-def]
    """Find the paid steps (edges with a cost) of all plans that cost `best`. Free edges between them are
    contracted.

    `gone` and `left` are the least costs from the start and to the goal. `entries` receives the initial states and
    the states right after paid steps, `number`, which must be -1, the place of each such state in `entries`.
    `steps` (capacity, 3) receives (place, action, place) for each step, some of them more than once. Returns the
    numbers of entries and of steps; steps beyond the capacity are counted but not written.
    """
    count, written = 0, 0
    for s in range(initial):
        if left[s] == best:
            number[s] = count
            entries[count] = s
            count += 1
    seen = np.full(len(gone), -1, np.int32)
    queue = np.empty(len(gone), np.int32)
    entry = 0
    while entry < count:
        queue[0] = entries[entry]
        seen[queue[0]] = entry
        size, place = 1, 0
        while place < size:
            s = queue[place]
            place += 1
            for e in range(first[s], first[s + 1]):
                t, cost = target[e], step_cost[action[e]]
                if left[t] == FAR or gone[s] + cost + left[t] != best:
                    continue
                if cost == 0:
                    if seen[t] != entry:
                        seen[t] = entry
                        queue[size] = t
                        size += 1
                    continue
                if number[t] < 0:
                    number[t] = count
                    entries[count] = t
                    count += 1
                if written < len(steps):
                    steps[written, 0], steps[written, 1], steps[written, 2] = entry, action[e], number[t]
                written += 1
        entry += 1
    return count, written


@cached()
def mark_neighbours(first, target, chosen, found):  # type: ignore[no-untyped-def]
    """Set `found` for each target of an edge from a state in the list `chosen`."""
    for i in range(len(chosen)):
        for e in range(first[chosen[i]], first[chosen[i] + 1]):
            found[target[e]] = True


@cached()
def until(back_first, source, within, found):  # type: ignore[no-untyped-def]
    """Add to `found` the states from which a path through `within` leads into `found`."""
    queued = np.flatnonzero(found).astype(np.int32)
    stack = np.empty(len(found), np.int32)
    count = len(queued)
    stack[:count] = queued
    while count:
        count -= 1
        t = stack[count]
        for e in range(back_first[t], back_first[t + 1]):
            s = source[e]
            if within[s] and not found[s]:
                found[s] = True
                stack[count] = s
                count += 1


@cached()
def always(first, target, back_first, source, found):  # type: ignore[no-untyped-def]
    """Remove from `found` the states from which no infinite path stays in it. A state without edges is a loop."""
    left = np.zeros(len(found), np.int32)  # successors of a found state that are found, edge by edge
    stack = np.empty(len(found), np.int32)
    count = 0
    for s in range(len(found)):
        if found[s]:
            for e in range(first[s], first[s + 1]):
                left[s] += found[target[e]]
    for s in range(len(found)):
        if found[s] and left[s] == 0 and first[s] < first[s + 1]:
            found[s] = False
            stack[count] = s
            count += 1
    while count:
        count -= 1
        t = stack[count]
        for e in range(back_first[t], back_first[t + 1]):
            s = source[e]
            if found[s]:
                left[s] -= 1
                if left[s] == 0:
                    found[s] = False
                    stack[count] = s
                    count += 1


@cached()
def shortest_path(first, target, start, within, to, came):  # type: ignore[no-untyped-def]
    """Breadth-first search from a state through `within`. Returns the first state of `to` that it finds, else -1.

    `came` must be -1. It receives the predecessor of each visited state, for the start the start itself.
    """
    queue = np.empty(len(within), np.int32)
    queue[0] = start
    came[start] = start
    place, count = 0, 1
    while place < count:
        s = queue[place]
        place += 1
        if to[s]:
            return s
        if not within[s]:
            continue
        for e in range(first[s], first[s + 1]):
            t = target[e]
            if came[t] < 0:
                came[t] = s
                queue[count] = t
                count += 1
    return -1


@cached()
def attract(first, back_first, source, turn, winner, turns):  # type: ignore[no-untyped-def]
    """Compute who wins from each state of a game, and in how many turns: the attractors of both sides at once.

    At the start, `winner` is the winning side and `turns` is 0 in the terminal states that are won; both are -1
    elsewhere. States that keep -1 are draws. `turn` is the side to move in each state. No edge may leave a
    terminal state. Backward breadth-first search, which counts for each state the edges that do not lose yet, in
    time linear in the edges (Thompson 1986; Grädel, Thomas, Wilke 2002, chapter 2).
    """

    states = len(winner)
    left = np.empty(states, np.int64)
    queue = np.empty(states, np.int32)
    count = 0
    for s in range(states):
        left[s] = first[s + 1] - first[s]
        if winner[s] >= 0:
            queue[count] = s
            count += 1
    place = 0
    while place < count:
        t = queue[place]
        place += 1
        for e in range(back_first[t], back_first[t + 1]):
            s = source[e]
            if winner[s] >= 0:
                continue
            left[s] -= 1
            if turn[s] == winner[t] or left[s] == 0:
                winner[s] = winner[t]
                turns[s] = turns[t] + 1
                queue[count] = s
                count += 1
