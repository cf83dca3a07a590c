"""The optimal search agrees with the textbook search: verdict and cost."""

from dataclasses import replace

import pytest
from planner_contract import QUICK, PlannerContract, agrees
from random_tasks import random_task, switches, token_task
from symmetric_tasks import lamps

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch, cheapest_plan
from puzzlemc.mc.search import turns
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


def test_where_a_turn_ends_does_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor on how long representatives of states take: the clock sets how often the limits are looked at."""
    small = [replace(stage, expansions=10, pattern_size=0, total_size=0) for stage in STAGES]
    monkeypatch.setattr(optimal, "STAGES", small)
    monkeypatch.setattr(optimal, "LAST_EXPANSIONS", 30)
    monkeypatch.setattr(optimal, "potential", lambda *_: None)
    task = lamps(9, last=1)
    ends = []
    for seconds in (0.0, 1000.0):
        monkeypatch.setattr(turns, "TURN_SECONDS", seconds)
        search = PatternSearch(task, Budget(), folds=True)
        ends.append([(search.search.expanded, search.search.work) for _ in search.turns()])
        assert search.symmetries.count
    assert ends[0] == ends[1]
    assert ends[0][-1][1] > ends[0][-1][0]
    assert len(ends[0]) > 5


@pytest.mark.parametrize(("places", "more"), [(30, 0), (1057, 32)])
def test_a_state_with_many_successors_is_the_work_of_several(places: int, more: int) -> None:
    """Each 32 of them beyond the first 32 count as one expansion."""
    names = tuple(map(str, range(places)))
    ways = tuple(Operator(f"to {n}", {0: 0}, (Effect(0, n),)) for n in range(1, places))
    search = PatternSearch(Task((TaskVariable("token", names),), (0,), {0: places - 1}, ways), Budget())
    for _ in search.turns():
        pass
    assert search.plan() == (places - 2,)
    assert (search.search.expanded, search.search.work) == (1, 1 + more)
