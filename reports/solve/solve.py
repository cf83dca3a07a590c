"""One level, from its text to a checked result. The kind of the question picks the strategy."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, ModelError, Refuted, reason_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.solve.constraint import solve_constraint
from puzzlemc.reports.solve.game import solve_game
from puzzlemc.reports.solve.optimisation import solve_optimisation
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.reachability import solve_reachability
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, Count, Effort, Result
from puzzlemc.reports.workers.memory import peak_mb, reset_peak


def solve_entry(
    entry: Entry,
    options: Options,
    report: Callable[[int], None] | None = None,
    better: Callable[[Result], None] | None = None,
    passed: float = 0.0,
) -> Result:
    """Solve one level within its limits. The plain rules replay the trace of a solvable level.

    The level is built from its text here, so the limits include that. Bad input and a refuted trace give results
    with the verdict `error`. The bound of an `unknown` under `any` is 0.

    report  gets each bound that is proved
    better  gets each solution that is better than those before; its caller ends this function when time is over
    passed  seconds of the time limit that have passed already
    """
    started, began = time.process_time(), time.monotonic()
    reset_peak()
    # Under `any` a search counts actions of the model, which are no cost of the puzzle.
    budget = Budget(_left(options.limits, passed), None if options.metric == ANY else report)
    unread = Result(entry.id, entry.title, entry.puzzle_name)
    question = None
    try:
        if entry.puzzle_name is not None:
            question = Question(entry, options, choices(entry.puzzle, options), budget, better)
        if question is None or entry.level is None:
            return unread.failed(str(entry.error), BAD_INPUT)
        question.known = strategy(question)(question)
        question.known = _counted(question, question.known)
        result = _explained(question, question.known)
    except (MemoryError, ModelError, Refuted) as error:
        result = _stopped(unread if question is None else question.known, error)
    effort = Effort(time.process_time() - started, time.monotonic() - began, peak_mb())
    return replace(result, effort=effort)


def strategy(question: Question) -> Callable[[Question], Result]:
    """The function that answers this kind of question."""
    rules, options = question.rules, question.options
    if rules.game is not None:
        return partial(solve_game, game=rules.game)
    optimises = options.engine == "auto" and question.metric != ANY and not options.some
    if rules.optimisation is not None and optimises:
        return partial(solve_optimisation, optimisation=rules.optimisation)
    if rules.constraint is not None and rules.constraint(question.level) is not None:
        return solve_constraint
    return solve_reachability


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


def _counted(question: Question, result: Result) -> Result:
    """Add the number of solutions, if the user asked for it, or a note that a limit was reached.

    Raises Refuted if the number contradicts the verdict.
    """
    options, rules, level, budget = question.options, question.rules, question.level, question.budget
    if not (options.count or options.every):
        return result
    found = rules.counting
    assert found is not None
    try:
        listed = options.every and found.each is not None
        traces = tuple(map(rules.text.write_moves, found.each(level, budget))) if listed and found.each else None
        number = found.count(level, budget) if traces is None else len(traces)
    except LIMITS as limit:
        return result.noted(f"its solutions were not counted: {reason_of(limit)}")
    if (result.verdict, number > 0) in {("solvable", False), ("unsolvable", True)}:
        raise Refuted(f"{result.verdict}, but with {number} solutions")
    return replace(result, count=Count(number, found.what, traces))


def _explained(question: Question, result: Result) -> Result:
    """Add why the level is unsolvable, if the user asked for it. Raises Refuted."""
    rules, level, budget = question.rules, question.level, question.budget
    if not question.options.why or result.verdict != "unsolvable":
        return result
    try:
        if rules.explanation.parts is not None:
            from puzzlemc.reports.solve.reasons import explain  # slow to load, and seldom needed

            why = explain(rules, level, budget, many=question.options.many)
            if why is not None:
                return replace(result, why=why, reason=result.reason or why.words)
        elif rules.explanation.words is not None:
            return replace(result, reason=rules.explanation.words(level, budget) or result.reason)
        if result.reason and rules.game is None:  # the puzzle finds the reason without a search
            return result
        return result.noted(f"--why: {rules.name} has no parts to leave out, so no smaller reason is known")
    except LIMITS as limit:
        return result.noted(f"why was not found: {reason_of(limit)}")
