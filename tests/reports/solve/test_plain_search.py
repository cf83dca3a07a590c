"""The short search of the plain rules takes a tenth of the time of the answer, however slow the rules are."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import Step
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.plain_search import LEAST_SECONDS, contradict
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.result import Result

STARTER = ROOT / "tests" / "compatibility" / "0.1" / "template"
STEP_SECONDS = 0.01


def slow_question(taken: list[Step]) -> Question:
    """The question about a line of endless steps, each of which takes STEP_SECONDS and is added to `taken`."""
    (entry,) = load([f"{STARTER / 'levels.my_puzzle'}#1"], str(STARTER / "my_puzzle.py"))

    def steps(level: Any, position: int) -> Iterator[Step]:
        end = time.process_time() + STEP_SECONDS
        while time.process_time() < end:
            pass
        taken.append(Step("go", position + 1, {"steps": 1}))
        yield taken[-1]

    rules = replace(entry.puzzle.rules, start=lambda level: 0, steps=steps, solved=lambda level, position: False)
    entry = Entry(entry.id, entry.title, replace(entry.puzzle, rules=rules), part=entry.part)
    options = Options()
    return Question(entry, options, choices(entry.puzzle, options), Budget())


@pytest.mark.parametrize(("answer", "allowed"), [(0.0, LEAST_SECONDS), (2.0, 0.2)])
def test_slow_rules_take_a_tenth_of_the_answers_time(answer: float, allowed: float) -> None:
    taken: list[Step] = []
    question = slow_question(taken)
    contradict(question, Result("slow#1", verdict="unsolvable"), answer)
    assert allowed / STEP_SECONDS / 2 <= len(taken) <= allowed / STEP_SECONDS + 1
