"""The optimal search agrees with the textbook search: verdict and cost."""

from dataclasses import replace

import pytest
from planner_contract import QUICK, PlannerContract, agrees
from random_tasks import random_task, switches, token_task

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.optimal import STAGES, cheapest_plan
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable


class TestCheapestPlan(PlannerContract):
    search = staticmethod(cheapest_plan)
    optimal = True


def test_all_stages_agree_with_the_textbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages end after few expansions, and each new one counts as better."""
    few = [*(replace(stage, expansions=2) for stage in STAGES[:-1]), STAGES[-1]]
    monkeypatch.setattr(optimal, "STAGES", few)
    monkeypatch.setattr(optimal, "GAIN", 0.0)
    for seed in range(QUICK // 4):
        agrees(cheapest_plan, random_task(seed), optimal=True)
        agrees(cheapest_plan, token_task(seed), optimal=True)


def test_costs_are_divided_by_a_common_divisor() -> None:
    task = switches(4)
    dear = task.with_costs([10**12] * 4)
    assert cheapest_plan(dear, Budget()).bound == 15 * 10**12


def test_costs_that_are_too_large_are_refused() -> None:
    with pytest.raises(Unsuitable, match="an operator costs"):
        cheapest_plan(switches(2).with_costs([1, 1 << 28]), Budget())


def test_the_last_of_several_effects_on_a_variable_counts() -> None:
    """Also if one of them before it gives the variable the value that it had."""
    variable = TaskVariable("v", ("a", "b", "c", "d"))
    change = Operator("change", {}, (Effect(0, 1), Effect(0, 0), Effect(0, 3)))
    assert cheapest_plan(Task((variable,), (0,), {0: 3}, (change,)), Budget()).plan == (0,)
    assert cheapest_plan(Task((variable,), (0,), {0: 2}, (change,)), Budget()).plan is None
