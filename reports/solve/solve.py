"""One level, from its text to a checked result. The kind of the question picks the strategy."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, Refuted, reason_of, words_of
from puzzlemc.mc.games.strategy import GameProof
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import Replay
from puzzlemc.mc.system.memory import peak_mb, reset_peak
from puzzlemc.reports.solve.options import ALMOST, PROBABILITY, Options, choices
from puzzlemc.reports.solve.plain_search import contradict, solve_by_rules
from puzzlemc.reports.solve.question import Outcome, Question
from puzzlemc.reports.solve.reachability import solve_constraint, solve_reachability
from puzzlemc.reports.solve.result import (
    BAD_INPUT,
    REFUTED,
    BestPlans,
    Count,
    Drawing,
    Effort,
    Evidence,
    Result,
    Search,
    Solution,
    bounded,
    joined,
)
from puzzlemc.reports.solve.why import Why
from puzzlemc.reports.workers.worker import elapsed, next_stage, tell


def solve_in_worker(entry: Entry, options: Options) -> Result:
    """In a worker: solve one level, and send the parent each bound and each better solution, with its kind."""
    return solve_entry(entry, options, partial(_send, "bound"), partial(_send, "solution"), elapsed())


def _send(kind: str, value: int | Result) -> None:
    tell((kind, value))


def solve_entry(
    entry: Entry,
    options: Options,
    report: Callable[[int], None] | None = None,
    better: Callable[[Result], None] | None = None,
    passed: float = 0.0,
    cancelled: Event | None = None,
) -> Result:
    """Solve one level within its limits. The plain rules replay the trace of a solvable level.

    The level is built from its text here, so the limits include that. Bad input and a refuted trace give results
    with the verdict `error`. The bound of an `unknown` under `any` is 0.

    report     gets each bound that is proved
    better     gets each solution that is better than those before; its caller ends this function when time is over
    passed     seconds of the time limit that have passed already
    cancelled  ends the search when it is set
    """
    started, began = time.process_time(), time.monotonic()
    reset_peak()
    # Under `any` a search counts actions of the model, which are no cost of the puzzle.
    is_cost = options.metric != ANY and not options.some
    budget = Budget(_left(options.limits, passed), report if is_cost else None, 0, cancelled or Event())
    unread = Result(entry.id, entry.title, entry.puzzle_name)
    # The parts of the result. If an error stops the search, those that are known by then stay in the result.
    question: Question | None = None
    known: Result | None = None
    proof: Evidence | None = None
    count: Count | None = None
    plans: BestPlans | None = None
    why: Why | None = None
    reason, note = None, ""
    warnings: tuple[str, ...] = ()
    try:
        if entry.puzzle_name is not None:
            question = Question(entry, options, choices(entry.puzzle, options), budget)
        if question is None or entry.level is None:
            return unread.failed(str(entry.error), BAD_INPUT)
        warnings = warnings_of(entry)
        if better is not None:
            question.better = partial(_report_better, question, better)
        _begin_with_known(question)
        outcome = strategy(question)(question)
        known = answer(question, outcome)
        if outcome.below is not None:
            known = bounded(known, outcome.below.cost, outcome.below.metric)
        contradict(question, known, time.process_time() - started)
        proof = _proof(question, outcome)
        count, note = _counted(question, outcome.verdict)
        plans, missing = _listed(question, known)
        note = joined(note, missing)
        chance = question.rules.chance(question.level)
        if chance is not None and not options.some:
            note = joined(note, chance.words)
        is_of_chance = question.rules.game is None and question.rules.optimisation is None
        if options.chance == PROBABILITY and is_of_chance and (chance is None or not chance.decides):
            from puzzlemc.reports.solve.odds import without_draws

            known = replace(known, probability=without_draws(known.verdict))
        why, reason, unexplained = _explained(question, known)
        note = joined(note, unexplained)
    except (MemoryError, ModelError, Refuted) as error:
        if known is None:
            known = unread if question is None else answer(question, Outcome("unknown", question.search))
        known = _stopped(known, error)
    if question is not None:
        question.better = None  # which knows the question: without this cycle its memory is free at once
    return replace(
        known,
        reason=reason or known.reason,
        note=joined(known.note, note),
        proof=proof,
        count=count,
        plans=plans,
        why=why,
        warnings=warnings,
        effort=Effort(time.process_time() - started, time.monotonic() - began, peak_mb()),
    )


def strategy(question: Question) -> Callable[[Question], Outcome]:
    """The function that answers this kind of question."""
    # Imports stand where they are needed: loading all kinds takes a tenth of the start of a small level.
    rules, options = question.rules, question.options
    if rules.game is not None:
        from puzzlemc.reports.solve.game import solve_game

        return partial(solve_game, game=rules.game)
    if rules.alone is not None:
        return partial(solve_by_rules, alone=rules.alone)
    chance = rules.chance(question.level)
    if chance is not None and chance.decides and options.engine == "auto":
        from puzzlemc.reports.solve.chance import solve_chance
        from puzzlemc.reports.solve.odds import solve_almost, solve_probability

        about_chance = {ALMOST: solve_almost, PROBABILITY: solve_probability}.get(options.chance, solve_chance)
        return partial(about_chance, chance=chance)
    optimises = options.engine == "auto" and question.metric != ANY and not options.some
    if rules.optimisation is not None and optimises:
        from puzzlemc.reports.solve.optimisation import solve_optimisation

        return partial(solve_optimisation, optimisation=rules.optimisation)
    if rules.constraint is not None and rules.constraint(question.level) is not None:
        return solve_constraint
    return solve_reachability


def answer(question: Question, outcome: Outcome) -> Result:
    """The result of an outcome, whose moves the plain rules replay here.

    Raises Refuted if they do not confirm the moves or their cost.
    """
    entry, rules = question.entry, question.rules  # of a level that could not be built, nothing more is read
    is_solvable, moves, reason = outcome.verdict == "solvable", outcome.moves, outcome.reason
    played: Replay | None = None
    if moves is not None:
        play = rules.replay if is_solvable else rules.play
        played = play(question.level, moves)
    solution = _solution(question, outcome, played) if is_solvable and played is not None else None
    drawing: Drawing | None = None
    if played is not None and question.options.draw:
        level, position, tints = question.level, played.positions[-1], rules.display.tints
        drawing = Drawing(rules.screen.draw(level, position), None if tints is None else tints(level, position))
    if outcome.verdict == "unsolvable" and not reason:
        reason = rules.explanation.obvious(question.level) or None
    return Result(
        entry.id,
        entry.title,
        entry.puzzle_name,
        outcome.verdict,
        question.metric,
        tuple(rules.metrics),
        solution,
        outcome.bound,
        reason,
        outcome.note,
        checked=played is not None,
        search=outcome.search,
        best=outcome.best,
        probability=outcome.probability,
        game=outcome.game,
        plan=outcome.plan,
        drawing=drawing,
    )


def _solution(question: Question, outcome: Outcome, played: Replay) -> Solution:
    """The solution with the costs of its replay. Raises Refuted if they are not those that the search claims."""
    metric, claim = first(question.metric), outcome.claim
    trace = question.rules.text.write_moves(outcome.moves or ())
    if metric == ANY:
        return Solution(trace, None, outcome.optimal, dict(played.costs))
    cost = played.costs[metric]
    if claim is not None and (cost > claim.most or (outcome.optimal and cost < claim.cost)):
        raise Refuted(f"the trace costs {cost} {metric}, not {claim.cost}")
    return Solution(trace, cost, outcome.optimal, dict(played.costs))


def _begin_with_known(question: Question) -> None:
    """Read the known solution of the level, if there is one, and report it. Raises LevelError."""
    if question.options.known is None:
        return
    from puzzlemc.reports.solve.known import known_moves  # slow to load, and seldom needed

    question.known = known_moves(question.entry, question.options.known)
    if question.known is not None and question.better is not None:
        search = Search(question.options.engine, None, question.choice.encoding)
        question.better(Outcome("solvable", search, question.known))


def _report_better(question: Question, better: Callable[[Result], None], outcome: Outcome) -> None:
    better(answer(question, outcome))


def _proof(question: Question, outcome: Outcome) -> "Evidence | None":
    """The proof of an outcome; a lazy one is resolved if the user wants it, and has the level's time anew."""
    if isinstance(outcome.proof, GameProof):
        return outcome.proof
    if not question.options.prove:
        return None if callable(outcome.proof) else outcome.proof
    next_stage()
    try:
        return outcome.proof() if callable(outcome.proof) else outcome.proof
    except MemoryError:
        return None


