"""Several plans are improved, and the best ones most. In some tests, the local searches are replaced."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from small_rooms import HALL, level_of

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import find_plan as true_find_plan
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.encodings.sokoban.improve import multi_start
from puzzlemc.encodings.sokoban.improve.multi_start import STARTS, improvements, push_less
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")
MEMORY = 8 << 8  # lets searches grow to 256 expansions


class Fixed:
    """A search that improves nothing. A plan has as many pushes as letters."""

    made: list["Fixed"]

    def __init__(self, _level: Level, moves: list[str], _metric: str) -> None:
        self.costs = len(moves), 0
        self.is_least = self.is_optimal = False
        self.sizes: list[int] = []
        self.made.append(self)

    def letters(self) -> list[str]:
        return ["R"] * self.costs[0]

    def bytes_for(self, size: int) -> int:
        return size

    def improve(self, size: int) -> Iterator[int]:
        self.sizes.append(size)
        yield 1

    def slide(self, _size: int) -> Iterator[int]:
        yield 1


@pytest.fixture
def level() -> Level:
    return level_of(HALL)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, int]]:
    """The calls of a plan finder that finds no plan at first, and then one of 5, 6 and more letters."""
    calls: list[tuple[Settings, int]] = []

    def find_plan(_level: Level, _budget: Budget, work: int, portfolios: Any, *_: object, **__: object) -> Any:
        ((settings,),) = portfolios
        calls.append((settings, work))
        return ["R"] * (3 + len(calls)) if len(calls) > 1 else None

    Fixed.made = []
    monkeypatch.setattr(multi_start, "FIRST_SIZE", 1)
    monkeypatch.setattr(multi_start, "find_plan", find_plan)
    monkeypatch.setattr(multi_start, "LocalSearch", Fixed)
    return calls


def test_the_better_half_of_the_plans_goes_on(level: Level, asked: list[tuple[Settings, int]]) -> None:
    found = list(improvements(level, ["R"] * 10, "pushes", Budget(Limits(memory=MEMORY))))
    assert found == [["R"] * 5]  # the others cost no less when they come
    work = multi_start.FIRST_WORK
    # The first settings found no plan: they search again, four times as long.
    assert asked == [*((settings, work) for settings in STARTS), (STARTS[0], 4 * work)]
    sizes = {search.costs[0]: search.sizes for search in Fixed.made}
    assert sizes == {10: [1, 4], 5: [1, 4, 16, 64, 256], 6: [1, 4, 16, 64], 7: [1, 4, 16], 8: [1, 4], 9: [4]}


def test_without_a_better_plan_nothing_is_yielded(level: Level, asked: list[tuple[Settings, int]]) -> None:
    assert not list(improvements(level, ["R"] * 5, "pushes", Budget(Limits(memory=MEMORY))))
    assert len(asked) > len(STARTS)


def test_no_other_plan_is_searched_for_once_the_pushes_are_least(
    level: Level, asked: list[tuple[Settings, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def improve(search: Fixed, _size: int) -> Iterator[int]:
        yield 1
        search.costs, search.is_least = (2, 0), True

    monkeypatch.setattr(Fixed, "improve", improve)
    assert not list(push_less(level, ["R"] * 5, Budget(Limits(memory=MEMORY)), 1 << 30))
    assert not asked
    assert len(Fixed.made) == 1


@pytest.mark.parametrize(("work", "plans"), [(1, 0), (2, 1)])
def test_the_work_is_limited(level: Level, asked: list[tuple[Settings, int]], work: int, plans: int) -> None:
    assert not list(push_less(level, ["R"] * 5, Budget(), work))
    assert len(asked) == plans or (plans and all(most == 0 for _, most in asked))
    assert sum(len(search.sizes) for search in Fixed.made) == work


@pytest.mark.parametrize("work", [1 << 18, 1 << 21, 1 << 24])
def test_solutions_are_valid_cheaper_each_time_and_reproducible(level: Level, work: int) -> None:
    plan = true_find_plan(level, Budget(), 1 << 22)
    assert plan is not None
    found = list(push_less(level, plan, Budget(), work))
    costs = [RULES.replay(level, each).costs["pushes"] for each in (plan, *found)]
    assert all(after <= before for before, after in pairwise(costs))
    assert found == list(push_less(level, plan, Budget(), work))


def test_limits_end_the_search(level: Level) -> None:
    plan = true_find_plan(level, Budget(), 1 << 22)
    assert plan is not None
    budget = Budget()
    budget.cancel()
    with pytest.raises(LimitReached):
        next(improvements(level, plan, "moves", budget))
