"""The short search of the plain rules takes a tenth of the time of the answer, however slow the rules are."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.plain_search import LEAST_SECONDS, contradict
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.result import Result, Solution

STARTER = ROOT / "tests" / "compatibility" / "0.1" / "template"
STEP_SECONDS = 0.01


def slow_question(taken: list[Step]) -> Question:
    """The question about a line of endless steps, each of which takes STEP_SECONDS and is added to `taken`."""

    def steps(level: Any, position: int) -> Iterator[Step]:
        end = time.process_time() + STEP_SECONDS
        while time.process_time() < end:
            pass
        taken.append(Step("go", position + 1, {"steps": 1}))
        yield taken[-1]

    return question(Transition(lambda level: 0, steps, lambda level, position: False))


def question(rules: Transition) -> Question:
    """The question about these rules."""
    (entry,) = load([f"{STARTER / 'levels.my_puzzle'}#1"], str(STARTER / "my_puzzle.py"))
    entry = Entry(entry.id, entry.title, replace(entry.puzzle, rules=rules), part=entry.part)
    options = Options()
    return Question(entry, options, choices(entry.puzzle, options), Budget())


@pytest.mark.parametrize(("answer", "allowed"), [(0.0, LEAST_SECONDS), (2.0, 0.2)])
def test_slow_rules_take_a_tenth_of_the_answers_time(answer: float, allowed: float) -> None:
    taken: list[Step] = []
    question = slow_question(taken)
    contradict(question, Result("slow#1", verdict="unsolvable"), answer)
    assert allowed / STEP_SECONDS / 2 <= len(taken) <= allowed / STEP_SECONDS + 1


def solution(cost: int, *, optimal: bool) -> Solution:
    return Solution([], cost, optimal, {"steps": cost})


@pytest.mark.parametrize(
    ("known", "refuted"),
    [
        (Result("line#1", verdict="solvable", solution=solution(4, optimal=True)), "none below 4 steps"),
        (Result("line#1", verdict="solvable", solution=solution(3, optimal=True)), ""),
        (Result("line#1", verdict="solvable", solution=solution(4, optimal=False)), ""),
        (Result("line#1", verdict="unknown", bound=4), "none below 4 steps"),
        (Result("line#1", verdict="unknown", bound=3), ""),
        (Result("line#1", verdict="unsolvable"), "no solution"),
    ],
)
def test_an_answer_that_a_solution_of_the_plain_rules_contradicts_is_refuted(known: Result, refuted: str) -> None:
    """The plain rules solve a line of positions with three steps."""

    def steps(level: Any, position: int) -> Iterator[Step]:
        yield Step("go", position + 1, {"steps": 1})

    asked = question(Transition(lambda level: 0, steps, lambda level, position: position == 3))
    if not refuted:
        contradict(asked, known, 1.0)
        return
    with pytest.raises(Refuted, match=f"has {refuted}, but the plain rules solve it with 3 steps: go go go"):
        contradict(asked, known, 1.0)
