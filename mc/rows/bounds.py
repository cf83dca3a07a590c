"""Lower bounds in compiled code: a row's bound by single objects, and the distances that it is made of."""

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.rows.tables import HOPELESS, NEVER, lowest_bit

# Where the arrays for an assignment of objects to targets stand, both counted from 1, as shortest augmenting paths
# make it.
OBJECTS = 0  # the bits of the objects
MATCH = 1  # of an object: its target, 0 where it has none; in place 0 the target that is given one
U, V = 2, 3  # of a target and of an object: their prices
WAY = 4  # of an object: the one before it on the path
LEAST = 5  # of an object: the length of the shortest path to it
USED = 6  # of an object: is that settled?


@cached()
def matching(tables):  # type: ignore[no-untyped-def]
    """Arrays for rows of these tables. One array: compiled code counts references of each that it is handed."""
    return np.zeros(
        (7, max(64 * tables.masks.shape[2], tables.distance.shape[1]) + tables.distance.shape[2] + 2), np.int64
    )


@cached()
def bound(key, distance, weights, rows, i, work):  # type: ignore[no-untyped-def]
    """A lower bound for row i on the cost of getting an object of its own to each target; HOPELESS where none is.

    Where there are no targets but weights, the sum of these, which guides and bounds nothing. `key`, `distance`
    and `weights` are those of tables, `work` is from `matching`.
    """
    targets = distance.shape[2]
    if targets == 0 and len(weights) == 0:
        return np.int64(0)
    count = 0
    for w in range(rows.shape[1]):
        left = rows[i, w] & ~key if w == 0 else rows[i, w]
        while left:
            count += 1
            work[OBJECTS, count] = 64 * w + lowest_bit(left)
            left &= left - np.uint64(1)
    if targets > 0:
        return _assignment(distance, np.int64(rows[i, 0] & key), count, targets, work)
    total = np.int64(0)
    for j in range(1, count + 1):
        total += weights[work[OBJECTS, j]]
    return total


@cached()
def _assignment(distance, code, count, targets, work):  # type: ignore[no-untyped-def]
    """The least sum of distances over all assignments of objects to targets, HOPELESS where there is none.

    Kuhn 1955, by shortest augmenting paths: Jonker and Volgenant 1987.
    """
    if count < targets:
        return np.int64(HOPELESS)
    for j in range(count + 1):
        work[V, j] = work[MATCH, j] = 0
    total = np.int64(0)
    for target in range(1, targets + 1):
        total += _augment(distance, code, count, target, work)
        if total >= HOPELESS:
            return np.int64(HOPELESS)
    return total


@cached()
def _augment(distance, code, count, target, work):  # type: ignore[no-untyped-def]
    """Give one more target an object, by a shortest augmenting path. Returns the path's length."""
    work[U, target] = 0
    work[MATCH, 0] = target
    work[U, 0] = 0
    for j in range(count + 1):
        work[LEAST, j] = NEVER
        work[USED, j] = 0
    length, column = np.int64(0), 0
    while True:
        work[USED, column] = 1
        row = work[MATCH, column]
        delta, nearest = NEVER, 0
        for j in range(1, count + 1):
            if work[USED, j]:
                continue
            reduced = distance[code, work[OBJECTS, j], row - 1] - work[U, row] - work[V, j]
            if reduced < work[LEAST, j]:
                work[LEAST, j] = reduced
                work[WAY, j] = column
            if work[LEAST, j] < delta:
                delta, nearest = work[LEAST, j], j
        for j in range(count + 1):
            if work[USED, j]:
                work[U, work[MATCH, j]] += delta
                work[V, j] -= delta
            else:
                work[LEAST, j] -= delta
        length += delta
        column = nearest
        if work[MATCH, column] == 0:
            break
    while column:
        work[MATCH, column] = work[MATCH, work[WAY, column]]
        column = work[WAY, column]
    return length


@cached()
def single_object_costs(tables, starts, bits):  # type: ignore[no-untyped-def]
    """Least costs by (location code, bit, target) of a single object, from its starts (code, bit).

    Only actions that move the object count. Label correcting: a shorter way is followed again. What waits is a
    ring, in which those that cost nothing go first.
    """
    codes = len(tables.first) - 1
    words = tables.masks.shape[2]
    costs = np.empty((codes, bits, len(starts)), np.int32)
    cost = np.empty((codes, bits), np.int32)
    waiting = np.zeros((codes, bits), np.uint8)
    capacity = codes * bits + 1
    ring = np.empty(capacity, np.int32)
    row, after = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for target in range(len(starts)):
        cost[:] = HOPELESS
        _spread_costs(tables, starts[target], cost, waiting, ring, row, after)
        costs[:, :, target] = cost
    return costs


@cached()
def _spread_costs(tables, starts, cost, waiting, ring, row, after):  # type: ignore[no-untyped-def]
    """The costs of `single_object_costs` from some starts, in `cost`. The other arrays are to work in."""
    first, masks, facts, key = tables.first, tables.masks, tables.facts, tables.key
    words, bits, capacity = len(row), cost.shape[1], len(ring)
    head, size = 0, 0
    for s in range(len(starts)):
        cost[starts[s, 0], starts[s, 1]] = 0
        waiting[starts[s, 0], starts[s, 1]] = 1
        ring[size] = starts[s, 0] * bits + starts[s, 1]
        size += 1
    while size:
        code, b = ring[head] // bits, ring[head] % bits
        head = (head + 1) % capacity
        size -= 1
        waiting[code, b] = 0
        row[:] = 0
        row[b // 64] = np.uint64(1) << np.uint64(b % 64)
        row[0] |= np.uint64(code)
        for a in range(first[code], first[code + 1]):
            fit = True
            for w in range(words):
                fit &= row[w] & masks[a, 0, w] == masks[a, 1, w]
            if not fit:
                continue
            new = -1
            for w in range(words):
                after[w] = row[w] & masks[a, 2, w] | masks[a, 3, w]
                left = after[w] & ~key if w == 0 else after[w]
                if left and new < 0:
                    new = 64 * w + lowest_bit(left)
            there = np.int64(after[0] & key)
            moved = new != b
            total = cost[code, b] + (facts[a, 0] if moved else 0)
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
