"""Width search over step systems, alone and beside an exact search, against a search in plain Python."""

import numpy as np
import pytest
from step_tables import plain, random_table, replay, system

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.steps import plans
from puzzlemc.mc.steps.guide import Guide
from puzzlemc.mc.steps.runs import winning_trace
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.shortening import Shortening
from puzzlemc.mc.steps.steps import CHANGED, WON
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.steps.width import WidthSearch, advance
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, resolved

ODDS = [(2, 2, 0, 0), (2, 3, 1, 0), (40, 60, 1, 0), (40, 60, 0, 1), (40, 60, 2, 2)]

MEMORY = 1 << 30


def searched(model: StepSystem, walk: tuple[int, ...] = (), turn: int = 10**9) -> tuple[WidthSearch, int]:
    start = Layout(model).pack(initial_state(model))
    search = WidthSearch(start, 16, Guide(1, walk), model.bounds, MEMORY)
    status = PAUSED
    while status == PAUSED:
        status = advance(search, model.steps, MEMORY, turn)
    return search, status


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("odds", ODDS)
def test_it_wins_exactly_where_a_search_in_plain_python_does(seed: int, odds: tuple[int, int, int, int]) -> None:
    codes, targets = random_table(seed, odds)
    depth, won, unsettled = plain(codes, targets)
    search, status = searched(system(codes, targets), (1, 2) if seed % 2 else (), 1 + seed % 7)
    assert status == (ENDED if won is None else FOUND)
    if won is None:
        assert search.used == search.expanded == len(depth)
        assert search.unsettled == (unsettled is not None)
        return
    here = 0
    for action in search.path(search.won_from):
        assert codes[here, action] == CHANGED
        here = targets[here, action]
    assert codes[here, search.won_by] == WON


def switches(count: int) -> StepSystem:
    """Switches that stay on, in any order. The last one turns on only after all the others, and wins."""
    states = np.arange(1 << count)
    codes = np.full((len(states), count + 1), CHANGED, np.int64)
    targets = np.stack([states | 1 << number for number in range(count)] + [states], axis=1)
    codes[targets == states[:, None]] = 0
    codes[-1, count] = WON
    return system(codes, targets)


def test_what_is_new_comes_first() -> None:
    search, status = searched(switches(14))
    assert status == FOUND
    assert search.expanded < 1 << 10


def test_a_walk_goes_on_until_it_ends() -> None:
    """The low bits are a place, the high bits something that a step changes at each place."""
    states = np.arange(1 << 10)
    places, others = states % 128, states // 128
    codes = np.full((len(states), 2), CHANGED, np.int64)
    targets = np.stack([np.minimum(places + 1, 127) + 128 * others, places + 128 * (others + 1) % 1024], axis=1)
    codes[127, 0] = WON
    search, status = searched(system(codes, targets), tuple(range(1, 8)))
    assert status == FOUND
    assert (len(search.path(search.won_from)), search.expanded) == (127, 128)
    other, _ = searched(system(codes, targets))
    assert other.expanded > 256


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("odds", ODDS)
@pytest.mark.parametrize("metric", ["turns", ANY])
def test_beside_an_exact_search(
    seed: int, odds: tuple[int, int, int, int], metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "HEAD_START", 1)
    monkeypatch.setattr("puzzlemc.mc.search.turns.TURN_SECONDS", 0.0)  # a turn is one state
    codes, targets = random_table(seed, odds)
    _, won, unsettled = plain(codes, targets)
    recorded = list[Reachable]()
    verdict = breadth_first(system(codes, targets), metric, Budget(found=recorded.append))
    assert isinstance(verdict, Unknown if won is None and unsettled is not None else (Reachable, Unreachable))
    assert isinstance(verdict, Reachable) == (won is not None)
    for each in [*recorded, *([verdict] if isinstance(verdict, Reachable) else [])]:
        replay(codes, targets, each.trace)
        assert each.cost == len(each.trace.actions)
        assert each.cost >= (won or 0)
    if isinstance(verdict, Reachable) and metric != ANY:
        assert verdict.cost == won
        assert verdict.optimal == (unsettled is None or verdict.cost <= unsettled + 1)


