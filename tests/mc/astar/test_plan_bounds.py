"""The plan finder inside an optimal search: a plan prunes states, and a wrong plan changes nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from oracle import least_cost_by_rules
from small_rooms import open_rooms, rooms

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines import explicit, plan_finder
from puzzlemc.mc.engines.best_first import best_first
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.verdict import Reachable, Unknown

RULES = puzzle("sokoban")
METRIC = "pushes"


def with_plan(model: Model, actions: Sequence[Action] | None) -> Model:
    """The model with a plan finder that yields these actions, or without one."""
    run: Any = None if actions is None else lambda metric, budget, work: [actions]
    return replace(model, hints=replace(model.hints, plan_finder=run, plan_improver=None))


def solved(model: Model, patch: pytest.MonkeyPatch) -> Reachable:
    """The verdict of a search that calls the plan finder early."""
    patch.setattr(explicit, "PATTERNS", {1: 1 << 14})
    patch.setattr(explicit, "PLANS_FROM", 2)
    patch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    verdict = astar(model, METRIC, Budget())
    assert isinstance(verdict, Reachable)
    assert verdict.optimal
    verdict.trace.check(model)
    return verdict


def solvable() -> list[tuple[Model, int]]:
    """Models with their least costs."""
    costs = ((level, least_cost_by_rules(RULES, level, METRIC)) for level in rooms(120))
    return [(RULES.encodings["compact"](level).model, cost) for level, cost in costs if cost]


def test_a_plan_reduces_the_number_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = 0
    for model, least in solvable():
        best = solved(with_plan(model, None), monkeypatch)
        again = solved(with_plan(model, best.trace.actions), monkeypatch)
        assert best.cost == again.cost == least
        before, after = best.statistics.states, again.statistics.states
        assert before is not None
        assert after is not None
        assert after <= before
        fewer += after < before
    assert fewer >= 5


def test_a_growing_search_calls_the_plan_finder_again_with_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    longest, better = 0, 0
    monkeypatch.setattr(plan_finder, "GROWTH", 2)
    for model, least in solvable():
        best = solved(with_plan(model, None), monkeypatch)
        works: list[int] = []

        def run(metric: str, budget: Budget, work: int, works: Any = works, best: Any = best) -> Any:
            works.append(work)
            return [best.trace.actions] if len(works) == 2 else []

        again = solved(
            replace(model, hints=replace(model.hints, plan_finder=run, plan_improver=None)), monkeypatch
        )
        assert again.cost == least
        assert works == [plan_finder.WORK * plan_finder.GROWTH**time for time in range(len(works))]
        longest = max(longest, len(works))
        before, after = best.statistics.states, again.statistics.states
        assert before is not None
        assert after is not None
        better += after < before
    assert longest >= 3
    assert better


def test_a_known_plan_is_improved_in_place_of_a_new_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known is the plan of an earlier call, or one that the search itself has found."""
    monkeypatch.setattr(plan_finder, "GROWTH", 2)
    monkeypatch.setattr(plan_finder, "WORK", 3)
    longer = 0
    for model, least in solvable():
        calls: list[tuple[int, int | None]] = []

        def find(metric: str, budget: Budget, work: int, calls: Any = calls) -> Any:
            calls.append((work, None))
            return []

        def improve(
            plan: Any, metric: str, budget: Budget, work: int, model: Any = model, calls: Any = calls
        ) -> Any:
            calls.append((work, run_of(model, plan).cost(metric)))
            return [plan]

        again = solved(
            replace(model, hints=replace(model.hints, plan_finder=find, plan_improver=improve)), monkeypatch
        )
        assert again.cost == least
        assert [work for work, _ in calls] == [3 * 2**time for time in range(len(calls))]
        costs = [cost for _, cost in calls]
        known = [cost for cost in costs if cost is not None]
        assert costs == [None] * (len(costs) - len(known)) + sorted(known, reverse=True)
        longer += len(known)
    assert longer


def test_a_search_that_proves_gives_no_plan_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    monkeypatch.setattr(
        plan_finder.PlanFinder, "search_if_due", lambda self, size, first, met: given.append(met is not None)
    )
    model = solvable()[0][0]
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    assert isinstance(astar(model, METRIC, Budget(), proving="bits"), Reachable)
    assert given
    assert not any(given)


def test_a_wrong_plan_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for model, least in solvable()[:25]:
        best = solved(with_plan(model, None), monkeypatch)
        actions = list(best.trace.actions)
        # The first action is not one of the model.
        unknown = [replace(actions[0], costs=dict.fromkeys(RULES.metrics, 0)), *actions[1:]]
        for wrong in ([], actions[:-1], actions[1:], actions[::-1], unknown):
            found = solved(with_plan(model, wrong), monkeypatch)
            assert found.cost == least
            assert found.trace.cost(METRIC) == least


def test_a_limit_within_the_plan_finder_leaves_the_plan_that_it_has_just_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search has a dearer plan of an earlier call at that moment, and no states where its sides have met."""
    monkeypatch.setattr(explicit, "PATTERNS", {1: 1 << 14})
    monkeypatch.setattr(explicit, "PLANS_FROM", 1)
    monkeypatch.setattr(plan_finder, "GROWTH", 1)
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    cut = 0
    for level in open_rooms(30):
        model = RULES.encodings["compact"](level).model
        some = best_first(model, METRIC, Budget())
        best = astar(with_plan(model, None), METRIC, Budget())
        if not isinstance(some, Reachable) or not isinstance(best, Reachable) or some.cost == best.cost:
            continue
        budget, plans = Budget(), [[*best.trace.actions], [*some.trace.actions]]

        def run(metric: str, part: Budget, work: int, plans: Any = plans, budget: Any = budget) -> Any:
            yield plans.pop()
            if not plans:
                budget.cancel()

        verdict = astar(
            replace(model, hints=replace(model.hints, plan_finder=run, plan_improver=None)), METRIC, budget
        )
        assert isinstance(verdict, Unknown)
        assert verdict.best is not None
        assert verdict.best.cost == best.cost
        verdict.best.trace.check(model)
        cut += 1
    assert cut >= 3
