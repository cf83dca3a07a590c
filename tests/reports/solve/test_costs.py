"""Costs in tables and texts: every cost that is not proved least is marked."""

from dataclasses import replace
from pathlib import Path

import pytest
from command import CORNERED, ONE_PUSH, puzzlemc, write

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.batch.expect import Expectation
from puzzlemc.reports.cli.common.table import Table
from puzzlemc.reports.formats.traces import play
from puzzlemc.reports.output.words import cost_in_digits, cost_in_words, none_below, number, verdict_counted
from puzzlemc.reports.page.report import headline, make
from puzzlemc.reports.solve.given import costs_of
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result, Solution

TWO_PUSHES = "######\n#@$ .#\n######\n"


@pytest.mark.parametrize(
    ("cost", "least", "bound", "written"),
    [
        (96, True, None, "96"),
        (96, True, 96, "96"),
        (96, False, None, "≤ 96"),
        (96, False, 0, "≤ 96"),
        (96, False, 80, "80 ≤ 96"),
        (96, False, 96, "96"),
        (0, False, None, "0"),
        (1296, False, 1080, "1,080 ≤ 1,296"),
        (None, True, None, "-"),
        (None, False, 80, "-"),
    ],
)
def test_a_cost_is_written_in_digits(cost: int | None, least: bool, bound: int | None, written: str) -> None:
    assert cost_in_digits(cost, least=least, bound=bound, write=number) == written


def test_a_cost_is_written_in_words() -> None:
    assert cost_in_words(1, "pushes") == "1 push"
    assert cost_in_words(1, "pushes", least=False) == "≤ 1 push"
    assert cost_in_words(96, "pushes,moves", least=False, bound=80) == "80 ≤ 96 pushes"


def test_a_bound_is_said_in_the_words_of_its_metric() -> None:
    assert none_below(1, "pushes") == "no solution has fewer than 1 push"
    assert none_below(1200, "cost") == f"no solution costs less than {number(1200)}"


@pytest.mark.parametrize(
    ("count", "unproved", "words"),
    [
        (37, 4, "37 solvable, 4 of them perhaps not the cheapest"),
        (37, 37, "37 solvable, all of them perhaps not the cheapest"),
        (1, 1, "1 solvable, perhaps not the cheapest"),
        (37, 0, "37 solvable"),
    ],
)
def test_optimal_and_other_solvable_levels_are_counted_separately(count: int, unproved: int, words: str) -> None:
    assert verdict_counted(count, "solvable", unproved) == words
    assert verdict_counted(count, "unknown", unproved) == f"{count} unknown"


def result(metric: str, optimal: bool, bound: int | None) -> Result:
    solution = Solution("", None, optimal, {"pushes": 8, "moves": 33})
    return Result("a#1", verdict="solvable", metric=metric, bound=bound, solution=solution)


@pytest.mark.parametrize(
    ("found", "words", "unproved"),
    [
        (result("pushes", True, None), "8 pushes, 33 moves", False),
        (result("pushes", False, 5), "5 ≤ 8 pushes, 33 moves", True),
        (result("moves", False, 5), "8 pushes, 5 ≤ 33 moves", True),
        (result("any", False, 5), "5 ≤ 8 pushes, 33 moves", True),
        (result("any", True, None), "≤ 8 pushes, 33 moves", True),
        (result("any", False, 8), "8 pushes, 33 moves", False),
        (result("pushes,moves", True, None), "8 pushes, 33 moves", False),
        (result("pushes,moves", False, 5), "5 ≤ 8 pushes, 33 moves", True),
        # The first search has proved the pushes, and only the second search did not end.
        (result("pushes,moves", False, None), "8 pushes, ≤ 33 moves", True),
    ],
)
def test_only_unproved_costs_are_marked(found: Result, words: str, unproved: bool) -> None:
    assert found.costs_in_words == words
    assert found.is_unproved is unproved


