"""The states of a graph that sums of facts show to be dead, where a limit ended the search for all states."""

import random

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LIMITS, Unsuitable
from puzzlemc.mc.graph.state_graph import StateGraph
from puzzlemc.mc.invariants.dead import DeadStates
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.passes.groups import Group
from puzzlemc.mc.passes.translation import Translation

ASKED = 40  # states for which linear programming looks for potentials; what it finds decides about all
CHUNK = 1 << 16  # states between two looks at the limits
MOST_BITS = 62  # of a group whose codes are numbers


def dead_by_sums(graph: StateGraph, budget: Budget) -> npt.NDArray[np.bool_] | None:
    """Which states do sums show to be dead? None if the model cannot be asked.

    As in `auto`, models with hints for searches are not asked.
    """
    if graph.model.hints.guide_search or not len(graph):
        return None
    found = np.zeros(len(graph), np.bool_)
    try:
        dead = DeadStates(graph.model)
        some = random.Random(0).sample(range(len(graph)), min(ASKED, len(graph)))
        dead.learn(_values(dead.translation, graph, graph.rows[some]).tolist(), budget)
        for begin in range(0, len(graph) if dead.found else 0, CHUNK):
            budget.check()
            part = slice(begin, begin + CHUNK)
            found[part] = dead.known(_values(dead.translation, graph, graph.rows[part]))
    except Unsuitable:
        return None
    except LIMITS:
        pass  # what is known by then counts
    return found


def _values(made: Translation, graph: StateGraph, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
    """The values of the variables of a task in states. Raises Unsuitable for a variable of too many bits."""
    found = np.zeros((len(rows), len(made.groups)), np.int32)
    for variable, group in enumerate(made.groups):
        if group is not None:
            found[:, variable] = _of_group(made, graph, group, rows)
    return found


def _of_group(
    made: Translation, graph: StateGraph, group: Group, rows: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    one_hot = group.is_one_hot
    if not one_hot and len(group.bits) > MOST_BITS:
        raise Unsuitable(f"a variable has more than {MOST_BITS} bits")
    # Of a code with at most one bit, its place is enough.
    codes = np.array([code.bit_length() if one_hot else code for code in group.codes], np.int64)
    held = np.zeros(len(rows), np.int64)
    for place, b in enumerate(group.bits):
        weight = place + 1 if one_hot else 1 << place
        held += weight * graph.layout.column(rows, made.bits[b])
    order = np.argsort(codes)
    at = np.minimum(np.searchsorted(codes, held, sorter=order), len(codes) - 1)
    if (codes[order[at]] != held).any():
        raise Unsuitable("a state has no values of the task")
    return order[at]
