"""The hunt over planning tasks: it finds nothing in the searches, and planted lies."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from places import ROOT
from task_reference import uniform_cost

from examples import examples
from puzzlemc.mc.invariants.fact_pairs import FactPairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.reduction import Reduction
from puzzlemc.mc.planning.satisficing.relaxed_plan import DEAD, RelaxedPlan
from puzzlemc.mc.tasks.sas import read
from puzzlemc.mc.tasks.task import Searched


@pytest.fixture(scope="module")
def hunt() -> Iterator[Callable[[str], ModuleType]]:
    """The modules of the hunt by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module


@pytest.fixture
def alone(hunt: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have the hunt run these searches alone: honest ones have found all they can in `test_tasks_find_nothing`."""
    return lambda **searches: monkeypatch.setattr(hunt("hunt_tasks"), "SEARCHES", searches)


def found(hunt: Callable[[str], ModuleType], cases: int) -> set[str]:
    """What some cases find."""
    outcomes = [hunt("hunt_tasks").tasks(random.Random(f"case {number}")) for number in range(cases)]
    return {failure.what for outcome in outcomes for failure in outcome.failures}


def test_tasks_find_nothing(hunt: Callable[[str], ModuleType]) -> None:
    answers = Counter[str]()
    for number in range(examples(30, 400)):
        outcome = hunt("hunt_tasks").tasks(random.Random(f"1 tasks {number}"))
        assert not outcome.failures, outcome
        answers += outcome.answers
    assert min(answers["solvable"], answers["unsolvable"]) > examples(5, 10)
    assert {reason.split()[0] for reason in answers} >= {"memory", "cancelled"}


def test_the_truth_is_that_of_a_textbook_search(hunt: Callable[[str], ModuleType]) -> None:
    odd = hunt("odd_tasks")
    solvable = Counter[bool]()
    for number in range(examples(60, 400)):
        task = odd.odd_task(random.Random(number))
        truth = odd.judged(task, 3000)
        if truth is not None:
            expected = uniform_cost(read(task.written()), Budget())
            assert truth.least == (None if expected.plan is None else expected.bound)
            solvable[truth.least is None] += 1
    assert min(solvable.values()) > 10


LIES: dict[str, Callable[[Searched], Searched]] = {
    "a solvable task is unsolvable": lambda found: replace(found, plan=None),
    "a plan is wrong": lambda found: replace(found, plan=(found.plan or ())[1:]),
    "a bound is above the least cost": lambda found: replace(found, bound=1 << 40),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_wrong_answer_is_found(hunt: Callable[[str], ModuleType], alone: Callable[..., None], lie: str) -> None:
    honest, _ = hunt("hunt_tasks").SEARCHES["lazy search"]
    alone(liar=(lambda *asked: LIES[lie](honest(*asked)), False))
    assert found(hunt, 30) == {f"liar: {lie}"}


def test_a_plan_that_is_not_cheapest_is_found(
    hunt: Callable[[str], ModuleType], alone: Callable[..., None]
) -> None:
    alone(dear=(hunt("hunt_tasks").SEARCHES["lazy search"][0], True))
    assert found(hunt, 40) == {"dear: a plan is not cheapest"}


def test_a_search_that_gives_up_is_found(hunt: Callable[[str], ModuleType], alone: Callable[..., None]) -> None:
    given_up = Searched(None, 0, 0, "bound")
    alone(lazy=(lambda *_: given_up, False))
    assert found(hunt, 10) == {"lazy: no answer without a limit: bound"}


def test_a_false_dead_end_is_found(
    hunt: Callable[[str], ModuleType], alone: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hopeless(RelaxedPlan):
        def estimate(self, state: Any) -> int:
            return DEAD if sum(state) > 3 else super().estimate(state)

    alone()
    monkeypatch.setattr(hunt("hunt_tasks"), "RelaxedPlan", Hopeless)
    assert "a state with a plan is dead" in found(hunt, 40)


def test_a_plan_that_was_shortened_too_much_is_found(
    hunt: Callable[[str], ModuleType], alone: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone()
    monkeypatch.setattr(hunt("hunt_tasks"), "shortened", lambda packed, initial, plan, *_: plan[1:])
    assert found(hunt, 40) == {"a shortened plan is wrong"}


def test_a_false_invariant_is_found(
    hunt: Callable[[str], ModuleType], alone: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hasty(FactPairs):
        def turns(self, budget: Budget) -> Iterator[None]:
            yield from super().turns(budget)
            self.is_shown = True

    alone()
    monkeypatch.setattr(hunt("hunt_tasks"), "FactPairs", Hasty)
    assert found(hunt, 20) == {
        "pairs of facts refute a solvable task",
        "a reachable state is not in the invariant of pairs",
    }
    monkeypatch.setattr(hunt("hunt_tasks").Refutation, "turns", lambda *_: iter([True]))
    assert "a solvable task is refuted" in found(hunt, 20)


def test_an_operator_that_is_missing_is_found(
    hunt: Callable[[str], ModuleType], alone: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone()
    monkeypatch.setattr(hunt("hunt_tasks"), "reduction", lambda task, _: Reduction(task, range(1)))
    assert found(hunt, 20) == {"an operator of a plan is left out"}
