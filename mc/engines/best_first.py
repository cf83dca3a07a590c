"""Greedy best-first search in compiled code: finds some plan fast, without a claim of optimality.

The search expands an open state of least h, the most recent one first (Pearl 1984). h is the assignment bound if
the model has one, else the potential: the sum of the weights of the literals that hold. Without either, the most
recent state comes first, which is depth-first search. The search prunes dead patterns and is complete apart from
them, so it decides unreachability, too.
"""

from dataclasses import replace

import numpy as np

from puzzlemc.mc.astar import search, space
from puzzlemc.mc.astar.problem import Problem, prepare
from puzzlemc.mc.astar.sides import Goal, Progress
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import changing
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.packed.costs import INFINITE, NEVER
from puzzlemc.mc.packed.layout import Layout, Shorts
from puzzlemc.mc.search.state_table import ENDED, FOUND
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict, within_limits
from puzzlemc.mc.words import view

# Number of objects in a dead pattern -> states that a search sees before it restarts with larger patterns.
PATTERNS = {1: 1 << 10, 2: 1 << 14}


def best_first(model: Model, metric: str, budget: Budget, *, most_states: int | None = None) -> Verdict:
    """Decide reachability by greedy best-first search; the trace is not claimed to be optimal.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises Unsuitable if compiled search cannot take the
    model, unless the initial state is a goal state.
    """
    start = initial_state(model)
    if holds(model.goal, start):
        return Reachable(Trace((start,), ()), 0, metric != ANY, Statistics(1, 1))
    # Actions that only change the location are free here, so that one row represents a region under any metric.
    step_costs = list(map(int, changing(model.actions, model.hints.objects)))

    def attempt() -> Verdict:
        most = NEVER if most_states is None else most_states
        for patterns, limit in (*PATTERNS.items(), (max(PATTERNS) + 1, most)):
            states = min(limit, most)
            # Without stubborn sets, the reached states are the invariant. Without pairs, h is computed once.
            problem = prepare(model, step_costs, budget, patterns=patterns, both_ends=False, cheapest=False)
            verdict = _search(problem, metric, budget, states)
            if not isinstance(verdict, Unknown) or verdict.reason == "memory" or states == most:
                break
        return verdict

    return within_limits(budget, attempt)


def _search(problem: Problem, metric: str, budget: Budget, most: int) -> Verdict:
    side, tables = problem.forward, problem.forward.tables
    if not tables.distance.shape[2]:
        weights = _weights(problem.model, problem.layout)
        tables.weights = view(weights)
        tables.largest_increase += int(weights.sum())
    goal, progress, turns = Goal(problem.goal_mask, problem.goal_value), Progress(1), Turns(budget)
    progress.limit = INFINITE - 1
    while True:
        side.grow()
        status = turns.run(lambda most_steps: search.search(side, goal, progress, most_steps, True), space.STEPS)
        if status == FOUND:
            verdict = problem.reachable(side.space.path(progress.hit), metric, optimal=False)
            return replace(verdict, optimal=metric != ANY and verdict.cost == 0)  # nothing costs less
        if status == ENDED:
            invariant = problem.dead.invariant(side.space, side.tables, backward=False)
            return Unreachable(invariant, problem.statistics())
        if side.size >= most:
            return Unknown("bound", budget.bound, problem.statistics())
        if side.bytes > budget.limits.memory:
            return Unknown("memory", budget.bound, problem.statistics())


def _weights(model: Model, layout: Layout) -> Shorts:
    """The weight that each bit adds to the potential if it holds, shifted so that no weight is negative."""

    weights = np.zeros(len(layout.bits), np.int32)
    for (b, value), weight in model.hints.potential.items():
        weights[layout.place(b)] += weight if value else -weight
    return weights - int(weights.min(initial=0))
