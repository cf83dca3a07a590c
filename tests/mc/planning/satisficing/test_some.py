"""The search for some plan agrees with the textbook search on whether there is a plan."""

from collections.abc import Callable, Iterator

import pytest
from planner_contract import QUICK, PlannerContract, agrees
from random_tasks import random_task, switches, token_task

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.satisficing import finders, some
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.tasks.task import Searched


class TestSomePlan(PlannerContract):
    search = staticmethod(some_plan)
    optimal = False


@pytest.mark.parametrize("rounds", [0, 2])
def test_turns_agree_with_the_textbook(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search has several turns, and sometimes the optimal one finds the plan."""
    monkeypatch.setattr(some, "FIRST_ROUND", 1)
    monkeypatch.setattr(some, "ROUNDS_BEFORE", rounds)
    monkeypatch.setattr(finders, "FIRST_TURN", 1)
    for seed in range(QUICK // 8):
        agrees(some_plan, random_task(seed), optimal=False)
        agrees(some_plan, token_task(seed), optimal=False)


@pytest.mark.parametrize(("small", "more"), [(1 << 14, 0), (6, 1), (1, 3)])
def test_optimal_search_begins_later_and_has_fewer_turns(
    small: int, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two switches have six facts of preconditions and effects."""
    order = []

    def turns(name: str, last: int) -> Callable[..., Iterator[Searched | None]]:
        def search(*_: object) -> Iterator[Searched | None]:
            for number in range(1, last + 1):
                order.append(name)
                yield Searched((), 0, 0) if number == last else None

        return search

    monkeypatch.setattr(some, "SMALL", small)
    monkeypatch.setattr(some, "finders", turns("find", 99))
    monkeypatch.setattr("puzzlemc.mc.planning.optimal.in_turns", turns("prove", 3))
    assert some_plan(switches(2), Budget()).plan == ()
    assert order == [*["find"] * more, "find", "find", "find", "prove", "find", "prove", "find", "find", "prove"]


def test_costs_that_are_too_large_for_optimal_search() -> None:
    assert some_plan(switches(2).with_costs([1, 1 << 40]), Budget()).plan == (0, 1, 0)
