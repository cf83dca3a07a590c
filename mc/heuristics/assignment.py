"""Lower bounds in compiled code: a row's bound by single objects, and the distances that it is made of."""

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.tables import INFINITE, NEVER, lowest_bit

# Where the arrays for an assignment of objects to targets stand, both counted from 1, as shortest augmenting paths
# make it.
OBJECTS = 0  # the bits of the objects
MATCH = 1  # of an object: its target, 0 where it has none
U, V = 2, 3  # of a target and of an object: their prices
WAY = 4  # of an object: the one before it on the path, 0 if that is the target that is given one
LEAST = 5  # of an object: the length of the shortest path to it
USED = 6  # of an object: is that settled?

NOTHING_BESIDE = np.zeros((0, 0), np.int32)


@cached()
def matching(tables):  # type: ignore[no-untyped-def]
    """Arrays for rows of these tables. One array: compiled code counts references of each that it is handed."""
    return np.zeros(
        (7, max(64 * tables.masks.shape[2], tables.distance.shape[1]) + tables.distance.shape[2] + 2), np.int64
    )


@cached()
def bound(key, distance, weights, rows, i, work):  # type: ignore[no-untyped-def]
    """A lower bound for row i on the cost of getting an object of its own to each target; INFINITE where none is.

    Where there are no targets but weights, the sum of these, which guides and bounds nothing. `key`, `distance`
    and `weights` are those of tables, `work` is from `matching`.
    """
    targets = distance.shape[2]
    if targets == 0 and len(weights) == 0:
        return np.int64(0)
    count = listed(key, rows, i, work)
    if targets > 0:
        return assignment(distance, NOTHING_BESIDE, np.int64(rows[i, 0] & key), count, work)
    total = np.int64(0)
    for j in range(1, count + 1):
        total += weights[work[OBJECTS, j]]
    return total


@cached()
def listed(key, rows, i, work):  # type: ignore[no-untyped-def]
    """List the objects of row i in `work`; their number."""
    count = 0
    for w in range(rows.shape[1]):
        left = rows[i, w] & ~key if w == 0 else rows[i, w]
        while left:
            count += 1
            work[OBJECTS, count] = 64 * w + lowest_bit(left)
            left &= left - np.uint64(1)
    return count


@cached()
def assignment(distance, beside, code, count, work):  # type: ignore[no-untyped-def]
    """The least sum of distances over all assignments of objects to targets, INFINITE where there is none.

    Of a distance and of that in `beside`, (bits, targets) or empty, the larger one counts. Kuhn 1955, by shortest
    augmenting paths: Jonker and Volgenant 1987.
    """
    targets = distance.shape[2]
    if count < targets:
        return np.int64(INFINITE)
    for j in range(count + 1):
        work[V, j] = work[MATCH, j] = 0
    total = np.int64(0)
    for target in range(1, targets + 1):
        total += _augment(distance, beside, code, count, target, work)
        if total >= INFINITE:
            return np.int64(INFINITE)
    return total


@cached()
def _augment(distance, beside, code, count, target, work):  # type: ignore[no-untyped-def]
    """Give one more target an object, by a shortest augmenting path. Returns the path's length."""
    length, row, column = np.int64(0), target, 0
    work[U, target] = 0
    while True:
        least, nearest = NEVER, 0
        for j in range(1, count + 1):
            if column == 0:
                work[LEAST, j] = NEVER
                work[USED, j] = 0
            elif work[USED, j]:
                continue
            b = work[OBJECTS, j]
            cost = distance[code, b, row - 1]
            if len(beside) > 0:
                cost = max(cost, beside[b, row - 1])
            through = length + np.int64(cost) - work[U, row] - work[V, j]
            if through < work[LEAST, j]:
                work[LEAST, j] = through
                work[WAY, j] = column
            if work[LEAST, j] < least:
                least, nearest = work[LEAST, j], j
        length, column = np.int64(least), nearest
        if length >= INFINITE:
            return length
        row = work[MATCH, column]
        if row == 0:
            break
        work[USED, column] = 1
    for j in range(1, count + 1):
        if work[USED, j]:
            work[U, work[MATCH, j]] += length - work[LEAST, j]
            work[V, j] -= length - work[LEAST, j]
    work[U, target] = length
    while column:
        before = work[WAY, column]
        work[MATCH, column] = work[MATCH, before] if before else target
        column = before
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
        cost[:] = INFINITE
        _spread_costs(tables, starts[target], cost, waiting, ring, row, after)
        costs[:, :, target] = cost
    return costs


@cached()
def _spread_costs(tables, starts, cost, waiting, ring, row, after):  # type: ignore[no-untyped-def]
    """The costs of `single_object_costs` from some starts, in `cost`. The other arrays are to work in."""
    first, masks, action_info, key = tables.first, tables.masks, tables.action_info, tables.key
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
            total = cost[code, b] + (action_info[a, 0] if moved else 0)
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
