"""`check --watch`: runs again when files change, solves changed levels, and copes with how editors save."""

import json
import os
import queue
import signal
import subprocess
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import CORNERED, ONE_PUSH, PROGRAM, hard, puzzlemc, write
from terminals import started_on_terminal

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.cli.common.changes import Alarm, Changed, Files
from puzzlemc.reports.cli.common.remembered import Remembered
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.solve.options import Options

TWO_PUSHES = "######\n#@$ .#\n######\nTitle: Two pushes\n"
ROOT = Path(__file__).parents[3]
WRITTEN = ROOT / "tests" / "compatibility" / "0.1"
SECONDS = 60.0


class Running:
    """The running program, whose lines are read as they arrive."""

    def __init__(self, *arguments: str | Path) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._errors: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.put(self.process.stderr.read())

    def line(self) -> str:
        """The next line of standard output."""
        return self._lines.get(timeout=SECONDS)

    def row(self) -> tuple[str, str]:
        """The file and the verdict of the next level, of a run with --json."""
        result: dict[str, Any] = json.loads(self.line())
        return result["id"].rpartition("/")[2], result["verdict"]

    def until(self, text: str) -> list[str]:
        """The lines up to the one that begins with this text."""
        lines = [self.line()]
        while not lines[-1].startswith(text):
            lines.append(self.line())
        return lines

    def is_quiet(self) -> bool:
        """Is there no output for a while?"""
        time.sleep(1.5)
        return self._lines.empty()

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and the standard error."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=SECONDS), self._errors.get(timeout=SECONDS)


@contextmanager
def running(*arguments: str | Path) -> Iterator[Running]:
    program = Running("check", *arguments, "--watch")
    try:
        yield program
    finally:
        program.process.kill()
        program.process.wait()
        for stream in (program.process.stdout, program.process.stderr):
            assert stream is not None
            stream.close()


def test_changes_in_a_folder_are_solved(tmp_path: Path) -> None:
    """With --json, only new and changed levels are printed; a level that is rewritten without change is not."""
    levels = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    with running(tmp_path, "--json") as program:
        assert [program.row(), program.row()] == [("a.xsb#1", "solvable"), ("a.xsb#2", "unsolvable")]
        write(levels, ONE_PUSH, TWO_PUSHES)
        assert program.row() == ("a.xsb#2", "solvable")
        write(tmp_path / "b.xsb", CORNERED)
        write(tmp_path / ".c.xsb.swp", CORNERED)
        assert program.row() == ("b.xsb#1", "unsolvable")
        write(levels, ONE_PUSH, TWO_PUSHES)
        assert program.is_quiet()
        write(levels, "#####\n#@$ #\n#####\n")
        assert program.row() == ("a.xsb#1", "error")
        write(levels, ONE_PUSH)
        assert program.row() == ("a.xsb#1", "solvable")
        assert program.is_quiet()
        code, errors = program.interrupt()
        assert (code, "Traceback" in errors) == (130, False)
        assert "stopped watching" in errors


def test_a_certificate_keeps_its_name_when_its_level_alone_has_changed(tmp_path: Path) -> None:
    """The names tell levels of files with the same name apart, also if only one of them is solved again."""
    levels, certificates = tmp_path / "a" / "x.xsb", tmp_path / "certificates"
    for path in (levels, tmp_path / "b" / "x.xsb"):
        path.parent.mkdir()
        write(path, ONE_PUSH)
    with running(levels.parent, tmp_path / "b", "--json", "--certificate", certificates) as program:
        assert [program.row(), program.row()] == [("x.xsb#1", "solvable")] * 2
        names = sorted(os.listdir(certificates))
        write(levels, CORNERED)
        assert program.row() == ("x.xsb#1", "unsolvable")
        assert sorted(os.listdir(certificates)) == names


