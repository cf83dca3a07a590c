"""What holds of each search for plans of a task: it agrees with the textbook search, and ends at limits."""

import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest
from random_tasks import random_task, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.tasks.task import Searched, Task, TaskVariable

Search = Callable[[Task, Budget], Searched]
QUICK, ALL = 100, 1500


def agrees(search: Search, task: Task, *, optimal: bool) -> str:
    """Check the verdict on a task; return it."""
    found, expected = search(task, Budget()), uniform_cost(task, Budget())
    assert found.limit is None
    assert (found.plan is None) == (expected.plan is None)
    if found.plan is None or expected.plan is None:
        return "unsolvable"
    assert check_plan(task, found.plan) >= check_plan(task, expected.plan) >= found.bound
    if optimal:
        assert check_plan(task, found.plan) == found.bound
    return "solvable"


class PlannerContract:
    """The tests of a search; a subclass names it, and says if its plans are cheapest ones."""

    search: Search
    optimal: bool

    def agrees(self, task: Task) -> str:
        return agrees(self.search, task, optimal=self.optimal)

    @pytest.mark.parametrize("make", [random_task, token_task])
    @pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
    def test_agrees_with_the_textbook(self, make: Callable[[int], Task], seeds: range) -> None:
        verdicts = Counter(self.agrees(make(seed)) for seed in seeds)
        assert min(verdicts["solvable"], verdicts["unsolvable"]) > len(seeds) // 20

    def test_a_counter_takes_all_its_steps(self) -> None:
        found = self.search(switches(10), Budget())
        assert found.plan is not None
        assert len(found.plan) == 2**10 - 1

    def test_the_same_plan_twice(self) -> None:
        for seed in range(20):
            task = token_task(seed)
            assert self.search(task, Budget()) == type(self).search(task, Budget())

    def test_a_memory_limit_gives_unknown(self) -> None:
        found = self.search(switches(20), Budget(Limits(memory=1_000_000)))
        assert (found.plan, found.limit) == (None, "memory")

    def test_a_time_limit_gives_a_bound(self) -> None:
        budget = Budget(Limits(seconds=1))
        started = time.perf_counter()
        found = self.search(switches(30), budget)
        assert time.perf_counter() - started < 5
        assert (found.plan, found.limit) == (None, "timeout")
        assert found.bound == budget.bound < 2**30
        assert found.bound > 0 or not self.optimal

    def test_it_can_be_cancelled(self) -> None:
        budget = Budget()
        timer = threading.Timer(0.3, budget.cancel)
        timer.start()
        assert self.search(switches(30), budget).limit == "cancelled"
        timer.join()

    def test_a_task_without_operators(self) -> None:
        variable = TaskVariable("v", ("a", "b"))
        assert self.search(Task((variable,), (0,), {0: 0}, ()), Budget()).plan == ()
        assert self.search(Task((variable,), (0,), {0: 1}, ()), Budget()).plan is None
