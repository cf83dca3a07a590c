"""Measures of levels of any puzzle."""

from pathlib import Path

from puzzlemc.encodings.puzzles import load, puzzles
from puzzlemc.mc.limits import Budget, Limits
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


def test_names_and_definitions_fit_columns() -> None:
    for name in puzzles():
        found = measures(puzzles()[name])
        assert len({each.name for each in found}) == len(found)
        for each in found:
            assert each.name.replace("_", "").isalpha()
            assert each.name.islower()
            assert each.definition.endswith(".")
            assert len(each.title) < 30
