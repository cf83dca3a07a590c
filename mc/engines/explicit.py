"""A* over packed states in compiled code, with dead patterns: the fastest engine if there are few states.

If the goal states can be listed, the search is bidirectional, with the stopping rule of `search.meet`; else it
starts from the initial state alone. Walks are not steps of the search; the trace is completed by them afterwards.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress

import numpy as np

from puzzlemc.mc.astar import search, space, waves
from puzzlemc.mc.astar.problem import Problem, Side, prepare
from puzzlemc.mc.astar.proof import proof_of
from puzzlemc.mc.astar.search import MET
from puzzlemc.mc.astar.sides import Goal, Progress
from puzzlemc.mc.astar.space import canonical_states, is_going_on, start_space
from puzzlemc.mc.astar.unfold import unfolded
from puzzlemc.mc.astar.wave_sides import can_use_waves, wave_sides
from puzzlemc.mc.engines.parts import bound_of_parts, groups_of
from puzzlemc.mc.engines.plan_finder import PlanFinder
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, step_costs
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import changing
from puzzlemc.mc.packed.costs import NEVER
from puzzlemc.mc.proofs.proof import Form, Proof
from puzzlemc.mc.search import buckets
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import (
    LazyProof,
    Reachable,
    Statistics,
    Unknown,
    Unreachable,
    Verdict,
    cheapest,
    resolved,
    within_limits,
)

# Number of objects in a dead pattern -> states that a search sees before it restarts with larger patterns.
PATTERNS = {1: 1 << 14, 2: 1 << 18}
BESIDE_WALKS = 2  # if walks cost something, pairs are used at once; triples would prune little more
PLANS_FROM = 1 << 19  # states that a search sees before it calls the plan finder
WAVES_PLANS_FROM = 1 << 22  # if walks cost something, plans prune little
TRIPLES_FROM = 1 << 18  # states that a search sees before it uses the bound of triples
SOON_SECONDS = (
    0.05  # a search that ends within this time records no plans on its way: that takes longer than easy levels
)
PART_STATES = 1 << 18  # states of the search for the plan of a group of objects
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
    """Decide by `astar` if it can take the model, a step system by `breadth_first`, else by `uniform_cost`.

    With `compiled_only`, raises Unsuitable if `astar` cannot take the model.
    """
    if isinstance(model, StepSystem):
        otherwise = None if model.formulas is None else partial(_by_parities, model, budget)
        return breadth_first(model, metric, budget, most_states, otherwise)
    try:
        return astar(model, metric, budget, most_states, proving=proving)
    except Unsuitable:
        if compiled_only:
            raise
        return uniform_cost(model, metric, budget, most_states=most_states, proving=proving == "bits")


def _by_parities(
    model: StepSystem, budget: Budget, seen: Sequence[tuple[State, State]], states: int
) -> Verdict | None:
    from puzzlemc.mc.engines.parities import by_parities, effort_beside  # few models need it

    return by_parities(model, budget, seen, effort_beside(states))


def astar(
    model: Model, metric: str, budget: Budget, most_states: int | None = None, *, proving: Form | None = None
) -> Verdict:
    """Decide reachability of the goal by A*, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. With `proving`, the verdict has a proof that lists
    states in this form, if the model allows it; the search then uses smaller dead patterns. Raises Unsuitable if
    the model has formulas that are no cubes, or more than one initial state; ModelError if an action has no cost
    for the metric.
    """
    moves_object = changing(model.actions, model.hints.objects)
    if metric == ANY and model.hints.objects:  # any plan will do, so walks are free
        costs = list(map(int, moves_object.tolist()))
    else:
        costs = step_costs(model.actions, metric)

    plans = PlanFinder(model, metric, budget)

    def attempt() -> Verdict:
        most = NEVER if most_states is None else most_states
        tries, last = PROVING if proving else PATTERNS, max(PATTERNS) + 1
        kept: Proof | None = None
        statistics = Statistics(states=0)  # of all searches together
        walks_cost = any(compress(costs, (~moves_object).tolist()))
        if walks_cost and not proving:
            tries, last = {}, BESIDE_WALKS
        for patterns, states in (*tries.items(), (last, most)):
            problem = prepare(model, costs, budget, patterns=patterns)
            form = proving if patterns == 1 else None
            if not proving and patterns == last:
                problem.use_images()
            if can_use_waves(problem) and not proving:
                found = by_waves(problem, metric, budget, most_states, plans)
                verdict = found or _search(_without_costs(problem, budget), metric, budget, most, plans)
            else:
                verdict = _search(problem, metric, budget, min(states, most), plans, proving=form)
            statistics = verdict.statistics.after(statistics)
            if not (isinstance(verdict, Unknown) and verdict.reason == "bound") or states >= most:
                break
            if proving:  # the next search may end unknown, too, and replaces this one
                kept = resolved(verdict.proof)
        if isinstance(verdict, Unknown) and verdict.proof is None:
            verdict = replace(verdict, proof=kept)
        return replace(verdict, statistics=statistics)

    verdict = within_limits(budget, attempt)
    if isinstance(verdict, Unknown):
        verdict = replace(verdict, best=cheapest(verdict.best, plans.best))
    return verdict


def _search(
    problem: Problem, metric: str, budget: Budget, most: int, plans: PlanFinder, *, proving: Form | None = None
) -> Verdict:
    forward, backward, began = problem.forward, problem.backward, time.perf_counter()
    progress, goal = Progress(len(problem.sides)), Goal(problem.goal_mask, problem.goal_value)
    if backward is not None and (at := backward.space.number_of(np.asarray(forward.space.rows)[0])) >= 0:
        progress.best, progress.row, progress.opposite = 0, 0, at

    def close(most_steps: int) -> int:
        if backward is None:
            status = search.search(forward, goal, progress, most_steps, False)
            ended = NEVER if status == ENDED else progress.limit
            np.asarray(progress.exhausted)[0] = NEVER, ended, progress.limit
        else:
            status = search.meet(forward, backward, progress, problem.least_step_cost, most_steps)
        budget.record_bound(min(progress.limit, progress.best))
        is_kept = progress.best < NEVER and metric != ANY and is_going_on(status)
        if is_kept and time.perf_counter() > began + SOON_SECONDS:
            budget.record_plan(progress.best, partial(best_run, optimal=False))
        return status

    def proof(cost: int | None) -> LazyProof | None:
        if proving is None or (cost is not None and metric == ANY):
            return None
        return partial(proof_of, problem, proving, metric, cost, np.asarray(progress.exhausted))

    def best_run(*, optimal: bool) -> Reachable:
        if progress.row >= 0:
            return found_by(_actions_met(problem, progress), optimal=optimal)
        # At a limit, the plan finder may have a cheaper plan than the one that gave `progress.best`.
        assert plans.best is not None
        return replace(plans.best, optimal=optimal, statistics=problem.statistics(progress.limit))

    def found_by(actions: Sequence[int], *, optimal: bool) -> Reachable:
        found = problem.reachable(actions, metric, optimal=optimal)
        return replace(found, statistics=problem.statistics(progress.limit))

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if progress.best < NEVER else None
        proved = proof(min(progress.limit, progress.best))
        return Unknown(reason, budget.bound, problem.statistics(progress.limit), proved, best=found)

    turns, status, uses_triples, proved = Turns(budget), PAUSED, False, 0
    try:
        while is_going_on(status):
            size = sum(side.size for side in problem.sides)
            met = partial(best_run, optimal=False) if progress.row >= 0 and proving is None else None
            plans.search_if_due(size, PLANS_FROM, met)
            if plans.best is not None and plans.best.cost < progress.best and not proving:
                progress.best, progress.row, progress.opposite = plans.best.cost, -1, -1
            if progress.best <= proved:
                status = MET
                break
            if size >= most:
                return unknown("bound")
            if problem.bytes > budget.limits.memory:
                return unknown("memory")
            if size >= TRIPLES_FROM and proving is None and not uses_triples:
                uses_triples = True
                for side in problem.sides:
                    side.use_triples(problem.layout, budget)
                if metric != ANY and (groups := next(groups_of(problem), None)) is not None:
                    solve = partial(astar, metric=metric, budget=budget.rest(), most_states=PART_STATES)
                    proved, actions = bound_of_parts(problem, groups, solve, budget)
                    budget.record_bound(min(proved, progress.best))
                    if actions is not None:
                        plans.add(found_by(actions, optimal=False).trace.actions)
                    continue
            for side in problem.sides:
                side.grow()
            status = turns.run(close, space.STEPS)
            if metric == ANY and progress.best < NEVER:
                status = MET
    except LimitReached as reached:
        return unknown(reached.reason)
    if status in (FOUND, MET):
        if status == FOUND:
            verdict = found_by(forward.space.path(progress.hit), optimal=metric != ANY)
        else:
            verdict = best_run(optimal=metric != ANY)
        return replace(verdict, proof=proof(verdict.cost)) if verdict.optimal else verdict
    if forward.tables.walks.cost:  # the rows do not cover the states on walks; a search without costs does
        return _search(_without_costs(problem, budget), metric, budget, most, plans, proving=proving)
    return Unreachable(_invariant(problem), problem.statistics(progress.limit), proof=proof(None))


def by_waves(
    problem: Problem, metric: str, budget: Budget, most_states: int | None, plans: PlanFinder
) -> Verdict | None:
    """The verdict on a problem for which `can_use_waves` is true; None if the search ends without a plan.

    Then a search without costs must decide reachability. Stops with *unknown*, reason `bound`, past `most_states`.
    """
    ahead, behind = both = wave_sides(problem)
    progress = waves.WaveProgress()
    capacity = budget.limits.memory // ahead.bytes_per_row
    most = NEVER if most_states is None else most_states
    if (at := behind.waves.number_of(np.asarray(ahead.waves.rows)[0])) >= 0:
        progress.best, progress.row, progress.opposite = 0, 0, at
        progress.code = int(problem.start[0]) & problem.layout.key

    def follow(most_steps: int) -> int:
        status = waves.meet(ahead, behind, progress, most_steps)
        budget.record_bound(min(progress.limit, progress.best))
        if progress.best < NEVER and is_going_on(status):
            budget.record_plan(progress.best, partial(best_run, optimal=False))
        return status

    def best_run(*, optimal: bool) -> Reachable:
        statistics = Statistics(progress.limit + 1, sum(side.size for side in both))
        if progress.row >= 0:
            before = ahead.actions_to(progress.row, progress.code)
            after = behind.actions_to(progress.opposite, progress.code)
            return replace(problem.reachable(before[::-1] + after, metric, optimal=optimal), statistics=statistics)
        # At a limit, the plan finder may have a cheaper plan than the one that gave `progress.best`.
        assert plans.best is not None
        return replace(plans.best, optimal=optimal, statistics=statistics)

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if progress.best < NEVER else None
        statistics = Statistics(progress.limit + 1, sum(side.size for side in both))
        return Unknown(reason, budget.bound, statistics, best=found)

    turns, status = Turns(budget), PAUSED
    try:
        while is_going_on(status):
            size = sum(side.size for side in both)
            plans.search_if_due(size, WAVES_PLANS_FROM)
            if plans.best is not None and plans.best.cost < progress.best:
                progress.best, progress.row, progress.opposite = plans.best.cost, -1, -1
            if size >= most:
                return unknown("bound")
            if size >= capacity:
                return unknown("memory")
            for side in both:
                side.grow()
            status = turns.run(follow, space.STEPS)
    except LimitReached as reached:
        return unknown(reached.reason)
    return best_run(optimal=metric != ANY) if status == MET else None


def _without_costs(problem: Problem, budget: Budget) -> Problem:
    """The problem with cost 0 for every action."""
    return prepare(problem.model, [0] * len(problem.model.actions), budget)


def _invariant(problem: Problem) -> Callable[[State], bool]:
    """The invariant of an exhausted search: the states that one side reached, or that cannot reach the goal."""
    forward, backward, dead = problem.forward, problem.backward, problem.dead
    only_some = forward.uses_stubborn_sets or forward.uses_images
    if buckets.is_over(forward.space) and not only_some:
        return dead.invariant(forward.space, forward.tables, backward=False)
    if backward is not None and buckets.is_over(backward.space) and not backward.uses_images:
        return dead.invariant(backward.space, backward.tables, backward=True)
    reached = dead.invariant(forward.space, forward.tables, backward=False)
    return lambda state: reached(state) or (problem.model.hints.allow(state) and _is_dead(problem, state))


def _is_dead(problem: Problem, state: State) -> bool:
    """Is the goal unreachable from the state? Decided by a new search. The state must satisfy `Hints.allow`."""
    layout, forward = problem.layout, problem.forward
    rows = canonical_states(forward.tables, layout.from_integers([layout.integer(state)]))
    side = Side(forward.tables, forward.frozen, forward.stubborn, forward.pairs, start_space(rows))
    goal, progress = Goal(problem.goal_mask, problem.goal_value), Progress(1)
    turns, status = Turns(Budget()), PAUSED
    while is_going_on(status):
        side.grow()
        status = turns.run(lambda most_steps: search.search(side, goal, progress, most_steps, False), space.STEPS)
    return status == ENDED


def _actions_met(problem: Problem, progress: Progress) -> list[int]:
    """The numbers of the actions of the plan through the rows where the sides met."""

    assert problem.backward is not None
    ahead, behind = problem.forward.space, problem.backward.space
    if problem.forward.uses_images:
        before = np.asarray(ahead.rows)[ahead.way(progress.row)]
        after = np.asarray(behind.rows)[behind.way(progress.opposite)[-2::-1]]
        return unfolded(problem, np.concatenate([before, after]))
    return ahead.path(progress.row) + behind.path(progress.opposite)[::-1]
