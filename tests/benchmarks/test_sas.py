"""Planning tasks: those of the generator are valid, and the script answers in time, without a traceback."""

import random
import subprocess
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import command
import pytest
from places import ROOT
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.tasks.task import Effect, Operator, Searched, Task, TaskVariable
from puzzlemc.reports.formats import sas

TOGGLE = Task(
    (TaskVariable("lamp", ("off", "on")),), (0,), {0: 1}, (Operator("switch", {0: 0}, (Effect(0, 1),), 7),)
)
COUNTER = Task(  # 2^24 states: too many for a second
    tuple(TaskVariable(f"v{n}", ("no", "yes")) for n in range(24)),
    (0,) * 24,
    dict.fromkeys(range(24), 1),
    tuple(
        Operator(f"o{n}", dict.fromkeys(range(n), 1) | {n: 0}, (*(Effect(k, 0) for k in range(n)), Effect(n, 1)))
        for n in range(24)
    ),
)
LAMPS = Task(  # too dear for arrays of 32 bits, 2^30 states: for decision diagrams
    tuple(TaskVariable(f"lamp{n}", ("off", "on")) for n in range(30)),
    (0,) * 30,
    dict.fromkeys(range(30), 1),
    tuple(Operator(f"switch{n}", {n: 0}, (Effect(n, 1),), 2**28 if n else 1) for n in range(30)),
)
PEGS = Task(  # a row of holes: each jump changes how many pegs are in two of three classes of holes
    tuple(TaskVariable(f"hole{n}", ("empty", "peg")) for n in range(30)),
    tuple(int(n > 0) for n in range(30)),
    {n: int(n == 0) for n in range(30)},
    tuple(
        Operator(f"{n}", {n: 1, n + d: 1, n + 2 * d: 0}, (Effect(n, 0), Effect(n + d, 0), Effect(n + 2 * d, 1)))
        for d in (-1, 1)
        for n in range(30)
        if 0 <= n + 2 * d < 30
    ),
)
WRONG = Task(  # a mutex group that does not hold
    (TaskVariable("a", ("off", "on")), TaskVariable("b", ("off", "on"))),
    (0, 0),
    {0: 1, 1: 1},
    tuple(Operator(f"switch{n}", {n: 0}, (Effect(n, 1),), 7) for n in range(2)),
    mutexes=(((0, 1), (1, 1)),),
)


def module(name: str) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        return import_module(name)


DOMAINS = module("tasks").DOMAINS


def answered(path: Path | str, seconds: str = "20", question: str = "cost") -> subprocess.CompletedProcess[str]:
    done = command.script(ROOT / "benchmarks" / "sas.py", path, seconds, question)
    assert "Traceback" not in done.stderr
    return done


def test_there_are_tasks_of_many_domains() -> None:
    assert len(DOMAINS) >= 12


@pytest.mark.parametrize("name", DOMAINS)
def test_generated_tasks_are_valid_and_the_same_each_time(name: str) -> None:
    for size in (1, 3):
        task = DOMAINS[name](size, random.Random(size))
        task.validate()
        assert DOMAINS[name](size, random.Random(size)) == task
        assert sas.read(sas.write(task), name) == task


@pytest.mark.parametrize("name", ["blocks", "cube", "hanoi", "lights", "pancakes", "river", "tiles", "wires"])
def test_scrambled_tasks_have_plans(name: str) -> None:
    task = DOMAINS[name](1, random.Random(1))
    found = uniform_cost(task, Budget(Limits(seconds=60)))
    assert found.plan is not None
    assert check_plan(task, found.plan) == found.bound


