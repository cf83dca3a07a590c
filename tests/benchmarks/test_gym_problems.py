"""Tasks of problems that another package has."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from places import ROOT

SCRIPT = ROOT / "benchmarks" / "gym_problems.py"
DOMAIN = """(define (domain lamps) (:predicates (lit ?x) (lamp ?x))
(:action light :parameters (?x) :precondition (lamp ?x) :effect (lit ?x)))"""
PROBLEM = "(define (problem p) (:domain lamps) (:objects {0}) (:init {1}) (:goal (and {2})))"


def test_three_problems_of_each_domain_become_tasks(tmp_path: Path) -> None:
    """Sorted by size; a domain that is no PDDL is named."""
    home = tmp_path / "site" / "pddlgym" / "pddl"
    for folder in ("lamps", "lamps_test", "broken", "lonely"):
        (home / folder).mkdir(parents=True)
    (home / "lamps.pddl").write_text(DOMAIN, encoding="ascii")
    (home / "broken.pddl").write_text("(define", encoding="ascii")
    (home / "lonely.pddl").write_text(DOMAIN, encoding="ascii")
    for count in range(1, 8):
        lamps = [f"l{n}" for n in range(count)]
        words = " ".join(lamps), *(" ".join(f"({what} {n})" for n in lamps) for what in ("lamp", "lit"))
        folder = "lamps_test" if count % 2 else "lamps"
        (home / folder / f"p{count}.pddl").write_text(PROBLEM.format(*words), encoding="ascii")
    (home / "broken" / "p.pddl").write_text("(define", encoding="ascii")
    command = [sys.executable, str(SCRIPT), str(tmp_path / "tasks"), "--site", str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.startswith("broken-0: ")
    assert done.stderr.count("\n") == 1
    tasks = sorted((tmp_path / "tasks").iterdir())
    assert [task.name for task in tasks] == ["lamps-0.sas", "lamps-1.sas", "lamps-2.sas"]
    operators = [task.read_text(encoding="ascii").count("begin_operator") for task in tasks]
    assert operators == [4, 5, 7]


def test_a_translator_that_ends_without_a_word_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that is killed: the error has its exit code, and nothing is written."""
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    module = import_module("translate")
    killed = subprocess.CompletedProcess([], -9, stdout="", stderr="")
    monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: killed)
    with pytest.raises(module.NotTranslated, match="code -9"):
        module.translate(tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "task.sas")
    assert not [*tmp_path.iterdir()]
    del sys.modules["translate"]


def test_a_site_without_the_package_is_an_error(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), str(tmp_path / "tasks"), "--site", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"{tmp_path} has no pddlgym\n"
