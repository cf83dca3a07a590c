"""`doctor` solves a level of each puzzle, and finds what is missing; the help ends with commands that work."""

import json
import shlex
from dataclasses import replace

import pytest
from command import puzzlemc
from places import ROOT

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.reports.cli.commands import doctor
from puzzlemc.reports.crew import in_order


def test_every_puzzle_works() -> None:
    done = puzzlemc("doctor", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(doctor.packages()) == set(doctor.USES)
    lacking = {extra for extra, name in doctor.packages().items() if found["optional"][name] is None}
    assert found["puzzles"] == dict.fromkeys([name for name in puzzles() if name not in lacking], "solvable")


def test_missing_packages_and_puzzles_that_fail_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(entries: list[object], options: object) -> object:
        for number, found in enumerate(solve_all(entries[:2], options)):
            yield found if number else replace(found, verdict="error", reason="out of order")

    solve_all, levels = in_order.solve_all, doctor.levels
    monkeypatch.setattr(in_order, "solve_all", failing)
    assert "pddl" not in {entry.puzzle.name for entry in levels({"pddl"})}
    monkeypatch.setattr(doctor, "levels", lambda lacking: levels(lacking)[:2])
    monkeypatch.setattr(doctor, "installed", lambda name: "1.0" if name == "puzzlemc" else None)
    done = puzzlemc("doctor")
    assert done.returncode == 4
    assert f"missing: pip install -e '{ROOT}[parquet]'" in done.stdout
    assert "out of order" in done.stdout
    assert done.stderr == f"does not work: {next(iter(puzzles()))}\n"


def test_the_help_ends_with_commands_that_work() -> None:
    text = puzzlemc("--help").stdout
    shown = [line.split() for line in text.splitlines() if line.startswith("  puzzlemc ")]
    assert [words[1] for words in shown] == ["solve", "play", "doctor"]
    solved = puzzlemc(*shlex.split(" ".join(shown[0][1:])))
    assert solved.returncode == 0
    assert "Round the table" in solved.stdout