@pytest.mark.parametrize(
    ("task", "question", "verdict", "cost"),
    [
        (TOGGLE, "cost", "solvable", "7"),
        (TOGGLE, "any", "solvable", "7"),
        (WRONG, "cost", "solvable", "14"),
        (PEGS, "cost", "unsolvable", ""),
        (PEGS, "any", "unsolvable", ""),
        (LAMPS, "cost", "solvable", str(29 * 2**28 + 1)),
        (Task(TOGGLE.variables, (0,), {0: 1}, ()), "cost", "unsolvable", ""),
        (Task(TOGGLE.variables, (1,), {0: 1}, ()), "any", "solvable", "0"),
    ],
)
def test_one_line_is_the_answer(tmp_path: Path, task: Task, question: str, verdict: str, cost: str) -> None:
    path = tmp_path / "task.sas"
    path.write_text(sas.write(task))
    done = answered(path, question=question)
    name, *answer, seconds = done.stdout.rstrip("\n").split(",")
    assert (name, answer, done.returncode) == (str(path), [verdict, cost], 0)
    assert float(seconds) >= 0


def test_the_time_limit_holds(tmp_path: Path) -> None:
    path = tmp_path / "task.sas"
    path.write_text(sas.write(COUNTER))
    done = answered(path, "1")
    name, verdict, cost, seconds = done.stdout.rstrip("\n").split(",")
    assert (name, verdict, cost, done.returncode) == (str(path), "unknown", "", 0)
    assert float(seconds) < 5
    assert "timeout" in done.stderr


def test_a_file_that_is_no_task_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "task.sas"
    path.write_text("begin_version\n4\n")
    for file, message in ((path, f"{path}:2: found version 4"), (tmp_path / "none", "No such file")):
        done = answered(file)
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stdout.startswith(f"{file},unknown,,")


def crash(task: Task, budget: Budget) -> Searched:
    """A search with a bug."""
    raise ZeroDivisionError


def test_a_search_that_crashes_is_an_error_unless_another_one_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path, script = tmp_path / "task.sas", module("sas")
    path.write_text(sas.write(TOGGLE))
    for some, code, answer in (
        ([crash], 4, "unknown,,"),
        ([crash, script.by_estimates], 0, "solvable,7,"),
    ):
        monkeypatch.setattr(script, "searches", lambda _, some=some: [*some])
        monkeypatch.setattr("sys.argv", ["sas.py", str(path), "20", "cost"])
        assert script.main() == code
        output, errors = capfd.readouterr()
        assert output.startswith(f"{path},{answer}")
        assert "ZeroDivisionError" in errors
        assert ("the search ended without an answer" in errors) == bool(code)


def test_on_one_core_both_searches_take_turns_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    script = module("sas")
    for cores, count in (({0}, 1), ({0, 1}, 2)):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: cores)
        some = script.searches("cost")
        assert len(some) == count
        for operators, answer in ((TOGGLE.operators, ("solvable", 7)), ((), ("unsolvable", None))):
            for search in some:
                found = script.answer(search, replace(TOGGLE, operators=operators), Budget())
                assert (found.verdict, found.cost) == answer


@pytest.mark.parametrize("arguments", [("x.sas", "-1", "cost"), ("x.sas", "inf", "cost"), ("x.sas", "1", "best")])
def test_wrong_usage_is_one_message(arguments: tuple[str, str, str]) -> None:
    done = answered(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage:" in done.stderr


@pytest.mark.slow
def test_all_rows_of_the_ablation_agree(tmp_path: Path) -> None:
    for name, task in (("toggle", TOGGLE), ("tiles", DOMAINS["tiles"](1, random.Random(1)))):
        (tmp_path / name).write_text(sas.write(task))
    done = command.script(ROOT / "benchmarks" / "planning_ablation.py", tmp_path / "toggle", tmp_path / "tiles")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    rows = lines[lines.index("") + 2 :]
    assert len(rows) >= 13
    assert all(row.split()[-4] == "2" for row in rows)


def test_one_hot_variables_keep_costs() -> None:
    one_hot = module("planning_ablation").one_hot
    for name in ("lights", "river"):
        task = DOMAINS[name](1, random.Random(1))
        split = one_hot(task)
        split.validate()
        assert uniform_cost(split, Budget()).bound == uniform_cost(task, Budget()).bound
