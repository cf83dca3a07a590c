"""Completion of command lines: values of options and arguments, levels of a file, names with odd characters."""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from command import CORNERED, MAIN, ONE_PUSH, PROGRAM, write
from systems import fifos

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.mc.temporal.check import ENGINES as QUERY_ENGINES
from puzzlemc.reports.cli.app import app
from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.completing import answer
from puzzlemc.reports.formats.export import ALONE
from puzzlemc.reports.formats.export import FORMATS as EXPORT_FORMATS
from puzzlemc.reports.formats.traces import FORMATS as TRACE_FORMATS
from puzzlemc.reports.solve.options import CHANCES

PROGRAM_ITSELF = typer.main.get_command(app)
COMMANDS = PROGRAM_ITSELF.commands  # type: ignore[attr-defined]
HOSTILE = 'It\'s "1"\\ $(touch taken) `touch taken` [/b] a:b <(touch taken)'
CLOSED = {
    *(
        "METRIC",
        "ENGINE",
        "PACKAGE",
        "ENCODING",
        "FORMAT",
        "NAME",
        "VERDICT",
        "METHOD",
        "SUFFIX",
        "PUZZLE",
        "WISH",
    ),
    *("GAME", "A,B", "LEVEL", "LEVELS", "FROM"),
}
NEEDS_A_FILE = {"LEVEL", "LEVELS", "FROM"}


def bash(*words: str) -> list[str]:
    """The completions in bash of the last word, unquoted. Words are as typed."""
    environment = {"_PUZZLEMC_COMPLETE": "complete_bash", "COMP_CWORD": str(len(words))}
    text, code = answer(PROGRAM_ITSELF, environment | {"COMP_WORDS": "\n".join(["puzzlemc", *words])})
    assert code == 0
    return text.splitlines()


