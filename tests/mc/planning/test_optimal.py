"""The optimal search agrees with the textbook search: verdict and cost."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from random_tasks import random_task, switches, token_task

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.optimal import STAGES, cheapest_plan
from puzzlemc.mc.tasks.semantics import check_plan
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable
from puzzlemc.mc.tasks.textbook import uniform_cost

QUICK, ALL = 200, 1500


def agrees(task: Task) -> str:
    """Check the verdict on a task; return it."""
    found, expected = cheapest_plan(task, Budget()), uniform_cost(task, Budget())
    assert found.limit is None
    assert (found.plan is None) == (expected.plan is None)
    if found.plan is None or expected.plan is None:
        return "unsolvable"
    assert check_plan(task, found.plan) == check_plan(task, expected.plan) == found.bound
    return "solvable"


@pytest.mark.parametrize("make", [random_task, token_task])
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_agrees_with_the_textbook(make: Callable[[int], Task], seeds: range) -> None:
    verdicts = Counter(agrees(make(seed)) for seed in seeds)
    assert min(verdicts["solvable"], verdicts["unsolvable"]) > len(seeds) // 20


def test_all_stages_agree_with_the_textbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages end after few expansions, and each new one counts as better."""
    few = [*(replace(stage, expansions=2) for stage in STAGES[:-1]), STAGES[-1]]
    monkeypatch.setattr(optimal, "STAGES", few)
    monkeypatch.setattr(optimal, "GAIN", 0.0)
    for seed in range(QUICK // 4):
        agrees(random_task(seed))
        agrees(token_task(seed))


def test_a_counter_takes_all_its_steps() -> None:
    found = cheapest_plan(switches(10), Budget())
    assert found.plan is not None
    assert len(found.plan) == found.bound == 2**10 - 1


def test_the_same_plan_twice() -> None:
    for seed in range(20):
        task = token_task(seed)
        assert cheapest_plan(task, Budget()) == cheapest_plan(task, Budget())


def test_a_memory_limit_gives_unknown() -> None:
    found = cheapest_plan(switches(20), Budget(Limits(memory=1_000_000)))
    assert (found.plan, found.limit) == (None, "memory")


def test_a_time_limit_gives_a_bound() -> None:
    budget = Budget(Limits(seconds=1))
    started = time.perf_counter()
    found = cheapest_plan(switches(30), budget)
    assert time.perf_counter() - started < 5
    assert (found.plan, found.limit) == (None, "timeout")
    assert 0 < found.bound < 2**30
    assert found.bound == budget.bound


def test_it_can_be_cancelled() -> None:
    budget = Budget()
    timer = threading.Timer(0.3, budget.cancel)
    timer.start()
    assert cheapest_plan(switches(30), budget).limit == "cancelled"
    timer.join()


def test_costs_are_divided_by_a_common_divisor() -> None:
    task = switches(4)
    dear = task.with_costs([10**12] * 4)
    assert cheapest_plan(dear, Budget()).bound == 15 * 10**12


def test_costs_that_are_too_large_are_refused() -> None:
    with pytest.raises(Unsuitable, match="an operator costs"):
        cheapest_plan(switches(2).with_costs([1, 1 << 28]), Budget())


def test_a_task_without_operators() -> None:
    variable = TaskVariable("v", ("a", "b"))
    assert cheapest_plan(Task((variable,), (0,), {0: 0}, ()), Budget()).plan == ()
    assert cheapest_plan(Task((variable,), (0,), {0: 1}, ()), Budget()).plan is None


def test_the_last_of_several_effects_on_a_variable_counts() -> None:
    """Also if one of them before it gives the variable the value that it had."""
    variable = TaskVariable("v", ("a", "b", "c", "d"))
    change = Operator("change", {}, (Effect(0, 1), Effect(0, 0), Effect(0, 3)))
    assert cheapest_plan(Task((variable,), (0,), {0: 3}, (change,)), Budget()).plan == (0,)
    assert cheapest_plan(Task((variable,), (0,), {0: 2}, (change,)), Budget()).plan is None
