"""A short search through the plain rules beside the engines, for puzzles of Python files.

A mistake in an encoding can hide all solutions, or the cheapest one. No replay shows that, since there is nothing
to replay; a search of the rules does, where it ends soon.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.mc.rules.textbook import best_first
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.result import Result

MOST_POSITIONS = 2000


def contradict(question: Question, known: Result) -> None:
    """Raise Refuted if the plain rules have a solution, and the result says that there is none so cheap."""
    rules, level = question.rules, question.level
    asked = rules.question(level) if rules.origin else None
    if not isinstance(asked, Transition):
        return
    metric = rules.metrics[0] if question.metric == ANY else first(question.metric)
    found = best_first(_limited(asked), level, question.budget, lambda _, __, steps: _costs(steps, metric))
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
    moves = textwrap.shorten(" ".join(rules.text.write_moves(found.moves)), 200, placeholder=" …")
    by_rules = f"the plain rules solve it with {counted(cost, metric)}: {moves}"
    raise Refuted(f"the model of {rules.origin} has {claim}, but {by_rules}")


def _costs(steps: Sequence[Step], metric: str) -> list[int]:
    return [step.costs[metric] for step in steps]


def _limited(rules: Transition) -> Transition:
    """The rules, whose steps end the search after some positions."""
    positions = 0

    def steps(level: Any, position: Any) -> Iterator[Step]:
        nonlocal positions
        positions += 1
        if positions > MOST_POSITIONS:
            raise LimitReached("bound")
        return rules.steps(level, position)

    return replace(rules, steps=steps)
