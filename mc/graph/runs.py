"""The number of paths from the initial states to the goal: dynamic programming over reachable states, by layers.

For models without cycles, such as constructions. The paths into a state are added up, so there may be many more
paths than states.
"""

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import Steps, packed_initial_states
from puzzlemc.mc.packed.layout import Layout, keys


def count_runs(model: Model, budget: Budget, most_states: int | None = None) -> int:
    """The exact number of paths from initial states to their first goal state.

    Raises LimitReached, with the reason `bound` if a layer has more than `most_states` states.
    """
    layout = Layout(model)
    steps = Steps(layout, model, list(range(len(model.actions))))
    rows = packed_initial_states(layout, model.init)
    runs = np.ones(len(rows), object)  # Python's integers: 64 bits are soon too few
    total = 0
    while len(rows):
        done = layout.holds(model.goal, rows)
        total += sum(runs[done])
        rows, runs = rows[~done], runs[~done]
        found = [(rows[:0], runs[:0])]
        held = 0
        for after, source, _ in steps.successors(rows):
            budget.check()
            found.append((after, runs[source]))
            held += len(after)
            if most_states is not None and held > most_states:
                raise LimitReached("bound")
            if 4 * 8 * layout.words * held > budget.limits.memory:
                raise LimitReached("memory")
        after, counts = (np.concatenate(column) for column in zip(*found, strict=True))
        _, first, same = np.unique(keys(after), return_index=True, return_inverse=True)
        rows, runs = after[first], np.zeros(len(first), object)
        np.add.at(runs, same, counts)

    return total
