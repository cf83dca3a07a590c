"""Puzzles that authors have written for a version keep loading in later ones, and keep their answers.

A file in the folder of a version is never changed. The public names (`puzzlemc.modelling`) are promised; files
that import others are kept as long as that is possible.
"""

import json
from pathlib import Path

import pytest
from command import as_json, puzzlemc, script
from places import WRITTEN

OWN = ("--puzzle", WRITTEN / "own_puzzle.py")
LIGHTS = WRITTEN / "lights.txt"


def test_a_puzzle_of_one_file_is_solved_queried_and_reported(tmp_path: Path) -> None:
    code, results = as_json("solve", LIGHTS, *OWN, "--certificate", tmp_path)
    assert [(each["puzzle"], each["verdict"], each["cost"], each["checked"]) for each in results] == [
        ("lights", "solvable", 2, True),
        ("lights", "solvable", 2, True),
        ("lights", "solvable", 5, True),
        ("lights", "unsolvable", None, True),
    ]
    assert code == 1
    done = puzzlemc("query", f"{LIGHTS}#4", "EF solved", *OWN)
    assert (done.returncode, done.stdout.splitlines()[1].split(";")[0]) == (1, "does not hold")
    page = tmp_path / "lights.html"
    assert puzzlemc("report", f"{LIGHTS}#1", *OWN, "-o", page).returncode == 0
    assert "Five in a row" in page.read_text(encoding="utf-8")


def test_a_puzzle_with_all_capabilities_is_solved() -> None:
    _, results = as_json("solve", WRITTEN / "levels.glide", "--puzzle", WRITTEN / "glide.py")
    assert [(each["verdict"], each["cost"]) for each in results] == [
        ("solvable", 3),
        ("solvable", 4),
        ("unsolvable", None),
    ]


def test_sliding_tiles_need_no_hint(tmp_path: Path) -> None:
    """Optima, and two exchanged tiles, with certificates."""
    own = ("--puzzle", WRITTEN / "sliding.py")
    done = puzzlemc("solve", f"{WRITTEN / 'boards.sliding'}#1-4", *own, "--json", "--certificate", tmp_path)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["verdict"], each["cost"], each["checked"]) for each in results] == [
        ("solvable", 5, True),
        ("solvable", 31, True),
        ("solvable", 8, True),
        ("unsolvable", None, True),
    ]
    assert [each["engine"] for each in results[1:]] == ["planner", "planner", "invariants"]
    assert done.stderr.count("modulo 2 in every reachable state, and") == 1
    assert puzzlemc("verify", *tmp_path.glob("*.cert"), *own).returncode == 0


def test_a_file_without_a_puzzle_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    for text, wrong in (
        ("PUZZLE = 3\n", "expected PUZZLE to be a Puzzle, found 3"),
        ("1 +\n", "cannot be imported"),
    ):
        broken.write_text(text)
        done = puzzlemc("check", LIGHTS, "--puzzle", broken)
        assert done.returncode == 2
        assert wrong in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("tiles", "81 bits are 9 variables\n31 slides: "),
        ("lights_out", "4 presses: "),
        ("pegs", "13 jumps: "),
        ("hanoi", "31 moves: 0ac 1ab 0cb "),
    ],
)
def test_models_of_well_known_puzzles_are_solved(name: str, output: str) -> None:
    done = script(WRITTEN / f"{name}.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(output)


def test_a_board_of_tiles_can_be_given() -> None:
    assert "\n1 slides: 5\n" in script(WRITTEN / "tiles.py", "3", "1234.5").stdout
    assert "\nno solution\n" in script(WRITTEN / "tiles.py", "2", "213.").stdout


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("dominoes", " modulo 3 in every reachable state, and "),
        ("coins", "in every reachable state an odd number of these hold, in the goal an even number: "),
        ("corners", " modulo 3 in every reachable state, and 0 in the goal: "),
        pytest.param("knights", " kinds of pairs of facts is ", marks=pytest.mark.slow),  # ten seconds
        ("river", "3: 11 trips\n4: no solution\n"),
    ],
)
def test_well_known_puzzles_are_unsolvable_for_a_reason(name: str, output: str) -> None:
    done = script(WRITTEN / f"{name}.py")
    assert done.returncode == 0, done.stderr
    assert output in done.stdout
