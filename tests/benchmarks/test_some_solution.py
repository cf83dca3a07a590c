"""The benchmark of the plan finder turns and mirrors levels, and counts what its runs solve."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Level, build, draw

CORNER = """\
#######
#  .  #
# $@  #
####$ #
   # .#
   ####
"""


@pytest.fixture
def benchmark() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("some_solution")


def test_each_salt_draws_the_level_in_another_way_with_equal_solutions(benchmark: Any) -> None:
    level = _level(CORNER)
    drawn = [benchmark.turned(level, salt) for salt in range(benchmark.SALTS)]
    assert draw(drawn[0]) == draw(level)
    assert len({draw(each) for each in drawn}) == benchmark.SALTS
    costs = {
        auto(puzzle("sokoban").encode_faithfully(each).model, "moves", Budget()).verdict.cost for each in drawn
    }
    assert len(costs) == 1


def test_runs_tell_solved_levels_from_those_without_a_plan_in_time(benchmark: Any) -> None:
    solvable, lost = _level(CORNER), _level("######\n#@   #\n# $  #\n#   .#\n#$  .#\n######\n")
    tasks = [(number, level, salt) for number, level in ((1, solvable), (2, lost)) for salt in range(2)]
    found = sorted(benchmark.runs(tasks, benchmark.lines()["one setting"], 5, 1 << 28, 2))
    assert [(each.number, each.salt, each.seconds is not None) for each in found] == [
        (1, 0, True),
        (1, 1, True),
        (2, 0, False),
        (2, 1, False),
    ]


def test_counts_are_by_salt_and_within_parts_of_the_limit(
    benchmark: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    times = {(1, 0): 1.0, (1, 1): 4.0, (2, 0): None, (2, 1): 11.0}
    benchmark.show("a line", [benchmark.Run(*key, seconds) for key, seconds in times.items()], 2, 12)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["1", "2", "of", "2", "1.00", "4.00"],
        ["2", "1", "of", "2", "11.00"],
    ]
    parts = [line.split(":")[1] for line in lines[2:]]
    assert [part.split()[0] for part in parts] == ["0.5", "1.0", "1.5"]
    assert ["1 at least, 2 at most" in part for part in parts] == [False, False, True]


def _level(text: str) -> Level:
    level = build(Part("", 1, text.rstrip(), None, None))
    assert isinstance(level, Level)
    return level
