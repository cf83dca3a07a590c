"""The inner loops over state graphs, compiled by numba. Graphs are arrays, documented in `state_graph.py`.

Edges by source are (first, target, action); turned round, they are (first, source, action) by target.
"""

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.tables import find

FAR = np.int32(2**31 - 1)  # the distance of what is not reached


@cached()
def expand(rows, at, mask, value, clear, set_, numbers, after, source, action):  # type: ignore[no-untyped-def]
    """Write the successors of the rows: the row after, the place of the row before, the action's number.

    `at` is the group of actions of each row; `mask`, `value`, `clear` and `set_` are (groups, slots, words), as
    in `steps.Table`. Returns how many there are; there must be room for one a row and slot.
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
    """Add to the first `used` of the rows those that are new, and write the number of each.

    A row is looked up by its rest, all but the location bits under `key`, and then in `number` (rests, codes) by
    its location: a step that only changes the location stays in cached memory. Returns `used` and
    `rest_count`.
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


@cached()
def distances(first, target, action, price, starts, distance, following, before):  # type: ignore[no-untyped-def]
    """Least costs from the starts (Dijkstra 1959, in a ring of buckets: Dial 1969). `distance` comes in as FAR.

    `price` is the cost of each action; `following` and `before`, one a state, are room for the buckets' lists.
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


@cached()
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


@cached()
def leaving(first, target, chosen, found):  # type: ignore[no-untyped-def]
    """Write to `found` (room, 2) the edges from chosen states to others: state, edge. Returns how many."""
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
def cheapest_way(first, source, action, price, distance, initial, lasts, by):  # type: ignore[no-untyped-def]
    """A run with the fewest actions among the cheapest, from one of the first `initial` states to one of `lasts`.

    Goes backward, breadth first, along edges that keep to `distance` from the initial states. `by` comes in as -1;
    it gets for each state met the edge that it leads on by, -2 for `lasts`. Returns where the run starts.
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
            if by[s] == -1 and distance[s] != FAR and distance[s] + price[action[e]] == distance[t]:
                by[s] = e
                queue[count] = s
                count += 1
    return -1


@cached()
def paid_steps(first, target, action, price, gone, left, best, initial, number, entries, steps):  # type: ignore[no-untyped-def]
    """The paid steps of all runs that cost `best`, from state to state right behind paid steps.

    `gone` and `left` are the least costs from the start and to the goal. `entries` gets the initial states and
    those right behind paid steps; `number`, which comes in as -1, the places of these. `steps` (room, 3) gets
    place, action and place of each step, some of them more than once. Returns how many of both there are,
    of which only as many are written as there is room for.
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
                t, cost = target[e], price[action[e]]
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
    """Set `found` at each state that an edge leads to from a state of the list `chosen`."""
    for i in range(len(chosen)):
        for e in range(first[chosen[i]], first[chosen[i] + 1]):
            found[target[e]] = True


@cached()
def until(back_first, source, within, found):  # type: ignore[no-untyped-def]
    """Add to `found` the states from which a run through `within` leads to it."""
    waiting = np.flatnonzero(found).astype(np.int32)
    stack = np.empty(len(found), np.int32)
    count = len(waiting)
    stack[:count] = waiting
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
    """Take out of `found` the states that have successors, but from which no endless run stays in it."""
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
def way(first, target, start, within, to, came):  # type: ignore[no-untyped-def]
    """Search breadth first from a state through `within`. Returns the first state of `to` that it meets, else -1.

    `came` comes in as -1; it gets for each state met the one before it, for the start itself.
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
    """Who wins from each state of a game, and in how many turns: the attractors of both sides at once.

    `winner` and `turns` come in with the side that has won and 0 at the ends that are won, and -1 elsewhere;
    where they stay -1 nobody can force a win. A state's turn is that of side `turn`. No edge may leave an end.
    Goes backward, breadth first, and counts for each state the edges that do not lose yet: linear in the edges
    (Thompson 1986; Grädel, Thomas, Wilke 2002, chapter 2).
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
