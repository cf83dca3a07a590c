"""The levels that ship with puzzlemc have the answers in the files of answers."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from places import ROOT

from puzzlemc.encodings.folding.count import solutions
from puzzlemc.encodings.puzzles import Entry, load, puzzles
from puzzlemc.encodings.tetravex.count import count as count_boards
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.folding import Level

FOLDER = ROOT / "screens" / "levels"
LONG = {"Circuits", "In four turns, 5", "Two make gears"}  # titles of levels that take three to ten seconds
COLLECTIONS = sorted(
    path
    for name in puzzles()
    for answers in (FOLDER / name).glob("*.answers.tsv")
    for path in answers.parent.glob(answers.name.replace(".answers.tsv", ".*"))
    if path.suffix != ".tsv"
)


def answers(path: Path) -> list[dict[str, str]]:
    with path.with_suffix(".answers.tsv").open() as table:
        return list(csv.DictReader(table, delimiter="\t"))


def test_every_puzzle_has_levels_of_every_kind() -> None:
    stems = {path.stem for path in COLLECTIONS}
    assert stems >= {"first_steps", "warehouse", "unsolvable", "first_folds", "workshop", "torn"}
    assert stems >= {"games", "one_way", "many_ways", "impossible"}
    assert {path.parent.name for path in COLLECTIONS} == set(puzzles())


@pytest.mark.parametrize("path", COLLECTIONS, ids=lambda path: path.stem)
def test_titles_match_the_answers(path: Path) -> None:
    assert [entry.title for entry in load([str(path)])] == [row["title"] for row in answers(path)]


def cases() -> Iterator[Any]:
    """Each level with each metric, its verdict, its cost and the bound of its answer.

    A level without a solution has no cheapest one: besides the first metric, it is solved under `any`.
    """
    for path in COLLECTIONS:
        for entry, row in zip(load([str(path)]), answers(path), strict=True):
            first, *others = entry.puzzle.metrics
            if row["verdict"] == "unsolvable":
                others = ["any"] * bool(others)
            marks = [pytest.mark.slow] if entry.title in LONG else []
            for metric in (first, *others):
                cost = row.get(metric, "")
                yield pytest.param(entry, metric, row["verdict"], cost, row.get("within"), marks=marks)


@pytest.mark.parametrize(
    ("entry", "metric", "verdict", "cost", "within"),
    list(cases()),
    ids=lambda value: getattr(value, "title", str(value)),
)
def test_levels_have_their_answers(entry: Entry, metric: str, verdict: str, cost: str, within: str | None) -> None:
    most = None if within is None else int(within)
    result = solve_entry(
        entry, Options(metric=metric, timeout=120, within=most)
    )  # each takes some seconds at most
    assert result.verdict == verdict
    if verdict == "solvable":
        assert result.cost == int(cost)
        assert result.checked


def test_folding_levels_have_their_number_of_pictures() -> None:
    for path in (FOLDER / "folding").glob("*.fold"):
        for entry, row in zip(load([str(path)]), answers(path), strict=True):
            assert solutions(cast(Level, entry.level), Budget()).pictures == int(row["pictures"])


@pytest.mark.parametrize("path", [path for path in COLLECTIONS if path.parent.name == "tetravex"], ids=str)
def test_tetravex_levels_have_their_number_of_boards(path: Path) -> None:
    entries = load([str(path)])
    numbers = [count_boards(entry.level, Budget()) for entry in entries]
    assert numbers == [int(row["solutions"]) for row in answers(path)]