@pytest.mark.parametrize("metric", ["turns", ANY])
def test_the_clock_does_not_decide_which_search_wins(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = []
    for size in (1, 1 << 30):  # the states of the first turn, as a slow clock and a fast one have it

        def begin(turns: Turns, budget: Budget, size: int = size) -> None:
            turns._budget, turns._size = budget, size

        monkeypatch.setattr(Turns, "__init__", begin)
        monkeypatch.setattr("puzzlemc.mc.search.turns.TURN_SECONDS", 0.0 if size == 1 else 100.0)
        verdict = breadth_first(switches(13), metric, Budget())
        assert isinstance(verdict, Reachable)
        assert verdict.optimal == (metric != ANY)
        traces.append(verdict.trace.states)
    assert traces[0] == traces[1]


def test_it_expands_a_part_of_what_the_exact_search_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "HEAD_START", 20)
    monkeypatch.setattr(plans, "MANY", 80)
    expanded = 0

    def counted(search: WidthSearch, *arguments: int) -> int:
        nonlocal expanded
        before = search.expanded
        status = advance(search, *arguments)
        expanded += search.expanded - before
        return status

    monkeypatch.setattr(plans, "advance", counted)
    model = switches(14)
    search = plans.PlanSearch(model, Layout(model), Layout(model).pack(initial_state(model)), Budget())
    counts = list[int]()
    for exact in (20, 40, 80, 160):
        assert search.follow(exact) is None
        counts.append(expanded)
    assert counts == [5, 10, 20, 60]


def test_a_recorded_plan_ends_as_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "HEAD_START", 16)
    recorded = list[Reachable]()
    verdict = breadth_first(switches(12), "turns", Budget(found=recorded.append))
    assert isinstance(verdict, Reachable)
    assert (verdict.cost, verdict.optimal) == (13, True)
    assert [each.cost for each in recorded] == [13]
    assert isinstance(resolved(verdict.proof), ListedStates)


def test_a_plan_is_left_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MEMORY_SHARE", 1)
    monkeypatch.setattr(plans, "HEAD_START", 16)
    verdict = breadth_first(switches(16), "turns", Budget(Limits(memory=1 << 20)))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "memory"
    assert verdict.best is not None
    assert verdict.best.cost == 17


def test_it_stops_at_its_share_of_memory_and_the_exact_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MEMORY_SHARE", 1 << 20)
    monkeypatch.setattr(plans, "CAPACITY", 16)
    recorded = list[Reachable]()
    verdict = breadth_first(switches(14), "turns", Budget(found=recorded.append))
    assert isinstance(verdict, Reachable)
    assert verdict.optimal
    assert not recorded


def test_a_memory_limit() -> None:
    model = switches(14)
    search = WidthSearch(Layout(model).pack(initial_state(model)), 16, Guide(1), model.bounds, MEMORY)
    with pytest.raises(LimitReached, match="memory"):
        advance(search, model.steps, search.size + 100, 10**9)


def test_a_plan_becomes_as_short_as_it_can() -> None:
    """On a row of states with shortcuts: a plan through all of them is shortened to the shortest one."""
    states = 60
    codes, targets = np.full((states, 3), CHANGED, np.int64), np.zeros((states, 3), np.int64)
    for number in range(states):
        targets[number] = [min(number + 1, states - 1), max(number - 1, 0), min(number + 4, states - 1)]
    codes[-1] = [0, CHANGED, WON]
    model = system(codes, targets)
    rows = np.arange(0, 2 * states, 2, dtype=np.uint64)[:, None]
    turns = Turns(Budget())
    plan = Shortening(model, rows, [0] * (states - 1) + [2], turns.run)
    costs = [len(plan.actions)]
    while not plan.is_over:
        plan.go_on(plan.work + 10, MEMORY)
        costs.append(len(plan.actions))
        layout = Layout(model)
        replay(codes, targets, winning_trace(model, layout, plan.rows, plan.actions))
        assert plan.rows[0, 0] == 0
    assert sorted(costs, reverse=True) == costs
    assert costs[-1] == plain(codes, targets)[1]


@pytest.mark.parametrize("seed", range(20))
def test_better_plans_are_recorded(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "HEAD_START", 1)
    monkeypatch.setattr(plans, "SHORTENING_SHARE", 1)
    monkeypatch.setattr("puzzlemc.mc.search.turns.TURN_SECONDS", 0.0)  # a turn is one state
    codes, targets = random_table(seed, (40, 60, 0, 0), 200)
    codes[plain(codes, targets)[0].popitem()[0], 0] = WON  # the farthest state
    recorded = list[Reachable]()
    verdict = breadth_first(system(codes, targets), "turns", Budget(found=recorded.append))
    assert isinstance(verdict, Reachable)
    assert verdict.cost == plain(codes, targets)[1]
    costs = [each.cost for each in recorded]
    assert sorted(set(costs), reverse=True) == costs
    for each in recorded:
        replay(codes, targets, each.trace)
        assert each.cost == len(each.trace.actions)
