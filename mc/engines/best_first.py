"""Greedy best-first search in compiled code: finds some plan fast, without a claim of optimality.

The search expands an open state of least h, the most recent one first (Pearl 1984). h is the assignment bound if
the model has one, else the potential: the sum of the weights of the literals that hold. Without either, the most
recent state comes first, which is depth-first search. The search prunes dead patterns and is complete apart from
them, so it decides unreachability, too.
"""

from dataclasses import replace

import numpy as np

from puzzlemc.mc.astar import search
from puzzlemc.mc.astar.problem import Problem, moves_object, prepare
from puzzlemc.mc.astar.space import Chunks, bytes_per_state, no_run
from puzzlemc.mc.heuristics.pairs import no_pairs
from puzzlemc.mc.heuristics.stubborn import no_stubborn_sets
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.packed.layout import Layout, Shorts
from puzzlemc.mc.packed.tables import INFINITE
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict, within_limits

FEW = 1 << 14  # states that a search sees before it restarts with dead triples


def best_first(model: Model, metric: str, budget: Budget, *, most_states: int | None = None) -> Verdict:
    """Decide reachability by greedy best-first search; the trace is not claimed to be optimal.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises Unsuitable if compiled search cannot take the
    model, unless the initial state is a goal state.
    """
    start = initial_state(model)
    if holds(model.goal, start):
        return Reachable(Trace((start,), ()), 0, metric != ANY, Statistics(1, 1))
    # Actions that only change the location are free here, so that one row represents a region under any metric.
    step_costs = [int(moves_object(model, action)) for action in model.actions]

    def attempt() -> Verdict:
        capacity = budget.limits.memory // bytes_per_state(Layout(model).words)
        most = capacity if most_states is None else min(capacity, most_states)
        for patterns, states in ((2, min(FEW, most)), (3, most)):
            problem = prepare(model, step_costs, budget, patterns=patterns, both_ends=False, cheapest=False)
            verdict = _search(problem, metric, budget, states)
            if not isinstance(verdict, Unknown) or states == most:
                break
        if isinstance(verdict, Unknown) and most == capacity:
            return Unknown("memory", budget.bound, verdict.statistics)
        return verdict

    return within_limits(budget, attempt)


def _search(problem: Problem, metric: str, budget: Budget, most: int) -> Verdict:
    side = problem.forward
    if not side.tables.distance.shape[2]:
        weights = _weights(problem.model, problem.layout)
        side.tables = side.tables._replace(
            weights=weights, largest_increase=side.tables.largest_increase + int(weights.sum())
        )
    mask, value = problem.goal_mask, problem.goal_value
    hit, chunks, best = -1, Chunks(budget), no_run()
    # No stubborn sets, since the reached states are the invariant. No pairs, since h must be computed once.
    constants = side.tables, side.frozen, no_stubborn_sets(problem.layout), no_pairs()

    def close(most_steps: int) -> int:
        nonlocal hit
        status, hit, _ = search.search(*constants, mask, value, side.space, best, INFINITE - 1, most_steps, True)
        return int(status)

    while True:
        side.grow()
        status = chunks.run(close)
        if status == search.FOUND:
            verdict = problem.reachable(side.actions_to(hit)[::-1], metric, optimal=False)
            return replace(verdict, optimal=metric != ANY and verdict.cost == 0)  # nothing costs less
        if status == search.ENDED:
            invariant = problem.dead.invariant(side.space, side.tables, backward=False)
            return Unreachable(invariant, problem.statistics())
        if side.size >= most:
            return Unknown("bound", budget.bound, problem.statistics())


def _weights(model: Model, layout: Layout) -> Shorts:
    """The weight that each bit adds to the potential if it holds, shifted so that no weight is negative."""

    weights = np.zeros(len(layout.bits), np.int32)
    for (b, value), weight in model.hints.potential.items():
        weights[layout.place(b)] += weight if value else -weight
    return weights - min(0, int(weights.min()))
