"""Cheap plans of Sokoban: they solve the level, cost at most those of each setting, and survive a limit."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial

import pytest
from oracle import least_cost_by_rules
from small_rooms import level_of

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import ALL
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import find_plan as true_find_plan
from puzzlemc.encodings.sokoban.improve import cheap_plan as module
from puzzlemc.encodings.sokoban.improve.cheap_plan import cheap_plans, cheaper_plans
from puzzlemc.encodings.sokoban.improve.improvement import improve as true_improve
from puzzlemc.mc.errors import LIMITS, LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
WORK = 1 << 22
PlanFinder = Callable[..., list[str] | None]


def last_plan(level: Level, metric: str, budget: Budget, work: int | None) -> list[str] | None:
    """The last plan that is yielded, or None. Raises the limit if it comes before any plan."""
    plans: list[list[str]] = []
    try:
        plans.extend(cheap_plans(level, metric, budget, work))
    except LIMITS:
        if not plans:
            raise
    if metric in module.COSTS:
        costs = [module.COSTS[metric](plan) for plan in plans]
        assert costs == sorted(set(costs), reverse=True)
    return plans[-1] if plans else None


@pytest.fixture
def level() -> Level:
    return level_of("########\n#      #\n# $  . #\n#  @   #\n########\n")


@pytest.fixture
def no_improvement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.improvement, "improve", lambda level, letters, metric, expansions: letters)


def open_rooms(count: int) -> Iterator[Level]:
    """Rooms with a few pillars, two boxes away from the walls, and random goals."""
    rng = random.Random(7)
    for _ in range(count):
        cells = {(r, c): "#" if rng.random() < 0.1 else " " for r in range(5) for c in range(6)}
        boxes = rng.sample([(r, c) for r in range(1, 4) for c in range(1, 5)], 2)
        others = rng.sample(sorted(cells.keys() - boxes), len(boxes) + 1)
        cells |= dict.fromkeys(boxes, "$") | dict.fromkeys(others, ".") | {others[0]: "@"}
        lines = ["".join(cells[r, c] for c in range(6)) for r in range(5)]
        (level,) = parse("\n".join(["#" * 8, *(f"#{line}#" for line in lines), "#" * 8]), "random")
        if isinstance(level, Level):
            yield level


def finder_with(answers: Sequence[str | Exception | None]) -> tuple[PlanFinder, list[tuple[object, object]]]:
    """A plan finder that gives these answers (or raises) in turn, and its calls: work and portfolios."""
    waiting, calls = list(answers), []

    def find_plan(
        level: Level, budget: Budget, work: int | None, portfolios: object = None, *, barriers: bool = True
    ) -> list[str] | None:
        assert not barriers or portfolios is None
        calls.append((work, portfolios))
        answer = waiting.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return None if answer is None else list(answer)

    return find_plan, calls


def test_plans_solve_and_cost_at_most_those_of_each_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    # With one expansion, the improvement depends on the plan that is chosen.
    monkeypatch.setattr(module, "EXPANSIONS", 1)
    found, least = 0, 0
    for level in open_rooms(examples(12, 60)):
        plan = last_plan(level, "moves", Budget(), WORK)
        best = least_cost_by_rules(RULES, level, "moves")
        assert (plan is None) <= (best is None)  # the levels are small: the plan finder solves each solvable one
        if plan is None or best is None:
            continue
        cost = RULES.replay(level, plan).costs["moves"]
        assert cost >= best
        for setting in ALL:
            alone = true_find_plan(level, Budget(), WORK // len(ALL), ((setting,),), barriers=False)
            if alone is not None:
                assert cost <= RULES.replay(level, true_improve(level, alone, "moves", 1)).costs["moves"]
        if found % 4 == 0:
            assert last_plan(level, "moves", Budget(), WORK) == plan
        found += 1
        least += cost == best
    assert found > examples(4, 20)
    assert least > found // 2


@pytest.mark.usefixtures("no_improvement")
def test_the_cheapest_plan_by_the_metric_is_last(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["RRRr", "lllRR", None, "llllllR"]
    find_plan, calls = finder_with(answers)
    monkeypatch.setattr(module, "find_plan", find_plan)
    assert last_plan(level, "moves", Budget(), 400) == list("RRRr")
    assert calls == [(100, ((setting,),)) for setting in ALL]


def test_improved_plans_are_compared(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    better = {"RR": "RR", "RRR": "RrRr", "RRRR": "lR", "lR": "R"}
    monkeypatch.setattr(module, "find_plan", finder_with(["RR", "RRR", "RRRR", None])[0])
    monkeypatch.setattr(
        module.improvement, "improve", lambda level, letters, metric, expansions: list(better["".join(letters)])
    )
    assert last_plan(level, "moves", Budget(), 400) == ["R"]


@pytest.mark.usefixtures("no_improvement")
def test_without_plans_there_is_no_answer(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    find_plan, calls = finder_with([None] * len(ALL))
    monkeypatch.setattr(module, "find_plan", find_plan)
    assert last_plan(level, "moves", Budget(), 400) is None
    assert len(calls) == len(ALL)


@pytest.mark.usefixtures("no_improvement")
@pytest.mark.parametrize("limit", [LimitReached("timeout"), MemoryError()])
def test_a_limit_keeps_the_plans_found_before(
    level: Level, limit: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    for answers in (["RR", limit], [None, "RR", limit], ["RR", "RRR", limit]):
        monkeypatch.setattr(module, "find_plan", finder_with(answers)[0])
        assert last_plan(level, "moves", Budget(), 400) == ["R", "R"]
    monkeypatch.setattr(module, "find_plan", finder_with([None, limit])[0])
    with pytest.raises(type(limit)):
        last_plan(level, "moves", Budget(), 400)


@pytest.mark.parametrize("limit", [LimitReached("timeout"), MemoryError()])
def test_a_limit_during_an_improvement_keeps_the_plan(
    level: Level, limit: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def improve(*_: object) -> list[str]:
        raise limit

    find_plan, calls = finder_with(["RR"])
    monkeypatch.setattr(module, "find_plan", find_plan)
    monkeypatch.setattr(module.improvement, "improve", improve)
    assert last_plan(level, "moves", Budget(), 400) == ["R", "R"]
    assert len(calls) == 1


@pytest.mark.parametrize("turn", range(len(ALL) + 1))
def test_nothing_is_improved_after_the_limit(level: Level, turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit comes while a setting searches for a plan, or while the plan of the last setting is improved."""
    budget, calls, improved = Budget(), [], []

    def find_plan(*_: object, **__: object) -> list[str]:
        calls.append(turn)
        if len(calls) > turn:
            budget.cancel()
        return ["R", "R"]

    def improve(*_: object) -> list[str]:
        improved.append(turn)
        if len(improved) == len(ALL):
            budget.cancel()
        return ["R", "R"]

    monkeypatch.setattr(module, "find_plan", find_plan)
    monkeypatch.setattr(module.improvement, "improve", improve)
    assert last_plan(level, "moves", budget, 400) == ["R", "R"]
    assert len(improved) == turn


