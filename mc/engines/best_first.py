"""Best-first search in compiled code: a solution soon, with no claim that it is shortest.

Of the rows that wait one of the least estimate goes first, the latest of them (Pearl 1984). The estimate is the
bound by single objects where a model has it, else the potential: the sum of the weights of the literals that hold.
Where a model has no estimate, the latest state goes first: that is depth-first search. The search
prunes dead patterns and goes through all that is left, so it decides unreachability, too.
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

FEW = 1 << 14  # states that a search sees before dead triples are worth their time


def best_first(model: Model, metric: str, budget: Budget, *, most_states: int | None = None) -> Verdict:
    """Decide reachability by estimate; the trace of a reachable goal is not claimed to be optimal.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises Unsuitable where the model is none for
    compiled search, unless it starts in a goal state.
    """
    start = initial_state(model)
    if holds(model.goal, start):
        return Reachable(Trace((start,), ()), 0, metric != ANY, Statistics(1, 1))
    # Whatever only moves between locations is free here, so that one row stands for a region under any metric.
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
    # What is reached is the invariant; and the bound is asked for once.
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
    """By bit, what it adds to the potential if it holds, raised until none is negative."""
    weights = np.zeros(len(layout.bits), np.int32)
    for (b, value), weight in model.hints.potential.items():
        weights[layout.place(b)] += weight if value else -weight
    return weights - min(0, int(weights.min()))
