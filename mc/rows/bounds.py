"""Lower bounds in compiled code: a row's bound by single objects, and the distances that it is made of."""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.rows.layout import Numbers
from puzzlemc.mc.rows.tables import HOPELESS, NEVER, fits, held


class Matching(NamedTuple):
    """Arrays for an assignment of objects to targets, both counted from 1, as shortest augmenting paths make it.

    objects  the bits of the objects
    match    of an object: its target, 0 where it has none; in place 0 the target that is given one
    u, v     of a target and of an object: their prices
    way      of an object: the one before it on the path
    least    of an object: the length of the shortest path to it
    used     of an object: is that settled?
    """

    objects: Numbers
    match: Numbers
    u: Numbers
    v: Numbers
    way: Numbers
    least: Numbers
    used: Numbers


@cached()
def matching(tables):  # type: ignore[no-untyped-def]
    """Arrays for rows of these tables."""
    size = tables.distance.shape[1] + tables.distance.shape[2] + 2
    return Matching(
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
    )


@cached()
def bound(tables, row, work):  # type: ignore[no-untyped-def]
    """A lower bound on the cost of getting an object of its own to each target; HOPELESS where there is none.

    Where there are no targets but weights, the sum of these, which guides and bounds nothing. `work` is a
    Matching.
    """
    targets = tables.distance.shape[2]
    if targets == 0 and len(tables.weights) == 0:
        return np.int64(0)
    count = held(tables, row, work.objects[1:])
    if targets > 0:
        return _assignment(tables.distance[np.int64(row[0] & tables.key)], count, targets, work)
    total = np.int64(0)
    for i in range(1, count + 1):
        total += tables.weights[work.objects[i]]
    return total


@cached(inline="always")
def _assignment(distance, count, targets, work):  # type: ignore[no-untyped-def]
    """The least sum of distances over all assignments of objects to targets, HOPELESS where there is none.

    Kuhn 1955, by shortest augmenting paths: Jonker and Volgenant 1987.
    """
    if count < targets:
        return np.int64(HOPELESS)
    work.v[: count + 1] = 0
    work.match[: count + 1] = 0
    total = np.int64(0)
    for target in range(1, targets + 1):
        total += _augment(distance, count, target, work)
        if total >= HOPELESS:
            return np.int64(HOPELESS)
    return total


@cached(inline="always")
def _augment(distance, count, target, work):  # type: ignore[no-untyped-def]
    """Give one more target an object, by a shortest augmenting path. Returns the path's length."""
    objects, match, u, v, way, least, used = work
    u[target] = 0
    match[0] = target
    u[0] = 0
    for j in range(count + 1):
        least[j] = NEVER
        used[j] = 0
    length, column = np.int64(0), 0
    while True:
        used[column] = 1
        row = match[column]
        delta, nearest = NEVER, 0
        for j in range(1, count + 1):
            if used[j]:
                continue
            reduced = distance[objects[j], row - 1] - u[row] - v[j]
            if reduced < least[j]:
                least[j] = reduced
                way[j] = column
            if least[j] < delta:
                delta, nearest = least[j], j
        for j in range(count + 1):
            if used[j]:
                u[match[j]] += delta
                v[j] -= delta
            else:
                least[j] -= delta
        length += delta
        column = nearest
        if match[column] == 0:
            break
    while column:
        match[column] = match[way[column]]
        column = way[column]
    return length


@cached()
def single_object_costs(tables, starts, bits):  # type: ignore[no-untyped-def]
    """Least costs by (location code, bit) of a single object, from the starts (location code, bit).

    Only actions that move the object count. Label correcting: a shorter way is followed again. What waits is a
    ring, in which those that cost nothing go first.
    """
    codes = len(tables.first) - 1
    words = tables.masks.shape[2]
    cost = np.full((codes, bits), HOPELESS, np.int32)
    waiting = np.zeros((codes, bits), np.uint8)
    capacity = codes * bits + 1
    ring = np.empty(capacity, np.int32)
    head, size = 0, 0
    for s in range(len(starts)):
        cost[starts[s, 0], starts[s, 1]] = 0
        waiting[starts[s, 0], starts[s, 1]] = 1
        ring[size] = starts[s, 0] * bits + starts[s, 1]
        size += 1
    row, after, place = np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(2, np.int64)
    while size:
        code, b = ring[head] // bits, ring[head] % bits
        head = (head + 1) % capacity
        size -= 1
        waiting[code, b] = 0
        row[:] = 0
        row[b // 64] = np.uint64(1) << np.uint64(b % 64)
        row[0] |= np.uint64(code)
        for a in range(tables.first[code], tables.first[code + 1]):
            if not fits(tables, row, a):
                continue
            for w in range(words):
                after[w] = row[w] & tables.masks[a, 2, w] | tables.masks[a, 3, w]
            held(tables, after, place)
            there, new = np.int64(after[0] & tables.key), place[0]
            moved = new != b
            total = cost[code, b] + (tables.facts[a, 0] if moved else 0)
            if total >= cost[there, new]:
                continue
            cost[there, new] = total
            if waiting[there, new]:
                continue
            waiting[there, new] = 1
            if moved:
                ring[(head + size) % capacity] = there * bits + new
            else:
                head = (head - 1) % capacity
                ring[head] = there * bits + new
            size += 1
    return cost
