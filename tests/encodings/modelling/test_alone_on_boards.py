"""Rules alone on boards: words of the legend at places are atoms, and what the author calls lost is one."""

import json
from pathlib import Path

import pytest
from command import as_json, puzzlemc, write

# A walker who steps left or right along a corridor, and slips off its right end. A sign shows who stands there.
CORRIDOR = '''"""A corridor."""

from puzzlemc.modelling import Rules, grid, puzzle


def start(level):
    return level.one("walker")[1]


def moves(level, position):
    if position > 0:
        yield "left", position - 1
    if position + 1 < level.columns:
        yield "right", position + 1


def lost(level, position):
    """too far right"""
    return position == 9


def things(level, position):
    return {"walker": [(0, position)], "shadow": [(0, position - 1)]}


def signs(level, position):
    return "".join("@" if at == position else "." for at in range(level.columns))


rules = Rules(start, moves, lambda level, position: position == 0, lost)
levels = grid({".": "floor", "@": "walker on floor", "s": "shadow on floor"})
PUZZLE = puzzle("corridor", levels=levels, rules=rules, show=SHOW)
LEVELS = "..@."
'''


@pytest.fixture(params=["things", "signs"])
def corridor(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write(tmp_path / "corridor.py", CORRIDOR.replace("SHOW", request.param))


def test_words_at_places_are_atoms(corridor: Path) -> None:
    for formula, satisfying in [
        ("walker@(1,3)", 1),
        ("EX walker@(1,3)", 2),
        ("walker@(1,1) & solved", 1),
        ("walker@(1,1) | walker@(1,2) | walker@(1,3) | walker@(1,4)", 4),
        ("lost", 0),
    ]:
        _, (row,) = as_json("query", formula, "--puzzle", corridor)
        assert (row["states"], row["satisfying"]) == (4, satisfying)


def test_reports_have_heat_maps_of_words(corridor: Path, tmp_path: Path) -> None:
    assert puzzlemc("report", "--puzzle", corridor, "-o", tmp_path / "a.json").returncode == 0
    atoms = json.loads((tmp_path / "a.json").read_text())["analysis"]["atoms"]
    assert [atoms[f"walker@(1,{column})"]["states"] for column in (1, 2, 3, 4)] == [1, 1, 1, 1]


def test_a_word_beside_the_board_is_nowhere(tmp_path: Path) -> None:
    made = write(tmp_path / "corridor.py", CORRIDOR.replace("SHOW", "things"))
    _, (row,) = as_json("query", "shadow@(1,1) | shadow@(1,2) | shadow@(1,3) | shadow@(1,4)", "--puzzle", made)
    assert row["satisfying"] == 3


def test_a_broken_promise_is_an_error(tmp_path: Path) -> None:
    made = write(
        tmp_path / "corridor.py", CORRIDOR.replace("SHOW", "signs").replace("position == 9", "position == 1")
    )
    done = puzzlemc("check", "--puzzle", made)
    assert done.returncode == 2
    assert f"{made}:17: lost: found True in position 1, which can be solved" in done.stdout