def _stopped(known: Result, error: MemoryError | ModelError | Refuted) -> Result:
    """The result of a level if an error has stopped its strategy; `known` is the result before the error."""
    match error:
        case MemoryError():
            return replace(known, verdict="unknown", reason="memory", bound=0)
        case Refuted():
            return known.failed(f"{known.id}: refuted: {error}", REFUTED)
        case ModelError():
            return known.failed(f"{known.id}: {error}", BAD_INPUT)


def _left(limits: Limits, passed: float) -> Limits:
    """The limits without the seconds that have passed."""
    return limits if limits.seconds is None else replace(limits, seconds=max(0.0, limits.seconds - passed))


def warnings_of(entry: Entry) -> tuple[str, ...]:
    """What is odd in the text of the level, with its place."""
    source = entry.part.source if entry.part is not None else entry.id
    return tuple(
        f"{source}:{line}:{f'{column}:' if column else ''} warning: {text}"
        for line, column, text in placed_warnings(entry)
    )


def placed_warnings(entry: Entry) -> list[tuple[int, int, str]]:
    """What is odd in the text of the level: the line, the column or 0, and words."""
    first = entry.part.line if entry.part is not None else 1
    found = entry.puzzle.text.warnings(entry.level) if entry.level is not None else ()
    return [(line or first, column, text) for line, column, text in found]


