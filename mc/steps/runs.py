"""The trace of a win, out of the states of a search. The state after a winning step is not among them."""

from collections.abc import Sequence

import numpy as np

from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.packed.layout import Layout, PackedStates
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.steps import Successors, expand
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.words import view


def winning_trace(system: StepSystem, layout: Layout, rows: PackedStates, actions: Sequence[int]) -> Trace:
    """The trace through packed states, with the action from each; the last one wins.

    The state after it is computed again.
    """
    last = StateTable(0, rows.shape[1], 1)
    last.rows = view(np.ascontiguousarray(rows[-1:]))
    found = Successors(system.steps.actions, system.steps.words)
    count = expand(system.steps, last, 0, 1, found)
    after, _, ways = found.arrays(count)
    states = [*map(layout.read, rows), layout.read(after[list(ways).index(actions[-1])])]
    return Trace(tuple(states), tuple(system.actions[action] for action in actions))
