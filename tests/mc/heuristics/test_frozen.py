"""Frozen objects and the bound of the other objects, against all positions of small levels."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from oracle import costs_by_rules, least_cost_by_rules
from small_rooms import RULES, level_of, prepared, rooms, row_of
from strategies import levels

from examples import examples
from puzzlemc.mc.astar.problem import Problem, Side
from puzzlemc.mc.astar.search import estimates
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.heuristics.build_tables import no_frozen
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.verdict import Reachable, Unknown
from puzzlemc.screens.sokoban import Level, State


def frozen_in(model: Model, problem: Problem, row: PackedStates) -> tuple[set[Any], int]:
    """The squares of the frozen boxes, and the bound of the others."""
    side = problem.forward
    bound = int(estimates(side, row, with_pairs=False)[0])
    held = problem.layout.read(np.asarray(side.frozen.kept)[0])
    return {model.hints.objects[b] for b in held}, bound


def positions_with_frozen_boxes(level: Level, metric: str) -> int:
    """The number of positions with frozen boxes; asserts that the bound is admissible in each of them."""
    model, problem = prepared(level, metric)
    edges, left = costs_by_rules(RULES, level, metric)
    found = 0
    for position in edges:
        cells, estimate = frozen_in(model, problem, row_of(model, problem, position))
        assert cells <= position.boxes
        found += bool(cells)
        if position in left:
            assert estimate <= left[position]
            for step in RULES.rules.steps(level, position):  # it stays as long as the goal can be reached
                assert cells <= step.position.boxes or step.position not in left
    return found


@pytest.mark.parametrize("metric", RULES.metrics)
def test_frozen_boxes_stay_and_the_bound_of_the_others_is_admissible(metric: str) -> None:
    found = 0

    @given(level=levels())
    def holds(level: Level) -> None:
        nonlocal found
        found += positions_with_frozen_boxes(level, metric)

    holds()
    assert found >= examples(20, 100)


def test_a_box_on_its_goal_may_block_the_other_boxes() -> None:
    # A box in the lower corner can never be pushed again, and then no other box can be pushed up.
    level = level_of("######", "#.####", "# ####", "#  $ #", "#. $@#", "######")
    model, problem = prepared(level, "pushes")
    row = row_of(model, problem, State((4, 4), frozenset([(4, 1), (3, 3)])))
    forward = problem.forward
    alone = Side(forward.tables, no_frozen(problem.layout), forward.stubborn, forward.pairs, forward.space)
    assert estimates(alone, row, with_pairs=False).tolist() == [4]
    frozen, estimate = frozen_in(model, problem, row)
    assert frozen == {(4, 1)}
    assert estimate >= INFINITE


def test_boxes_that_block_each_other_are_frozen_together() -> None:
    level = level_of("######", "#.   #", "# $$ #", "#  @.#", "######")
    model, problem = prepared(level, "pushes")
    frozen, _ = frozen_in(model, problem, row_of(model, problem, State((2, 2), frozenset([(1, 1), (1, 2)]))))
    # To push the other box out of the corner, the player would have to stand there.
    assert frozen == {(1, 1), (1, 2)}
    frozen, _ = frozen_in(model, problem, row_of(model, problem, State((2, 3), frozenset([(2, 2), (1, 1)]))))
    assert frozen == {(1, 1)}


def test_the_open_list_has_room_for_the_larger_of_two_costs_of_each_target() -> None:
    """The open list is an array indexed by bounds. A bound may take some costs from here and others from there."""
    known = 0
    for level in rooms(5):
        _, problem = prepared(level, "pushes")
        tables, frozen = problem.forward.tables, problem.forward.frozen
        distance = np.asarray(tables.distance)
        alone = np.where(distance < INFINITE, distance, 0).max(axis=(0, 1)).sum()
        known += frozen.largest_increase > 0
        assert tables.largest_increase >= alone + frozen.largest_increase
    assert known


def test_a_search_that_ends_unknown_keeps_the_best_plan() -> None:
    kept = 0
    for level in rooms(400):
        model = RULES.encodings["compact"](level).model
        for metric in RULES.metrics:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(explicit, "PATTERNS", {1: 1})
                patch.setattr("puzzlemc.mc.astar.space.STEPS", 3)
                verdict = astar(model, metric, Budget(), most_states=24)
            if isinstance(verdict, Unknown) and verdict.best is not None:
                kept += 1
                least = least_cost_by_rules(RULES, level, metric)
                assert least is not None
                assert verdict.bound <= least <= verdict.best.cost
                assert not verdict.best.optimal
                verdict.best.trace.check(model)
    assert kept


@pytest.mark.parametrize("spare", [False, True])
def test_a_plan_bounds_the_search_and_is_the_result_at_a_limit(spare: bool) -> None:
    guessed = proved = 0
    for level in rooms(examples(50, 200)):
        if spare:  # one goal fewer, so that the goal states cannot be listed
            level = replace(level, goals=level.goals - {min(level.goals)})
        model = RULES.encodings["compact"](level).model
        for metric in RULES.metrics:
            least = least_cost_by_rules(RULES, level, metric)
            for most in (12, None):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(explicit, "PATTERNS", {1: 1})
                    patch.setattr(explicit, "PLANS_FROM", 6)
                    patch.setattr(explicit, "WAVES_PLANS_FROM", 6)
                    patch.setattr("puzzlemc.mc.astar.space.STEPS", 3)
                    verdict = astar(model, metric, Budget(), most_states=most)
                if isinstance(verdict, Unknown):
                    assert most is not None
                    assert verdict.best is None or least is not None
                    if verdict.best is not None:
                        guessed += 1
                        assert verdict.bound <= least <= verdict.best.cost
                        assert not verdict.best.optimal
                        verdict.best.trace.check(model)
                elif isinstance(verdict, Reachable):
                    proved += most is None
                    assert verdict.optimal
                    assert verdict.cost == verdict.trace.cost(metric) == least
                    verdict.trace.check(model)
                else:
                    assert least is None
    assert guessed >= examples(2, 5)
    assert proved >= examples(2, 20)
