"""Searches over the finite-domain variables that are found in a model (`mc/passes/translation.py`).

A* with pattern databases, and a search from both ends with decision diagrams in binary, in turns. They need no
hint: what they know is found in the model itself, in counted work. The answer is in the bits of the model: a run
of the model, or an invariant over its states.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from puzzlemc.mc.engines.invariants import refutation_of, shown_by
from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.passes.translation import Translation, given_task, translation
from puzzlemc.mc.planning.optimal import PatternSearch, is_dead
from puzzlemc.mc.planning.portfolio import Portfolio
from puzzlemc.mc.planning.proof import proof_of
from puzzlemc.mc.planning.satisficing.finders import finders
from puzzlemc.mc.planning.satisficing.improvement import Improvement
from puzzlemc.mc.planning.satisficing.some import FIRST_ROUND, some_plan
from puzzlemc.mc.proofs.proof import Form, Proof
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict, within_limits

GIVEN_ROUNDS = 6  # rounds of the searches for a plan of a task that has no translation, or none so far
GIVEN_SHARE = 6  # each of them may take this part of the memory


def planner(model: Model, metric: str, budget: Budget, *, proving: Form | None = None) -> Verdict:
    """Decide by both in turns; under `any`, by greedy and optimal search in turns.

    With `proving`, the verdict has a proof by the tables and the states of A*. Raises Unsuitable if the model has
    no task.
    """
    has_proof = proving == "bits"
    return (
        _some(model, budget, proving=has_proof)
        if metric == ANY
        else _best(model, metric, budget, proving=has_proof)
    )


def _some(model: Model, budget: Budget, *, proving: bool) -> Verdict:
    if (task := given_task(model)) is not None:
        found = within_limits(budget, lambda: _by_given_task(model, task, budget))
        if isinstance(found, Reachable) or found.reason in TIME:
            return found
    made, whole = translation(model), translation(model, whole=True)
    refutation = refutation_of(whole)

    def attempt() -> Verdict:
        found = some_plan(made.task, budget, refutation.turns(budget))
        if refutation.is_shown:
            return shown_by(whole, refutation)
        statistics = _statistics(made, Statistics(states=found.expanded))
        if found.limit is not None:
            return Unknown(found.limit, budget.bound, statistics)
        if found.plan is None:
            proof = partial(_proof, model, ANY, None, budget) if proving else None
            return Unreachable(partial(made.keeps_out, partial(is_dead, made.task)), statistics, proof)
        return _run(made, found.plan, ANY, statistics, optimal=False)

    return within_limits(budget, attempt)


def _by_given_task(model: Model, task: Task, budget: Budget) -> Reachable | Unknown:
    """A run by a plan of the task that the model was made from, if a few rounds find one. Raises LimitReached.

    Such a task has what a translation cannot have, or must look for: nothing follows if no plan is found.
    """
    part = budget.part(replace(budget.limits, seconds=budget.left, memory=budget.limits.memory // GIVEN_SHARE))
    for found in islice(finders(task, part, FIRST_ROUND), GIVEN_ROUNDS):
        if found is not None and found.plan is not None:
            words = f"{len(model.bits)} bits are those of {len(task.variables)} variables"
            trace = run_of(model, [model.actions[n] for n in found.plan if n < len(model.actions)])
            trace.check(model)
            return Reachable(trace, trace.cost(ANY), False, Statistics(states=found.expanded, found=(words,)))
    return Unknown("bound", budget.bound)


def _best(model: Model, metric: str, budget: Budget, *, proving: bool) -> Verdict:
    made = translation(model)
    search = Portfolio(made.with_metric(metric), budget, Improvement, folds=not proving)
    return within_limits(budget, lambda: _search(made, metric, budget, search, proving=proving))


def _search(made: Translation, metric: str, budget: Budget, search: Portfolio, *, proving: bool) -> Verdict:
    def run(plan: Sequence[int], *, optimal: bool) -> Reachable:
        return _run(made, plan, metric, _statistics(made, search.statistics()), optimal=optimal)

    try:
        for _ in search.turns():
            budget.check()
            if search.best.plan is not None:
                budget.record_plan(search.best.cost, partial(run, search.best.plan, optimal=False))
    except LIMITS as limit:
        plan = search.plan()
        best = None if plan is None else run(plan, optimal=False)
        return Unknown(reason_of(limit), budget.bound, _statistics(made, search.statistics()), best=best)
    plan = search.plan()
    known = (made, search.ended) if isinstance(search.ended, PatternSearch) else None
    prove = partial(_proof, made.model, metric, known=known) if proving and known is not None else None
    if plan is None:
        proof = None if prove is None else partial(prove, None, budget)
        statistics = _statistics(made, search.statistics())
        return Unreachable(partial(made.keeps_out, search.is_closed), statistics, proof)
    found = run(plan, optimal=True)
    return found if prove is None else replace(found, proof=partial(prove, found.cost, budget))


def _proof(
    model: Model,
    metric: str,
    cost: int | None,
    budget: Budget,
    known: tuple[Translation, PatternSearch] | None = None,
) -> Proof | None:
    """The proof of an answer; None if it takes too much.

    It is about a task with all states. If `known` is a search of a smaller one, another search is made.
    """
    try:
        whole = translation(model, whole=True)
        if known is not None and (known[0].task, known[0].groups) == (whole.task, whole.groups):
            return proof_of(whole, known[1], metric, cost)
        task = whole.task if metric == ANY else whole.with_metric(metric)
        search = PatternSearch(task, Budget(replace(budget.limits, seconds=budget.left)))
        for _ in search.turns():
            budget.check()
        return proof_of(whole, search, metric, cost)
    except (*LIMITS, Unsuitable):
        return None


def _run(
    made: Translation, plan: Sequence[int], metric: str, statistics: Statistics, *, optimal: bool
) -> Reachable:
    """The run of the model by a plan, replayed."""
    trace = made.trace(plan)
    trace.check(made.model)
    return Reachable(trace, trace.cost(metric), optimal, statistics)


def _statistics(made: Translation, size: Statistics) -> Statistics:
    """The size of a search, and what was found in the model."""
    task = made.task
    groups = [size for size in task.domains if size > 2]
    words = (
        f"{len(made.model.bits)} bits, of which {len(made.bits)} change, are {len(task.variables)} variables,"
        f" {len(groups)} of them with up to {max(groups)} values"
        if groups
        else f"{len(made.model.bits)} bits, of which {len(made.bits)} change, are {len(task.variables)} variables"
    )
    return replace(size, found=(f"{words}; {len(task.operators)} operators", *size.found))