def test_tables_are_complete_and_separated(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    with running(f"{levels}#1-2") as program:
        assert "2 levels: 1 solvable, 1 unsolvable" in program.until("2 levels")[-1]
        write(levels, ONE_PUSH, TWO_PUSHES)
        lines = program.until("2 levels")
        assert lines[0] == ""
        assert len(lines) == 5
        assert "2 levels: 2 solvable" in lines[-1]
        assert "watching for changes; Ctrl-C ends it" in program.interrupt()[1]


def test_a_puzzle_that_changes_is_read_again(tmp_path: Path) -> None:
    """A mistake in it does not end the watching."""
    rules, levels = tmp_path / "own.py", tmp_path / "a.lights"
    right = (WRITTEN / "own_puzzle.py").read_text(encoding="utf-8")
    levels.write_text("11\n", encoding="utf-8")
    rules.write_text(right, encoding="utf-8")
    with running(levels, "--puzzle", rules, "--json") as program:
        assert program.row() == ("a.lights#1", "solvable")
        rules.write_text(f"{right}\n1 / 0\n", encoding="utf-8")
        assert program.row()[1] == "error"
        rules.write_text(right, encoding="utf-8")
        assert program.row() == ("a.lights#1", "solvable")
        code, errors = program.interrupt()
        assert (code, "Traceback" in errors) == (130, False)


def test_a_domain_that_changes_is_read_again(tmp_path: Path) -> None:
    folder = ROOT / "screens" / "levels" / "pddl"
    domain = tmp_path / "rules.txt"
    right = (folder / "hats-domain.pddl").read_text(encoding="utf-8")
    domain.write_text(right, encoding="utf-8")
    with running(folder / "hats.pddl", "--domain", domain, "--json") as program:
        assert program.row()[1] == "solvable"
        domain.write_text(right.replace("(on ?hat ?to) (clear ?from)", "(clear ?from)"), encoding="utf-8")
        assert program.row()[1] == "unsolvable"
        assert program.interrupt()[0] == 130


@pytest.mark.parametrize("way", ["moved away", "moved over", "removed", "in two parts"])
def test_editors_may_save_in_several_steps(tmp_path: Path, way: str) -> None:
    """A file that is missing or incomplete for an instant is no error."""
    levels = write(tmp_path / "a.xsb", ONE_PUSH)
    with running(levels, "--json") as program:
        assert program.row() == ("a.xsb#1", "solvable")
        new = CORNERED if way != "in two parts" else f"{CORNERED}\n{TWO_PUSHES}"
        if way == "moved over":
            write(tmp_path / "new", new).replace(levels)
        elif way == "in two parts":
            with levels.open("w") as file:
                for half in (new[:30], new[30:]):
                    file.write(half)
                    file.flush()
                    time.sleep(0.05)
        else:
            levels.replace(tmp_path / "a.xsb~") if way == "moved away" else levels.unlink()
            time.sleep(0.5)
            write(levels, new)
        assert program.row() == ("a.xsb#1", "unsolvable")
        assert program.is_quiet() or program.row() == ("a.xsb#2", "solvable")
        assert program.interrupt()[0] == 130


def test_a_missing_file_is_reported_and_may_return(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH)
    with running(levels, "--json") as program:
        assert program.row() == ("a.xsb#1", "solvable")
        levels.unlink()
        assert program.row() == ("a.xsb", "error")
        write(levels, CORNERED)
        assert program.row() == ("a.xsb#1", "unsolvable")


def test_a_change_cancels_the_running_search(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, hard(6))
    with running(levels, "--json", "--timeout", "0", "--jobs", "1") as program:
        assert program.row() == ("a.xsb#1", "solvable")
        assert program.is_quiet()
        write(levels, ONE_PUSH, CORNERED)
        assert program.row() == ("a.xsb#2", "unsolvable")
        assert program.interrupt()[0] == 130


def test_ctrl_c_ends_a_search(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, hard(6))
    with running(levels, "--json", "--timeout", "0", "--jobs", "1") as program:
        assert program.row() == ("a.xsb#1", "solvable")
        code, errors = program.interrupt()
        assert (code, "Traceback" in errors) == (130, False)
        assert "interrupted after 1 of 2 levels" in errors


def test_the_terminal_is_cleared(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH)

    edit = b"1 solvable", lambda: write(levels, CORNERED)
    shown = started_on_terminal("check", levels, "--watch", once=edit, interrupt_at=b"1 unsolvable")
    assert shown.code == 130
    assert "1 solvable" in shown.text
    assert not [line for line in shown.lines if " solvable" in line], "the earlier table"
    assert "Cornered" in "\n".join(shown.lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-",), "standard input cannot be watched, expected files or folders"),
        (("a.xsb", "-#2"), "standard input cannot be watched, expected files or folders"),
        (("a.factorio", "--layout", "b.json"), "expected one of --layout and --watch"),
        (("a.xsb", "--engine", "none"), "'none' is unknown, expected one of auto"),
    ],
)
def test_invalid_inputs_cannot_be_watched(arguments: tuple[str, ...], message: str) -> None:
    done = puzzlemc("check", *arguments, "--watch")
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_the_files_of_arguments_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.xsb", "b#1.xsb", "folder/c.xsb", "folder/in/d.xsb", "folder/.hidden", "folder/.git/e.xsb"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write(Path(name), ONE_PUSH)
    with zipfile.ZipFile("f.zip", "w") as archive:
        archive.writestr("in/g.xsb", ONE_PUSH)
    os.symlink(tmp_path, tmp_path / "folder" / "loop")
    for argument, names in {
        "a.xsb": {"a.xsb"},
        "a.xsb#3-7": {"a.xsb"},
        "b#1.xsb": {"b#1.xsb"},
        "b#1.xsb#Title #2": {"b#1.xsb"},
        "folder": {"folder/c.xsb", "folder/in/d.xsb"},
        "f.zip": {"f.zip"},
        "f.zip/in/g.xsb#1": {"f.zip"},
        "nothing.xsb#1": set(),
        "a\0b": set(),
        "": set(),
    }.items():
        assert set(Files([argument]).state()) == names, argument


