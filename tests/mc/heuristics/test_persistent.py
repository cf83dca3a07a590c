"""Stubborn sets of pushes, against all positions of small levels: no push that is left out is needed."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from oracle import dijkstra, least_cost_by_rules
from small_rooms import RULES, level_of, prepared, rooms, row_of

from examples import examples
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.search import expansion
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.heuristics.build_tables import no_stubborn_sets
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.screens.sokoban import Cell, Level, State


def positions(level: Level, cells: set[Any]) -> Iterator[State]:
    """Every placement of the player on the floor and of this number of boxes on these cells."""
    for boxes in combinations(sorted(cells), len(level.start.boxes)):
        for player in level.floor:
            if player not in boxes:
                yield State(player, frozenset(boxes))


def allowed_in(model: Model, problem: Problem, row: PackedStates) -> set[Any]:
    """The squares of the boxes that may be pushed."""
    expansion(problem.forward, row[0])
    held = problem.layout.read(row[0] & np.asarray(problem.forward.found.allowed))
    return {model.hints.objects[b] for b in held if b in model.hints.objects}


def left_out(level: Level) -> int:
    """The number of positions in which pushes are left out; in each, all shortest solutions of some box stay."""
    model, problem = prepared(level, "pushes")
    backward: dict[State, list[tuple[State, int]]] = {}
    steps: dict[State, list[tuple[State, int]]] = {}
    for position in positions(level, set(model.hints.objects.values())):
        steps[position] = [(step.position, step.costs["pushes"]) for step in RULES.rules.steps(level, position)]
        for after, cost in steps[position]:
            backward.setdefault(after, []).append((position, cost))
    left = dijkstra([p for p in steps if RULES.rules.solved(level, p)], lambda p: backward.get(p, ()))
    found = 0
    for position in steps:
        may_move: set[Cell] = allowed_in(model, problem, row_of(model, problem, position))
        found += may_move < position.boxes
        if not may_move < position.boxes or not left.get(position):
            continue
        around = dijkstra([position], lambda p: [step for step in steps[p] if not step[1]])
        pushed = [after for p in around for after, cost in steps[p] if cost and p.boxes - after.boxes <= may_move]
        assert min(left.get(after, 1 << 30) for after in pushed) == left[position] - 1, position
    return found


def test_no_shortest_solution_needs_the_pushes_that_are_left_out() -> None:
    assert sum(map(left_out, rooms(examples(8, 60)))) >= examples(100, 1000)


def test_all_pushes_are_allowed_if_a_box_may_end_anywhere() -> None:
    for level in rooms(5):
        assert not left_out(replace(level, goals=level.goals - {min(level.goals)}))


def test_only_the_boxes_around_a_corral_are_pushed() -> None:
    # The box in the corridor blocks the goal at its end; the box at the lower right can wait.
    level = level_of("########", "#.$@   #", "#### $ #", "####  .#", "########")
    model, problem = prepared(level, "pushes")
    assert allowed_in(model, problem, np.asarray(problem.forward.space.rows)[:1]) == {(1, 2)}


def check_positions(level: Level, model: Model, verdict: Unreachable) -> None:
    """The invariant holds at the start, every action preserves it, and no solved position satisfies it."""
    assert model.hints.location is not None

    def is_in(position: State) -> bool:
        player = model.hints.location.literals(position.player)
        boxes = [b for b, cell in model.hints.objects.items() if cell in position.boxes]
        return verdict.invariant(frozenset([b for b, value in player.items() if value] + boxes))

    assert is_in(level.start)
    inside = {p for p in positions(level, set(model.hints.objects.values())) if is_in(p)}
    cells = set(model.hints.objects.values())
    for position in inside:
        assert not RULES.rules.solved(level, position)
        for step in RULES.rules.steps(level, position):
            assert step.position in inside or not step.position.boxes <= cells


@pytest.mark.parametrize("ends", [1, 2])
def test_stubborn_sets_do_not_change_answers(ends: int) -> None:
    unsolvable = 0
    for level in rooms(examples(12, 60)):
        model = RULES.encodings["compact"](level).model
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(explicit, "PATTERNS", {1: 1, 2: 2})
            if ends == 1:
                patch.setattr("puzzlemc.mc.astar.problem._goal_states", lambda *_: None)
            verdict = astar(model, "pushes", Budget())
        expected = least_cost_by_rules(RULES, level, "pushes")
        if expected is None:
            assert isinstance(verdict, Unreachable)
            unsolvable += 1
            if len(level.start.boxes) == 2:
                check_positions(level, model, verdict)
            continue
        assert isinstance(verdict, Reachable)
        assert verdict.optimal
        assert verdict.cost == expected
        verdict.trace.check(model)
    assert unsolvable >= examples(3, 10)


def test_boxes_in_corridors_of_their_own_go_one_after_another() -> None:
    corridors = ("#.   $  #", "####### #") * 2
    level = level_of("#########", *corridors, "#.   $ @#", "#########")
    model = RULES.encodings["compact"](level).model
    states = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explicit, "PATTERNS", {1: 1, 2: 2})
        patch.setattr("puzzlemc.mc.astar.problem._goal_states", lambda *_: None)
        for _ in range(2):
            verdict = astar(model, "pushes", Budget())
            assert isinstance(verdict, Reachable)
            assert verdict.cost == 12
            states.append(verdict.statistics.states)
            patch.setattr(
                "puzzlemc.mc.astar.problem.stubborn_sets_of", lambda layout, *_: no_stubborn_sets(layout)
            )
    assert states == [14, 126]  # one of them in the search with smaller dead patterns
