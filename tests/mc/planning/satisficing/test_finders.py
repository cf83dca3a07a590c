"""The searches for some plan have turns by their work, and each alone agrees with the textbook search."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from planner_contract import agrees
from random_tasks import random_task, switches, token_task

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.satisficing import finders
from puzzlemc.mc.planning.satisficing.finders import MEMBERS, Member, Prepared
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.tasks.task import Effect, Operator, Searched, Task, TaskVariable

STEP = 7  # of the work of a stand-in


class StandIn:
    """A search that finds a plan at some work; each step is larger than a unit."""

    def __init__(self, plan: list[int], at: int) -> None:
        self.plan, self.at, self.work, self.used, self.goal = plan, at, 0, 0, 0

    def path(self, _: int) -> list[int]:
        return self.plan


def stand_in(plan: list[int], at: int, *, has_landmarks: bool = False) -> Member:
    """A member whose search is a stand-in."""

    def advance(search: StandIn, _: int, work: int) -> int:
        last = search.work + work
        while search.work < last:
            if search.work >= at:
                return FOUND
            search.work += STEP
        return PAUSED

    return Member(lambda *_: StandIn(plan, at), advance, has_landmarks)  # type: ignore[arg-type, return-value]


def unable(*_: object) -> object:
    """A search that needs too much memory."""
    raise LimitReached("memory")


def two_ways(costs: tuple[int, int]) -> Task:
    """A task with two plans of one operator each."""
    variable = TaskVariable("v", ("a", "b"))
    operators = tuple(Operator(str(cost), {0: 0}, (Effect(0, 1),), cost) for cost in costs)
    return Task((variable,), (0,), {0: 1}, operators)


def last(turns: Iterator[Searched | None]) -> Searched:
    """The result."""
    for found in turns:
        if found is not None:
            return found
    raise AssertionError("a search ends with a result")


def first_plan(task: Task, budget: Budget) -> Searched:
    return last(finders.finders(task, budget, 1))


@pytest.mark.parametrize("member", MEMBERS)
def test_each_search_alone_agrees_with_the_textbook(member: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finders, "MEMBERS", (member,))
    monkeypatch.setattr(finders, "FIRST_TURN", 1)
    verdicts = {
        agrees(first_plan, make(seed), optimal=False) for seed in range(30) for make in (random_task, token_task)
    }
    assert verdicts == {"solvable", "unsolvable"}


def test_the_search_with_the_least_work_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[StandIn] = []

    def begun(member: Member) -> Member:
        def begin(*arguments: object) -> object:
            search = member.begin(*arguments)  # type: ignore[arg-type]
            searches.append(search)  # type: ignore[arg-type]
            return search

        return replace(member, begin=begin)  # type: ignore[arg-type]

    members = (begun(stand_in([0], 1 << 40)), begun(stand_in([0], 30_000)), begun(stand_in([0], 1 << 40)))
    monkeypatch.setattr(finders, "MEMBERS", members)
    monkeypatch.setattr(finders, "FIRST_TURN", 10)
    monkeypatch.setattr(finders, "LEAST_MORE", 0)
    rounds = 0
    for found in finders.finders(two_ways((1, 1)), Budget(), 1000):
        if found is None:
            rounds += 1
            work = [search.work for search in searches]
            assert 1000 << (rounds - 1) <= sum(work)
            assert max(work) < 1.6 * min(work)
    assert found is not None
    assert found.plan == (0,)
    assert rounds == 7  # three times 30,000


def test_a_search_without_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = replace(stand_in([0], 0), begin=unable)  # type: ignore[arg-type]
    monkeypatch.setattr(finders, "MEMBERS", (gone, *MEMBERS))
    assert first_plan(switches(3), Budget()).plan is not None
    monkeypatch.setattr(finders, "MEMBERS", (gone, gone))
    with pytest.raises(LimitReached, match="memory"):
        first_plan(switches(3), Budget())


@pytest.mark.parametrize(("at", "plan"), [(100, (1,)), (1000, (0,))])
def test_others_may_find_a_cheaper_plan_for_a_while(
    at: int, plan: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finders, "MEMBERS", (stand_in([0], 0), stand_in([1], at)))
    monkeypatch.setattr(finders, "FIRST_TURN", 10)
    monkeypatch.setattr(finders, "LEAST_MORE", 500)
    monkeypatch.setattr(finders, "shortened", lambda *arguments: arguments[2])
    assert first_plan(two_ways((5, 2)), Budget()).plan == plan
    assert first_plan(two_ways((2, 5)), Budget()).plan == (0,)


def test_a_plan_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finders, "MEMBERS", (stand_in([0], 0),))
    assert first_plan(two_ways((5, 2)), Budget()).plan == (1,)


def test_nothing_is_prepared_before_a_search_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    original = finders.landmark_graph
    monkeypatch.setattr(finders, "landmark_graph", lambda *arguments: made.append(0) or original(*arguments))
    monkeypatch.setattr(finders, "MEMBERS", (MEMBERS[0], stand_in([0, 1, 0], 0)))
    monkeypatch.setattr(Prepared, "landmark_work", 1 << 40)
    assert first_plan(switches(2), Budget()).plan == (0, 1, 0)
    assert not made