def test_unsolvable_and_broken_levels_have_no_costs() -> None:
    none = Result("a#1", verdict="unsolvable", metric="pushes", metrics=("pushes", "moves"))
    assert (none.costs_in_words, none.cost_in_digits("pushes"), none.cost_in_digits("turns")) == ("", "-", "")
    assert not none.is_unproved
    assert not Result("a#1").is_unproved
    assert Result("a#1").costs_in_words == ""


def test_the_table_of_check_marks_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "a.xsb", TWO_PUSHES, CORNERED)
    done = puzzlemc("check", path, "--metric", "any")
    row, _, summary = done.stdout.splitlines()[1:]
    assert row.split()[1:5] == ["solvable", "≤", "2", "2"]
    assert summary.startswith("2 levels: 1 solvable, perhaps not the cheapest, 1 unsolvable;")
    entries = load([str(path)])
    table = Table(entries, "pushes", traces=False)
    long = {"pushes": 1296, "moves": 5000}
    solution = Solution("", 1296, False, long)
    table.add(Result(entries[0].id, verdict="solvable", metric="pushes", bound=1080, solution=solution))
    heads, row = capsys.readouterr().out.splitlines()
    assert row.split()[1:6] == ["solvable", "1080", "≤", "1296", "5000"]
    assert heads.index("pushes") + len("pushes") == row.index("1296") + len("1296")


def test_the_heading_of_a_trace_marks_its_cost(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", TWO_PUSHES, ONE_PUSH)
    done = puzzlemc("solve", path, "--metric", "any", "--format", "lurd")
    assert f"; {path}#1 · ≤ 2 pushes, 2 moves\n" in done.stdout
    done = puzzlemc("solve", path, "--format", "lurd")
    assert f"; {path}#1 · 2 pushes, 2 moves\n" in done.stdout


def test_the_head_of_a_report_marks_its_cost(tmp_path: Path) -> None:
    (entry,) = load([str(write(tmp_path / "a.xsb", TWO_PUSHES))])
    report = make(entry, Options())
    assert headline(report) == "Solvable in 2 pushes"
    assert report.result.solution is not None
    unproved = replace(report.result, solution=replace(report.result.solution, optimal=False), bound=1)
    assert headline(replace(report, result=unproved)) == "Solvable in 1 ≤ 2 pushes"
    assert play(entry, unproved).heading.endswith("1 ≤ 2 pushes, 2 moves")


@pytest.mark.parametrize(
    ("metric", "least", "bound", "words"),
    [
        ("pushes", 8, None, "8 pushes, 33 moves; no solution has fewer pushes"),
        ("pushes", 6, None, "8 pushes, 33 moves; 2 pushes too many"),
        ("pushes", None, 5, "5 ≤ 8 pushes, 33 moves; every solution has at least 5 pushes"),
        ("pushes", None, None, "≤ 8 pushes, 33 moves"),
        ("any", None, None, "≤ 8 pushes, 33 moves"),
    ],
)
def test_a_given_solution_is_compared_with_the_best(
    metric: str, least: int | None, bound: int | None, words: str
) -> None:
    assert costs_of({"pushes": 8, "moves": 33}, metric, least, bound) == words


def test_a_replay_without_the_best_solution_claims_nothing(tmp_path: Path) -> None:
    """If it was not requested."""
    path = write(tmp_path / "a.xsb", TWO_PUSHES)
    assert "solves the level: 2 pushes, 2 moves; no" in puzzlemc("replay", path, "RR").stdout
    assert "solves the level: ≤ 2 pushes, 2 moves" in puzzlemc("replay", path, "RR", "--metric", "any").stdout


def test_later_comparisons_mark_costs() -> None:
    assert str(Expectation("solvable", 9, "pushes", optimal=False, bound=7)) == "solvable in 7 ≤ 9 pushes"
    assert Expectation("solvable", 9, "pushes", optimal=False, bound=7) == Expectation(
        "solvable", 9, "pushes", optimal=True
    )
