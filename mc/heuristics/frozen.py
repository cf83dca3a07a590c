"""Frozen objects, which no action can ever move again, and a bound that treats them as walls.

A set of objects is frozen if every action that moves one of them requires another one of them to be absent. Then
none of them ever moves: the first one to move would need another one that moved before. The greatest frozen set is
a fixpoint: start with all objects, and remove an object while it could be moved if only the set were there.

Frozen objects keep their places. A frozen object on a target occupies this target; the other objects must go
around the frozen ones. The least costs of single objects to the targets, without the actions that a frozen object
blocks and with any location, give another assignment bound. The bound used here takes the larger of both costs for
each object and target. It is consistent: frozen objects stay frozen, so these costs only grow along a path.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.heuristics.assignment import assignment, listed
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Shorts
from puzzlemc.mc.packed.objects import actions_by_object
from puzzlemc.mc.packed.tables import INFINITE, find, lowest_bit

STORE_BYTES = 1 << 26  # memory for the costs beside frozen sets
MOST_SETS = 1 << 16  # frozen sets whose costs are stored
MOST_INCREASE = 1 << 20  # of f: buckets are an array indexed by f


class Frozen(NamedTuple):
    """The actions on objects, and the costs beside the frozen sets so far.

    first     as in `ActionsByObject`; of length 1 if this bound is not used
    block     as in `ActionsByObject`
    into      (bits + 1,): the actions that place the object at bit b are those from `into[b]` to before `into[b +
              1]`
    before    (actions,): for these actions, the bit of the object before the action
    step_cost (actions,): their costs
    wall      (actions, words): their `block`
    targets   (targets,): the bits of the targets
    sets      (capacity, words): the frozen sets so far; `slots` is their hash table, `used` their number
    costs     (capacity, bits, targets): the least costs beside each frozen set; INFINITE if there is no path
    largest_increase  an upper bound on f(child) - g(parent)
    """

    first: Numbers
    block: PackedStates
    into: Numbers
    before: Numbers
    step_cost: Numbers
    wall: PackedStates
    targets: Numbers
    sets: PackedStates
    slots: Shorts
    used: Numbers
    costs: Shorts
    largest_increase: int


def no_frozen(layout: Layout) -> Frozen:
    """A value that switches this bound off."""
    nothing, none = np.zeros(1, np.int64), np.zeros((0, layout.words), np.uint64)
    slots, costs = np.full(2, -1, np.int32), np.zeros((0, 0, 0), np.int32)
    return Frozen(nothing, none, nothing, nothing, nothing, none, nothing, none, slots, nothing.copy(), costs, 0)


def frozen_of(layout: Layout, actions: PackedActions, objects: PackedStates, targets: Numbers) -> Frozen:
    """The value for a model in which each action moves at most one object from one place to another.

    `actions` are the actions of the search, `objects` (words,) the bits of all objects, `targets` the bits of the
    goal.
    """
    bits = 64 * layout.words
    largest_increase = (bits * len(targets) + 1) * int(actions.step_cost.max(initial=0))
    if largest_increase > MOST_INCREASE:
        return no_frozen(layout)
    moved = actions_by_object(layout, actions, objects)
    back = np.argsort(moved.placed, kind="stable")
    capacity = max(1, min(MOST_SETS, STORE_BYTES // max(1, 4 * bits * len(targets))))
    return Frozen(
        first=moved.first,
        block=moved.block,
        into=np.searchsorted(moved.placed[back], np.arange(bits + 1)),
        before=moved.taken[back],
        step_cost=actions.step_cost[moved.rule[back]],
        wall=moved.block[back],
        targets=targets,
        sets=np.zeros((capacity, layout.words), np.uint64),
        slots=np.full(2 << capacity.bit_length(), -1, np.int32),
        used=np.zeros(1, np.int64),
        costs=np.empty((capacity, bits, len(targets)), np.int32),
        largest_increase=largest_increase,
    )


@cached()
def frozen_objects(first, block, key, rows, i, kept):  # type: ignore[no-untyped-def]
    """Write the greatest frozen set of row i to `kept` (words,); return whether it is not empty."""
    words, objects = len(kept), np.uint64(0)
    for w in range(words):
        kept[w] = rows[i, w] & ~key if w == 0 else rows[i, w]
    changed = True
    while changed:
        changed, objects = False, np.uint64(0)
        for w in range(words):
            left = kept[w]
            while left:
                b = 64 * w + lowest_bit(left)
                rest = left & (left - np.uint64(1))
                for a in range(first[b], first[b + 1]):
                    fits = True
                    for v in range(words):
                        fits &= block[a, v] & kept[v] == 0
                    if fits:
                        kept[w] ^= left ^ rest
                        changed = True
                        break
                left = rest
            objects |= kept[w]
    return objects != 0


@cached()
def costs_beside(frozen, kept, rows):  # type: ignore[no-untyped-def]
    """The index into `frozen.costs` of the costs beside a frozen set; -1 if they are not stored, and cannot be.

    Computes them on first use, by a label-correcting search backward from each target. `rows` is the number of
    rows of the search: at most as many sets are stored.
    """
    slot = find(frozen.sets, frozen.slots, kept)
    number = np.int64(frozen.slots[slot])
    if number >= 0 or frozen.used[0] >= min(len(frozen.sets), rows):
        return number
    number = frozen.used[0]
    frozen.used[0] += 1
    frozen.slots[slot] = number
    frozen.sets[number] = kept
    cost = frozen.costs[number]
    bits = len(cost)
    ring, queued = np.empty(bits, np.int64), np.zeros(bits, np.uint8)
    for t in range(len(frozen.targets)):
        target = frozen.targets[t]
        for b in range(bits):
            cost[b, t] = INFINITE
        cost[target, t] = 0
        if kept[target // 64] >> np.uint64(target % 64) & np.uint64(1):
            continue  # a frozen object occupies this target
        ring[0], head, size = target, 0, 1
        while size:
            b = ring[head]
            head, size = (head + 1) % bits, size - 1
            queued[b] = 0
            for a in range(frozen.into[b], frozen.into[b + 1]):
                fits = True
                for w in range(len(kept)):
                    fits &= frozen.wall[a, w] & kept[w] == 0
                before = frozen.before[a]
                if not fits or cost[b, t] + frozen.step_cost[a] >= cost[before, t]:
                    continue
                cost[before, t] = cost[b, t] + frozen.step_cost[a]
                if not queued[before]:
                    queued[before] = 1
                    ring[(head + size) % bits] = before
                    size += 1
    return number


@cached()
def bound_beside(key, distance, costs, rows, i, work):  # type: ignore[no-untyped-def]
    """The assignment bound of row i with the costs beside its frozen objects, see the head of this file."""

    return assignment(distance, costs, np.int64(rows[i, 0] & key), listed(key, rows, i, work), work)
