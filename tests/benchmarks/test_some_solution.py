"""The benchmark of the plan finder turns and mirrors levels, and counts what its runs solve."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from small_rooms import crowd

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


def test_a_run_ends_at_its_limit_of_processor_time(benchmark: Any) -> None:
    (run,) = benchmark.runs([(7, crowd(), 0)], benchmark.lines()["one setting"], 0.05, 1 << 28, 1)
    assert (run.number, run.seconds) == (7, None)


@pytest.mark.parametrize("option", ["--seconds", "--memory", "--jobs"])
@pytest.mark.parametrize("value", ["0", "-1", "nan"])
def test_limits_are_above_zero(
    benchmark: Any, option: str, value: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["some_solution.py", "levels.xsb", option, value])
    with pytest.raises(SystemExit, match="2"):
        benchmark.main()
    assert f"argument {option}: " in capsys.readouterr().err


def test_levels_of_other_puzzles_are_left_out_with_a_message(
    benchmark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "corner.xsb", ROOT / "screens/levels/tetravex/one_way.tetravex", tmp_path / "none.xsb"]
    files[0].write_text(CORNER, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["some_solution.py", *map(str, files), "--line", "one setting"])
    assert benchmark.main() == 0
    shown = capsys.readouterr()
    assert "1.0 of 1 in the mean of 1 salts" in shown.out
    assert "level 2 is left out: it is no level of Sokoban" in shown.err
    assert "level 4 is left out: " in shown.err
    assert "none.xsb: found no such file" in shown.err


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
