"""Problems in PDDL for finders of some plan, and the comparison of finders."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT
from task_reference import check_plan

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.reports.formats import sas


@pytest.fixture
def problems(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield import_module("planning_problems")
    for name in [name for name in sys.modules if name.split(".")[0] in ("planning_problems", "problems")]:
        del sys.modules[name]


def test_each_kind_has_five_sizes_that_are_solvable_and_a_problem_that_is_not(problems: ModuleType) -> None:
    solvable = [name for name in problems.PROBLEMS if problems.is_solvable(name)]
    kinds = {name.rpartition("-")[0] for name in solvable}
    assert len(solvable) == 5 * len(kinds) == 5 * len(problems.KINDS)
    others = [name for name in problems.PROBLEMS if not problems.is_solvable(name)]
    assert {name.split("-")[0] for name in others} == kinds
    for name in ("robots-3", "labyrinth-2", "cube-4", "folding-3", "snake-5"):  # random, but the same ones
        assert problems.PROBLEMS[name]() == problems.PROBLEMS[name]()


@pytest.mark.parametrize(
    "name",
    [
        *("dives-1", "floor-1", "folding-1", "labyrinth-1", "philosophers-2", "robots-1", "snake-1", "termites-1"),
        *("dives-alone", "floor-all-painted", "folding-crossed", "robots-lonely", "snake-dead-ends"),
        *("termites-corridor", "philosophers-careful"),
    ],
)
def test_small_problems_are_decided_as_they_are_made(name: str, problems: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("fast_downward", reason="needs fast-downward-translate")
    problems.write(name, tmp_path)
    task = sas.read((tmp_path / f"{name}.sas").read_text(), name)
    found = some_plan(task, Budget())
    assert found.limit is None
    assert (found.plan is not None) == problems.is_solvable(name)
    if found.plan is not None:
        check_plan(task, found.plan)


def test_turns_of_a_cube_are_those_of_a_cube(problems: ModuleType) -> None:
    turns = import_module("problems.cubes").TURNS
    home = {(place, twist): (place, twist) for moves in turns.values() for place, twist in moves}

    def after(*names: str) -> dict[tuple[int, int], tuple[int, int]]:
        at = home
        for name in names:
            at = {sticker: turns[name].get(to, to) for sticker, to in at.items()}
        return at

    for name, moves in turns.items():
        assert len({place for place, _ in moves}) == 8
        assert after(*[name] * 4) == home != after(*[name] * 2)
        assert after(name, name[:2] + ("l" if name[2] == "r" else "r")) == home
    assert after(*["x+r", "y+r", "x+l", "y+l"] * 6) == home != after(*["x+r", "y+r", "x+l", "y+l"] * 3)


@pytest.mark.parametrize(("second", "wrong"), [("solvable", 0), ("unknown", 0), ("unsolvable", 1)])
def test_finders_are_compared(
    second: str,
    wrong: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    script = import_module("some_plan")
    results = {"a": {"t": script.Result("solvable", 7, 1.0)}, "b": {"t": script.Result(second, 3, 2.0)}}
    assert script.report(results, ["t"]) == wrong
    rows = capsys.readouterr().out.splitlines()[1:]
    assert rows[0].split() == ["a", "1", "0", "0", "0", "1.000", "1.0", "1.0"]
    if second == "solvable":
        assert rows[1].split() == ["b", "1", "0", "0", "0", "0.500", "2.0", "1.0"]
    table = tmp_path / "table.tsv"
    for finder, found in results.items():
        script.append(table, finder, found["t"])
    assert script.read_table(table) == {"a": results["a"]["t"], "b": results["b"]["t"]}
    assert script.read_table(table, 1.5) == {"a": results["a"]["t"], "b": script.Result("unknown", None, 1.5)}
