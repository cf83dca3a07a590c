"""Reachability: is there a run to the goal, and which one costs least?

A constraint is a model without actions: is there a position that meets all conditions? The moves of its solution
construct it at no cost.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.engines.portfolio import Decision, auto
from puzzlemc.mc.engines.registry import PLAN_FINDER, Option, Variant, engine
from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.lexicographic import COMMA, first, second
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.proof import Form
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable
from puzzlemc.reports.solve.options import formulas_elsewhere
from puzzlemc.reports.solve.question import Claim, LowerBound, Outcome, Question
from puzzlemc.reports.solve.result import Search
from puzzlemc.reports.workers.worker import next_stage

# The budget for improving a trace, in expanded positions: a base, a share for each move, and one for each
# STATES_A_WORK states that the search has seen.
WORK, WORK_A_MOVE, STATES_A_WORK = 200, 5, 64
MOST_WORK = 1 << 16
SOON = 1 << 12  # states of a search for a lower bound on the cost of a solution that is accepted as it is


def solve_reachability(question: Question) -> Outcome:
    """Decide whether the level has a solution, and find a cheapest one.

    Raises Refuted if the plain rules do not confirm a solution that the search finds on its way.
    """
    if question.options.some and question.known is not None:
        return _improved(question, question.known)
    encoded = question.encoded if question.known is None else _with_plan(question.encoded, question.known)
    solutions = _Solutions(question, encoded)
    question.budget.found = solutions.add
    decision = decide(question, encoded.model)
    question.budget.found = (
        None  # which knows the question: without this cycle the memory of a level is free at once
    )
    verdict = decision.verdict
    reason: str | None = None
    if isinstance(verdict, Reachable):
        run = verdict
        if question.options.some:
            solutions.add(run)
            _improve_further(question, encoded.moves(run.trace), run.statistics)
    elif isinstance(verdict, Unknown) and (best := solutions.cheapest(verdict.best)) is not None:
        run, reason = replace(best, optimal=False), verdict.reason  # a solution says more than a bound alone
    else:
        return without_solution(question, verdict)
    return Outcome(
        "solvable",
        question.search,
        _moves(question, encoded, run, verdict.statistics, is_late=reason in TIME),
        optimal=run.optimal,
        claim=claim_of(question, run),
        below=None if run.optimal else _lower_bound(question, encoded.model, decision),
        reason=reason,
        note=verdict.note if isinstance(verdict, Reachable) else "",
        proof=verdict.proof,
    )


def solve_constraint(question: Question) -> Outcome:
    """Decide whether a constraint has a solution."""
    encoded = question.encoded
    verdict = decide(question, encoded.model).verdict
    if not isinstance(verdict, Reachable):
        return without_solution(question, verdict)
    return Outcome(
        "solvable",
        question.search,
        encoded.moves(verdict.trace),
        optimal=verdict.optimal,
        claim=claim_of(question, verdict),
        proof=verdict.proof,
    )


def decide(question: Question, model: Model) -> Decision:
    """Decide reachability of the model's goal by the engine that the options choose; note the search."""
    options, rules, budget = question.options, question.rules, question.budget
    metric = question.searched_metric
    diagrams = "zdd" if options.diagrams == "auto" else options.diagrams
    proving = form_of_proof(rules, model) if options.prove else None
    if options.engine == "auto":
        # Improving solutions needs compiled code anyway.
        many = options.many or rules.improve is not None
        decision = auto(model, metric, budget, diagrams, many=many, proving=proving)
    else:
        chosen = engine(options.engine)
        has_diagrams = "diagrams" in chosen.options
        own: dict[str, Option] = {"diagrams": diagrams} if has_diagrams else {}
        if proving and "proving" in chosen.options:
            own["proving"] = proving
        try:
            verdict = Variant(chosen, own)(model, metric, budget)
        except Unsuitable as error:
            other = "" if model.has_formulas else formulas_elsewhere(rules, question.options.encoding)
            raise Unsuitable(f"{error}{other}") from None
        decision = Decision(verdict, chosen.name, diagrams if has_diagrams else None)
    encoding, statistics = question.choice.encoding, decision.verdict.statistics
    question.search = Search(decision.engine, decision.diagrams, encoding, statistics)
    return decision


def form_of_proof(rules: Puzzle, model: Model) -> Form | None:
    """The form of the states that a proof may list: positions, if the puzzle checks them, or bits; else None."""
    if rules.proofs.check_bidirectional is not None:
        return "positions"
    return None if model.hints.objects else "bits"


