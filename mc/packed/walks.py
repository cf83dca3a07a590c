"""Walks among packed actions: actions that only change the location, and the walks that complete a plan.

`mc/model/free_moves.py` does the same on the actions of the model, for engines without packed states.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.mc.model.formula import support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, PackedStates, Truths
from puzzlemc.mc.packed.successors import walked
from puzzlemc.mc.packed.tables import Tables


def free_to_leave_out(layout: Layout, model: Model, actions: PackedActions) -> Truths:
    """Which actions are walks that the search may leave out as steps of their own, shape (actions,).

    All are false unless all walks cost the same, each walk has a reverse walk, every action determines the
    location before and after it, and the goal does not mention the location. The guards must contain that no
    object stands at the location: see `closed` of `pack_actions`.
    """
    nothing = np.zeros(len(actions), np.bool_)
    location = model.hints.location
    if location is None or not support([model.goal]).isdisjoint(location.bits):
        return nothing
    codes = np.zeros(layout.key + 1, np.bool_)
    codes[[*layout.codes]] = True
    if not (actions.is_somewhere.all() and codes[actions.source].all() and codes[actions.target].all()):
        return nothing
    walking: Truths = np.logical_not((actions.changed & ~actions.key).any(axis=1))
    walks = actions.take(walking)
    one_cost = len(walks) and (walks.step_cost == walks.step_cost[0]).all()
    return walking if one_cost and _can_be_undone(walks) else nothing


def _can_be_undone(walks: PackedActions) -> bool:
    """Does each walk have a reverse walk under the same condition on the other bits?"""
    rest = [walks.mask & ~walks.key, walks.value & ~walks.key]
    walks_there, walks_back = (
        {row.tobytes() for row in np.hstack([np.stack(pair, axis=1).view(np.uint64), *rest])}
        for pair in ((walks.source, walks.target), (walks.target, walks.source))
    )
    return walks_back <= walks_there


def with_walks(tables: Tables, actions: PackedActions, start: PackedStates, numbers: Sequence[int]) -> list[int]:
    """The numbers of all actions of a plan, with the fewest walks before each action that make it enabled.

    The plan starts at the packed state `start`; `numbers` are its actions without the walks. `tables` have the
    walks, `actions` the other actions, sorted by number.
    """
    steps = actions.take(np.searchsorted(actions.number, np.array(numbers, np.int64)))
    return walked(tables.walks, start, steps.source, steps.clear, steps.set, steps.number)
