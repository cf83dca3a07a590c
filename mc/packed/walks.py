"""Walks among packed actions: actions that only change the location, and the walks that complete a plan.

`mc/passes/free_moves.py` does the same on the actions of the model, for engines without packed states.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.mc.model.formula import support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, PackedStates, Truths
from puzzlemc.mc.packed.successors import walked
from puzzlemc.mc.packed.tables import Tables
from puzzlemc.mc.packed.walk_arrays import walks_among


def free_to_leave_out(layout: Layout, model: Model, actions: PackedActions) -> Truths:
    """Which actions are walks that the search may leave out as steps of their own, shape (actions,).

    All are false unless all walks cost the same, each walk has a reverse walk, every action determines the
    location before and after it, and the goal does not mention the location. The guards must contain that no
    object stands at the location: see `closed` of `pack_actions`.
    """
    location = model.hints.location
    if location is None or not support([model.goal]).isdisjoint(location.bits):
        return np.zeros(len(actions), np.bool_)
    is_code = np.zeros(layout.key + 1, np.bool_)
    is_code[[*layout.codes]] = True
    return walks_among(actions.masks, is_code)


def with_walks(tables: Tables, actions: PackedActions, start: PackedStates, numbers: Sequence[int]) -> list[int]:
    """The numbers of all actions of a plan, with the fewest walks before each action that make it enabled.

    The plan starts at the packed state `start`; `numbers` are its actions without the walks. `tables` have the
    walks, `actions` the other actions, sorted by number.
    """
    steps = actions.take(np.searchsorted(actions.number, np.array(numbers, np.int64)))
    return walked(tables.walks, start, steps.masks)
