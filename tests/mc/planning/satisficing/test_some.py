"""Greedy search agrees with the textbook search on whether there is a plan."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from random_tasks import random_task, switches, token_task

from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning.satisficing import some
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.tasks.semantics import check_plan
from puzzlemc.mc.tasks.task import Task, TaskVariable
from puzzlemc.mc.tasks.textbook import Searched, uniform_cost

QUICK, ALL = 300, 2000


def agrees(task: Task) -> str:
    """Check the verdict on a task; return it."""
    found, expected = some_plan(task, Budget()), uniform_cost(task, Budget())
    assert found.limit is None
    assert (found.plan is None) == (expected.plan is None)
    if found.plan is None or expected.plan is None:
        return "unsolvable"
    assert check_plan(task, found.plan) >= check_plan(task, expected.plan) >= found.bound
    return "solvable"


@pytest.mark.parametrize("make", [random_task, token_task])
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_agrees_with_the_textbook(make: Callable[[int], Task], seeds: range) -> None:
    verdicts = Counter(agrees(make(seed)) for seed in seeds)
    assert min(verdicts["solvable"], verdicts["unsolvable"]) > len(seeds) // 20


def test_turns_agree_with_the_textbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search has several turns, and sometimes the optimal one finds the plan."""
    monkeypatch.setattr(some, "FIRST_TURN", 1)
    for seed in range(QUICK // 4):
        agrees(random_task(seed))
        agrees(token_task(seed))


def test_optimal_search_has_two_turns_after_each_one_of_greedy_search(monkeypatch: pytest.MonkeyPatch) -> None:
    order = []

    def turns(name: str, last: int) -> Callable[[Task, Budget], Iterator[Searched | None]]:
        def search(*_: object) -> Iterator[Searched | None]:
            for number in range(1, last + 1):
                order.append(name)
                yield Searched((), 0, 0) if number == last else None

        return search

    monkeypatch.setattr(some, "_greedy", turns("greedy", 9))
    monkeypatch.setattr(some, "in_turns", turns("optimal", 3))
    assert some_plan(switches(2), Budget()).plan == ()
    assert order == ["greedy", "optimal", "optimal", "greedy", "optimal"]


def test_a_counter_takes_all_its_steps() -> None:
    found = some_plan(switches(10), Budget())
    assert found.plan is not None
    assert len(found.plan) == 2**10 - 1


def test_the_same_plan_twice() -> None:
    for seed in range(20):
        task = token_task(seed)
        assert some_plan(task, Budget()) == some_plan(task, Budget())


def test_a_memory_limit_gives_unknown() -> None:
    found = some_plan(switches(20), Budget(Limits(memory=1_000_000)))
    assert (found.plan, found.limit) == (None, "memory")


def test_a_time_limit_gives_a_bound() -> None:
    budget = Budget(Limits(seconds=1))
    started = time.perf_counter()
    found = some_plan(switches(30), budget)
    assert time.perf_counter() - started < 5
    assert (found.plan, found.limit) == (None, "timeout")
    assert found.bound == budget.bound


def test_it_can_be_cancelled() -> None:
    budget = Budget()
    timer = threading.Timer(0.3, budget.cancel)
    timer.start()
    assert some_plan(switches(30), budget).limit == "cancelled"
    timer.join()


def test_costs_that_are_too_large_for_optimal_search() -> None:
    assert some_plan(switches(2).with_costs([1, 1 << 40]), Budget()).plan == (0, 1, 0)


def test_a_task_without_operators() -> None:
    variable = TaskVariable("v", ("a", "b"))
    assert some_plan(Task((variable,), (0,), {0: 0}, ()), Budget()).plan == ()
    assert some_plan(Task((variable,), (0,), {0: 1}, ()), Budget()).plan is None
