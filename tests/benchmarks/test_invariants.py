"""The benchmark of invariants: its judgement of random models, and of a few levels."""

import subprocess
import sys
from importlib import import_module

import pytest
from places import ROOT

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.invariants import invariants
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.verdict import Unreachable

SCRIPT = str(ROOT / "benchmarks" / "invariants.py")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )


def test_nothing_is_wrong_in_random_models() -> None:
    done = run("random", "--models", "30")
    assert done.returncode == 0, done.stderr
    counts = {name: int(number) for number, name in (line.split(maxsplit=1) for line in done.stdout.splitlines())}
    assert counts["called unreachable"] > 5
    assert counts["changed proofs of false claims"] == 3 * counts["called unreachable"]
    assert not any(number for name, number in counts.items() if name.startswith("WRONG"))


def test_levels_are_counted() -> None:
    done = run("levels", "tests/compatibility/0.1/lights.txt", "--puzzle", "tests/compatibility/0.1/own_puzzle.py")
    assert done.returncode == 0, done.stderr
    assert "    1  settled\n" in done.stdout
    assert "    3  not settled\n" in done.stdout


def test_the_problems_in_pddl_are_read_and_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("tests/compatibility/0.1", "benchmarks"):
        monkeypatch.syspath_prepend(str(ROOT / folder))
    problems = import_module("classic_problems").PROBLEMS
    pddl, goals = puzzle("pddl"), 0
    for name in problems:
        domain, problem = problems[name]()
        (level,) = pddl.screen.parse(problem + domain, name)
        goals += len(level.conjuncts)
    assert goals == 8 + 11 + 15 + 24 + 25 + 81 + 196 + 33 + 33 + 62 + 11 + 8 + 2
    domain, problem = problems["pegs, English board, to a corner of the cross"]()
    (level,) = pddl.screen.parse(problem + domain, "pegs")
    verdict = invariants(pddl.encode_faithfully(level).model, "any", Budget())
    assert isinstance(verdict, Unreachable)
    assert verdict.note.startswith("in every reachable state")