def _counted(question: Question, verdict: str) -> tuple[Count | None, str]:
    """The number of solutions, if the user asked for it, and a note if a limit was reached.

    Raises Refuted if the number contradicts the verdict.
    """
    options, rules, level, budget = question.options, question.rules, question.level, question.budget
    if not (options.count or options.every):
        return None, ""
    found = rules.counting
    assert found is not None
    try:
        listed = options.every and found.each is not None
        traces = tuple(map(rules.text.write_moves, found.each(level, budget))) if listed and found.each else None
        number = found.count(level, budget) if traces is None else len(traces)
    except LIMITS as limit:
        return None, f"its solutions were not counted: {reason_of(limit)}"
    if (verdict, number > 0) in {("solvable", False), ("unsolvable", True)}:
        raise Refuted(f"{verdict}, but with {number} solutions")
    return Count(number, found.what, traces), ""


def _listed(question: Question, known: Result) -> tuple[BestPlans | None, str]:
    """The best plans of the level, if the user asked for them, and why some are missing. Raises Refuted."""
    if question.options.plans == Options.plans or known.verdict != "solvable" or known.cost is None:
        return None, ""
    if question.rules.constraint is not None and question.rules.constraint(question.level) is not None:
        return None, "it has no plans: its solutions are positions"
    if not known.optimal:
        return None, "its best plans are not known: its solution is not proved to be the cheapest"
    from puzzlemc.reports.solve.best_plans import list_plans  # slow to load, and seldom needed

    return list_plans(question, known.cost)


def _explained(question: Question, known: Result) -> tuple[Why | None, str | None, str]:
    """Why the level is unsolvable, if the user asked for it: a part of it, the reason, and a note without either.

    Raises Refuted.
    """
    rules, level, budget, reason = question.rules, question.level, question.budget, known.reason
    if not question.options.why or known.verdict != "unsolvable":
        return None, reason, ""
    try:
        from puzzlemc.reports.solve.reasons import why_unsolvable  # slow to load, and seldom needed

        words, why = why_unsolvable(rules, level, budget, reason or "", many=question.options.many)
    except LIMITS as limit:
        words = limit.words if isinstance(limit, LimitReached) and reason_of(limit) == "bound" else ""
        return None, reason, f"why was not found: {words or words_of(limit)}"
    if why is not None or rules.explanation.words is not None or (words and rules.game is None):
        return why, words or None, ""
    return None, reason, f"no smaller reason is known: {rules.name} has no parts to leave out"
