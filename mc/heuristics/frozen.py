"""Frozen objects: those that no action will ever move again, and the bound that takes them for walls.

A set of objects is frozen if each action that moves one of them asks that another one of them be gone. The first
of them to be moved would need one that was moved before, so none ever is. The greatest such set is what is left
when objects that can be moved, were all others of the set away that are not in it, are taken out one by one.

What is left has its place for good: on a target it holds that target, elsewhere none, and the others have to go
around it. The least costs of single objects to the targets, with actions that a frozen object rules out left away
and wherever the location is, are again a lower bound by assignment, the larger of both for each object and target.
It stays consistent: frozen objects stay frozen, and so these costs only grow.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.heuristics.assignment import assignment, listed
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import Rules
from puzzlemc.mc.packed.layout import Layout, Numbers, Rows, Shorts
from puzzlemc.mc.packed.objects import by_object
from puzzlemc.mc.packed.tables import INFINITE, find, lowest_bit

STORE_BYTES = 1 << 26  # of costs by frozen sets that are kept
MOST_SETS = 1 << 16
MOST_REACH = 1 << 20  # rows wait in an array by their cost and bound


class Frozen(NamedTuple):
    """How objects are moved, and the costs by frozen sets that were met so far.

    first   as in `Moved`; of length 1 where nothing is known
    block   as in `Moved`
    into    (bits + 1,): likewise the actions that place the object of bit b
    before  (actions,): of these, the bit that the object comes from
    price   (actions,): what they cost
    wall    (actions, words): their `block`
    targets (targets,): the bits of the targets
    sets    (capacity, words): frozen sets, `slots` their hash table, `used` their number
    costs   (capacity, bits, targets): least costs beside these; INFINITE where there is no way
    reach   the cost of a successor and its bound exceed the row's cost by no more
    """

    first: Numbers
    block: Rows
    into: Numbers
    before: Numbers
    price: Numbers
    wall: Rows
    targets: Numbers
    sets: Rows
    slots: Shorts
    used: Numbers
    costs: Shorts
    largest_increase: int


def no_frozen(layout: Layout) -> Frozen:
    """Nothing is known of what is frozen."""
    nothing, none = np.zeros(1, np.int64), np.zeros((0, layout.words), np.uint64)
    slots, costs = np.full(2, -1, np.int32), np.zeros((0, 0, 0), np.int32)
    return Frozen(nothing, none, nothing, nothing, nothing, none, nothing, none, slots, nothing.copy(), costs, 0)


def frozen_of(layout: Layout, rules: Rules, objects: Rows, targets: Numbers) -> Frozen:
    """Of a model whose actions move one object or none, each from its place to another.

    `rules` are all its actions that may be of use, `objects` (words,) the bits of its objects, `targets` the bits
    that its goal asks for.
    """
    bits = 64 * layout.words
    largest_increase = (bits * len(targets) + 1) * int(rules.price.max(initial=0))
    if largest_increase > MOST_REACH:
        return no_frozen(layout)
    moved = by_object(layout, rules, objects)
    back = np.argsort(moved.placed, kind="stable")
    capacity = max(1, min(MOST_SETS, STORE_BYTES // max(1, 4 * bits * len(targets))))
    return Frozen(
        first=moved.first,
        block=moved.block,
        into=np.searchsorted(moved.placed[back], np.arange(bits + 1)),
        before=moved.taken[back],
        price=rules.price[moved.rule[back]],
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
    """Write to `kept`, (words,), the greatest frozen set of row i. Is there any?"""
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
    """The number of the costs beside a frozen set, -1 where there is no room for more.

    Label correcting, from each target back. `rows` is how many rows were seen: as many sets are kept at most.
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
    ring, waiting = np.empty(bits, np.int64), np.zeros(bits, np.uint8)
    for t in range(len(frozen.targets)):
        target = frozen.targets[t]
        for b in range(bits):
            cost[b, t] = INFINITE
        cost[target, t] = 0
        if kept[target // 64] >> np.uint64(target % 64) & np.uint64(1):
            continue  # its object is there for good
        ring[0], head, size = target, 0, 1
        while size:
            b = ring[head]
            head, size = (head + 1) % bits, size - 1
            waiting[b] = 0
            for a in range(frozen.into[b], frozen.into[b + 1]):
                fits = True
                for w in range(len(kept)):
                    fits &= frozen.wall[a, w] & kept[w] == 0
                before = frozen.before[a]
                if not fits or cost[b, t] + frozen.price[a] >= cost[before, t]:
                    continue
                cost[before, t] = cost[b, t] + frozen.price[a]
                if not waiting[before]:
                    waiting[before] = 1
                    ring[(head + size) % bits] = before
                    size += 1
    return number


@cached()
def bound_beside(key, distance, costs, rows, i, work):  # type: ignore[no-untyped-def]
    """A lower bound for row i, as `assignment.bound`, where `costs` are those beside its frozen objects."""
    return assignment(distance, costs, np.int64(rows[i, 0] & key), listed(key, rows, i, work), work)
