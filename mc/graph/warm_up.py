"""Leads through all the compiled code over state graphs, to have it compiled or loaded before it is needed."""

import numpy as np

from puzzlemc.mc import jit
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.toy import row_of_places

KERNEL = "puzzlemc.mc.graph.kernel"


def graphs() -> None:
    """Lead through `mc/graph/kernel.py`."""
    from puzzlemc.mc.graph import kernel
    from puzzlemc.mc.graph.analysis import analyse
    from puzzlemc.mc.graph.state_graph import explore

    model = row_of_places()
    analyse(model, ["cost", "walks"], Budget())
    graph = explore(model, Budget())
    forth, back = graph.forth, graph.back
    some = graph.holds(model.goal)
    kernel.mark_neighbours(back.first, back.other, np.flatnonzero(some).astype(np.int32), some.copy())
    kernel.until(back.first, back.other, ~some, some.copy())
    kernel.always(forth.first, forth.other, back.first, back.other, ~some)
    sides = np.zeros(len(graph), np.int8)
    kernel.attract(forth.first, back.first, back.other, sides, sides - 1, np.full(len(graph), -1, np.int32))
    kernel.way(forth.first, forth.other, 0, ~some, some, np.full(len(graph), -1, np.int32))


def need_graphs() -> None:
    """Say that graphs are wanted. Raises NotCompiled where the code is not there, in a process that asks first."""
    jit.ready(graphs, KERNEL)
