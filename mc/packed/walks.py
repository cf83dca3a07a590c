"""Walks as rules: which actions only change the location, and those that a run needs between the others.

The same as `mc/model/free_moves.py` finds on the actions themselves.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.mc.model.formula import support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import Rules
from puzzlemc.mc.packed.layout import Layout, Rows, Truths
from puzzlemc.mc.packed.successors import walked
from puzzlemc.mc.packed.tables import Tables


def free_to_leave_out(layout: Layout, model: Model, rules: Rules) -> Truths:
    """Which rules are walks, if all of them have one price and a way back; else none.

    None, too, where an action does not say from which value of the location to which it leads, or the goal speaks
    of the location. `rules` ask for what holds anyway: that no object stands where the location is.
    """
    nothing = np.zeros(len(rules), np.bool_)
    location = model.hints.location
    if location is None or not support([model.goal]).isdisjoint(location.bits):
        return nothing
    codes = np.zeros(layout.key + 1, np.bool_)
    codes[[*layout.codes]] = True
    if not (rules.is_somewhere.all() and codes[rules.source].all() and codes[rules.target].all()):
        return nothing
    walking: Truths = np.logical_not((rules.changed & ~rules.key).any(axis=1))
    walks = rules.take(walking)
    one_price = len(walks) and (walks.price == walks.price[0]).all()
    return walking if one_price and _can_be_taken_back(walks) else nothing


def _can_be_taken_back(walks: Rules) -> bool:
    """Is there for each another that leads back from where it leads, whatever else holds?"""
    rest = [walks.mask & ~walks.key, walks.value & ~walks.key]
    there, back = (
        {row.tobytes() for row in np.hstack([np.stack(ends, axis=1).view(np.uint64), *rest])}
        for ends in ((walks.source, walks.target), (walks.target, walks.source))
    )
    return back <= there


def with_walks(tables: Tables, rules: Rules, start: Rows, numbers: Sequence[int]) -> list[int]:
    """The run of the actions of these numbers from a row, with the fewest walks before each that make it enabled.

    `tables` have the walks, and `rules` the other actions, in the order of their numbers.
    """
    steps = rules.take(np.searchsorted(rules.number, np.array(numbers, np.int64)))
    run = np.empty(len(steps) * (len(tables.first) - 1), np.int64)
    length = walked(tables, start.copy(), steps.source, steps.clear, steps.set, steps.number, run)
    return [int(number) for number in run[:length]]
