"""Measures of levels of any puzzle."""

import json
from pathlib import Path

import pytest
from command import puzzlemc
from plain_measures import PlainSteps

from puzzlemc.encodings.puzzles import load, puzzles
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.measures import positions
from puzzlemc.reports.measures.measure import measured, measures

LEVELS = Path("screens/levels")


def test_a_level_is_measured_by_its_puzzle() -> None:
    entry = load([LEVELS / "sokoban/first_steps.xsb#8"])[0]
    found = measured(entry, Budget())
    assert found["box_changes"] == 1
    assert found["solution_sets"] == 2
    assert found["solution_orders"] == 12
    assert measured(entry, Budget(), ["solution_sets"]) == {"solution_sets": 2}
    assert measured(entry, Budget(Limits(seconds=0))) == {}


@pytest.mark.parametrize("level", ["folding/first_folds.fold#1-5", "puzzlescript/thaw.txt#2"])
def test_levels_of_other_puzzles_are_measured_by_their_positions(level: str) -> None:
    for entry in load([LEVELS / level]):
        expected = PlainSteps(entry.puzzle.rules, entry.level).measures()
        assert measured(entry, Budget()) == pytest.approx(expected, rel=1e-5), entry.id


def test_levels_that_ask_for_no_moves_have_no_measures() -> None:
    assert not any(measured(entry, Budget()) for entry in load([LEVELS / "tetravex/impossible.tetravex"]))


def test_more_positions_than_the_limit_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = load([LEVELS / "folding/first_folds.fold#3"])[0]
    assert len(measured(entry, Budget(), ["lost_share", "unnoticed"])) == 2
    assert measured(entry, Budget(Limits(seconds=0))) == {}
    monkeypatch.setattr(positions, "MOST_POSITIONS", 5)
    assert measured(entry, Budget()) == {}


def test_names_and_definitions_fit_columns() -> None:
    for name in puzzles():
        found = measures(puzzles()[name])
        assert len({each.name for each in found}) == len(found)
        for each in found:
            assert each.name.replace("_", "").isalpha()
            assert each.name.islower()
            assert each.definition.endswith(".")
            assert len(each.title) < 30


def test_a_report_has_measures(tmp_path: Path) -> None:
    level = LEVELS / "sokoban/first_steps.xsb#8"
    for suffix in ("json", "md", "html"):
        assert puzzlemc("report", level, "--measures", "-o", tmp_path / f"r.{suffix}").returncode == 0
    found = json.loads((tmp_path / "r.json").read_text())["measures"]
    assert found == measured(load([level])[0], Budget())
    assert "| changes of box | 1 |" in (tmp_path / "r.md").read_text()
    page = (tmp_path / "r.html").read_text()
    assert "How hard it is" in page
    assert "The least number of changes of the pushed box" in page
    puzzlemc("report", level, "-o", tmp_path / "plain.md")
    assert "How hard" not in (tmp_path / "plain.md").read_text()
