"""The growing tasks have plans, programs are measured within their limits, and slopes are those of the figures."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from task_reference import check_plan

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.optimal import cheapest_plan

LEAST = {
    ("gripper", 2): 5,  # both balls in one way
    ("gripper", 4): 11,
    ("lights out", 2): 2,  # two of four switches are pressed, and no other set of switches changes the same lamps
}


@pytest.fixture
def growth(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the benchmark."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module("growth")


@pytest.mark.slow
def test_the_smallest_tasks_of_each_family_have_plans(growth: Any) -> None:
    found = {}
    for name, family in growth.FAMILIES.items():
        assert [*family.sizes] == sorted(set(family.sizes))
        for size in family.sizes[:2]:
            task = family.task(size, 0)
            task.validate()
            assert task == family.task(size, 0)
            assert all(not effect.condition for operator in task.operators for effect in operator.effects)
            plan = cheapest_plan(task, Budget()).plan
            assert plan is not None
            found[name, size] = check_plan(task, plan)
    assert {key: found[key] for key in LEAST} == LEAST
    assert all(cost > 0 for cost in found.values())


def test_pieces_fill_the_frame_but_for_two_cells(growth: Any) -> None:
    tasks = import_module("growing_tasks")
    for size in growth.FAMILIES["frame"].sizes:
        placed = tasks.pieces(size)
        assert len(tasks.covered(placed)) == sum(piece.width * piece.height for piece in placed) == 4 * size - 2


def row(growth: Any, size: int, seconds: float, *, program: str = "puzzlemc", cost: int | None = 1) -> Any:
    return growth.Measured("gripper", size, 0, program, cost, seconds, 10.0)


def test_the_exponent_is_that_of_a_power(growth: Any) -> None:
    rows = [row(growth, size, 0.5 * size**3) for size in (4, 6, 8, 10)]
    rows += [row(growth, 2, 500.0), row(growth, 12, 9.0, cost=None)]  # before the last four; not solved
    found = growth.points(rows, "gripper", "puzzlemc", "seconds")
    assert [size for size, _ in found] == [2, 4, 6, 8, 10]
    assert growth.exponent(found) == pytest.approx(3)
    assert growth.exponent(found[:2]) is None
    assert "| gripper | puzzlemc | 10 (balls) | 500.00 | 10 | 3.0 | 0.0 |" in growth.table(rows)


def test_another_least_cost_is_a_contradiction(growth: Any) -> None:
    one, same, better = (
        row(growth, 4, 1.0),
        row(growth, 4, 1.0, program="symk"),
        row(growth, 4, 1.0, program="lama", cost=0),
    )
    dearer = row(growth, 4, 1.0, program="lama", cost=7)
    assert growth.contradictions([one, same, dearer]) == []
    assert len(growth.contradictions([one, better])) == 1
    assert len(growth.contradictions([one, row(growth, 4, 1.0, program="symk", cost=2)])) == 1


def test_a_program_ends_at_its_limits(growth: Any) -> None:
    code = "print('Plan cost: 3', flush=True)\nwhile True: pass"
    output, seconds, memory = growth.run([sys.executable, "-c", code], 0.3, 1 << 32)
    assert growth.cost_in(output) == 3
    assert 0.3 < seconds < 5
    assert memory > 1 << 20
    code = "kept = bytearray(1 << 28)\nfor n in range(0, 1 << 28, 4096): kept[n] = 1\nwhile True: pass"
    _, seconds, memory = growth.run([sys.executable, "-c", code], 60.0, 1 << 27)
    assert memory > 1 << 27
    assert seconds < 60


def test_a_program_that_fails_gets_no_larger_tasks(
    growth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "planner.py"
    script.write_text("import sys\nif 'balls-2-' in sys.argv[1]: print('Plan cost: 5')\n", encoding="ascii")
    programs = {"lama": [sys.executable, str(script), "FILE"]}
    monkeypatch.setattr(growth, "commands", lambda *_: programs)
    monkeypatch.setattr("sys.argv", ["growth.py", str(tmp_path / "made"), "--families", "gripper"])
    assert growth.main() == 0
    rows = growth.read(tmp_path / "made" / "growth.csv")
    assert [(each.size, each.cost) for each in rows] == [(2, 5), (4, None)]
    assert "| gripper | lama | 2 (balls) |" in capsys.readouterr().out
    assert {each.name for each in (tmp_path / "made").glob("*.svg")} == {"growth_seconds.svg", "growth_memory.svg"}
