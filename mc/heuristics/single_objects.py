"""The least costs of single objects to targets, by a label-correcting search. Compiled: see `mc/words.py`."""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.words import Bytes2, Flag, Index, Ints, Ints2, Numbers, Word, Words2, bit, lowest_bit


def single_object_costs(
    tables: Tables, codes: Sequence[int], places: Sequence[Sequence[int]], bits: int
) -> npt.NDArray[np.int32]:
    """The least costs of a single object to each place: shape (location codes, bits, targets).

    Target t is searched from the object at each bit of `places[t]`, with the location at each of `codes`. Only
    actions that move the object cost something. A label-correcting search; its queue is a ring buffer, and steps
    without cost go to its front.
    """
    size, words = tables.first.shape[0] - 1, tables.masks.shape[2]
    costs, cost = np.empty((size, bits, len(places)), np.int32), np.empty((size, bits), np.int32)
    queued, ring = view(np.zeros((size, bits), np.uint8)), view(np.zeros(size * bits + 1, np.int32))
    rows, starts, least = view(np.zeros((2, words), np.uint64)), view(np.array(codes, np.int64)), view(cost)
    for target, ends in enumerate(places):
        cost.fill(INFINITE)
        _spread_costs(tables, starts, view(np.array(ends, np.int64)), least, queued, ring, rows)
        costs[:, :, target] = cost
    return costs


def _spread_costs(
    tables: Tables, codes: Numbers, places: Numbers, cost: Ints2, queued: Bytes2, ring: Ints, rows: Words2
) -> None:
    """Write the costs of `single_object_costs` to `cost`, for one target. The last three arrays are scratch space.

    Row 0 of `rows` is a state with one object, row 1 its successor.
    """
    words: Index = rows.shape[1]
    bits: Index = cost.shape[1]
    capacity: Index = ring.shape[0]
    head: Index = 0
    size: Index = 0
    code: Index
    b: Index
    i: Index
    a: Index
    w: Index
    for i in range(places.shape[0]):
        b = places[i]
        for a in range(codes.shape[0]):
            code = codes[a]
            cost[code, b] = 0
            queued[code, b] = 1
            ring[size] = code * bits + b
            size += 1
    while size:
        code = ring[head] // bits
        b = ring[head] % bits
        head = (head + 1) % capacity
        size -= 1
        queued[code, b] = 0
        for w in range(words):
            rows[0, w] = 0
        rows[0, b >> 6] = bit(b & 63)
        rows[0, 0] |= code
        for a in range(tables.first[code], tables.first[code + 1]):
            fit: Flag = True
            for w in range(words):
                fit = fit and rows[0, w] & tables.masks[a, 0, w] == tables.masks[a, 1, w]
            if not fit:
                continue
            to: Index = -1
            for w in range(words):
                rows[1, w] = rows[0, w] & tables.masks[a, 2, w] | tables.masks[a, 3, w]
                left: Word = rows[1, w] & tables.outside[w]
                if left and to < 0:
                    to = 64 * w + lowest_bit(left)
            there: Index = rows[1, 0] & tables.key
            total: Index = cost[code, b]
            if to != b:
                total += tables.action_info[a, 0]
            if total >= cost[there, to]:
                continue
            cost[there, to] = total
            if queued[there, to]:
                continue
            queued[there, to] = 1
            if to != b:
                ring[(head + size) % capacity] = there * bits + to
            else:
                head = (head + capacity - 1) % capacity
                ring[head] = there * bits + to
            size += 1
