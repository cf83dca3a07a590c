"""Search by waves, where walks cost: its plans cost as much as those of plain search, for any action costs."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import as_json

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar import waves
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.wave_sides import WaveSide, wave_sides
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import changing
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
ROOMS = examples(20, 120)  # random rooms for each size


def room(seed: int, height: int, width: int, boxes: int) -> Level:
    """A random room with this number of boxes, as many goals, and some walls."""
    dice = random.Random(seed)
    cells = [(row, column) for row in range(height) for column in range(width)]
    dice.shuffle(cells)
    walls = dice.randint(0, len(cells) // 4)
    board = dict.fromkeys(cells, " ") | dict.fromkeys(cells[:walls], "#")
    free = cells[walls:]
    goals, (player, *stones) = set(dice.sample(free, boxes)), dice.sample(free, boxes + 1)
    for cell in free:
        marks = "@+" if cell == player else "$*" if cell in stones else " ."
        board[cell] = marks[cell in goals]
    rows = ["".join(board[row, column] for column in range(width)) for row in range(height)]
    (level,) = parse("\n".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)]), "room")
    assert isinstance(level, Level)
    return level


def scalarised(model: Model, walk: int, other: int) -> Model:
    """The model with these costs of a walk and of an action that moves an object."""
    prices = [other if moves else walk for moves in changing(model.actions, model.hints.objects)]
    actions = zip(model.actions, prices, strict=True)
    return replace(model, actions=tuple(replace(action, costs={"moves": price}) for action, price in actions))


@pytest.mark.parametrize(("height", "width", "boxes"), [(3, 4, 2), (4, 5, 2), (4, 4, 3), (9, 9, 1)])
@pytest.mark.parametrize(("walk", "other"), [(1, 1), (1, 0), (1, 2), (3, 1), (1, 200)])
def test_least_costs_agree_with_plain_search(
    height: int, width: int, boxes: int, walk: int, other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = 0
    by_waves = explicit.by_waves

    def counted(*arguments: object) -> object:
        nonlocal searched
        searched += 1
        return by_waves(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(explicit, "by_waves", counted)
    found = 0
    for seed in range(ROOMS if width < 9 else examples(6, 12)):
        monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", (1, 7, 50_000)[seed % 3])
        model = scalarised(RULES.encodings["compact"](room(seed, height, width, boxes)).model, walk, other)
        proved: list[int] = []
        verdict, expected = (
            astar(model, "moves", Budget(report=proved.append)),
            uniform_cost(model, "moves", Budget()),
        )
        assert type(verdict) is type(expected)
        if isinstance(verdict, Reachable) and isinstance(expected, Reachable):
            verdict.trace.check(model)
            assert verdict.optimal
            assert verdict.cost == expected.cost == verdict.trace.cost("moves")
            assert all(bound <= expected.cost for bound in proved)
            found += 1
        else:
            assert isinstance(verdict, Unreachable)
    assert searched
    assert found >= examples(1, 3)


def moves_model(level: Level) -> Model:
    return RULES.encodings["compact"](level).model


def test_each_region_has_one_packed_state_and_contains_its_arrivals(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[WaveSide] = []

    def kept(problem: Problem) -> tuple[WaveSide, WaveSide]:
        ends = wave_sides(problem)
        searched.extend(ends)
        return ends

    monkeypatch.setattr(explicit, "wave_sides", kept)
    for seed in range(30):
        astar(moves_model(room(seed, 4, 5, 2)), "moves", Budget())
    assert len(searched) >= 20
    for side in searched:
        rows = np.asarray(side.waves.rows)[: side.size]
        regions, come = np.moveaxis(np.asarray(side.waves.sets)[: side.size], 1, 0)
        assert len(np.unique(rows, axis=0)) == side.size
        assert (come & ~regions == 0).all()
    assert sum(np.asarray(side.waves.sets)[: side.size, 1].any() for side in searched) >= 20


@pytest.mark.parametrize(("walk", "other"), [(1, 1), (1, 2), (5, 3)])
def test_a_meeting_has_its_stated_cost_and_sides_link_their_common_states(
    walk: int, other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for searches that stop early: each search stops at several numbers of states."""
    searched: list[tuple[WaveSide, WaveSide]] = []
    meetings: list[waves.WaveProgress] = []

    def kept(problem: Problem) -> tuple[WaveSide, WaveSide]:
        searched.append(wave_sides(problem))
        return searched[-1]

    class Kept(waves.WaveProgress):
        def __init__(self) -> None:
            super().__init__()
            meetings.append(self)

    monkeypatch.setattr(explicit, "wave_sides", kept)
    monkeypatch.setattr(waves, "WaveProgress", Kept)
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 3)
    for seed in range(examples(20, 40)):
        model = scalarised(moves_model(room(seed, 5, 5, 2)), walk, other)
        for most in (40, None):
            astar(model, "moves", Budget(), most_states=most)
    met = common = 0
    for (ahead, behind), meeting in zip(searched, meetings, strict=True):
        rows, rows_behind = (np.asarray(side.waves.rows)[: side.size] for side in (ahead, behind))
        twins = [behind.waves.number_of(row) for row in rows]
        assert np.asarray(ahead.waves.node_info)[: ahead.size, waves.OPPOSITE].tolist() == twins
        there = [ahead.waves.number_of(row) for row in rows_behind]
        assert np.asarray(behind.waves.node_info)[: behind.size, waves.OPPOSITE].tolist() == there
        common += len(twins) - twins.count(-1)
        row, twin, code = meeting.row, meeting.opposite, meeting.code
        if row >= 0:
            assert meeting.best == waves.least_cost(ahead, row, code) + waves.least_cost(behind, twin, code)
            assert (rows[row] == rows_behind[twin]).all()
            met += 1
    assert met >= examples(2, 5)
    assert common >= examples(10, 20)


