"""Searches of the plain rules: the one of rules alone, and a short one beside engines for puzzles of Python files.

A mistake in an encoding can hide all solutions, or the cheapest one. No replay shows that, since there is nothing
to replay; a search of the rules does, where it ends soon. It takes at most a tenth of the processor time of the
answer, since rules in Python may be slow.
"""

import textwrap
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle.alone import Alone
from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.lexicographic import COMMA, first
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.alike import difference
from puzzlemc.mc.rules.explicit import search
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.mc.rules.textbook import best_first
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.options import EXPLICIT
from puzzlemc.reports.solve.question import Claim, Outcome, Question
from puzzlemc.reports.solve.result import Result, Search

MOST_POSITIONS = 2000
SHARE = 10  # the search takes this part of the time of the answer
LEAST_SECONDS = 0.05  # or this time, if the answer was fast


def solve_by_rules(question: Question, alone: Alone) -> Outcome:
    """Decide by explicit search whether a level of rules alone has a solution, and find a cheapest one."""
    puzzle, level, budget = question.rules, question.level, question.budget
    asked = () if question.searched_metric == ANY else tuple(question.metric.split(COMMA))
    start = puzzle.rules.start(level)
    found = search(alone.rules, alone.data(level), start, puzzle.metrics, asked, budget)
    question.search = Search(EXPLICIT, statistics=Statistics(found.layers, found.positions))
    prove = partial(alone.proof, question.options.limits, level, found.parents, first(question.metric))
    if found.reason is not None:
        note = f"{counted(found.positions, 'positions')} seen"
        return Outcome("unknown", question.search, bound=budget.bound, reason=found.reason, note=note)
    if found.moves is None:
        many = f"none of its {counted(found.positions, 'positions')} is solved"
        why = many if found.positions > 1 else "its start is not solved, and no move leads to another position"
        return Outcome("unsolvable", question.search, reason=why, proof=partial(prove, None))
    claim = Claim(found.cost, found.cost) if asked else None
    proof = partial(prove, found.cost) if len(asked) == 1 else None
    return Outcome("solvable", question.search, found.moves, optimal=bool(asked), claim=claim, proof=proof)


def contradict(question: Question, known: Result, seconds: float) -> None:
    """Raise Refuted if the plain rules have a solution, and the result says that there is none so cheap.

    `seconds` is the processor time of the result.
    """
    rules, level = question.rules, question.level
    asked = rules.question(level) if rules.origin and rules.alone is None else None
    if not isinstance(asked, Transition):
        return
    seconds = max(LEAST_SECONDS, seconds / SHARE)
    if rules.referee is not None:
        seconds /= 2  # the other half is for the search
        _compare(asked, rules.referee, question, seconds)
    metric = rules.metrics[0] if question.metric == ANY else first(question.metric)
    limited = _limited(asked, seconds)
    found = best_first(limited, level, question.budget, lambda _, __, steps: _costs(steps, metric))
    if found.moves is None:
        return
    cost = rules.play(level, found.moves).costs[metric]
    solution = known.solution
    if known.verdict == "unsolvable":
        claim = "no solution"
    elif question.searched_metric == ANY or rules.optimisation is not None:
        return
    elif solution is not None and solution.optimal and solution.cost is not None and solution.cost > cost:
        claim = f"none below {counted(solution.cost, metric)}"
    elif known.bound is not None and known.bound > cost:
        claim = f"none below {counted(known.bound, metric)}"
    else:
        return
    moves = textwrap.shorten(joined(rules.text.write_moves(found.moves)), 200, placeholder=" …")
    by_rules = f"the plain rules solve it with {counted(cost, metric)}: {moves}"
    raise Refuted(f"the model of {rules.origin} has {claim}, but {by_rules}")


def _compare(rules: Transition, referee: Transition, question: Question, seconds: float) -> None:
    """Raise Refuted if a walk of that many seconds finds a move that one of both rules does not allow."""
    end = time.process_time() + seconds

    def check() -> None:
        question.budget.check()
        if time.process_time() > end:
            raise LimitReached("bound")

    try:
        found = difference(rules, referee, question.level, check)
    except LimitReached:
        return
    if found is not None:
        raise Refuted(found)


def _costs(steps: Sequence[Step], metric: str) -> list[int]:
    return [step.costs[metric] for step in steps]


def _limited(rules: Transition, seconds: float) -> Transition:
    """The rules, whose steps end the search after MOST_POSITIONS positions or `seconds`."""
    positions, end = 0, time.process_time() + seconds

    def check() -> None:
        if positions > MOST_POSITIONS or time.process_time() > end:
            raise LimitReached("bound")

    def steps(level: Any, position: Any) -> Iterator[Step]:
        nonlocal positions
        positions += 1
        check()
        for step in rules.steps(level, position):
            check()
            yield step

    return replace(rules, steps=steps)
