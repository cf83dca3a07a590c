"""Actions grouped by the object that they move."""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates


class ActionsByObject(NamedTuple):
    """Actions grouped by the bit of the object that they move; an action has one entry for each such object.

    first   (bits + 1,): the entries for bit b are those from `first[b]` to before `first[b + 1]`
    rule    (entries,): the place of the action in the `PackedActions`
    taken   (entries,): the bit of the object before the action
    placed  (entries,): the bit of the object after the action, 0 if there is none
    block   (entries, words): the objects that must be absent for the action to be enabled
    """

    first: Numbers
    rule: Numbers
    taken: Numbers
    placed: Numbers
    block: PackedStates


def actions_by_object(layout: Layout, actions: PackedActions, objects: PackedStates) -> ActionsByObject:
    """The actions by the objects that they move. Each must place at most one object.

    `objects` (words,) are the bits of all objects.
    """

    rule, taken = np.nonzero(layout.unpacked(actions.clear & objects))
    order = np.argsort(taken, kind="stable")
    rule, taken = rule[order], taken[order]
    placed = np.zeros(len(actions), np.int64)
    number, bit = np.nonzero(layout.unpacked(actions.set & objects))
    placed[number] = bit
    first = np.searchsorted(taken, np.arange(64 * layout.words + 1))
    return ActionsByObject(first, rule, taken, placed[rule], (actions.mask & ~actions.value & objects)[rule])
