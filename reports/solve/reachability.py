"""Reachability: is there a run to the goal, and which one costs least?"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.engines.portfolio import Decision
from puzzlemc.mc.engines.registry import PLAN_FINDER, engine
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.lexicographic import COMMA, second
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict
from puzzlemc.reports.solve.question import Question, conclude, decide, evidence
from puzzlemc.reports.solve.result import Result, bounded
from puzzlemc.reports.workers.worker import next_stage

# The budget for improving a trace, in expanded positions: a base, a share for each move, and one for each
# STATES_A_WORK states that the search has seen.
WORK, WORK_A_MOVE, STATES_A_WORK = 200, 5, 64
MOST_WORK = 1 << 16
SOON = 1 << 14  # states of a search for a lower bound on the cost of a solution that is accepted as it is


def solve_reachability(question: Question) -> Result:
    """Decide whether the level has a solution, and find a cheapest one.

    Raises Refuted if the plain rules do not confirm a trace, or if a trace costs less than a proved bound.
    """
    encoded = question.encoded()
    solutions = _Solutions(question, encoded)
    question.budget.found = solutions.add
    metric = ANY if question.options.some else question.metric
    decision = decide(question, encoded.model, metric)
    verdict: Verdict = decision.verdict
    # A solution says more than a bound alone.
    run = solutions.cheapest(verdict.best) if isinstance(verdict, Unknown) else None
    if run is not None:
        verdict = replace(run, optimal=False, statistics=verdict.statistics)
    elif question.options.some and isinstance(verdict, Reachable):
        solutions.add(verdict)
    is_late = run is not None and isinstance(decision.verdict, Unknown) and decision.verdict.reason in TIME
    moves = partial(_moves, question, encoded, verdict, is_late=is_late)
    search = question.searched(decision.engine, decision.diagrams, verdict)
    question.known = result = conclude(question, verdict, search, moves)
    if run is not None and isinstance(decision.verdict, Unknown):
        question.known = result = replace(result, reason=decision.verdict.reason)
    if result.verdict == "solvable" and not result.optimal and question.rules.proofs.better_than is None:
        result = _with_bound(question, encoded.model, metric, decision, result)
    return replace(result, proof=evidence(question, decision.verdict))


def _with_bound(question: Question, model: Model, metric: str, decision: Decision, result: Result) -> Result:
    """Add the proved lower bound to a solution, if there is one. Raises Refuted if the solution costs less."""
    budget, verdict = question.budget, decision.verdict
    if isinstance(verdict, Unknown):
        return result if metric == ANY else bounded(result, verdict.bound, metric)
    if metric == ANY:
        if decision.engine != PLAN_FINDER.name or question.options.some:
            return result
        own = question.rules.metrics[0]
        return bounded(result, _short_search(model, own, budget), own)
    if second(metric):  # a bound by the first of two metrics: its cost, if that is proved
        return bounded(result, budget.bound, metric)
    return bounded(result, budget.bound, metric) if budget.bound else result


def _short_search(model: Model, metric: str, budget: Budget) -> int:
    """Search for a cheapest solution for a short time; return the lower bound that this proves."""
    rest = budget.rest()
    try:
        verdict = engine("explicit")(model, metric, rest, most_states=SOON)
    except Unsuitable:
        return 0
    return verdict.cost if isinstance(verdict, Reachable) else rest.bound


def _moves(question: Question, encoded: Encoded, verdict: Verdict, *, is_late: bool) -> Sequence[str]:
    """The moves of a trace, improved if the puzzle can do that and there is time. Raises Refuted.

    The work of the improvement depends on counted states and never on time, so the moves are the same in each run.
    """
    assert isinstance(verdict, Reachable)
    rules, metric = question.rules, question.metric
    improves = rules.improve is not None and not second(metric) and not is_late
    moves = encoded.moves(verdict.trace)
    if not improves or rules.improve is None:
        return moves
    if question.better is not None and not question.options.some:
        next_stage()  # the work is counted, and ends at the same point in each run
    work = WORK + WORK_A_MOVE * len(moves) + (verdict.statistics.states or 0) // STATES_A_WORK
    return rules.improve(question.level, moves, metric, min(work, MOST_WORK))


class _Solutions:
    """The solutions that a search finds on its way: the plain rules replay each, and the cheapest is kept."""

    def __init__(self, question: Question, encoded: Encoded) -> None:
        self._question = question
        self._encoded = encoded
        metric = question.metric if question.metric != ANY else question.rules.metrics[0]
        self._metrics = metric.split(COMMA)
        self._best: Reachable | None = None

    def add(self, run: Reachable) -> None:
        """Take a run. Raises Refuted if the plain rules do not confirm it."""
        if self.cheapest(run) is not run:
            return
        self._best = run
        question = self._question
        if question.better is not None:
            verdict = replace(run, optimal=False, cost=run.trace.cost(self._metrics[0]))
            search = question.searched(question.options.engine, verdict=run)
            moves = partial(self._encoded.moves, run.trace)
            question.better(conclude(question, verdict, search, moves, draw=False))

    def cheapest(self, other: Reachable | None) -> Reachable | None:
        """The cheaper one of the best so far and another."""
        runs = [run for run in (self._best, other) if run is not None]
        return min(runs, key=lambda run: [run.trace.cost(name) for name in self._metrics], default=None)
