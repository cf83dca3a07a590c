"""The hunt for errors: its cases find none in the program, and find planted ones."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from oracle import least_cost_by_rules
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.reports.certify.verify import Verification, verify
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens import sokoban

FOLDER = ROOT / "benchmarks"
CORRIDOR = "######\n#@$ .#\n######"


@pytest.fixture
def hunt(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """The modules of the hunt by name."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return import_module


def script(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / "hunt.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def kinds(outcome: Any) -> set[str]:
    return {failure.kind for failure in outcome.failures}


@pytest.mark.parametrize("cases", [50, pytest.param(160, marks=pytest.mark.slow)])
def test_cases_find_nothing(tmp_path: Path, cases: int) -> None:
    done = script("--cases", cases, "--seed", 10, "--keep", tmp_path / "kept")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"\n{cases} cases up to {cases - 1} of seed 10 in " in done.stdout
    for kind in ("levels", "certificates", "bytes", "commands", "tasks"):
        assert f"{kind}: " in done.stdout
    assert not (tmp_path / "kept").exists()


def test_cases_are_reproducible(hunt: Callable[[str], ModuleType]) -> None:
    odd = hunt("odd_levels")
    for name in odd.PUZZLES:
        one, other = (
            [odd.dressed(choice, name, odd.odd_level(choice, name)) for _ in range(50)]
            for choice in (random.Random("3"), random.Random("3"))
        )
        assert one == other
        assert len(set(one)) > 40


@pytest.mark.parametrize("name", ["sokoban", "folding", "tetravex"])
def test_the_judge_and_the_plain_rules_agree(hunt: Callable[[str], ModuleType], name: str) -> None:
    """Two independent implementations of the rules, on levels that both take."""
    judge, odd, levels = hunt("judge"), hunt("odd_levels"), hunt("hunt_levels")
    rules, choice, solvable, compared = puzzle(name), random.Random(f"judge {name}"), 0, 0
    for _ in range(60):
        text = odd.odd_level(choice, name)
        entry = levels.opened(name, text)
        graph = judge.explore(judge.game(name, text), 3000)
        if graph is None or isinstance(entry, str):
            continue
        compared += 1
        solvable += bool(graph.solved)
        for metric in rules.metrics:
            assert graph.least(metric) == least_cost_by_rules(rules, entry.level, metric), text
    assert 5 < solvable < compared


@pytest.mark.parametrize(
    ("formula", "held"),
    [
        (("EF", ("atom", "solved")), {0, 1, 2, 3}),
        (("AF", ("atom", "solved")), {2, 3}),
        (("EG", ("not", ("atom", "solved"))), {0, 1}),
        (("AX", ("atom", "solved")), {2}),
        (("AU", ("atom", "true"), ("atom", "stuck")), set[int]()),
    ],
)
def test_the_judge_evaluates_formulas(
    hunt: Callable[[str], ModuleType], formula: tuple[Any, ...], held: set[int]
) -> None:
    """0 and 1 lead to each other, 1 also leads to 2; 2 leads only to 3, which is solved and leads back to 2."""
    free: dict[str, int] = {}
    steps = [[(1, free)], [(0, free), (2, free)], [(3, free)], [(2, free)]]
    assert hunt("judge").Graph([0, 1, 2, 3], steps, frozenset([3])).where(formula) == held


def test_the_judge_checks_solutions(hunt: Callable[[str], ModuleType]) -> None:
    judge = hunt("judge")
    game = judge.game("sokoban", CORRIDOR)
    assert judge.play(game, "RR") == {"moves": 2, "pushes": 2}
    assert judge.play(game, "R") is None
    assert judge.play(game, "rR") is None


def changed(result: Result, **parts: Any) -> Result:
    """The result with another solution."""
    assert result.solution is not None
    return replace(result, solution=replace(result.solution, **parts))


LIES: dict[str, Callable[[Result], Result]] = {
    "unsolvable": lambda result: replace(result, verdict="unsolvable", solution=None),
    "cost": lambda result: changed(result, cost=(result.cost or 0) + 1),
    "trace": lambda result: changed(result, trace=(result.trace or "x")[1:]),
    "bound": lambda result: replace(result, verdict="unknown", reason="timeout", bound=99, solution=None),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_wrong_answer_is_found(
    hunt: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    levels = hunt("hunt_levels")

    def lying(*arguments: Any) -> Result:
        result = solve_entry(*arguments)
        return LIES[lie](result) if result.verdict == "solvable" and result.trace else result

    monkeypatch.setattr(levels, "solve_entry", lying)
    monkeypatch.setattr(levels, "odd_level", lambda choice, name: CORRIDOR)
    outcome = levels.levels(random.Random("lies"), "sokoban")
    assert kinds(outcome) == {"disagreement"}, outcome


def test_a_longer_solution_called_optimal_is_found(
    hunt: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cost is right, and the plain rules accept it: only the judge knows that there is a cheaper one."""
    levels = hunt("hunt_levels")

    def longer(entry: Any, options: Any) -> Result:
        result = solve_entry(entry, replace(options, metric="moves", engine="auto", timeout=9, memory=4))
        return changed(result, trace="lr" + str(result.trace), cost=(result.cost or 0) + 2, costs={})

    monkeypatch.setattr(levels, "solve_entry", longer)
    monkeypatch.setattr(levels, "odd_level", lambda choice, name: "#######\n# @$ .#\n#######")
    monkeypatch.setattr(levels, "choices", lambda choice, name: [levels.Options("moves")])
    outcome = levels.levels(random.Random("longer"), "sokoban")
    assert "not optimal" in outcome.failures[0].what


def test_a_refused_level_is_found(hunt: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    levels = hunt("hunt_levels")
    monkeypatch.setattr(levels, "odd_level", lambda choice, name: CORRIDOR)
    monkeypatch.setattr(sokoban, "parse", lambda text, source: [ValueError("no")])
    outcome = levels.levels(random.Random("refused"), "sokoban")
    assert [failure.what for failure in outcome.failures] == ["sokoban: a sound level is refused"]


def test_a_false_certificate_is_found(hunt: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    levels = hunt("hunt_levels")

    def believing(path: Path, **rest: Any) -> Verification:
        checked = verify(path, **rest)
        return replace(checked, status="valid", reason=None) if checked.status == "refuted" else checked

    monkeypatch.setattr(levels, "verify", believing)
    found = [failure for number in range(examples(40, 100)) for failure in levels.certificates(7, number).failures]
    assert found
    assert {failure.what.split(":")[0] for failure in found} == {"a certificate that lies is valid"}


@pytest.mark.parametrize(
    ("kind", "module"), [("level", "load"), ("certificate", "verify"), ("formula", "parse_formula")]
)
def test_a_traceback_is_found(
    hunt: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, kind: str, module: str
) -> None:
    files = hunt("hunt_files")

    def broken(*arguments: Any, **rest: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(files, module, broken)
    found = files.parsed(kind, b"x", ".xsb", hunt("outcome").Outcome())
    assert {failure[0] for failure in found} == {"traceback"}


def test_raw_output_is_found(hunt: Callable[[str], ModuleType]) -> None:
    files = hunt("hunt_files")
    for raw in ("\x1b]0;x", "a\x9b31m", "\u202e", "\x00"):
        assert files.unprintable(raw, terminal=False)
        assert files.unprintable(raw, terminal=True)
    assert not files.unprintable("\x1b[1m3 levels\x1b[0m\r\n", terminal=True)
    assert files.unprintable("\x1b[1m3 levels\x1b[0m\n", terminal=False)


@pytest.mark.parametrize("where", ["pipe", "terminal"])
def test_the_output_of_a_run_is_collected(hunt: Callable[[str], ModuleType], tmp_path: Path, where: str) -> None:
    ran = hunt("hunt_files").run(["puzzles", "sokoban"], where, tmp_path, {})
    assert (ran.code, ran.output.split()[0]) == (0, "sokoban")
    assert 10 < ran.peak_mb < 1000
    ran = hunt("hunt_files").run(["check", str(tmp_path / "none.xsb"), "--json"], where, tmp_path, {})
    assert ran.code == 2
    assert ran.rows == 1
    row = ran.output[ran.output.index("{") : ran.output.index("}") + 1]  # the row without the progress bar
    assert json.loads(row)["verdict"] == "error"


def test_inputs_are_reduced(hunt: Callable[[str], ModuleType]) -> None:
    small = hunt("outcome").shrink(b"one\ntwo\nthree X four\nfive" * 20, lambda data: b"X" in data, 5)
    assert small == b"X"
