"""Textbook searches compared with engines: the row of each, and the error on a contradiction."""

import json
from functools import partial
from pathlib import Path

import pytest
from command import CORNERED, ONE_PUSH, puzzlemc, write
from hypothesis import given, settings
from strategies import levels

from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.textbook import METHODS, MOST_STORED, Found
from puzzlemc.reports.ask.compare import attempt, compare, ways
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.sokoban import Level


def entry_of(folder: Path, text: str, suffix: str = ".xsb") -> Entry:
    (entry,) = load([str(write(folder / f"a{suffix}", text))])
    return entry


def test_every_search_and_engine_has_its_row(tmp_path: Path) -> None:
    names = ways(puzzle("folding"))
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


def test_the_table_has_rows_and_sums(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    done = puzzlemc("compare", path, "--method", "breadth-first", "--method", "forward", "--quiet")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["level", "method", "verdict", "cost", "visited", "seconds"]
    assert [line.split()[1:-2] for line in lines[1:5]] == [
        ["breadth-first", "solvable", "1", "push"],
        ["forward", "solvable", "1", "push"],
        ["breadth-first", "unsolvable", "-"],
        ["forward", "unsolvable", "-"],
    ]
    assert [line.split()[:3] for line in lines[6:]] == [["breadth-first", "2", "2"], ["forward", "2", "2"]]


TILES = "0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1\n"
SQUARES = {"constraint": "", "put": "Put\n0 0\n0 0\n", "solved": "Swap\n4 1\n3 2\n", "swap": "Swap\n1 4\n3 2\n"}


@pytest.mark.parametrize("kind", SQUARES)
def test_every_search_and_engine_has_its_row_on_tetravex(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path / "a.tetravex", f"Tetravex 2\n{TILES}{SQUARES[kind]}")
    done = puzzlemc("compare", path, "--json", "--timeout", "5", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {row["method"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert list(rows) == ways(puzzle("tetravex"))
    able = [name for name, each in ENGINES.items() if each.takes == "any"]
    for name, row in rows.items():
        if kind == "constraint" and name in ENGINES and name not in able:
            assert row["verdict"] == "refused"
            assert row["cost"] is row["visited"] is None
            assert f"{name} cannot take this model: it has " in row["reason"]
            assert row["reason"].endswith(f"expected one of {', '.join(['auto', *able])}")
        else:
            assert (row["verdict"], row["reason"]) == ("solvable", None)
            assert (
                row["cost"] == {"constraint": 0, "put": 4, "solved": 0, "swap": 1}[kind] or name == "depth-first"
            )
            # The bits of the constraint have 2^68 assignments; only a few hundred are boards of placed tiles.
            assert row["visited"] is None or row["visited"] < 10**5
    if kind == "constraint":
        assert {rows[name]["visited"] for name in ("auto", "forward", "backward", "bidirectional")} == {None}


@pytest.mark.parametrize(
    ("metric", "costs"),
    [
        (None, ["≤ 2 pushes", "2 pushes"]),
        ("moves", ["3 moves", "3 moves"]),
        ("moves,pushes", ["≤ 3 moves", "3 moves"]),
        ("any", ["≤ 2 pushes", "≤ 2 pushes"]),
    ],
)
def test_costs_are_of_one_metric_and_marked_unless_proved(
    tmp_path: Path, metric: str | None, costs: list[str]
) -> None:
    path = write(tmp_path / "a.xsb", "#######\n#@ $ .#\n#######\n")
    options = () if metric is None else ("--metric", metric)
    methods = ("--method", "breadth-first", "--method", "forward")
    lines = puzzlemc("compare", path, *methods, *options, "--quiet").stdout.splitlines()
    assert [" ".join(line.split()[3:-2]) for line in lines[1:3]] == costs
    done = puzzlemc("compare", path, *methods, *options, "--json", "--quiet")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["optimal"] for row in rows] == ["≤" not in cost for cost in costs]
    assert {row["metric"] for row in rows} == {costs[0].split()[-1]}


@pytest.mark.parametrize("metric", [None, "moves,pushes", "any"])
def test_auto_is_that_of_solve_and_names_its_engine(tmp_path: Path, metric: str | None) -> None:
    entry = entry_of(tmp_path, "########\n#@  $ .#\n#      #\n########\n")
    row = attempt(entry, "auto", metric, 10.0, 1.0)
    result = solve_entry(entry, Options(metric=metric))
    statistics = result.search.statistics
    assert statistics is not None
    assert (row.engine, row.visited) == (result.search.engine, statistics.states)
    assert row.cost == result.costs[row.metric]
    assert f"  auto ({row.engine})  " in row.as_text()


def test_a_metric_of_another_puzzle_is_an_error(tmp_path: Path) -> None:
    done = puzzlemc("compare", write(tmp_path / "a.xsb", ONE_PUSH), "--metric", "turns")
    assert (done.returncode, done.stdout) == (2, "")
    assert "unknown metric 'turns' of sokoban" in done.stderr.replace("\n", " ")


def test_the_table_names_an_engine_that_cannot_take_a_level(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tetravex", f"Tetravex 2\n{TILES}")
    done = puzzlemc("compare", path, "--method", "explicit", "--method", "auto", "--quiet")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[1].split()[1:4] == ["explicit", "refused", "-"]
    assert "it has more than 1,048,576 initial states, too many to list; expected one of auto" in lines[1]
    assert [line.split()[:3] for line in lines[4:]] == [["explicit", "0", "1"], ["auto", "1", "1"]]


def test_bad_usage_and_bad_input_are_errors(tmp_path: Path) -> None:
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
    monkeypatch.setitem(METHODS, "depth-first", lambda rules, level, budget: lie)
    with pytest.raises(Refuted, match=message):
        list(compare(entry, ["auto", "depth-first"], partial(attempt, metric=None, timeout=10, memory=4)))


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=30)
@given(level=levels())
def test_searches_take_any_puzzle(name: str, level: Level) -> None:
    """Unlike Folding Blocks, Sokoban has cycles."""
    rules = puzzle("sokoban").rules
    verdicts = {found.moves is None for found in [METHODS["breadth-first"](rules, level, Budget())]}
    found = METHODS[name](rules, level, Budget(Limits(0.5)))
    assert found.limit or verdicts == {found.moves is None}


def test_the_number_of_positions_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.mc.rules.textbook.MOST_STORED", 10)
    entry = entry_of(tmp_path, "#######\n#@    #\n# $   #\n#    .#\n#######")
    for name in ("breadth-first", "depth-first"):
        assert METHODS[name](puzzle("sokoban").rules, entry.level, Budget()).limit == "memory"
    assert MOST_STORED > 10
