"""The levels that come with puzzlemc have the answers that stand beside them."""

import csv
from pathlib import Path

import pytest

from puzzlemc.encodings.puzzles import PUZZLES
from puzzlemc.reports.solve import Options, solve_entry
from puzzlemc.screens.source import Entry, load

FOLDER = Path(__file__).parents[1] / "screens" / "levels"
COLLECTIONS = sorted(path for puzzle in PUZZLES for path in (FOLDER / puzzle).glob("*.xsb"))


def answers(path: Path) -> list[dict[str, str]]:
    with path.with_suffix(".answers.tsv").open() as table:
        return list(csv.DictReader(table, delimiter="\t"))


def test_there_are_levels_of_every_kind() -> None:
    assert {path.stem for path in COLLECTIONS} >= {"first_steps", "warehouse", "unsolvable"}


@pytest.mark.parametrize("path", COLLECTIONS, ids=lambda path: path.stem)
def test_titles_match_the_answers(path: Path) -> None:
    assert [entry.title for entry in load([str(path)])] == [row["title"] for row in answers(path)]


def cases() -> list[tuple[Entry, str, str, str]]:
    found = []
    for path in COLLECTIONS:
        for entry, row in zip(load([str(path)]), answers(path), strict=True):
            found += [(entry, metric, row["verdict"], row[metric]) for metric in ("pushes", "moves")]
    return found


@pytest.mark.parametrize(
    ("entry", "metric", "verdict", "cost"), cases(), ids=lambda value: getattr(value, "title", str(value))
)
def test_answers(entry: Entry, metric: str, verdict: str, cost: str) -> None:
    if metric == "moves" and verdict == "unsolvable":
        metric = "any"
    result = solve_entry(entry, Options(metric=metric, timeout=20 if cost != "?" else 2))
    if result.verdict == "unknown":
        # Large levels may take longer than a test should; then at least the bound must not be wrong.
        assert cost in ("?", "-") or (result.bound or 0) <= int(cost)
        pytest.skip(f"{entry.title}: not settled within the test's time")
    assert result.verdict == verdict
    if cost.isdigit():
        assert result.cost == int(cost)
        assert result.checked