@pytest.mark.parametrize("seed", [213, 256])
def test_a_meeting_that_is_cheaper_by_one_is_taken(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 7)
    model = scalarised(moves_model(room(seed, 5, 5, 2)), 1, 2)
    verdict, expected = astar(model, "moves", Budget()), uniform_cost(model, "moves", Budget())
    assert isinstance(verdict, Reachable)
    assert isinstance(expected, Reachable)
    assert verdict.cost == expected.cost


def test_no_plan_is_called_optimal_under_any() -> None:
    """Without a box that the player reaches, all actions are walks, and cost something under `any`, too."""
    (level,) = parse("#######\n#@ #*##\n#######", "solved")
    assert isinstance(level, Level)
    verdict = astar(RULES.encodings["compact"](level).model, ANY, Budget())
    assert isinstance(verdict, Reachable)
    assert not verdict.optimal


def test_the_number_of_pauses_does_not_change_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for steps in (1, 50_000):
        monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", steps)
        verdicts = [astar(moves_model(room(seed, 4, 5, 2)), "moves", Budget()) for seed in range(30)]
        seen.append([(v.statistics, v.trace) for v in verdicts if isinstance(v, Reachable)])
    assert len(seen[0]) >= 5
    assert seen[0] == seen[1]


def test_limits_on_states_and_memory_end_the_search_with_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 3)
    model = next(
        model
        for model in (moves_model(room(seed, 6, 6, 3)) for seed in range(50))
        if isinstance(verdict := astar(model, "moves", Budget()), Reachable) and verdict.statistics.states > 200
    )
    cheapest = astar(model, "moves", Budget())
    assert isinstance(cheapest, Reachable)
    for limited in (
        astar(model, "moves", Budget(), most_states=100),
        astar(model, "moves", Budget(Limits(memory=30_000))),
    ):
        assert isinstance(limited, Unknown)
        assert 0 < limited.bound <= cheapest.cost


@pytest.mark.slow
@pytest.mark.corpus
def test_a_level_of_many_moves_is_solved_within_a_minute(corpus: Path) -> None:
    """Its last limit has many states; splits by the sizes of layers close most of them before the sides meet."""
    level = f"{corpus}/sokoban/microban1.xsb#144"
    _, (row,) = as_json("check", level, "--metric", "moves", "--timeout", "60")
    assert (row["cost"], row["optimal"]) == (123, True)