@pytest.mark.parametrize(("metric", "work"), [(ANY, 400), (ANY, None), ("pushes", None)])
@pytest.mark.parametrize("found", ["rruLdl", None])
def test_without_costs_or_a_limit_of_work_all_settings_search_together(
    level: Level, monkeypatch: pytest.MonkeyPatch, metric: str, work: int | None, found: str | None
) -> None:
    find_plan, calls = finder_with([found])
    monkeypatch.setattr(module, "find_plan", find_plan)
    assert last_plan(level, metric, Budget(), work) == (found and list(found))
    assert calls == [(work, None)]


def test_the_last_improved_plan_by_pushes_is_yielded(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def push_less(
        improved: list[str], limit: Exception | None, _level: Level, _known: list[str], _budget: Budget, work: int
    ) -> Iterator[list[str]]:
        calls.append(work)
        yield from map(list, improved)
        if limit is not None:
            raise limit

    for improved, limit in [
        (["lRR", "R"], None),
        ([], None),
        (["R"], MemoryError()),
        ([], LimitReached("timeout")),
    ]:
        monkeypatch.setattr(module, "find_plan", finder_with(["RrrR"])[0])
        monkeypatch.setattr(module, "push_less", partial(push_less, improved, limit))
        plans: list[list[str]] = []
        with nullcontext() if limit is None else pytest.raises(type(limit)):
            for plan in cheap_plans(level, "pushes", Budget(), 1 << 12):
                plans.append(plan)  # those before the limit are kept
        assert plans == [list("RrrR"), *map(list, improved[-1:])]
    assert calls == [1 << 12] * 4


def test_plans_by_pushes_are_reproducible_solutions() -> None:
    found, least = 0, 0
    for level in open_rooms(examples(20, 40)):
        plan = last_plan(level, "pushes", Budget(), WORK)
        best = least_cost_by_rules(RULES, level, "pushes")
        assert (plan is None) <= (best is None)
        if plan is not None and best is not None:
            cost = RULES.replay(level, plan).costs["pushes"]
            assert cost >= best
            if found % 4 == 0:
                assert last_plan(level, "pushes", Budget(), WORK) == plan
            found += 1
            least += cost == best
    assert found > examples(7, 15)
    assert least == found  # in small levels nothing is left to improve


def test_a_known_solution_is_improved_by_pushes_without_a_search_for_another_one(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    monkeypatch.setattr(module, "find_plan", lambda *_, **__: searched.append("plan"))
    assert list(cheaper_plans(level, list("lluRRR"), "pushes", Budget(), 1 << 20)) == []
    detour = list("lluRurrdLulldRRR")
    (better,) = cheaper_plans(level, detour, "pushes", Budget(), 1 << 20)
    assert better == list("lluRRR")
    assert not searched
    assert list(cheaper_plans(level, detour, "moves", Budget(), 1 << 20)) == []
    assert searched
