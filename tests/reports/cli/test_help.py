"""The program's help: it fits a terminal, its examples work, and errors use words instead of types."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from command import CORNERED, ONE_PUSH, PROGRAM, puzzlemc, write
from places import ROOT, WRITTEN
from processes import program
from terminals import on_terminal
from tug import GAME

from puzzlemc.encodings.puzzle.design.generation import SeriesGeneration
from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.reports.cli.app import app

PROGRAM_ITSELF = typer.main.get_command(app)
COMMANDS = PROGRAM_ITSELF.commands  # type: ignore[attr-defined]
WIDTH = 80
EXAMPLE = WRITTEN / "own_puzzle.py"
SUMMARY = WIDTH - len("  tournament  ") - 2
EXAMPLES = [line for each in COMMANDS.values() for line in each.epilog.strip().splitlines()]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        *((name, "--help") for name in ("", *COMMANDS, *(f"generate {name}" for name in puzzles()))),
        *((name, "-h") for name in ("", "check", "generate sokoban")),
    ],
)
def test_help_fits_a_terminal_of_80_columns(name: str, option: str) -> None:
    shown = on_terminal(*name.split(), option, columns=WIDTH)
    assert shown.code == 0
    assert [line for line in shown.written if len(line) > WIDTH] == []
    text = "\n".join(shown.written)
    assert text.startswith(f"Usage: puzzlemc {name.split()[0] if name else ''}".rstrip())
    assert "…" not in text
    assert not re.search(r"[^A-Z\]]\.\.\.", text), "a text is cut off"
    assert not re.search(r"<[a-z]", text), "a type instead of a word"
    assert "x>=" not in text
    assert "None" not in text
    if name:
        assert "\nExamples:\n  puzzlemc " in text


@pytest.mark.parametrize("name", COMMANDS)
def test_the_main_help_has_each_complete_summary_in_a_group(name: str) -> None:
    lines = puzzlemc("--help").stdout.splitlines()
    summary = COMMANDS[name].get_short_help_str()
    at = next(number for number, line in enumerate(lines) if line.startswith(f"  {name} "))
    summary_shown = " ".join(lines[at : at + 2]).split(None, 1)[1]
    assert " ".join(summary_shown.split()).startswith(summary)
    assert (
        puzzlemc(name, "--help").stdout.split("\n\n", 2)[1].replace("\n ", "").split()[:3] == summary.split()[:3]
    )
    heading = next(line for line in reversed(lines[:at]) if line.endswith(":"))
    assert heading not in ("Commands:", "Options:")


def test_help_and_reference_name_every_engine() -> None:
    """The help is a constant: the registry would be imported at every start of the program."""
    shown = next(option.help for option in COMMANDS["check"].params if option.name == "engine")
    assert set(re.findall(r"[a-z0-9-]+", shown)) - {"or"} == {"auto", *ENGINES}
    row = next(
        line
        for line in (ROOT / "docs" / "reference" / "options.md").read_text().splitlines()
        if line.startswith("| `--engine` |")
    )
    assert set(re.findall(r"`([a-z0-9-]+)`", row)) - {"--engine"} == {"auto", *ENGINES}


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_in_groups_and_name_their_values(name: str) -> None:
    text = puzzlemc(name, "--help").stdout
    loose = text.partition("\nOptions:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in loose] == ["-h,"]
    for param in COMMANDS[name].params:
        assert param.opts[-1] in text or param.metavar in text
        if param.param_type_name == "option" and not param.is_flag:
            assert re.fullmatch("[A-Zx,]+", param.metavar), param.opts


def test_the_help_shows_the_right_defaults() -> None:
    text = " ".join(puzzlemc("check", "--help").stdout.split())
    assert (
        "--timeout SECONDS Seconds of wall clock for each level; 0 = no limit. [default: 60; at least 0]" in text
    )
    assert "[default: the puzzle's own]" in text
    assert "[default: all of them]" in " ".join(puzzlemc("compare", "--help").stdout.split())


@pytest.mark.parametrize("name", [name for name, each in puzzles().items() if each.generation is not None])
def test_the_help_of_generate_depends_on_the_puzzle(name: str) -> None:
    text = puzzlemc("generate", name, "--help").stdout
    generation = puzzles()[name].generation
    many = isinstance(generation, SeriesGeneration)
    text = text.partition("\nExamples:\n")[0]
    assert "--size ROWSxCOLUMNS" in text
    declared = {
        option.name for each in puzzles().values() if each.generation for option in each.generation.options
    }
    shown = {option for option in declared if f"--{option} N" in text}
    assert shown == {option.name for option in generation.options}
    for option in re.findall(r"--[a-z-]+", text.partition("What is made:")[2].partition("Examples:")[0]):
        # Each shown option exists: an error is about its value, or about another option.
        done = puzzlemc("generate", name, option, "!", "--size", "!")
        assert "not an option for" not in done.stderr, option
    made = puzzlemc("generate", name, "--size", "6x8" if many else "2x3", "--timeout", "20")
    if many:
        board = [line for line in made.stdout.splitlines() if line and line[0] in "# "]
        assert (len(board), max(map(len, board))) == (6, 8)


def test_version_is_printed() -> None:
    done = puzzlemc("--version")
    assert (done.returncode, done.stdout) == (0, f"puzzlemc {version('puzzlemc')}\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    write(folder / "level.xsb", ONE_PUSH)
    write(folder / "levels.xsb", ONE_PUSH, CORNERED)
    write(folder / "level.fold", "1 0 0 0\n")
    write(folder / "formulas.ctl", "# can it be lost?\nEF dead\n\nEF solved\n")
    (folder / "levels").mkdir()
    write(folder / "levels" / "a.xsb", ONE_PUSH)
    shutil.copy(EXAMPLE, folder)
    write(folder / "lamps.txt", "1010\n")
    write(folder / "game.txt", f"{GAME}\n#o.ps.\n")
    for command in (
        ("check", "level.xsb", "--certificate", "proofs"),
        ("check", "lamps.txt", "--puzzle", EXAMPLE.name, "--certificate", "lamps"),
        ("batch", "levels.xsb", "--store", "levels.sqlite"),
        ("batch", "levels.xsb", "--store", "measured.sqlite", "--measures"),
    ):
        with chdir(folder):
            assert puzzlemc(*command).returncode in (0, 1)
    return folder


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_work(folder: Path, example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program, *arguments = shlex.split(example)
    assert program == "puzzlemc"
    monkeypatch.chdir(folder)
    if arguments[0] in ("mcp", "play", "serve") or "--watch" in arguments:  # these need a person; the syntax
        COMMANDS[arguments[0]].make_context(arguments[0], arguments[1:])
        return
    done = puzzlemc(*arguments)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout or {"-o", "--report", "convert"} & {*arguments}


def test_each_command_has_examples() -> None:
    for name, command in COMMANDS.items():
        lines = command.epilog.strip().splitlines()
        assert len(lines) >= 2, name
        assert all(line.startswith(f"puzzlemc {name}") for line in lines)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--timeout", "-1"), "'--timeout': found '-1', expected a number, at least 0"),
        (("--timeout", "soon"), "'--timeout': found 'soon', expected a number, at least 0"),
        (("--memory", "0"), "'--memory': found '0', expected a number, 0.0625 to 65536"),
        (("--within", "1.5"), "'--within': found '1.5', expected a whole number, at least 1"),
    ],
)
def test_errors_describe_expected_values_in_words(options: tuple[str, str], message: str) -> None:
    done = puzzlemc("check", "a.xsb", *options)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_written_for_each_shell(shell: str) -> None:
    """The script that a shell loads, and the answers to its requests."""
    environment = os.environ | {"_PUZZLEMC_COMPLETE": f"source_{shell}"}
    script = subprocess.run(PROGRAM, env=environment, capture_output=True, text=True, check=True)
    assert f"_PUZZLEMC_COMPLETE=complete_{shell}" in script.stdout
    asks = {"COMP_WORDS": "puzzlemc\nche", "COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "puzzlemc che"}
    asks |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "_PUZZLEMC_COMPLETE": f"complete_{shell}"}
    done = subprocess.run(PROGRAM, env=environment | asks, capture_output=True, text=True, check=True)
    assert "check" in done.stdout
    assert "\\x09" not in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_show_completion_names_the_shell() -> None:
    command = " ".join(map(shlex.quote, [*PROGRAM, "--show-completion"]))
    done = subprocess.run(["bash", "-c", f"{command}; true"], capture_output=True, text=True, check=True)
    assert "complete -o default" in done.stdout


@pytest.mark.parametrize("moment", [0.04, 0.12, 0.2, 0.5])
def test_ctrl_c_while_the_program_starts_is_quiet(tmp_path: Path, moment: float) -> None:
    """Pressed on a terminal, so that all processes of the program get the signal."""
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    code = "from puzzlemc.reports.cli.start import main; print('begun', flush=True); main()"
    with program(
        [sys.executable, "-c", code, "check", level, "--engine", "explicit"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"begun\n"
        time.sleep(moment)
        os.killpg(running.pid, signal.SIGINT)
        errors = running.communicate(timeout=30)[1].decode()
    assert running.returncode in (0, 130)
    assert "Traceback" not in errors
    assert re.fullmatch(r"(interrupted after [01] of 1 levels(; 1 more has a (bound|solution))?\n)?", errors)


def test_help_for_export_names_blueprints_and_their_files() -> None:
    said = " ".join(re.sub(r"[│]", " ", puzzlemc("export", "--help").stdout).split())
    assert "minizinc, or blueprint and json, for some puzzles" in said
    assert "blueprints become NAME.2.0.txt and NAME.1.1.txt" in said
