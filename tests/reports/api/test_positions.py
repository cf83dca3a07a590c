"""Positions along solutions, and those beside them: what the plain rules say."""

from pathlib import Path

import pytest
from places import ROOT

import puzzlemc

LEVELS = ROOT / "screens" / "levels"
SOKOBAN = puzzlemc.Level("######\n#@ $.#\n######", "sokoban")
# A level of each puzzle with moves, and one of a puzzle in a Python file.
PLAYED = [
    ("sokoban/first_steps.xsb#3", None),
    ("folding/first_folds.fold#2", None),
    ("tetravex/games.tetravex#1", None),
    ("puzzlescript/shaft.txt#2", None),
    (ROOT / "examples" / "pegs.py", str(ROOT / "examples" / "pegs.py")),
    (ROOT / "examples" / "jugs.py", str(ROOT / "examples" / "jugs.py")),
]


def loaded(path: str | Path, puzzle: str | None) -> puzzlemc.Level:
    return puzzlemc.load(LEVELS / path, puzzle)[0]


@pytest.mark.parametrize(("path", "puzzle"), PLAYED)
def test_each_position_of_a_solution_is_a_neighbour_of_the_one_before(
    path: str | Path, puzzle: str | None
) -> None:
    level = loaded(path, puzzle)
    result = puzzlemc.solve(level)
    trace = list(result.trace or ())
    way = result.positions()
    assert len(way) == len(trace) + 1 > 1
    assert way[0] == level.start
    assert [each.solved for each in way] == [False] * len(trace) + [True]
    for before, move, after in zip(way, trace, way[1:], strict=False):
        assert before.neighbours[move] == after != before
    assert way[0].cells != way[-1].cells


def test_a_position_as_text_cells_and_picture() -> None:
    first, *_, last = puzzlemc.solve(SOKOBAN).positions()
    assert (first.text, str(last)) == (str(SOKOBAN), "######\n#  @*#\n######")
    assert {kind: places for kind, places in last.cells.items() if kind != "wall"} == {
        "goal": [(2, 5)],
        "box": [(2, 5)],
        "player": [(2, 4)],
    }
    assert len(last.cells["wall"]) == 14
    assert first.svg.startswith("<svg")
    assert first.svg != last.svg
    assert last._repr_html_().startswith('<img alt="text#1"')
    assert (repr(first), repr(last)) == ("<position of text#1>", "<position of text#1, solved>")


def test_positions_are_equal_as_the_rules_have_them() -> None:
    level = puzzlemc.Level("#####\n#@ .#\n# $ #\n#   #\n#####", "sokoban")
    other = puzzlemc.Level("#####\n#@ .#\n# $ #\n#   #\n#####", "sokoban")
    back = level.neighbours["r"].neighbours["l"]
    assert back == level.start == other.start != SOKOBAN.start
    assert len({back, level.start, level.neighbours["r"]}) == 2
    assert set(level.neighbours) == {"r", "d"}


def test_there_are_no_positions_without_a_solution() -> None:
    stuck = puzzlemc.Level("#####\n#@ .#\n#$  #\n#####", "sokoban")
    assert puzzlemc.solve(stuck).positions() == []


def test_a_level_that_asks_for_one_position_has_one() -> None:
    (tiles,) = puzzlemc.generate("tetravex", size=(2, 2))
    result = puzzlemc.solve(tiles)
    (last,) = result.positions()
    assert last.solved
    placed = tiles.start
    for move in result.trace or ():
        assert not placed.solved
        placed = placed.neighbours[move]
    assert placed == last
    belts = puzzlemc.load(LEVELS / "factorio" / "first_belts.factorio")[0]
    assert len(puzzlemc.solve(belts).positions()) == 1
    assert "belt (1,1) north" in belts.neighbours
    with pytest.raises(
        puzzlemc.ModelError, match="positions of factorio are shown as text, not as things on cells"
    ):
        _ = belts.start.cells


def test_games_of_two_sides_have_positions() -> None:
    stones = puzzlemc.load(LEVELS / "fabrik" / "boards.fabrik")[0]
    moved = stones.neighbours["B1-C3/D2"]
    assert stones.start.cells["black moves"] == moved.cells["white moves"] == [(1, 1)]
    assert len(moved.cells["black"]) == len(stones.start.cells["black"]) + 1
    noughts = puzzlemc.load(puzzle=str(ROOT / "examples" / "noughts.py"))[0].start
    for move in ("1,1", "2,1", "1,2", "2,2", "1,3"):
        assert not noughts.solved
        noughts = noughts.neighbours[move]
    assert noughts.solved
    assert noughts.neighbours == {}


def test_facts_of_a_planning_task_stand_on_one_cell() -> None:
    task = puzzlemc.load(LEVELS / "pddl" / "ferry.pddl")[0]
    assert task.start.cells["moored(island)"] == [(1, 1)]
    assert task.neighbours["sail(island,north)"].cells["moored(island)"] == []


def test_every_outcome_of_chance_is_a_neighbour() -> None:
    goose = puzzlemc.load(ROOT / "tests" / "chance_games" / "goose.txt")[1]
    assert {"up:1", "up:2", "action:1", "action:2"} <= set(goose.neighbours)
    assert goose.neighbours["up:1"] != goose.neighbours["up:2"]
