"""Actions by the object that they move."""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.packed.actions import Rules
from puzzlemc.mc.packed.layout import Layout, Numbers, Rows


class Moved(NamedTuple):
    """Of each object the actions that move it, by the object's bit; an action is there once for each object.

    first   (bits + 1,): the actions that move the object of bit b are those from `first[b]` to `first[b + 1]`
    rule    (actions,): the number of each among the rules
    taken   (actions,): the bit of its object before
    placed  (actions,): the bit of the object that it places, 0 where it places none
    block   (actions, words): the objects each of which rules it out
    """

    first: Numbers
    rule: Numbers
    taken: Numbers
    placed: Numbers
    block: Rows


def by_object(layout: Layout, rules: Rules, objects: Rows) -> Moved:
    """The rules, which place one object or none, by those they take. `objects` (words,) are the bits of all."""
    rule, taken = np.nonzero(layout.unpacked(rules.clear & objects))
    order = np.argsort(taken, kind="stable")
    rule, taken = rule[order], taken[order]
    placed = np.zeros(len(rules), np.int64)
    number, bit = np.nonzero(layout.unpacked(rules.set & objects))
    placed[number] = bit
    first = np.searchsorted(taken, np.arange(64 * layout.words + 1))
    return Moved(first, rule, taken, placed[rule], (rules.mask & ~rules.value & objects)[rule])
