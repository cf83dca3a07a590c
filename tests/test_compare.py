"""Textbook searches beside engines: what is told of each, and that contradictions end the comparison."""

import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import levels
from test_cli import CORNERED, ONE_PUSH, puzzlemc, write

from puzzlemc.encodings.plain_search import METHODS, WAITING, Found
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines import ENGINES
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Limits, Watch
from puzzlemc.reports.compare import attempt, compare, ways
from puzzlemc.screens.sokoban import Level
from puzzlemc.screens.source import Entry, load


def entry_of(folder: Path, text: str, suffix: str = ".xsb") -> Entry:
    (entry,) = load([str(write(folder / f"a{suffix}", text))])
    return entry


def test_every_way_has_its_row(tmp_path: Path) -> None:
    names = ways("folding")
    assert set(names) >= {*METHODS, "A*", "uniform cost", "auto", *ENGINES}
    path = write(tmp_path / "a.fold", "1 0 0 0\n", "1 0 0\n")
    done = puzzlemc("compare", path, "--json", "--timeout", "2", "--quiet")
    assert done.returncode == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["method"]) for row in rows] == [
        (f"{path}#{number}", name) for number in (1, 2) for name in names
    ]
    assert all(row["verdict"] == "solvable" and row["cost"] == 2 for row in rows[: len(names)])
    assert {row["verdict"] for row in rows[len(names) :]} <= {"unsolvable", "unknown"}
    breadth_first = rows[0]
    assert breadth_first["visited"] == 2


def test_rows_and_sums_for_people(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    done = puzzlemc("compare", path, "--method", "breadth-first", "--method", "forward", "--quiet")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["level", "method", "verdict", "cost", "visited", "seconds"]
    assert [line.split()[1:4] for line in lines[1:5]] == [
        ["breadth-first", "solvable", "1"],
        ["forward", "solvable", "1"],
        ["breadth-first", "unsolvable", "-"],
        ["forward", "unsolvable", "-"],
    ]
    assert [line.split()[:3] for line in lines[6:]] == [["breadth-first", "2", "2"], ["forward", "2", "2"]]


def test_bad_usage_and_bad_input(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, "####\n#@$#\n####\n")
    done = puzzlemc("compare", path, "--method", "magic")
    assert done.returncode == 2
    assert "'magic' is unknown, expected one of breadth-first," in done.stderr.replace("\n", " ")
    done = puzzlemc("compare", path, "--method", "auto", "--quiet")
    assert done.returncode == 2
    assert "error: " in done.stderr
    assert "solvable" in done.stdout


@pytest.mark.parametrize(
    ("lie", "message"),
    [(Found(None, 1), "contradicts"), (Found((), 0), "not solved"), (Found(("R", "u"), 2), "not a legal move")],
)
def test_a_wrong_answer_is_refuted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: Found, message: str
) -> None:
    entry = entry_of(tmp_path, "######\n#@$ .#\n######")
    monkeypatch.setitem(METHODS, "depth-first", lambda rules, level, watch: lie)
    with pytest.raises(Refuted, match=message):
        list(compare(entry, ["auto", "depth-first"], partial(attempt, timeout=10, memory=4)))


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=30)
@given(level=levels())
def test_searches_take_any_puzzle(name: str, level: Level) -> None:
    """Sokoban has cycles, other than Folding Blocks."""
    rules = puzzle("sokoban")
    verdicts = {found.moves is None for found in [METHODS["breadth-first"](rules, level, Watch())]}
    found = METHODS[name](rules, level, Watch(Limits(0.5)))
    assert found.limit or verdicts == {found.moves is None}


def test_positions_kept_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.encodings.plain_search.WAITING", 10)
    entry = entry_of(tmp_path, "#######\n#@    #\n# $   #\n#    .#\n#######")
    for name in ("breadth-first", "depth-first"):
        assert METHODS[name](puzzle("sokoban"), entry.level, Watch()).limit == "memory"
    assert WAITING > 10
