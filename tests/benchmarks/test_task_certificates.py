"""Certificates of many planning tasks: they are made and judged, and mutants of them are told apart."""

import random
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT

from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.reports.certify.certificate import Certificate, read, write
from puzzlemc.reports.certify.verify import verify


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """The modules of benchmarks by name."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module


def made(
    benchmark: Callable[[str], ModuleType], folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> int:
    """The exit code of the program that makes certificates."""
    monkeypatch.setattr("sys.argv", ["task_certificates.py", str(folder), *options])
    code: int = benchmark("task_certificates").main()
    return code


def test_certificates_are_made_of_tasks_that_have_a_plan(
    benchmark: Callable[[str], ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert made(benchmark, tmp_path, monkeypatch, "--count", "5") == 0
    assert capsys.readouterr().out.startswith("5 certificates, 0 of given files: 5 valid and right;")
    given = next(tmp_path.glob("*.sas"))
    assert made(benchmark, tmp_path / "more", monkeypatch, str(given), "--count", "1") == 0
    assert capsys.readouterr().out.startswith("1 certificates, 1 of given files: 1 valid and right;")


def test_another_cost_than_the_least_is_an_error(
    benchmark: Callable[[str], ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    module = benchmark("task_certificates")
    text, least = next(module.random_tasks(1))
    monkeypatch.setattr(module, "random_tasks", lambda _: iter([(text, least + 1)]))
    assert made(benchmark, tmp_path, monkeypatch, "--count", "1") == 1
    assert f"cost {least}, the least is {least + 1}, valid: True" in capsys.readouterr().out


def test_changed_plans_and_costs_are_refuted_or_true(
    benchmark: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(benchmark, tmp_path, monkeypatch, "--count", "6")
    changes, chance, place = benchmark("mutants"), random.Random(1), tmp_path / "mutant"
    refuted = {"step": 0, "claimed_cost": 0}
    for path in sorted(tmp_path.glob("*.cert")):
        original = read(path)
        for name in refuted:
            for _ in range(6):
                changed: Certificate = getattr(changes, name)(original, original.proof, chance)
                write(changed, place)
                if verify(place).status != "valid":
                    refuted[name] += 1
                elif changed != original:
                    assert changes.judged(changed) == "sound"
    assert refuted["step"] >= 12
    assert refuted["claimed_cost"] == 36


def test_a_false_claim_is_wrong(
    benchmark: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(benchmark, tmp_path, monkeypatch, "--count", "1")
    changes = benchmark("mutants")
    original = read(next(tmp_path.glob("*.cert")))
    assert original.cost is not None
    assert isinstance(original.proof, ListedStates)
    assert changes.judged(original) == "sound"
    higher = replace(original.proof, below=original.cost + 1)
    assert changes.judged(replace(original, proof=higher)) == "WRONG"
    assert changes.judged(replace(original, cost=original.cost + 1)) == "WRONG"
    assert changes.judged(replace(original, verdict="unsolvable", proof=replace(higher, below=None))) == "WRONG"