def zsh(line: str) -> str:
    return answer(PROGRAM_ITSELF, {"_PUZZLEMC_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line})[0]


def fish(line: str, action: str = "get-args") -> tuple[str, int]:
    environment = {"_PUZZLEMC_COMPLETE": "complete_fish", "_TYPER_COMPLETE_ARGS": line}
    return answer(PROGRAM_ITSELF, environment | {"_TYPER_COMPLETE_FISH_ACTION": action})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file of three levels."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "levels.xsb", ONE_PUSH, CORNERED, ONE_PUSH.replace("One push", "1001"))
    write(tmp_path / "level.fold", "1 0 0 0\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("check --engine ", ["auto", "forward", "backward", "bidirectional", "best-first", "explicit"]),
        ("check --engine f", ["forward"]),
        ("check --engine = f", ["forward"]),  # bash splits the word at `=`
        ("check --engine =", ["auto", "forward"]),
        ("batch --diagrams c", ["cudd"]),
        ("solve levels.xsb --metric pushes,", ["pushes,moves"]),
        ("check level.fold --metric ", ["moves", "any"]),
        ("check --puzzle fabrik --metric ", ["turns"]),
        ("solve level.fold --encoding ", ["compact", "tiles"]),
        ("solve --format ", list(TRACE_FORMATS)),
        ("export levels.xsb --to p", ["page", "pddl"]),
        ("export --puzzle tetravex --to m", ["minizinc"]),
        ("convert levels.xsb x --to s", ["sok", "slc"]),
        ("query level.fold --engine ", ["auto", *QUERY_ENGINES]),
        ("check --puzzle sok", ["sokoban"]),
        ("puzzles t", ["tetravex"]),
        ("generate t", ["tetravex"]),
        ("tournament ", ["fabrik"]),
        ("tournament fabrik --bots strong,", ["strong,random", "strong,greedy", "strong,strong"]),
        ("play x.fabrik --players person,", ["person,person", "person,random", "person,greedy", "person,strong"]),
        ("results s.sqlite --verdict un", ["unsolvable", "unknown"]),
        ("batch --retry ", ["unknown", "error"]),
        ("batch --cluster ", ["local"]),
        ("compare level.fold --method b", ["breadth-first", "backward", "bidirectional", "best-first", "bmc"]),
        ("check --tim", ["--timeout"]),
        ("che", ["check"]),
        ("check ", []),  # files, which the shell completes itself
        ("check --certificate ", []),
        ("nothing --engine ", []),
    ],
)
def test_values_are_offered(here: Path, words: str, expected: list[str]) -> None:
    found = bash(*words.split(" "))
    assert found[: len(expected)] == expected
    assert found == [] or expected
    last = words.split(" ")[-1].strip("=")
    assert [word for word in found if not word.startswith(last)] == []


PARAMETERS = [
    (name, each)
    for name, command in COMMANDS.items()
    for each in command.params
    if each.metavar in CLOSED and name != "new-puzzle"  # its name is a new one
]


@pytest.mark.parametrize(("command", "param"), PARAMETERS, ids=lambda each: getattr(each, "name", each))
def test_each_parameter_with_few_values_offers_them(here: Path, command: str, param: Any) -> None:
    with COMMANDS[command].make_context(command, [], resilient_parsing=True) as context:
        assert param.shell_complete(context, "levels.xsb#" if param.metavar in NEEDS_A_FILE else "")


def test_listed_names_agree_with_the_registries() -> None:
    assert tuple(TRACE_FORMATS) == values.TRACE_FORMATS
    assert tuple(sorted([*EXPORT_FORMATS, *ALONE])) == values.EXPORT_FORMATS
    assert ("auto", *QUERY_ENGINES) == values.QUERY_ENGINES
    assert CHANCES == values.CHANCES


def test_levels_of_a_file_are_offered(here: Path) -> None:
    assert bash("check", "levels.xsb#") == ["levels.xsb#1", "levels.xsb#2", "levels.xsb#3"]
    assert bash("check", "level.fold", "levels.xsb#2") == ["levels.xsb#2"]
    assert bash("replay", "levels.xsb#C") == ["levels.xsb#Cornered"]
    assert bash("replay", "levels.xsb#1", "levels.xsb#") == [], "a solution is no level"
    assert bash("check", "levels.xsb#=") == ["levels.xsb#\\=1001"], "a title that looks like a number"
    rows = fish("puzzlemc check levels.xsb#")[0].splitlines()
    assert rows == ["levels.xsb#1\tOne push", "levels.xsb#2\tCornered", "levels.xsb#3\t1001"]
    assert [fish(f"puzzlemc check {word}", "is-args")[1] for word in ("levels.xsb#", "levels", "--eng")] == [
        0,
        1,
        0,
    ]
    assert zsh("puzzlemc check lev") == "_files"


def test_ambiguous_titles_are_not_offered(here: Path) -> None:
    write(here / "same.xsb", ONE_PUSH, ONE_PUSH, CORNERED)
    assert bash("check", "same.xsb#O") == []
    assert bash("check", "same.xsb#C") == ["same.xsb#Cornered"]


@pytest.mark.parametrize(
    "name", ["my levels.xsb", "$HOME.xsb", "it's.xsb", 'a"b.xsb', "a&b;c.xsb", "a\\b.xsb", "ä.xsb"]
)
def test_odd_names_are_completed_as_one_word(here: Path, name: str) -> None:
    write(here / name, ONE_PUSH, ONE_PUSH.replace("One push", HOSTILE))
    typed = "".join(each if each.isalnum() or each == "." else f"\\{each}" for each in name)
    for which, expected in (("1", "1"), ("I", HOSTILE)):
        (found,) = bash("check", f"{typed}#{which}")
        assert shlex.split(found) == [f"{name}#{expected}"]
        assert fish(f"puzzlemc check {typed}#{which}")[0].partition("\t")[0] == f"{name}#{expected}"
        if "'" not in name:
            (found,) = bash("check", f"'{name}#{which}")
            assert shlex.split(f"'{found}'") == [f"{name}#{expected}"]
        code = zsh(f"puzzlemc check {typed}#{which}")
        (word,) = re.fullmatch(
            r"local -a offered; offered=\(\$'(.*)'\); _describe -V value offered", code
        ).groups()  # type: ignore[union-attr]
        assert re.fullmatch(r"(?:[\w./,@%+#-]|\\x[0-9a-f]{2}|…)*", word), "something that zsh would evaluate"
        word = re.sub(r"\\x(..)", lambda found: chr(int(found[1], 16)), word)
        value = f"{name}#{expected}".replace("\\", "\\\\").replace(":", "\\:")
        assert word.startswith(f"{value}:")
    assert not (here / "taken").exists()


def test_words_that_bash_splits_at_colons_are_completed(here: Path) -> None:
    write(here / "a:b=c.xsb", ONE_PUSH, CORNERED)
    assert bash("check", "a", ":", "b", "=", "c.xsb#") == ["c.xsb#1", "c.xsb#2"]


@fifos
def test_endless_files_are_not_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo("pipe.xsb")
    (here / "folder").mkdir()
    write(here / "folder" / "a.xsb", ONE_PUSH)
    write(here / "large.xsb", *[ONE_PUSH] * 40_000)
    (here / "trap.py").write_text("raise SystemExit('executed')\n")
    monkeypatch.setattr(sys, "stdin", None)
    began = time.monotonic()
    for name in ("pipe.xsb", "/dev/zero", "-", "folder", "large.xsb", "nothing.xsb", "", "trap.py", "\0"):
        assert bash("check", f"{name}#") == [], name
        assert "pushes" in bash("check", f"{name}#1", "--metric", ""), name
    assert bash("check", "--puzzle", "trap.py", "--metric", "tu") == ["turns"]
    assert time.monotonic() - began < 20


def test_levels_in_archives_are_offered(here: Path) -> None:
    subprocess.run([sys.executable, "-m", "zipfile", "-c", "one.zip", "levels.xsb"], check=True)
    assert bash("check", "one.zip#") == ["one.zip#1", "one.zip#2", "one.zip#3"]
    assert bash("check", "one.zip/levels.xsb#3") == ["one.zip/levels.xsb#3"]


@pytest.mark.parametrize("line", ["check --engine ", "check levels.xsb#", "solve --format ", "query x --engine "])
def test_completion_imports_no_large_library(here: Path, line: str) -> None:
    program = f"import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {MAIN}"
    environment = os.environ | {"_PUZZLEMC_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": f"puzzlemc {line}"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert "_describe" in done.stdout
    assert {"networkx", "matplotlib", "oxidd", "textual"} & set(done.stderr.split()) == set()


class Terminal:
    """An interactive bash."""

    def __init__(self, folder: Path) -> None:
        self.process, self._file = pty.fork()
        if self.process == 0:  # pragma: no cover
            os.chdir(folder)
            kept = {name: value for name, value in os.environ.items() if name != "PROMPT_COMMAND"}
            kept |= {"PS1": "> ", "PATH": f"{folder}:{os.environ['PATH']}", "TERM": "dumb", "LC_ALL": "C.UTF-8"}
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], kept)

    def type(self, keys: str, until: str, seconds: float = 60.0) -> str:
        """Press keys, and wait for a text."""
        os.write(self._file, keys.encode())
        shown, end = "", time.monotonic() + seconds
        while until not in shown and time.monotonic() < end:
            if select.select([self._file], [], [], 0.1)[0]:
                shown += os.read(self._file, 1 << 16).decode()
        assert until in shown, shown
        return shown

    def close(self) -> None:
        """End the shell."""
        os.close(self._file)
        os.waitpid(self.process, 0)


