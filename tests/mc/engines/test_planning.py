"""Searches over the variables that are found in a model agree with textbook search: verdict, cost, invariant."""

import pytest
from known_models import check_invariant
from oracle import least_cost
from random_models import random_model

from puzzlemc.mc.engines.portfolio import auto, stages
from puzzlemc.mc.engines.registry import ENGINES, PLANNER
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict

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
