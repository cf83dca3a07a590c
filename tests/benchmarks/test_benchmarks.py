"""The benchmark scripts: their output, and that they detect wrong and changed answers."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import command
import pytest
from places import ROOT
from processes import program, wait_until, workers_of

from puzzlemc.mc.engines.registry import variants
from puzzlemc.mc.system.memory import processor_seconds
from puzzlemc.reports.solve.result import REFUTED, Result, Solution

FOLDER = ROOT / "benchmarks"
BUSY_SECONDS = 1.5  # of processor time: more than a process takes for its imports
LEVELS = "#####\n#@$.#\n#####\nTitle: One push\n\n#####\n#$  #\n#.@ #\n#   #\n#####\nTitle: Cornered\n"
# A room full of boxes, too much for any search within a second.
HARD = """\
###########
#@        #
# $ $ $ $ #
# $ $ $ $ #
# $ $ $ $ #
# $ $ $ $ #
#         #
# . . . . #
# . . . . #
# . . . . #
# . . . . #
#         #
###########
"""
ANSWERS = "level\ttitle\tverdict\tpushes\tmoves\n"
RIGHT = "1\tOne push\tsolvable\t1\t1\n2\tCornered\tunsolvable\t-\t-\n"


def script(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return command.script(FOLDER / name, *arguments)


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.xsb"
    path.write_text(LEVELS)
    return path


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def test_run_writes_json_and_a_table(levels: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    chosen = ("--config", "auto", "--config", "backward-cudd", "--metric", "pushes", "--metric", "any")
    done = script("run.py", levels, *chosen, "--out", out)
    assert done.returncode == 0, done.stderr
    document = read(out)
    assert document.keys() == {
        *("date", "python", "cpu", "revision", "packages", "settings", "runs", "contradictions")
    }
    assert document["packages"]["numpy"]
    runs = document["runs"]
    assert [(run["metric"], run["configuration"]) for run in runs] == [
        ("pushes", "auto"),
        ("pushes", "backward-cudd"),
        ("any", "auto"),
        ("any", "backward-cudd"),
    ]
    for run in runs:
        assert run["set"] == str(levels)
        assert [level["verdict"] for level in run["levels"]] == ["solvable", "unsolvable"]
        assert run["seconds"] == pytest.approx(sum(level["seconds"] for level in run["levels"]), abs=1e-5)
        assert "trace" not in run["levels"][0]
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [str(levels), "pushes", "backward-cudd", "2", "1", "1", "0", "0"] in [row[:8] for row in rows]
    assert "0 levels compared with known answers, 0 contradictions" in done.stdout
    assert list(tmp_path.glob("*.part")) == []


def test_each_engine_is_a_configuration() -> None:
    shown = script("run.py", "--help").stdout
    for variant in variants():
        assert str(variant) in shown.replace("\n", "").replace(" ", "")


def test_in_process_times_parsing(levels: Path, tmp_path: Path) -> None:
    levels.write_text("; a comment\n" * 30_000 + LEVELS, encoding="utf-8")
    out = tmp_path / "out.json"
    done = script("run.py", levels, "--config", "forward-zdd", "--in-process", "--out", out)
    assert done.returncode == 0, done.stderr
    (run,) = read(out)["runs"]
    assert [level["verdict"] for level in run["levels"]] == ["solvable", "unsolvable"]
    assert run["seconds"] > 2 * sum(level["seconds"] for level in run["levels"])
    assert run["start"] > 0


@pytest.mark.parametrize("mode", [(), ("--in-process",)])
def test_known_answers_are_confirmed(levels: Path, tmp_path: Path, mode: tuple[str, ...]) -> None:
    levels.with_suffix(".answers.tsv").write_text(ANSWERS + RIGHT)
    levels.with_suffix(".optimal.tsv").write_text("level\tmin_pushes\tmin_moves\n1\t1\t?\n2\t?\t?\n")
    done = script("run.py", levels, "--config", "auto", *mode, "--out", tmp_path / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 levels compared with known answers, 0 contradictions" in done.stdout


@pytest.mark.parametrize(
    ("suffix", "table", "message"),
    [
        (
            ".answers.tsv",
            ANSWERS + RIGHT.replace("solvable\t1\t1", "solvable\t2\t2"),
            "#1 pushes: 1 (auto); 2 (tiny",
        ),
        (
            ".answers.tsv",
            ANSWERS + RIGHT.replace("solvable\t1\t1", "solvable\t1\t2"),
            "#1 moves: at most 1 (auto for",
        ),
        (
            ".answers.tsv",
            ANSWERS + "1\t\tunsolvable\t-\t-\n",
            "#1 pushes: 1 (auto); unsolvable (tiny.answers.tsv)",
        ),
        (".answers.tsv", ANSWERS + "2\t\tsolvable\t?\t?\n", "#2 pushes: unsolvable (auto); solvable (tiny"),
        (".optimal.tsv", "level\tmin_pushes\tmin_moves\n1\t0\t1\n", "#1 pushes: 1 (auto); 0 (tiny.optimal.tsv)"),
    ],
)
def test_contradictions_of_known_answers_are_reported(
    levels: Path, tmp_path: Path, suffix: str, table: str, message: str
) -> None:
    levels.with_suffix(suffix).write_text(table)
    out = tmp_path / "out.json"
    done = script("run.py", levels, "--config", "auto", "--out", out)
    assert done.returncode == 1
    assert f"CONTRADICTION {levels}{message}" in done.stdout
    assert any(message in line for line in read(out)["contradictions"])


METRICS = ("pushes", "moves")
SOLVED = Result(
    "a.xsb#1", "", "sokoban", "solvable", "pushes", METRICS, Solution("", 3, True, {"pushes": 3, "moves": 9})
)


def found(metric: str, cost: int | None, pushes: int, moves: int, *, optimal: bool = True) -> Result:
    """A solution that differs from the usual one."""
    return replace(SOLVED, metric=metric, solution=Solution("", cost, optimal, {"pushes": pushes, "moves": moves}))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (replace(SOLVED), None),
        (found("pushes", 4, 4, 9), "pushes: 3 (auto); 4 (explicit)"),
        (replace(SOLVED, verdict="unsolvable", solution=None), "pushes: 3 (auto); unsolvable (explicit)"),
        (replace(SOLVED, verdict="unknown", bound=3, solution=None), None),
        (replace(SOLVED, verdict="unknown", bound=4, solution=None), "pushes: 3 (auto); at least 4 (explicit)"),
        (found("moves", 9, 3, 9), None),
        (
            found("moves", 10, 3, 10),
            "moves: at most 9 (auto for pushes)",
        ),
        (found("any", None, 5, 30, optimal=False), None),
        (
            found("any", None, 2, 30, optimal=False),
            "pushes: 3 (auto); at most 2",
        ),
        (replace(SOLVED, solution=None).failed("refuted: no", REFUTED), "refuted: no"),
    ],
)
def test_contradicting_configurations_are_reported(other: Result, message: str | None) -> None:
    spec = spec_from_file_location("run", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    run = module_from_spec(spec)
    spec.loader.exec_module(run)
    runs = [
        run.Run("a.xsb", result.metric, name, 1, results=[result])
        for name, result in (("auto", SOLVED), ("explicit", other))
    ]
    found, _ = run.contradictions(runs)
    assert any(message in line for line in found) if message else found == []


def test_limits_are_respected(tmp_path: Path) -> None:
    path = tmp_path / "hard.xsb"
    path.write_text(HARD)
    done = script("run.py", path, "--config", "forward-zdd", "--timeout", "0.5", "--out", tmp_path / "out.json")
    assert done.returncode == 0
    assert "1 timeout" in done.stdout


def busy_workers(parent: int) -> list[int]:
    """The worker processes of a program that are past their imports."""
    return [worker for worker in workers_of(parent) if processor_seconds(worker) > BUSY_SECONDS]


@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize("mode", [(), ("--in-process",)])
def test_an_interrupted_run_keeps_its_results(
    levels: Path, tmp_path: Path, mode: tuple[str, ...], busy: bool
) -> None:
    path, out = tmp_path / "hard.xsb", tmp_path / "out.json"
    path.write_text(HARD)
    words = [sys.executable, FOLDER / "run.py", levels, path, "--config", "forward-zdd", "--out", out, *mode]
    with program(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "tiny.xsb pushes forward-zdd: 2 levels" in process.stderr.readline()
        if busy:
            wait_until(lambda: busy_workers(process.pid))
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "interrupted in run" in errors
    assert "0 contradictions" in output
    assert [level["verdict"] for level in read(out)["runs"][0]["levels"]] == ["solvable", "unsolvable"]


def test_a_process_that_is_killed_fails_its_run(tmp_path: Path) -> None:
    path, out = tmp_path / "hard.xsb", tmp_path / "out.json"
    path.write_text(HARD)
    words = [sys.executable, FOLDER / "run.py", path, "--config", "forward-zdd", "--out", out, "--in-process"]
    with program(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: busy_workers(process.pid))
        os.kill(busy_workers(process.pid)[0], signal.SIGKILL)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 1, errors
    assert "failed: EOFError: its process has ended with code -9" in errors
    assert "0 of 1" in output


@pytest.mark.parametrize(
    "arguments", [("nowhere.xsb",), ("tiny.xsb", "--metric", "jumps"), ("tiny.xsb", "--config", "quick")]
)
def test_bad_usage_is_an_error(levels: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    first, *others = arguments
    done = script("run.py", levels.with_name(first), *others, "--out", tmp_path / "out.json")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.json").exists()


def results(path: Path, *levels: tuple[str, int | None, float], metric: str = "pushes") -> Path:
    """Write the results of `run.py` for these levels: verdict, cost, seconds."""
    rows = [
        {
            "id": f"a.xsb#{number}",
            "verdict": verdict,
            "cost": cost,
            "optimal": cost is not None,
            "reason": "timeout" if verdict == "unknown" else None,
            "seconds": seconds,
        }
        for number, (verdict, cost, seconds) in enumerate(levels, start=1)
    ]
    total = sum(seconds for _, _, seconds in levels)
    run = {"set": "a.xsb", "metric": metric, "configuration": "auto", "seconds": total, "levels": rows}
    path.write_text(
        json.dumps({"date": path.stem, "settings": {}, "packages": {}, "runs": [run]}), encoding="utf-8"
    )
    return path


def test_compare_finds_slow_and_quick_levels(tmp_path: Path) -> None:
    old = results(tmp_path / "old.json", ("solvable", 3, 1.0), ("solvable", 4, 1.0), ("unsolvable", None, 0.001))
    new = results(tmp_path / "new.json", ("solvable", 3, 8.0), ("solvable", 4, 0.5), ("unsolvable", None, 0.002))
    done = script("compare.py", old, new)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    expected = "a.xsb pushes auto 3 3 0 0 2.00 8.50 4.25 2.00"  # the geometric mean of 8, 1/2 and 2 is 2
    assert expected.split() in [line[:11] for line in lines]
    assert "8.00      1.0000 -> 8.0000 s  a.xsb#1 pushes auto" in done.stdout
    assert "0.50      1.0000 -> 0.5000 s  a.xsb#2 pushes auto" in done.stdout
    assert "a.xsb#3 pushes auto" not in done.stdout  # too quick to measure
    assert "3 levels in both, 0 changes, 0 errors" in done.stdout


def test_compare_finds_changed_answers(tmp_path: Path) -> None:
    was = [("solvable", 3, 1.0), ("solvable", 4, 1.0), ("unknown", None, 1.0), ("unsolvable", None, 1.0)]
    now = [("solvable", 5, 1.0), ("unsolvable", None, 1.0), ("solvable", 2, 1.0), ("unknown", None, 1.0)]
    done = script("compare.py", results(tmp_path / "old.json", *was), results(tmp_path / "new.json", *now))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-5:] == [
        "4 levels in both, 2 changes, 2 errors",
        "CHANGE a.xsb#3 pushes auto: unknown (timeout) -> solvable",
        "CHANGE a.xsb#4 pushes auto: unsolvable -> unknown (timeout)",
        "ERROR a.xsb#1 pushes auto: optimal cost 3 -> 5",
        "ERROR a.xsb#2 pushes auto: solvable -> unsolvable",
    ]


def test_compare_needs_common_levels(tmp_path: Path) -> None:
    old = results(tmp_path / "old.json", ("solvable", 3, 1.0))
    new = results(tmp_path / "new.json", ("solvable", 3, 1.0), metric="moves")
    done = script("compare.py", old, new)
    assert done.returncode == 2
    assert "only in the old file: a.xsb pushes auto" in done.stdout


def test_compare_reads_the_output_of_run(levels: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert script("run.py", levels, "--config", "auto", "--out", out).returncode == 0
    done = script("compare.py", out, out)
    assert done.returncode == 0, done.stderr
    assert "2 levels in both, 0 changes, 0 errors" in done.stdout
