"""A* over packed states in compiled code, with dead patterns: the fastest engine if there are few states.

If the goal states can be listed, the search is bidirectional, with the stopping rule of `search.meet`; else it
starts from the initial state alone. Walks are not steps of the search; the trace is completed by them afterwards.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from puzzlemc.mc.astar import search
from puzzlemc.mc.astar.problem import Problem, moves_object, prepare
from puzzlemc.mc.astar.proof import proof_of
from puzzlemc.mc.astar.space import (
    Chunks,
    bytes_per_state,
    canonical_states,
    is_going_on,
    no_run,
    number_of,
    start_space,
)
from puzzlemc.mc.astar.wave_sides import can_use_waves
from puzzlemc.mc.engines.plan_finder import PlanFinder
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.engines.wavefront import by_waves
from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed import buckets
from puzzlemc.mc.packed.layout import Layout, Numbers
from puzzlemc.mc.packed.tables import NEVER
from puzzlemc.mc.proofs.proof import Form, Proof
from puzzlemc.mc.verdict import (
    LazyProof,
    Reachable,
    Unknown,
    Unreachable,
    Verdict,
    cheapest,
    extracted,
    within_limits,
)

# Number of objects in a dead pattern -> states that a search sees before it restarts with larger patterns.
PATTERNS = {1: 1 << 14, 2: 1 << 18}
BESIDE_WALKS = 2  # if walks cost something, pairs are used at once; triples would prune little more
PLANS_FROM = 1 << 18  # states that a search sees before it calls the plan finder
PROVING = {1: 1 << 25}  # the same for a search that proves: proofs allow no dead patterns but single objects


def explicit(
    model: Model,
    metric: str,
    budget: Budget,
    *,
    most_states: int | None = None,
    compiled_only: bool = False,
    proving: Form | None = None,
) -> Verdict:
    """Decide by `astar` if it can take the model, else by `uniform_cost`.

    With `compiled_only`, raises Unsuitable if `astar` cannot take the model.
    """
    try:
        return astar(model, metric, budget, most_states, proving=proving)
    except Unsuitable:
        if compiled_only:
            raise
        return uniform_cost(model, metric, budget)


def astar(
    model: Model, metric: str, budget: Budget, most_states: int | None = None, *, proving: Form | None = None
) -> Verdict:
    """Decide reachability of the goal by A*, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. With `proving`, the verdict has a proof that lists
    states in this form, if the model allows it; the search then uses smaller dead patterns. Raises Unsuitable if
    the model has formulas that are no cubes, or more than one initial state; ModelError if an action has no cost
    for the metric.
    """
    if metric == ANY and model.hints.objects:  # any plan will do, so walks are free
        step_costs = [int(moves_object(model, action)) for action in model.actions]
    else:
        step_costs = [cost_of(action, metric) for action in model.actions]

    plans = PlanFinder(model, metric, budget)

    def attempt() -> Verdict:
        capacity = budget.limits.memory // bytes_per_state(Layout(model).words)
        most = capacity if most_states is None else min(capacity, most_states)
        tries, last = PROVING if proving else PATTERNS, max(PATTERNS) + 1
        kept: Proof | None = None
        walks_cost = any(
            step_cost and not moves_object(model, model.actions[n]) for n, step_cost in enumerate(step_costs)
        )
        if walks_cost and not proving:
            tries, last = {}, BESIDE_WALKS
        for patterns, states in (*tries.items(), (last, most)):
            problem = prepare(model, step_costs, budget, patterns=patterns)
            form = proving if patterns == 1 else None
            if can_use_waves(problem) and not proving:
                found = by_waves(problem, metric, budget, most_states, plans)
                verdict = found or _search(_without_costs(problem, budget), metric, budget, most, plans)
            else:
                verdict = _search(problem, metric, budget, min(states, most), plans, proving=form)
            if not (isinstance(verdict, Unknown) and verdict.reason == "bound") or states >= most:
                break
            if proving:  # the next search may end unknown, too, and replaces this one
                kept = extracted(verdict.proof)
        if isinstance(verdict, Unknown) and verdict.reason == "bound" and most == capacity:
            verdict = replace(verdict, reason="memory", bound=budget.bound)
        if isinstance(verdict, Unknown) and verdict.proof is None:
            verdict = replace(verdict, proof=kept)
        return verdict

    verdict = within_limits(budget, attempt)
    if isinstance(verdict, Unknown):
        verdict = replace(verdict, best=cheapest(verdict.best, plans.best))
    return verdict


def _search(
    problem: Problem, metric: str, budget: Budget, most: int, plans: PlanFinder, *, proving: Form | None = None
) -> Verdict:
    forward, backward = problem.forward, problem.backward
    best = no_run()
    if backward is not None and (at := number_of(backward.space, forward.space.rows[0])) >= 0:
        best[:] = 0, 0, at
    limit, hit = 0, -1
    split = np.zeros(3, np.int64)
    exhausted = np.zeros((len(problem.sides), 3), np.int64)

    def close(most_steps: int) -> int:
        nonlocal limit, hit
        if backward is None:
            mask, value = problem.goal_mask, problem.goal_value
            status, hit, limit = search.search(
                *forward.constants, mask, value, forward.space, best, limit, most_steps, False
            )
            exhausted[0] = NEVER, limit if status != search.ENDED else NEVER, limit
        else:
            constants = zip(forward.constants, backward.constants, strict=True)
            spaces = forward.space, backward.space
            status, limit = search.meet(
                *constants, *spaces, best, limit, split, exhausted, problem.least_step_cost, most_steps
            )
        budget.prove(min(limit, int(best[0])))
        if best[0] < NEVER and metric != ANY and is_going_on(int(status)):
            budget.find(int(best[0]), partial(best_run, optimal=False))
        return int(status)

    def proof(cost: int | None) -> LazyProof | None:
        if proving is None or (cost is not None and metric == ANY):
            return None
        return partial(proof_of, problem, proving, metric, cost, exhausted)

    def best_run(*, optimal: bool) -> Reachable:
        if best[1] < 0 and plans.best is not None and plans.best.cost == best[0]:
            return replace(plans.best, optimal=optimal, statistics=problem.statistics())
        return problem.reachable(_actions_met(problem, best), metric, optimal=optimal)

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if best[0] < NEVER else None
        return Unknown(
            reason, budget.bound, problem.statistics(limit), proof(min(limit, int(best[0]))), best=found
        )

    chunks, status = Chunks(budget), search.PAUSED
    try:
        while is_going_on(status):
            size = sum(side.size for side in problem.sides)
            plans.search_if_due(size, PLANS_FROM)
            if plans.best is not None and plans.best.cost < best[0] and not proving:
                best[:] = plans.best.cost, -1, -1
            if size >= most:
                return unknown("bound")
            for side in problem.sides:
                side.grow()
            status = chunks.run(close)
            if metric == ANY and best[0] < NEVER:
                status = search.MET
    except LimitReached as reached:
        return unknown(reached.reason)
    if status in (search.FOUND, search.MET):
        if status == search.FOUND:
            verdict = problem.reachable(forward.actions_to(hit)[::-1], metric, optimal=metric != ANY)
        else:
            verdict = best_run(optimal=metric != ANY)
        return replace(verdict, proof=proof(verdict.cost)) if verdict.optimal else verdict
    if forward.tables.walk_cost:  # the rows do not cover the states on walks; a search without costs does
        return _search(_without_costs(problem, budget), metric, budget, most, plans, proving=proving)
    return Unreachable(_invariant(problem), problem.statistics(limit), proof=proof(None))


def _without_costs(problem: Problem, budget: Budget) -> Problem:
    """The same problem with cost 0 for every action."""
    return prepare(problem.model, [0] * len(problem.model.actions), budget)


def _invariant(problem: Problem) -> Callable[[State], bool]:
    """The invariant of an exhausted search: the states that one side reached, or that cannot reach the goal."""
    forward, backward, dead = problem.forward, problem.backward, problem.dead
    if buckets.is_over(forward.space) and not forward.uses_stubborn_sets:
        return dead.invariant(forward.space, forward.tables, backward=False)
    if backward is not None and buckets.is_over(backward.space):
        return dead.invariant(backward.space, backward.tables, backward=True)
    reached = dead.invariant(forward.space, forward.tables, backward=False)
    return lambda state: reached(state) or (problem.model.hints.allow(state) and _is_dead(problem, state))


def _is_dead(problem: Problem, state: State) -> bool:
    """Is the goal unreachable from the state? Decided by a new search. The state must satisfy `Hints.allow`."""
    layout, forward = problem.layout, problem.forward
    side = replace(
        forward, space=start_space(canonical_states(forward.tables, layout.from_integers([layout.integer(state)])))
    )
    mask, value, chunks, status = problem.goal_mask, problem.goal_value, Chunks(Budget()), search.PAUSED

    def close(most_steps: int) -> int:
        found = search.search(*side.constants, mask, value, side.space, no_run(), 0, most_steps, False)
        return int(found[0])

    while is_going_on(status):
        side.grow()
        status = chunks.run(close)
    return status == search.ENDED


def _actions_met(problem: Problem, best: Numbers) -> list[int]:
    """The numbers of the actions of the plan through the rows where the sides met."""

    assert problem.backward is not None
    before = problem.forward.actions_to(int(best[1]))
    return before[::-1] + problem.backward.actions_to(int(best[2]))
