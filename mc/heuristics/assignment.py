"""The assignment bound in compiled code: a minimum-cost matching of objects to targets, and its distances."""

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.tables import INFINITE, NEVER, lowest_bit

# Rows of the working array `work` of `assignment`. Objects and targets are counted from 1.
OBJECTS = 0  # by object: its bit
MATCH = 1  # by object: its target, 0 if it has none
U, V = 2, 3  # dual variables: by target, and by object
PREVIOUS = 4  # by object: the object before it on the augmenting path, 0 if it is the first one
LEAST = 5  # by object: the length of the shortest path to it
USED = 6  # by object: is that length final?

NOTHING_BESIDE = np.zeros((0, 0), np.int32)


@cached()
def matching(tables):  # type: ignore[no-untyped-def]
    """A working array for rows of these tables. One array: compiled code counts references to each argument."""
    return np.zeros(
        (7, max(64 * tables.masks.shape[2], tables.distance.shape[1]) + tables.distance.shape[2] + 2), np.int64
    )


@cached()
def bound(key, distance, weights, rows, i, work):  # type: ignore[no-untyped-def]
    """The assignment bound of row i; INFINITE if there is no assignment.

    Without targets, but with weights, returns the potential: the sum of the weights of the true bits, which is no
    lower bound. `key`, `distance` and `weights` are fields of the tables; `work` is made by `matching`.
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
    """Write the objects of row i to `work`; return how many there are."""
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
    """The least sum of costs over all assignments of an object to each target, INFINITE if there is none.

    The cost of an object and a target is the maximum of its distance and of its entry in `beside`, which is empty
    or of shape (bits, targets). The Hungarian method (Kuhn 1955) by shortest augmenting paths (Jonker and
    Volgenant 1987).
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
    """Assign an object to one more target, by a shortest augmenting path. Returns the length of the path."""
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
                work[PREVIOUS, j] = column
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
        before = work[PREVIOUS, column]
        work[MATCH, column] = work[MATCH, before] if before else target
        column = before
    return length


@cached()
def single_object_costs(tables, starts, bits):  # type: ignore[no-untyped-def]
    """The least costs of a single object to each place: shape (location codes, bits, targets).

    `starts[t]` are the pairs (location code, bit) from which target t is searched. Only actions that move the
    object cost something. A label-correcting search; its queue is a ring buffer, and steps without cost go to its
    front.
    """
    codes = len(tables.first) - 1
    words = tables.masks.shape[2]
    costs = np.empty((codes, bits, len(starts)), np.int32)
    cost = np.empty((codes, bits), np.int32)
    queued = np.zeros((codes, bits), np.uint8)
    capacity = codes * bits + 1
    ring = np.empty(capacity, np.int32)
    row, after = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for target in range(len(starts)):
        cost[:] = INFINITE
        _spread_costs(tables, starts[target], cost, queued, ring, row, after)
        costs[:, :, target] = cost
    return costs


@cached()
def _spread_costs(tables, starts, cost, queued, ring, row, after):  # type: ignore[no-untyped-def]
    """Write the costs of `single_object_costs` from these starts to `cost`. The other arrays are scratch space."""

    first, masks, action_info, key = tables.first, tables.masks, tables.action_info, tables.key
    words, bits, capacity = len(row), cost.shape[1], len(ring)
    head, size = 0, 0
    for s in range(len(starts)):
        cost[starts[s, 0], starts[s, 1]] = 0
        queued[starts[s, 0], starts[s, 1]] = 1
        ring[size] = starts[s, 0] * bits + starts[s, 1]
        size += 1
    while size:
        code, b = ring[head] // bits, ring[head] % bits
        head = (head + 1) % capacity
        size -= 1
        queued[code, b] = 0
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
            if queued[there, new]:
                continue
            queued[there, new] = 1
            if moved:
                ring[(head + size) % capacity] = there * bits + new
            else:
                head = (head - 1) % capacity
                ring[head] = there * bits + new
            size += 1
