"""Breadth-first search over step systems, against a search in plain Python over the same table."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from step_tables import Table, plain, random_table, system

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps import search
from puzzlemc.mc.steps.listed import ListedSteps
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.steps import CHANGED, NOTHING, UNSETTLED, WON, Successors, expand
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict
from puzzlemc.mc.words import view


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("odds", [(2, 2, 0, 0), (2, 3, 1, 0), (40, 60, 1, 0), (40, 60, 0, 1), (40, 60, 2, 2)])
def test_the_search_agrees_with_one_in_plain_python(seed: int, odds: tuple[int, int, int, int]) -> None:
    codes, targets = random_table(seed, odds)
    depth, won, unsettled = plain(codes, targets)
    model = system(codes, targets)
    verdict = breadth_first(model, "turns", Budget())
    match verdict:
        case Reachable(trace, cost, optimal):
            assert cost == won == len(trace.actions)
            assert optimal == (unsettled is None or cost <= unsettled + 1)
            layout, here = Layout(model), 0
            for action, state in zip(trace.actions, trace.states[1:], strict=True):
                number = model.actions.index(action)
                row = 2 * targets[here, number] + (codes[here, number] == WON)
                assert layout.integer(state) == row
                here = targets[here, number]
        case Unknown(reason, bound):
            assert (won, reason, bound) == (None, "bound", (unsettled or 0) + 1)
        case Unreachable(invariant):
            assert won is None
            assert unsettled is None
            assert verdict.statistics.states == len(depth)
            layout = Layout(model)
            assert all(invariant(layout.state(2 * number)) == (number in depth) for number in range(len(codes)))


def chain(length: int) -> tuple[Table, Table]:
    """States in a row, of which the last has no step."""
    codes = np.full((length, 1), CHANGED, np.int64)
    codes[-1] = NOTHING
    return codes, np.arange(1, length + 1, dtype=np.int64).reshape(-1, 1)


def test_another_way_is_asked_each_time_that_there_are_several_times_as_many_states() -> None:
    layout, asked = Layout(system(*chain(20_000))), list[int]()

    def otherwise(steps: Sequence[tuple[State, State]], states: int) -> Verdict | None:
        asked.append(states)
        numbers = [[layout.integer(state) // 2 for state in step] for step in steps]
        assert all(after == before + 1 for before, after in numbers)
        assert (numbers[0][1], numbers[-1][1]) == (1, states - 1)
        assert len(steps) == min(search.SEEN, states - 1)
        return Unreachable(lambda state: True) if states > 5_000 else None

    with patch.object(search, "MANY", 100):
        verdict = breadth_first(system(*chain(20_000)), "turns", Budget(), None, otherwise)
    assert asked == [100, 800, 6_400]
    assert isinstance(verdict, Unreachable)
    assert verdict.proof is None


def test_arrays_grow() -> None:
    verdict = breadth_first(system(*chain(100_000)), "turns", Budget())
    assert isinstance(verdict, Unreachable)
    assert verdict.statistics.states == 100_000


def test_a_win_after_many_steps() -> None:
    codes, targets = chain(5_000)
    codes[-1] = WON
    verdict = breadth_first(system(codes, targets), "turns", Budget())
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 5_000
    assert verdict.optimal


def test_under_any_no_verdict_is_optimal() -> None:
    codes, targets = chain(3)
    codes[-1] = WON
    verdict = breadth_first(system(codes, targets, cost=2), ANY, Budget())
    assert isinstance(verdict, Reachable)
    assert not verdict.optimal


def test_a_memory_limit_gives_unknown_with_its_bound() -> None:
    bounds: list[int] = []
    budget = Budget(Limits(memory=60_000), report=bounds.append)
    verdict = breadth_first(system(*chain(100_000)), "turns", budget)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "memory"
    assert verdict.bound == bounds[-1] > 100


@pytest.mark.parametrize("cancelled", [False, True])
def test_time_and_cancel_end_the_search(cancelled: bool) -> None:
    budget = Budget(Limits(seconds=None if cancelled else 0.0))
    if cancelled:
        budget.cancel()
    verdict = breadth_first(system(*chain(100_000)), "turns", budget)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == ("cancelled" if cancelled else "timeout")


def test_each_step_must_cost_1() -> None:
    with pytest.raises(Unsuitable, match="do not cost 1"):
        breadth_first(system(*chain(3), cost=2), "turns", Budget())


def test_expand_lists_sources_and_actions() -> None:
    codes = np.array([[CHANGED, NOTHING, WON], [UNSETTLED, CHANGED, CHANGED]], np.int64)
    targets = np.array([[1, 0, 1], [0, 0, 1]], np.int64)
    states = StateTable(3, 1, 4)
    states.rows = view(np.array([[0], [2], [3]], np.uint64))
    found = Successors(9, 1)
    count = expand(ListedSteps(codes, targets), states, 0, 3, found)
    after, source, action = (array.tolist() for array in found.arrays(count))
    expected: Any = ([[2], [3], [0], [2]], [0, 0, 1, 1], [0, 2, 1, 2])
    assert (after, source, action) == expected
    assert found.unsettled == 1
