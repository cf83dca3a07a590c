"""Compiles or loads the compiled code over state graphs before it is needed.

The functions of `kernel` are called here on a graph of two states, by themselves: `state_graph` asks for this
warm-up, so the warm-up must not import it.
"""

import numpy as np

from puzzlemc.mc import jit
from puzzlemc.mc.graph import kernel

KERNEL = kernel.__name__


def graphs() -> None:
    """Call each function of `kernel` once, with arrays of the types that `state_graph` and `analysis` pass."""
    rows, slots = np.array([[0], [1]], np.uint64), np.full(4, -1, np.int32)
    masks, numbers, at = np.zeros((1, 1, 1), np.uint64), np.zeros((1, 1), np.int64), np.zeros(2, np.int64)
    after, source, action = np.empty((2, 1), np.uint64), np.empty(2, np.int64), np.empty(2, np.int64)
    kernel.expand(rows, at, masks, masks, masks, masks, numbers, after, source, action)
    stored, rests, number = np.empty((2, 1), np.uint64), np.empty((2, 1), np.uint64), np.empty((2, 2), np.int32)
    kernel.insert(stored, 0, np.uint64(1), rests, slots, 0, number, rows, np.empty(2, np.int32))
    # One edge from state 0 to state 1, by action 0.
    first, target, actions = np.array([0, 1, 1], np.int64), np.ones(1, np.int32), np.zeros(1, np.int32)
    back, source_of, actions_back = np.zeros(3, np.int64), np.zeros(1, np.int32), np.zeros(1, np.int32)
    kernel.turn(first, target, actions, back, source_of, actions_back)
    step_cost, some = np.ones(1, np.int32), np.array([False, True])
    gone, left, last = np.array([0, 1], np.int32), np.array([1, 0], np.int32), np.ones(1, np.int32)
    room, spare, none = np.empty(2, np.int32), np.empty(2, np.int32), np.full(2, -1, np.int32)
    kernel.distances(first, target, actions, step_cost, last, np.full(2, kernel.FAR, np.int32), room, spare)
    kernel.count_cubes(rows, some, masks[0], masks[0], np.zeros((1, 2), np.int64))
    kernel.leaving(first, target, some, np.empty((0, 2), np.int64))
    kernel.cheapest_path(back, source_of, actions_back, step_cost, gone, 1, last, np.full(2, -1, np.int64))
    kernel.paid_steps(
        first, target, actions, step_cost, gone, left, 1, 1, none.copy(), room, np.empty((1, 3), np.int64)
    )
    kernel.mark_neighbours(back, source_of, last, some.copy())
    kernel.until(back, source_of, ~some, some.copy())
    kernel.always(first, target, back, source_of, ~some)
    sides = np.zeros(2, np.int8)
    kernel.attract(first, back, source_of, sides, sides - 1, none.copy())
    kernel.shortest_path(first, target, 0, ~some, some, none.copy())


def need_graphs() -> None:
    """Demand the compiled code. Raises NotCompiled if it is missing and the process must ask before compiling."""
    jit.ready(graphs, KERNEL)