def test_a_file_may_appear_and_vanish_during_a_run(tmp_path: Path) -> None:
    files = Files([str(tmp_path)])
    seen = files.state()
    assert files.settled(seen, changed=True) == seen


def test_an_alarm_ends_the_wait_for_a_result_when_files_change(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    files = Files([str(level)])
    alarm = Alarm(files)
    entries = load(write(tmp_path / "b.xsb", hard(6)))
    with alarm.on(files.state()):
        alarm.look()  # nothing has changed
        write(level, CORNERED)
        began = time.monotonic()
        with pytest.raises(Changed):
            next(solve_all(entries, Options(timeout=60), 1, look=alarm.look))
        assert time.monotonic() - began < 20
    with alarm.on(files.state()):
        alarm.look()  # nothing has changed since


def test_results_are_kept_by_the_content_of_levels(tmp_path: Path) -> None:
    """A moved level keeps its result under its new id; a level with another text, title or solution does not."""
    level = tmp_path / "a.xsb"
    remembered = Remembered(Alarm(Files([])))

    def run(*levels: str) -> tuple[list[str], set[str]]:
        entries = load(write(level, *levels))
        found = remembered.results(entries, lambda new: solve_all(new, Options()), certified=False)
        return [f"{each.id.rpartition('/')[2]} {each.title} {each.verdict}" for each in found], {
            each.rpartition("/")[2] for each in remembered.solved
        }

    assert run(ONE_PUSH) == (["a.xsb#1 One push solvable"], {"a.xsb#1"})
    assert run(CORNERED, ONE_PUSH) == (
        ["a.xsb#1 Cornered unsolvable", "a.xsb#2 One push solvable"],
        {"a.xsb#1"},
    )
    assert run(ONE_PUSH.replace("One", "1"), CORNERED)[1] == {"a.xsb#1"}
    assert run(CORNERED) == (["a.xsb#1 Cornered unsolvable"], set())
    assert run(ONE_PUSH)[1] == {"a.xsb#1"}, "a removed level is forgotten"
    assert run("#####\n#@$ #\n#####\n")[1] == {"a.xsb#1"}
    assert run("#####\n#@$ #\n#####\n")[1] == {"a.xsb#1"}, "errors are computed again: they name lines"
