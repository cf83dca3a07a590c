"""Breadth-first search over a step system: a solution with the fewest steps, or the proof that there is none.

A step that could not be computed might win. So no solution with more steps is optimal, and a search without a
solution is *unknown*. Each step costs 1. The state after a winning step is not stored.
"""

import time
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.steps.frontier import ENDED, FOUND, FULL, PAUSED, Frontier, advance
from puzzlemc.mc.steps.proof import proof_of
from puzzlemc.mc.steps.steps import Successors, expand
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict, within_limits
from puzzlemc.mc.words import view

CAPACITY = 1 << 10  # states at the beginning; a power of two
MOST_STATES = 2**31 - 2  # states have numbers of 32 bits
CHUNK_SECONDS = 0.03  # time between two checks of the budget
GROWTH = 1.5


def breadth_first(system: StepSystem, metric: str, budget: Budget, most_states: int | None = None) -> Verdict:
    """Decide whether a step system can win, with the fewest steps.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises Unsuitable if an action does not cost 1,
    ModelError if it has no cost for the metric.
    """
    if any(cost_of(action, metric) != 1 for action in system.actions):
        raise Unsuitable("it has actions that do not cost 1")
    return within_limits(budget, lambda: _search(system, metric, budget, most_states))


def _search(system: StepSystem, metric: str, budget: Budget, most_states: int | None) -> Verdict:
    layout = Layout(system)
    space = Frontier(layout.pack(initial_state(system)), CAPACITY)
    status, size = PAUSED, 1
    while status not in (ENDED, FOUND):
        budget.check()
        if most_states is not None and space.used > most_states:
            raise LimitReached("bound")
        started = time.perf_counter()
        status = advance(space, system.steps, size)
        seconds = time.perf_counter() - started
        if status == FULL:
            _enlarge(space, system.steps.actions, budget.limits.memory)
        elif seconds < CHUNK_SECONDS / 2:
            size *= 2
        elif seconds > CHUNK_SECONDS:
            size = max(1, size // 2)
        budget.prove(_bound(space))
    statistics = Statistics(space.depth, space.used)
    if status == FOUND:
        cost = space.depth + 1
        is_optimal = metric != ANY and cost <= _bound(space)
        proof = partial(proof_of, system, space, metric, cost) if is_optimal else None
        return Reachable(_trace(system, layout, space), cost, is_optimal, statistics, proof)
    if space.unsettled >= 0:
        return Unknown("bound", _bound(space), statistics)
    proof = partial(proof_of, system, space, metric, None)
    return Unreachable(lambda state: _is_found(layout, space, state), statistics, proof)


def _bound(space: Frontier) -> int:
    """No solution has fewer steps: all states of smaller depths are expanded, and all their steps are computed."""
    return 1 + (space.depth if space.unsettled < 0 else min(space.depth, space.unsettled))


def _is_found(layout: Layout, space: Frontier, state: State) -> bool:
    return space.number_of(layout.pack(state)) >= 0


def _enlarge(space: Frontier, more: int, memory: int) -> None:
    """Enlarge the arrays that are full. Raises LimitReached if that would take more than `memory` bytes."""
    if space.used + more > MOST_STATES:
        raise LimitReached("memory")
    words, capacity, slots = space.rows.shape[1], space.rows.shape[0], space.slots.shape[0]
    row = 8 * words + 4 + 1
    if space.used + more >= capacity:
        larger = int(GROWTH * capacity) + more
        if capacity * row + larger * row + 4 * slots > memory:
            raise LimitReached("memory")
        space.rows = view(_larger(np.asarray(space.rows), larger))
        space.parent = view(_larger(np.asarray(space.parent), larger))
        space.action = view(_larger(np.asarray(space.action), larger))
    if 8 * (space.used + more) >= 5 * slots:
        slots *= 1 << (8 * (space.used + more) // (5 * slots)).bit_length()
        if space.rows.shape[0] * row + 4 * slots > memory:
            raise LimitReached("memory")
        space.resize(slots)


def _larger(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    """A copy of the array with that length. The system gives it memory for the new part only as it is written."""
    new = np.empty((length, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new


def _trace(system: StepSystem, layout: Layout, space: Frontier) -> Trace:
    """The trace to the win. Its last state, which was not stored, is computed again."""
    found = Successors(system.steps.actions, system.steps.words)
    count = expand(system.steps, space, space.expanded, space.expanded + 1, found)
    after, _, numbers = found.arrays(count)
    last = after[list(numbers).index(space.won_by)]
    rows, actions = [last], [space.won_by]
    number = space.expanded
    while number >= 0:
        rows.append(np.asarray(space.rows)[number])
        actions.append(space.action[number])
        number = space.parent[number]
    actions.pop()  # the start was not reached by an action
    states = tuple(layout.read(row) for row in reversed(rows))
    return Trace(states, tuple(system.actions[action] for action in reversed(actions)))
