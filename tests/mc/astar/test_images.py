"""Least images of states under symmetries: of proposed permutations, in searches, and plans from images."""

from functools import cache

import numpy as np
import pytest
from oracle import least_cost_by_rules
from small_rooms import level_of, symmetric_rooms

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.domain.symmetry import floor_symmetries
from puzzlemc.mc.astar.problem import Problem, prepare
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import step_costs
from puzzlemc.mc.packed.images import least_images
from puzzlemc.mc.packed.successors import Successors, successors
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")


def prepared(level: Level) -> Problem:
    model = RULES.encodings["compact"](level).model
    problem = prepare(model, step_costs(model.actions, "pushes"), Budget(), patterns=3)
    problem.use_images()
    return problem


def test_the_floor_has_the_symmetries_that_are_drawn() -> None:
    square = level_of("#####", "#@$.#", "#   #", "#   #", "#####")
    assert len(floor_symmetries(square.floor)) == 7
    assert len(floor_symmetries(level_of("######", "#@$. #", "#    #", "######").floor)) == 3
    assert not floor_symmetries(level_of("#####", "#@$.#", "#   #", "## ##", "#   #", "#####", "    #").floor)[3:]


def test_images_keep_the_start_and_the_goal() -> None:
    """And whatever else is drawn is no symmetry."""
    same = level_of("#######", "# . . #", "# $@$ #", "#     #", "#######")
    assert prepared(same).forward.images.codes.shape[0] == 1
    for lines in (
        ("#######", "# . . #", "#$ @$ #", "#     #", "#######"),
        ("#######", "# ..  #", "# $@$ #", "#     #", "#######"),
        ("#######", "#@$  .#", "#######", "#.  $ #", "#######"),
        ("#########", "#   #   #", "#.$@#.$ #", "#   #   #", "#########"),
    ):
        assert prepared(level_of(*lines)).forward.images.codes.shape[0] == 0


def test_images_keep_the_region_of_the_player() -> None:
    """Boxes stand in the doors of a room in the middle."""
    wall, rest = "#" * 15, "#    #   #    #"
    for doors, number in (("#  . $ @ $ .  #", 1), ("#  .@$   $ .  #", 0)):
        assert prepared(level_of(wall, rest, doors, rest, rest, wall)).forward.images.codes.shape[0] == number


def test_all_images_of_a_state_have_the_same_least_image() -> None:
    """Successors of a state and of its image have the same least images, each as often."""
    merged = 0
    for level in symmetric_rooms(40):
        problem = prepared(level)
        images, tables = problem.forward.images, problem.forward.tables
        if not images.codes.shape[0]:
            continue
        found, waiting, seen = Successors(tables), [np.asarray(problem.forward.space.rows)[0].copy()], set()
        while waiting and len(seen) < 300:
            row = waiting.pop()
            if row.tobytes() in seen:
                continue
            seen.add(row.tobytes())
            found.row = view(row.reshape(1, -1).copy())
            after = np.asarray(found.after)[: successors(tables, found)].copy()
            waiting += list(after)
            least = least_images(images, tables.walks, row.reshape(1, -1))
            assert (least_images(images, tables.walks, least) == least).all()
            merged += (least != row).any()
            found.row = view(least.copy())
            others = np.asarray(found.after)[: successors(tables, found)].copy()
            mine, its = (
                sorted(each.tobytes() for each in least_images(images, tables.walks, some))
                for some in (after, others)
            )
            assert mine == its
    assert merged > 300


@cache
def symmetric_rooms_with_costs() -> list[tuple[Level, set[int | None]]]:
    """Symmetric rooms, those of two boxes with the least cost by the plain rules."""
    return [
        (level, {least_cost_by_rules(RULES, level, "pushes")} if len(level.start.boxes) == 2 else set())
        for level in symmetric_rooms(examples(14, 60))
    ]


@pytest.mark.parametrize("triples_from", [1, 1 << 60])
def test_images_do_not_change_least_costs(triples_from: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the search visits fewer states. The plain rules know the least costs of two boxes."""
    monkeypatch.setattr(explicit, "PATTERNS", {1: 1, 2: 2})
    monkeypatch.setattr(explicit, "TRIPLES_FROM", triples_from)
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    use_images = Problem.use_images
    seen = {True: 0, False: 0}
    unsolvable = 0
    for level, known in symmetric_rooms_with_costs():
        model = RULES.encodings["compact"](level).model
        costs = set(known)
        for uses in seen:
            monkeypatch.setattr(Problem, "use_images", use_images if uses else lambda _: None)
            verdict = astar(model, "pushes", Budget())
            if isinstance(verdict, Reachable):
                assert verdict.optimal
                costs.add(verdict.cost)
                verdict.trace.check(model)
                seen[uses] += verdict.statistics.states
            else:
                assert isinstance(verdict, Unreachable)
                costs.add(None)
                unsolvable += 1
        assert len(costs) == 1
    assert unsolvable
    assert seen[True] < seen[False]
