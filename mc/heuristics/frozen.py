"""Frozen objects, which no action can ever move again, and a bound that treats them as walls.

A set of objects is frozen if every action that moves one of them requires another one of them to be absent. Then
none of them ever moves: the first one to move would need another one that moved before. The greatest frozen set is
a fixpoint: start with all objects, and remove an object while it could be moved if only the set were there.

Frozen objects keep their places. A frozen object on a target occupies this target; the other objects must go
around the frozen ones. The least costs of single objects to the targets, without the actions that a frozen object
blocks and with any location, give another assignment bound. The bound used here takes the larger of both costs for
each object and target. It is consistent: frozen objects stay frozen, so these costs only grow along a path.

Compiled: see `mc/words.py`. `build_tables.py` makes the arrays.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.search.state_table import StateTable, find
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints3, Numbers, Numbers2, Word, Words2, lowest_bit


class Frozen:
    """The actions on objects, and the costs beside the frozen sets so far.

    first     as in `ActionsByObject`; of length 1 if this bound is not used
    block     as in `ActionsByObject`
    into      (bits + 1,): the actions that place the object at bit b are those from `into[b]` to before `into[b +
              1]`
    steps     (actions, 2): for these actions, the bit of the object before the action, and their costs
    wall      (actions, words): their `block`
    targets   (targets,): the bits of the targets
    sets      the frozen sets so far
    costs     (capacity, bits, targets): the least costs beside each frozen set; INFINITE if there is no path
    largest_increase  an upper bound on f(child) - g(parent)
    kept      (1, words): the frozen set of the last row
    ring      (bits,): scratch space, a queue
    queued    (bits,): is a bit in the queue?
    """

    first: Numbers  # readonly
    block: Words2
    into: Numbers
    steps: Numbers2
    wall: Words2
    targets: Numbers
    sets: StateTable  # readonly
    costs: Ints3  # readonly
    largest_increase: Index  # readonly
    kept: Words2  # readonly
    ring: Numbers
    queued: Bytes

    def __init__(
        self,
        first: npt.NDArray[np.int64],
        block: npt.NDArray[np.uint64],
        into: npt.NDArray[np.int64],
        steps: npt.NDArray[np.int64],
        wall: npt.NDArray[np.uint64],
        targets: npt.NDArray[np.int64],
        capacity: int,
        largest_increase: int,
    ) -> None:
        """No frozen set so far, and room for `capacity`."""
        words = block.shape[1]
        bits = 64 * words
        self.first, self.block, self.into, self.steps = view(first), view(block), view(into), view(steps)
        self.wall, self.targets, self.largest_increase = view(wall), view(targets), largest_increase
        self.sets = StateTable(capacity, words, 2 << capacity.bit_length())
        self.costs = view(np.empty((capacity, bits, len(targets)), np.int32))
        self.kept = view(np.zeros((1, words), np.uint64))
        self.ring, self.queued = view(np.zeros(bits, np.int64)), view(np.zeros(bits, np.uint8))


def frozen_costs(frozen: Frozen, tables: Tables, rows: Words2, i: Index, most: Index) -> Index:
    """The number of the costs beside the frozen objects of row i; -1 if there is none, or if they are not stored.

    At most `most` sets are stored: the number of rows of the search.
    """
    if frozen.first.shape[0] > 1 and _frozen_objects(frozen, tables, rows, i):
        return _costs_beside(frozen, most)
    return -1


def _frozen_objects(frozen: Frozen, tables: Tables, rows: Words2, i: Index) -> Flag:
    """Write the greatest frozen set of row i to `frozen.kept`; return whether it is not empty."""
    words: Index = rows.shape[1]
    objects: Word = 0
    changed: Flag = True
    w: Index
    v: Index
    a: Index
    for w in range(words):
        frozen.kept[0, w] = rows[i, w] & tables.outside[w]
    while changed:
        changed = False
        objects = 0
        for w in range(words):
            left: Word = frozen.kept[0, w]
            while left:
                b: Index = 64 * w + lowest_bit(left)
                rest: Word = left & (left - 1)
                for a in range(frozen.first[b], frozen.first[b + 1]):
                    fits: Flag = True
                    for v in range(words):
                        fits = fits and frozen.block[a, v] & frozen.kept[0, v] == 0
                    if fits:
                        frozen.kept[0, w] ^= left ^ rest
                        changed = True
                        break
                left = rest
            objects |= frozen.kept[0, w]
    return objects != 0


def _costs_beside(frozen: Frozen, most: Index) -> Index:
    """The number of the costs beside the frozen set `frozen.kept`; -1 if they are not stored, and cannot be.

    Computes them on first use.
    """
    slot: Index = find(frozen.sets, frozen.kept, 0)
    number: Index = frozen.sets.slots[slot]
    w: Index
    k: Index
    if number >= 0 or frozen.sets.used >= min(most, frozen.sets.rows.shape[0]):
        return number
    number = frozen.sets.used
    frozen.sets.used += 1
    frozen.sets.slots[slot] = number
    for w in range(frozen.kept.shape[1]):
        frozen.sets.rows[number, w] = frozen.kept[0, w]
    for k in range(frozen.targets.shape[0]):
        _compute_costs(frozen, number, k)
    return number


def _compute_costs(frozen: Frozen, number: Index, k: Index) -> None:
    """Write the costs to target k beside frozen set `number`, by a label-correcting search backward."""
    bits: Index = frozen.costs.shape[1]
    target: Index = frozen.targets[k]
    b: Index
    a: Index
    w: Index
    for b in range(bits):
        frozen.costs[number, b, k] = INFINITE
    frozen.costs[number, target, k] = 0
    if frozen.kept[0, target >> 6] >> (target & 63) & 1:
        return  # a frozen object occupies this target
    frozen.ring[0] = target
    head: Index = 0
    size: Index = 1
    while size:
        b = frozen.ring[head]
        head = (head + 1) % bits
        size -= 1
        frozen.queued[b] = 0
        for a in range(frozen.into[b], frozen.into[b + 1]):
            fits: Flag = True
            for w in range(frozen.kept.shape[1]):
                fits = fits and frozen.wall[a, w] & frozen.kept[0, w] == 0
            before: Index = frozen.steps[a, 0]
            cost: Index = frozen.costs[number, b, k] + frozen.steps[a, 1]
            if not fits or cost >= frozen.costs[number, before, k]:
                continue
            frozen.costs[number, before, k] = cost
            if not frozen.queued[before]:
                frozen.queued[before] = 1
                frozen.ring[(head + size) % bits] = before
                size += 1