def complete_in_bash(folder: Path, keys: Sequence[tuple[str, str]]) -> list[str]:
    """The completions of a line typed with the Tab key: the keys, and the output of the terminal."""
    (folder / "puzzlemc").write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    (folder / "puzzlemc").chmod(0o755)
    terminal = Terminal(folder)
    try:
        terminal.type("bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; echo re''ady\n", "ready")
        terminal.type('eval "$(_PUZZLEMC_COMPLETE=source_bash puzzlemc)"; echo lo""aded\n', "loaded")
        for pressed, shown in keys:
            terminal.type(pressed, shown)
        said = terminal.type("\x01printf 'word:%s\\n' \necho do''ne\n", "done")
        return re.findall(r"^word:(.*?)\r?$", said, re.MULTILINE)
    finally:
        terminal.close()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([("puzzlemc check --eng\t", "--engine "), ("f\t", "forward ")], ["check", "--engine", "forward"]),
        ([("puzzlemc check --engine=f\t", "forward ")], ["check", "--engine=forward"]),
        ([("puzzlemc check my\\ levels.xsb#\t\t", "xsb#3"), ("2\t", " ")], ["check", "my levels.xsb#2"]),
        ([("puzzlemc check 'my levels.xsb#I\t", "taken)'")], ["check", f"my levels.xsb#{HOSTILE}"]),
        ([('puzzlemc check "my levels.xsb#I\t', 'taken)"')], ["check", f"my levels.xsb#{HOSTILE}"]),
    ],
)
def test_a_real_bash_completes_words(tmp_path: Path, keys: list[tuple[str, str]], expected: list[str]) -> None:
    write(tmp_path / "my levels.xsb", ONE_PUSH, ONE_PUSH.replace("One push", HOSTILE), CORNERED)
    assert complete_in_bash(tmp_path, keys) == ["puzzlemc", *expected]
    assert not (tmp_path / "taken").exists()


def test_metrics_are_offered_by_puzzle(here: Path) -> None:
    for name, puzzle in puzzles().items():
        found = bash("check", "--puzzle", name, "--metric", "")
        assert found == [*puzzle.metrics, *puzzle.orders, *(["any"] if puzzle.game is None else [])]
