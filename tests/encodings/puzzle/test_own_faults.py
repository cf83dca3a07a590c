"""Mistakes in the code of a puzzle file are bad input, reported with the line of the file."""

import json
import signal
import sys
from pathlib import Path

import pytest
from command import ONE_PUSH, puzzlemc

OWN = """
from dataclasses import replace
from types import SimpleNamespace

from puzzlemc.encodings.sokoban.puzzle import PUZZLE as SOKOBAN
from puzzlemc.screens.base.errors import LevelError

screen = SimpleNamespace(**{{name: getattr(SOKOBAN.screen, name) for name in dir(SOKOBAN.screen)}})


def wrong(*_):
    {mistake}


{place}
PUZZLE = replace(SOKOBAN, name="own", screen=screen{changed})
"""
LINE = 12  # of the mistake
BUILD, CUT = "screen.build = wrong", "screen.cut = wrong"
MISTAKES = {
    'raise LevelError("no level")': "found TypeError: LevelError.__init__() missing",
    'return {}["missing"]': "found KeyError: 'missing'",
    'open("/none/such")': "found FileNotFoundError",
    "return 1 / 0": "found ZeroDivisionError: division by zero",
    "raise SystemExit(0)": "found SystemExit: 0, expected",
    "raise SystemExit": "found SystemExit, expected",
    "raise GeneratorExit": "found GeneratorExit, expected",
}


def own(folder: Path, mistake: str, place: str = BUILD, changed: str = "") -> tuple[Path, Path]:
    """A puzzle with a mistake, and a level."""
    file, level = folder / "own.py", folder / "one.xsb"
    file.write_text(OWN.format(mistake=mistake, place=place, changed=changed))
    level.write_text(ONE_PUSH)
    return file, level


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_bad_input_with_a_line_number(tmp_path: Path, mistake: str) -> None:
    file, level = own(tmp_path, mistake)
    done = puzzlemc("check", level, "--puzzle", file, "--json")
    assert done.returncode == 2
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "error"
    assert answer["reason"].startswith(f"{file}:{LINE}: {MISTAKES[mistake]}")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["1 / 0", "1 /"])
def test_a_file_that_cannot_be_imported_leaves_no_module(tmp_path: Path, text: str) -> None:
    """Hypothesis reads the sources of all modules; if one were a FIFO, it would wait for ever."""
    file = tmp_path / "own.py"
    file.write_text(text)
    done = puzzlemc("check", file, "--puzzle", file)
    assert done.returncode == 2
    assert not [name for name, module in sys.modules.items() if getattr(module, "__file__", "") == str(file)]


@pytest.mark.parametrize("place", [BUILD, CUT], ids=["in a worker", "while files are read"])
@pytest.mark.parametrize("code", ["", "0", "1", "130", "'no'"])
def test_the_file_does_not_set_the_exit_code(tmp_path: Path, code: str, place: str) -> None:
    file, level = own(tmp_path, f"raise SystemExit({code})", place)
    done = puzzlemc("check", level, "--puzzle", file)
    assert done.returncode == 2
    assert f"own.py:{LINE}: found SystemExit" in " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("command", ["check", "solve", "query", "replay", "report", "compare", "batch", "export"])
@pytest.mark.parametrize("place", [BUILD, CUT], ids=["in a worker", "while files are read"])
def test_every_command_reports_the_mistake(tmp_path: Path, command: str, place: str) -> None:
    file, level = own(tmp_path, 'raise ValueError("odd")', place)
    more: dict[str, list[str | Path]] = {
        "query": ["EF solved"],
        "replay": [tmp_path / "solution"],
        "report": ["-o", tmp_path / "report.html"],
        "batch": ["--store", tmp_path / "store", "--jobs", "1"],
        "export": ["--to", "smv", "-o", tmp_path / "model.smv"],
    }
    (tmp_path / "solution").write_text("R")
    done = puzzlemc(command, level, *more.get(command, []), "--puzzle", file)
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 2, said
    assert "Traceback" not in said
    if command != "batch":  # the table has no reasons
        assert f"own.py:{LINE}: found ValueError: odd" in said


def test_a_crash_of_the_program_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    """The program fails on a value of the file, and no line of the file has raised an exception."""
    file, level = own(tmp_path, "pass", "", changed=", text=None")
    done = puzzlemc("check", level, "--puzzle", file)
    assert done.returncode == 4
    assert "the worker crashed" in done.stdout


@pytest.mark.parametrize("code", [0, 2])
def test_a_worker_that_exits_is_a_crash(tmp_path: Path, code: int) -> None:
    file, level = own(tmp_path, f"import os; os._exit({code})")
    done = puzzlemc("check", level, "--puzzle", file)
    assert done.returncode == 4
    assert f"the worker ended with exit code {code}" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_the_file_runs_is_no_mistake_of_the_file(tmp_path: Path, number: int) -> None:
    file, level = own(tmp_path, f"import os, time; os.kill(os.getpid(), {int(number)}); time.sleep(9)", CUT)
    assert puzzlemc("check", level, "--puzzle", file).returncode == 128 + number
