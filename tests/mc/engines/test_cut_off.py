"""Whatever a search leaves at a limit is true at that moment, wherever the limit strikes."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from cut_off import judge_cut_offs
from oracle import least_cost
from random_models import random_model
from small_rooms import open_rooms, rooms, symmetric_rooms
from step_tables import plain as search_table
from step_tables import random_table, replay, system

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.proof.bidirectional import check as check_positions
from puzzlemc.mc.engines import best_first, explicit, plan_finder
from puzzlemc.mc.engines.planning import planner
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import variants
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.states import check_states
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.verdict import Reachable
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the budget after each expansion, and use soon what a search otherwise uses late."""
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    monkeypatch.setattr("puzzlemc.mc.search.turns.TURN_SECONDS", 0.0)
    monkeypatch.setattr("puzzlemc.mc.steps.plans.HEAD_START", 1)
    monkeypatch.setattr("puzzlemc.mc.planning.portfolio.PLANS_AFTER", 0)
    monkeypatch.setattr("puzzlemc.mc.planning.portfolio.PLANS_WORK", 1)
    monkeypatch.setattr("puzzlemc.mc.planning.satisficing.improvement.LEAST_SHORTENING", 100)
    monkeypatch.setattr(explicit, "PATTERNS", {1: 1 << 3, 2: 1 << 5})
    monkeypatch.setattr(explicit, "PROVING", {1: 1 << 5})
    monkeypatch.setattr(explicit, "TRIPLES_FROM", 1 << 5)
    monkeypatch.setattr(explicit, "PLANS_FROM", 2)
    monkeypatch.setattr(explicit, "WAVES_PLANS_FROM", 2)
    monkeypatch.setattr(best_first, "PATTERNS", {1: 1 << 3, 2: 1 << 4})
    monkeypatch.setattr(plan_finder, "GROWTH", 2)


def with_plans(model: Model, plans: Sequence[Sequence[Action]]) -> Model:
    """The model with a plan finder whose calls yield these plans, one more in each call."""
    calls = 0

    def find(metric: str, budget: Budget, work: int | None) -> Any:
        nonlocal calls
        calls += 1
        for plan in plans[:calls]:
            yield plan
            for _ in range(8):
                budget.check()

    return replace(model, hints=replace(model.hints, plan_finder=find, plan_improver=None))


def plans_of(model: Model, metric: str) -> list[list[Action]]:
    """Plans of falling cost; none if there is no plan."""
    found = [uniform_cost(model, metric, Budget()), best_first.best_first(model, metric, Budget())]
    plans = [[*each.trace.actions] for each in found if isinstance(each, Reachable)]
    chance, state, detour = random.Random(len(model.actions)), initial_state(model), list[Action]()
    for _ in range(12):
        enabled = [action for action in model.actions if action.enabled(state)]
        if enabled:
            detour.append(chance.choice(enabled))
            state = detour[-1].fire(state)
    rest = best_first.best_first(replace(model, init={b: b in state for b in model.bits}), metric, Budget())
    if isinstance(rest, Reachable):
        plans.append([*detour, *rest.trace.actions])
    return plans[::-1]


def judge_levels(levels: Sequence[Level], metrics: Sequence[str]) -> int:
    """Cut off the searches on levels of Sokoban at random moments; return the number of plans left at a limit."""
    left = 0
    for seed, level in enumerate(levels):
        plain = RULES.encodings["compact"](level).model
        metric = metrics[seed % len(metrics)]
        plans = plans_of(plain, metric)
        least = min((sum(action.costs[metric] for action in plan) for plan in plans), default=None)
        chance = random.Random(seed)
        proving = chance.choice([None, None, "bits", "positions"])

        def search(model: Model, metric: str, budget: Budget, plans: Any = plans, proving: Any = proving) -> Any:
            return explicit.explicit(with_plans(model, plans), metric, budget, proving=proving)

        def check(proof: Any, level: Level = level, plain: Model = plain) -> None:
            if isinstance(proof, BidirectionalProof):
                check_positions(level, proof, Budget())
            else:
                check_states(plain, proof, Budget())

        left += judge_cut_offs(search, plain, metric, least, seed, check=check)
    return left


def test_a_search_for_a_cheapest_plan_is_cut_off_at_random_moments() -> None:
    count = examples(3, 60)
    levels = [*rooms(count), *open_rooms(count), *symmetric_rooms(count)]
    assert judge_levels(levels, ["pushes", "moves"]) > 2 * count


@pytest.mark.slow
@pytest.mark.parametrize("draw", [rooms, open_rooms, symmetric_rooms])
@pytest.mark.parametrize("metric", ["pushes", "moves"])
@pytest.mark.parametrize("count", [30, 31, 32])
def test_searches_on_many_levels_are_cut_off_at_random_moments(draw: Any, metric: str, count: int) -> None:
    assert judge_levels([*draw(count)], [metric]) > count


def test_greedy_search_is_cut_off_at_random_moments() -> None:
    for seed, level in enumerate([*rooms(examples(5, 20)), *open_rooms(examples(5, 20))]):
        model = RULES.encodings["compact"](level).model
        least = 0 if plans_of(model, ANY) else None
        judge_cut_offs(best_first.best_first, model, ANY, least, seed, examples(10, 50))


@pytest.mark.parametrize(
    "search",
    [*variants(), uniform_cost, planner, auto],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_every_engine_is_cut_off_at_random_moments(search: Any) -> None:
    taken = 0
    for seed in range(examples(3, 6)):
        model = random_model(seed)
        least = least_cost(model, "cost")
        if least is None and str(search) == "bmc":  # it does not end
            continue
        try:
            judge_cut_offs(search, model, "cost", least, seed, examples(4, 50))
        except Unsuitable:
            continue
        taken += 1
    assert taken


@pytest.mark.parametrize("odds", [(1, 6, 0, 0), (2, 6, 1, 0), (4, 8, 1, 1)])
def test_a_search_over_steps_is_cut_off_at_random_moments(odds: tuple[int, int, int, int]) -> None:
    for seed in range(examples(5, 40)):
        codes, targets = random_table(seed, odds)
        _, won, unsettled = search_table(codes, targets)
        least = min((each for each in (won, None if unsettled is None else unsettled + 1) if each), default=None)
        run = partial(replay, codes, targets)
        judge_cut_offs(breadth_first, system(codes, targets), "turns", least, seed, examples(20, 50), replay=run)
