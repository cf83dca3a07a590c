"""Breadth-first search over a step system: a solution with the fewest steps, or the proof that there is none.

States that break a bound of the system, or are lost by its frozen bits, are left out. A step that could not be
computed might win. So no solution with more steps is optimal, and a search without a solution is *unknown*. Each
step costs 1. The state after a winning step is not stored.

A width search keeps pace (see `plans`). Under `any`, its solution is the answer. Under another metric the solution
is optimal once all states are expanded from which a shorter one could go on.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED, StateTable
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.steps.frontier import Frontier, advance
from puzzlemc.mc.steps.plans import PlanSearch
from puzzlemc.mc.steps.proof import proof_of
from puzzlemc.mc.steps.runs import winning_trace
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict, within_limits
from puzzlemc.mc.words import view

CAPACITY = 1 << 10  # states at the beginning; a power of two
MANY, GROWTH = 1 << 21, 8  # states, which take some ten seconds; and the factor after that
SEEN = 2048  # steps

Otherwise: TypeAlias = Callable[[Sequence[tuple[State, State]], int], Verdict | None]


def breadth_first(
    system: StepSystem,
    metric: str,
    budget: Budget,
    most_states: int | None = None,
    otherwise: Otherwise | None = None,
) -> Verdict:
    """Decide whether a step system can win, with the fewest steps.

    Stops with *unknown*, reason `bound`, past `most_states`. Once there are MANY states, and each time that there
    are GROWTH times as many, `otherwise` is asked for a verdict, which ends the search; it is given some steps of
    the search, as pairs of states, and the number of states. Raises Unsuitable if an action does not cost 1,
    ModelError if it has no cost for the metric.
    """
    if any(cost_of(action, metric) != 1 for action in system.actions):
        raise Unsuitable("it has actions that do not cost 1")
    return within_limits(budget, lambda: _search(system, metric, budget, most_states, otherwise))


def _search(
    system: StepSystem,
    metric: str,
    budget: Budget,
    most_states: int | None,
    otherwise: Otherwise | None,
) -> Verdict:
    layout, start = Layout(system), initial_state(system)
    space = Frontier(layout.pack(start), CAPACITY, system.bounds, system.frozen)
    if holds(system.goal, start):
        return Reachable(Trace((start,), ()), 0, metric != ANY, Statistics(1, 1))
    plans = PlanSearch(system, layout, layout.pack(start), budget)
    best: Reachable | None = None
    status, many, turns = PAUSED, MANY, Turns(budget)
    try:
        while status not in (ENDED, FOUND):
            if most_states is not None and space.used > most_states:
                raise LimitReached("bound")
            if best is None and otherwise is not None and space.used > many:
                if (verdict := otherwise(_steps_of(layout, space, many), many)) is not None:
                    return verdict
                many *= GROWTH
            try:
                free = budget.limits.memory - plans.bytes
                status = turns.turn(partial(advance, space, system.steps, free), plans.due - space.expanded)
            except LimitReached as reached:
                if reached.reason == "memory" and plans.stop():
                    continue
                raise
            budget.record_bound(_bound(space))
            if status != PAUSED or space.expanded < plans.due:
                continue
            if (found := plans.follow(space.expanded)) is not None:
                if metric == ANY:
                    return found
                best = found
                budget.record_plan(best.cost, partial(replace, best))
            if best is not None and best.cost <= _bound(space):
                return replace(
                    best,
                    optimal=True,
                    statistics=Statistics(space.depth, space.used),
                    proof=partial(proof_of, system, space, metric, best.cost),
                )
    except LIMITS as limit:
        return Unknown(reason_of(limit), budget.bound, Statistics(space.depth, space.used), best=best)
    statistics = Statistics(space.depth, space.used)
    if status == FOUND:
        cost = space.depth + 1
        is_optimal = metric != ANY and cost <= _bound(space)
        proof = partial(proof_of, system, space, metric, cost) if is_optimal else None
        note = "" if is_optimal or metric == ANY else system.unsettled
        rows = np.asarray(space.rows)[space.way(space.expanded)]
        trace = winning_trace(system, layout, rows, [*space.path(space.expanded), space.won_by])
        return Reachable(trace, cost, is_optimal, statistics, proof, note)
    if best is not None:
        raise Refuted(f"a search has a trace of cost {best.cost}, and another one has found none")
    if space.unsettled >= 0:
        return Unknown("bound", _bound(space), statistics, note=system.unsettled)
    proof = partial(proof_of, system, space, metric, None)
    return Unreachable(lambda state: _is_dead(system, layout, space, state), statistics, proof)


def _steps_of(layout: Layout, space: Frontier, states: int) -> list[tuple[State, State]]:
    """Some steps that the search made to the first states, from all their depths."""
    rows = np.asarray(space.rows)
    numbers = np.linspace(1, states - 1, min(SEEN, states - 1), dtype=np.int64)
    return [(layout.read(rows[space.parent[number]]), layout.read(rows[number])) for number in numbers]


def _bound(space: Frontier) -> int:
    """No solution has fewer steps: all states of smaller depths are expanded, and all their steps are computed."""
    return 1 + (space.depth if space.unsettled < 0 else min(space.depth, space.unsettled))


def _is_dead(system: StepSystem, layout: Layout, space: Frontier, state: State) -> bool:
    """Is a state among those of a search that found no goal, beyond the bounds, or lost by frozen bits?"""
    table = StateTable(1, system.steps.words, 1)
    table.rows = view(layout.pack(state)[None, :].copy())
    if space.number_of(layout.pack(state)) >= 0 or system.bounds.are_broken(table, 0):
        return True
    return system.frozen is not None and system.frozen.is_lost(table, 0)
