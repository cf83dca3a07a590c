"""Searches over the variables that are found in a model agree with textbook search: verdict, cost, invariant."""

from collections.abc import Iterator
from math import inf

import pytest
from cut_off import Checks
from known_models import check_invariant
from oracle import least_cost
from random_models import random_model
from small_rooms import open_rooms

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.portfolio import auto, stages
from puzzlemc.mc.engines.registry import ENGINES, PLANNER
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.planning import portfolio
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict

SMALL_ENOUGH = 12  # bits of a model whose states are all tried


def check(model: Model, metric: str, verdict: Verdict, expected: int | None) -> None:
    if expected is None:
        assert isinstance(verdict, Unreachable)
        if len(model.bits) <= SMALL_ENOUGH:
            check_invariant(model, verdict)
        return
    assert isinstance(verdict, Reachable)
    verdict.trace.check(model)
    if metric != ANY:
        assert verdict.optimal
        assert verdict.cost == verdict.trace.cost(metric) == expected


@pytest.mark.parametrize("metric", ["cost", ANY])
@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 600), marks=pytest.mark.slow)])
def test_random_models(metric: str, seeds: range) -> None:
    solvable = 0
    for seed in seeds:
        model = random_model(seed)
        expected = least_cost(model, "cost")
        solvable += expected is not None
        check(model, metric, auto(model, metric, Budget(), many=bool(seed % 2)).verdict, expected)
        try:
            check(model, metric, PLANNER(model, metric, Budget()), expected)
        except Unsuitable:
            continue
    assert len(seeds) // 4 < solvable < len(seeds)


def test_the_search_says_what_was_found_in_the_model() -> None:
    verdict = PLANNER(random_model(1), "cost", Budget())
    assert "bits, of which" in verdict.statistics.found[0]


def test_no_state_is_left_out_where_a_proof_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, bool]] = []

    class Recorded(PatternSearch):
        def __init__(self, task: Task, budget: Budget, **options: bool) -> None:
            asked.append(options)
            super().__init__(task, budget, **options)

    monkeypatch.setattr(portfolio, "PatternSearch", Recorded)
    for proving in (None, "bits"):
        PLANNER(random_model(1), "cost", Budget(), proving=proving)
    assert asked == [dict.fromkeys(("folds", "reduces", "prunes"), given) for given in (True, False)]


def test_only_a_search_that_refuses_a_model_is_left_out() -> None:
    left_out = 0
    for seed in range(300):
        model = random_model(seed)
        if model.hints.guide_search or any(each.engine == "explicit" for each in stages(model, "cost", many=True)):
            continue
        left_out += 1
        with pytest.raises(Unsuitable):
            ENGINES["explicit"](model, "cost", Budget(), compiled_only=True)
    assert left_out


def test_unknown_has_the_cheapest_plan_so_far_and_each_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def idle(*_: object) -> Iterator[float]:
        while True:
            yield inf

    monkeypatch.setattr(portfolio, "PLANS_AFTER", 0)
    monkeypatch.setattr(portfolio, "PLANS_WORK", 1)
    monkeypatch.setattr(PatternSearch, "turns", idle)
    monkeypatch.setattr(SymbolicSearch, "turns", idle)
    unknown = 0
    for level in open_rooms(4):
        model = puzzle("sokoban").encodings["compact"](level).model
        told: list[Reachable] = []
        verdict = PLANNER(model, "pushes", Budget(Limits(), None, 0, Checks(120), told.append))
        for run in told:
            run.trace.check(model)
            assert run.cost == run.trace.cost("pushes")
            assert not run.optimal
        assert [run.cost for run in told] == sorted({run.cost for run in told}, reverse=True)
        if isinstance(verdict, Unknown) and told:
            assert verdict.best is not None
            assert verdict.best.cost == told[-1].cost
            unknown += 1
    assert unknown > 1
