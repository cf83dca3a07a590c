"""The trace of a win, out of the states of a search. The state after a winning step is not among them."""

from collections.abc import Sequence

import numpy as np

from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.steps import Successors, expand
from puzzlemc.mc.steps.system import StepSystem


def winning_trace(
    system: StepSystem, layout: Layout, table: StateTable, numbers: Sequence[int], actions: Sequence[int]
) -> Trace:
    """The trace through some states of a table, with the action from each; the last one wins.

    The state after it is computed again.
    """
    found = Successors(system.steps.actions, system.steps.words)
    count = expand(system.steps, table, numbers[-1], numbers[-1] + 1, found)
    after, _, ways = found.arrays(count)
    rows = np.asarray(table.rows)
    states = [
        *(layout.read(rows[number]) for number in numbers),
        layout.read(after[list(ways).index(actions[-1])]),
    ]
    return Trace(tuple(states), tuple(system.actions[action] for action in actions))