def without_solution(question: Question, verdict: Unreachable | Unknown) -> Outcome:
    """The outcome of a search that has found no solution."""
    if isinstance(verdict, Unreachable):
        return Outcome("unsolvable", question.search, note=verdict.note, proof=verdict.proof)
    bound = 0 if question.metric == ANY else verdict.bound
    return Outcome(
        "unknown", question.search, bound=bound, reason=verdict.reason, note=verdict.note, proof=verdict.proof
    )


def claim_of(question: Question, run: Reachable) -> Claim | None:
    """The costs that a run claims; None under `any`, which has no costs."""
    metric = first(question.metric)
    return None if metric == ANY else Claim(run.cost, run.trace.cost(metric))


def _lower_bound(question: Question, model: Model, decision: Decision) -> LowerBound | None:
    """What is proved of the least cost, beside a solution that may not be optimal.

    None if nothing is, or if the solutions of the puzzle are not compared by cost.
    """
    budget, verdict, metric = question.budget, decision.verdict, question.searched_metric
    if question.rules.proofs.better_than is not None:
        return None
    if isinstance(verdict, Unknown):
        return None if metric == ANY else LowerBound(verdict.bound, metric)
    if metric == ANY:
        if decision.engine != PLAN_FINDER.name or question.options.some:
            return None
        own = question.rules.metrics[0]
        return LowerBound(_short_search(model, own, budget), own)
    # A bound on the first of two metrics is the cost itself, if that is proved.
    return LowerBound(budget.bound, metric) if second(metric) or budget.bound else None


def _short_search(model: Model, metric: str, budget: Budget) -> int:
    """Search for a cheapest solution for a short time; return the lower bound that this proves."""
    rest = budget.rest()
    try:
        verdict = engine("explicit")(model, metric, rest, most_states=SOON)
    except Unsuitable:
        return 0
    return verdict.cost if isinstance(verdict, Reachable) else rest.bound


def _moves(
    question: Question, encoded: Encoded, run: Reachable, statistics: Statistics, *, is_late: bool
) -> Sequence[str]:
    """The moves of a trace, improved if the puzzle can do that and there is time. Raises Refuted.

    The work of the improvement depends on counted states and never on time, so the moves are the same in each run.
    `statistics` are those of the search that has ended.
    """
    rules, metric = question.rules, question.metric
    moves = encoded.moves(run.trace)
    if rules.improve is None or second(metric) or is_late:
        return moves
    rules.replay(question.level, moves)  # compiled code improves them, and takes them for a solution
    if question.better is not None and not question.options.some:
        next_stage()  # the work is counted, and ends at the same point in each run
    work = WORK + WORK_A_MOVE * len(moves) + (statistics.states or 0) // STATES_A_WORK
    return rules.improve(question.level, moves, metric, min(work, MOST_WORK), is_optimal=run.optimal)


def _with_plan(encoded: Encoded, known: Sequence[str]) -> Encoded:
    """The model with the known solution as its known plan, if its moves can be translated."""
    model, translate = encoded.model, encoded.plan
    if translate is None:
        return encoded
    return replace(encoded, model=replace(model, hints=replace(model.hints, known_plan=partial(translate, known))))


def _improved(question: Question, known: Sequence[str]) -> Outcome:
    """The outcome of a search for some solution that begins with a known one; better ones are reported."""
    _improve_further(question, known, Statistics())
    return Outcome("solvable", question.search, known)


def _improve_further(question: Question, moves: Sequence[str], statistics: Statistics) -> None:
    """Report better and better solutions until a limit, or until the puzzle finds no more. Raises Refuted."""
    rules, metric = question.rules, question.metric
    if rules.improvements is None or question.better is None or metric == ANY or second(metric):
        return
    rules.replay(question.level, moves)
    search = Search(question.options.engine, None, question.choice.encoding, statistics)
    try:
        for better in rules.improvements(question.level, moves, metric, question.budget):
            question.better(Outcome("solvable", search, better))
    except LimitReached:
        return


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
            search = Search(question.options.engine, None, question.choice.encoding, run.statistics)
            claim = claim_of(question, replace(run, cost=run.trace.cost(self._metrics[0])))
            question.better(Outcome("solvable", search, self._encoded.moves(run.trace), claim=claim))

    def cheapest(self, other: Reachable | None) -> Reachable | None:
        """The cheaper one of the best so far and another."""
        runs = [run for run in (self._best, other) if run is not None]
        return min(runs, key=lambda run: [run.trace.cost(name) for name in self._metrics], default=None)
