"""Output on real terminals, pipes and full disks: it is complete, and errors name the file."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import CORNERED, ONE_PUSH, PROGRAM, hard, in_bytes, puzzlemc, write
from places import ROOT
from terminals import on_terminal, started_on_terminal

from puzzlemc.reports.cli import app
from puzzlemc.reports.cli.common.table import Table

COMMANDS = [name for name in app.COMMANDS if name != "play"]  # it needs a terminal


def without_times(text: str) -> str:
    """The text without parts that differ from run to run."""
    return re.sub(r"[0-9.]+( s\b|$)|\"(wall_seconds|seconds|peak_mb)\": [0-9.]+", "", text, flags=re.MULTILINE)


PIPED = {
    "check": (("check",), ()),
    "compare --json": (("compare",), ("--json", "--method", "forward", "--method", "breadth-first")),
}


@pytest.mark.parametrize("name", PIPED)
def test_output_in_a_file_does_not_depend_on_standard_error(tmp_path: Path, name: str) -> None:
    (before, after), levels = PIPED[name], write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, ONE_PUSH)
    shown = on_terminal(*before, levels, *after, output=tmp_path / "out")
    quiet = puzzlemc(*before, levels, *after)
    assert shown.code == quiet.returncode
    assert without_times((tmp_path / "out").read_bytes().decode()) == without_times(quiet.stdout)
    assert len(quiet.stdout.splitlines()) >= 3
    assert b"0/3" in shown.data  # there was a progress bar
    assert "3" not in "".join(line for line in shown.lines if "unsolvable" not in line)
    assert not shown.screen.cursor.hidden


def test_on_a_terminal_the_table_is_complete_and_the_bar_vanishes(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, "####\n#@$#\n####\n", ONE_PUSH)
    shown = on_terminal("check", levels, "--verbose")
    assert shown.code == 2
    assert b"0/4" in shown.data
    text = "".join(shown.screen.display)
    assert "levels ━" not in text
    assert "/4 " not in text
    assert not shown.screen.cursor.hidden
    assert text.count("solvable by explicit") == 3
    assert "Statistics(" not in text
    assert [line for line in shown.written if line == str(levels)] == [str(levels)]
    *rows, error, last, _ = puzzlemc("check", levels).stdout.splitlines()[1:]
    assert error in " ".join(shown.text.split())  # longer than a line
    for line in (*rows, last):
        words = without_times(line).removeprefix(str(levels)).split()
        assert any(without_times(row).split() == words for row in shown.written), words


@pytest.mark.parametrize("command", ["check", "solve"])
def test_no_row_is_wider_than_a_terminal_of_80_columns(tmp_path: Path, command: str) -> None:
    """With a long path, several files and puzzles, and a remark on a level."""
    folder = tmp_path / "a folder with a name that takes quite some room" / "and another one in it"
    folder.mkdir(parents=True)
    titled = [f"{ONE_PUSH.partition('Title')[0]}Title: A title of {length * 'x'}\n" for length in (1, 14, 60)]
    one = write(folder / "a.xsb", *titled, f"######\n#@$..#\n######\nTitle: {40 * 'x'}\n")
    two = write(folder / "b.fold", "1 0 0 0\n")
    shown = on_terminal(command, folder, columns=80)
    assert shown.code == 1
    assert [line for line in shown.written if len(line) > 80 and not line.startswith(str(folder))] == []
    for path, levels in ((one, 4), (two, 1)):
        at = shown.written.index(str(path))
        assert len([row for row in shown.written[at + 1 :] if row.startswith("  #")]) >= levels
        assert shown.written.count(str(path)) == 1
    assert "    2 goals but 1 box" in shown.written
    # In a pipe, each row names its level.
    piped = puzzlemc(command, one).stdout.splitlines()
    assert len([row for row in piped if row.startswith(f"{one}#")]) == 4


def test_rows_of_compare_and_results_fit_a_terminal_of_80_columns(tmp_path: Path) -> None:
    folder = tmp_path / "a folder with a name that takes quite some room"
    folder.mkdir()
    one = write(folder / "a.xsb", ONE_PUSH.replace("One push", "A title of some length " + "x" * 40), CORNERED)
    shown = on_terminal("compare", one, "--method", "forward", "--method", "breadth-first", columns=80)
    assert shown.code == 0
    assert [shown.written.count(f"{one}#{number}") for number in (1, 2)] == [1, 1]
    assert len([line for line in shown.written if line.startswith("  breadth-first ")]) == 2
    assert [line for line in shown.written if len(line) > 80 and not line.startswith(str(one))] == []
    assert puzzlemc("compare", one, "--method", "forward").stdout.count(f"{one}#") == 2
    store = tmp_path / "store"
    assert puzzlemc("batch", one, write(folder / "b.xsb", ONE_PUSH), "--store", store, "--quiet").returncode == 1
    shown = on_terminal("results", store, columns=80)
    assert shown.written.count(str(one)) == 1
    rows = [line for line in shown.written if line.startswith("  #")]
    assert len(rows) == 2
    assert [line for line in shown.written if len(line) > 80 and "/" not in line] == []
    assert puzzlemc("results", store).stdout.count(" quite some room/a.xsb#") == 2
    # Options without space in a column become a remark.
    assert puzzlemc("batch", one, "--store", store, "--quiet", "--metric", "pushes,moves").returncode == 1
    for columns, row in ((80, "  pushes,moves; also "), (120, " pushes,moves  solvable ")):
        shown = on_terminal("results", store, columns=columns)
        assert [line for line in shown.written if len(line) > columns and "/" not in line] == []
        assert any(row in line for line in shown.written)


@pytest.mark.parametrize(
    "arguments",
    [("check",), ("solve",), ("query", "EF dead"), ("report",), ("compare", "--method", "forward")],
    ids=" ".join,
)
def test_a_single_long_level_has_a_clock(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    level, (command, *more) = write(tmp_path / "a.xsb", hard(3)), arguments
    if command == "report":
        more += ["-o", str(tmp_path / "a.html")]
    if command != "compare":
        more += ["--engine", "symbolic" if command == "query" else "forward"]
    shown = on_terminal(command, level, *more, "--timeout", "2")
    text = shown.text
    assert "0:00:01" in text
    assert not [line for line in shown.lines if "━" in line]
    assert not shown.screen.cursor.hidden
    if command == "report":
        # The clock appears late: a bound that is proved before then has taken the place of the word "search".
        assert re.search(
            r"a\.xsb(: search|#1: no solution below).*a\.xsb: all states.*a\.xsb: writing", text, re.DOTALL
        )


@pytest.mark.parametrize("command", ["check", "solve"])
def test_the_clock_shows_the_proved_bound(tmp_path: Path, command: str) -> None:
    level, text = write(tmp_path / "a.xsb", hard(3)), b"a.xsb#1: no solution below"
    shown = started_on_terminal(command, level, "--engine", "forward", "--timeout", "100", interrupt_at=text)
    assert text in shown.data
    assert shown.code == 130
    assert shown.lines[-1] == "interrupted after 0 of 1 levels; 1 more has a bound"


def test_the_clock_shows_the_cost_of_the_best_solution_so_far(tmp_path: Path) -> None:
    """With the bound, on a terminal of usual width, even if the file has a long name."""
    level = write(tmp_path / f"a{'_long' * 8}_name.xsb", hard(3))
    arguments = ("check", level, "--engine", "explicit", "--metric", "pushes", "--timeout", "100")
    shown = started_on_terminal(*arguments, columns=80, interrupt_at=b" is found")
    costs = re.findall(
        r"0:00:\d\d \.\.\.[a-z_]*\.xsb#1: no solution below (\d+) pushes, one of (\d+) ", shown.text
    )
    assert costs
    assert all(int(bound) <= int(best) for bound, best in costs)
    assert shown.code == 130


def test_the_bar_of_several_levels_shows_the_bound_of_one(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", hard(3), hard(3))
    arguments = ("check", levels, "--engine", "forward", "--timeout", "100")
    shown = started_on_terminal(*arguments, columns=80, interrupt_at=b"no solution below")
    assert re.search(r"levels \S+ 0/2 0:00:\d\d a\.xsb#[12]: no solution below \d+ push", shown.text)
    assert max(map(len, shown.written)) <= 80


def test_a_bar_on_a_narrow_terminal_has_no_words() -> None:
    begin = "import time; from puzzlemc.reports.output.terminal import describe, open_streams, progress\n"
    code = f"{begin}open_streams()\nwith progress(9, shown=True): describe('the bound'); time.sleep(1.5)"
    narrow = started_on_terminal(program=(sys.executable, "-c", code), columns=40)
    assert "0:00:01" in narrow.text
    assert "..." not in narrow.text
    assert "the bound" in started_on_terminal(program=(sys.executable, "-c", code), columns=80).text


def test_on_a_narrow_terminal_the_clock_is_complete_and_the_text_loses_its_beginning() -> None:
    begin = "import time; from puzzlemc.reports.output.terminal import clock, open_streams; open_streams()\n"
    code = f"{begin}with clock('{'beginning, ' * 9}the end', shown=True): time.sleep(1.5)"
    shown = started_on_terminal(program=(sys.executable, "-c", code), columns=40)
    (row,) = set(re.findall(r"0:00:01 (.*?the end)", shown.text))
    assert row.startswith("...")
    assert 24 <= len(row) <= 26


def test_quick_and_quiet_commands_have_no_clock() -> None:
    begin = "import time; from puzzlemc.reports.output.terminal import clock, open_streams; open_streams()\n"
    for shown, seconds, expected in [(True, 0, False), (True, 1.5, True), (False, 1.5, False)]:
        code = f"{begin}with clock('searching', shown={shown}): time.sleep({seconds})\nprint('done')"
        found = started_on_terminal(program=(sys.executable, "-c", code))
        assert ("searching" in found.data.decode()) == expected
        assert found.lines == ["done"]


def test_sentences_below_a_row_break_between_words(tmp_path: Path) -> None:
    """Moves with names, errors and the summary; not those that a pipe gets, and no word."""
    task, unknown = ROOT / "screens" / "levels" / "pddl" / "harvest.pddl", tmp_path / f"{70 * 'x'}.py"
    unknown.write_text("pass\n")
    shown, piped = on_terminal("solve", task, unknown, columns=60), puzzlemc("solve", task, unknown)
    wide = [line for line in shown.written if len(line) > 60]
    assert [line for line in wide if line != f"error: {unknown}:"] == []
    moves, error = piped.stdout.splitlines()[2:4]
    assert len(moves) > 300
    assert error.startswith(f"error: {unknown}: found a file of no known puzzle")
    words = " ".join(shown.text.split())
    assert " ".join(moves.split()) in words
    assert error in words


def test_json_and_traces_on_a_terminal_are_complete(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, ONE_PUSH)
    shown = on_terminal("solve", levels, "--format", "lurd")
    assert shown.lines.count("R") == 2
    assert f"{levels}#2: unsolvable" in "".join(shown.screen.display)
    shown = on_terminal("check", levels, "--json")
    text = "".join(shown.screen.display)
    results = [json.loads(found) for found in re.findall(r"\{.*?\}", text)]
    assert [result["verdict"] for result in results] == ["solvable", "unsolvable", "solvable"]


@pytest.mark.parametrize("to_file", [False, True])
def test_no_bar_is_left_after_an_interrupt(tmp_path: Path, to_file: bool) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, hard(4))
    output = tmp_path / "out" if to_file else None
    shown = started_on_terminal("check", levels, "--timeout", "0", output=output, interrupt_at=b"1/2")
    assert shown.code == 130
    assert not [line for line in shown.lines if "━" in line]
    assert shown.lines[-1].removesuffix("; 1 more has a bound") == "interrupted after 1 of 2 levels"
    assert not shown.screen.cursor.hidden


def test_there_is_no_bar_beside_a_pipe_whose_reader_may_use_the_terminal(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, ONE_PUSH)
    leader, follower = pty.openpty()
    command = [*PROGRAM, "check", str(levels)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, check=True)
    os.close(follower)
    assert len(done.stdout.splitlines()) == 4
    with pytest.raises(OSError, match="Input/output"):  # there is no input left, and no process
        os.read(leader, 1)
    os.close(leader)


# Output that cannot be written. The server for assistants writes answers alone, to a client.

WRITING = tuple(name for name in COMMANDS if name != "mcp")


def command_line(name: str, folder: Path) -> list[str]:
    """Arguments with which each command writes to standard output."""
    level, board = str(write(folder / "a.xsb", ONE_PUSH)), str(write(folder / "a.fold", "1 0\n"))
    store = str(folder / "store")
    made = {
        "batch": [level, "--store", store],
        "check": [level, level],
        "doctor": [],
        "compare": [level, "--method", "breadth-first"],
        "convert": [level, "-", "--to", "sok"],
        "export": [level, "--to", "smv", "-o", "-"],
        "generate": ["folding"],
        "new-puzzle": ["frost", "--directory", str(folder / "frost")],
        "puzzles": [],
        "query": [board, "AG EF solved"],
        "replay": [level, "R"],
        "report": [board, "-o", "-"],
        "results": [store],
        "serve": ["--no-browser", "--port", "0"],
        "solve": [level, "--format", "frames"],
        "suggest": [board],
        "tournament": ["fabrik", "--bots", "random,random", "--games", "1"],
        "verify": [str(folder / "certificates" / "a.xsb-1.cert")],
    }
    if name == "verify":
        assert puzzlemc("check", level, "--certificate", folder / "certificates").returncode == 0
    if name == "results":
        assert puzzlemc("batch", level, "--store", store).returncode == 0
    return [name, *made[name]]


def run_into(output: int, arguments: list[str], *, program: bool = False) -> tuple[int, str]:
    """The exit code and standard error of a run with this standard output; -1 is none at all.

    As a `program`, it must also exit cleanly: Python flushes once more then, and would report an error.
    """
    if not program and output != -1:
        done = puzzlemc(*arguments, output=output)
        return done.returncode, done.stderr
    closed = None if output != -1 else lambda: os.close(1)
    done = subprocess.run(
        [*PROGRAM, *arguments],
        stdout=None if output == -1 else output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        preexec_fn=closed,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", [*WRITING, "help"])
def test_a_full_disk_is_an_error(tmp_path: Path, name: str) -> None:
    arguments = command_line(name, tmp_path) if name != "help" else ["--help"]
    full = os.open("/dev/full", os.O_WRONLY)
    expected = 2, "standard output: No space left on device\n"
    assert run_into(full, arguments, program=name in {"help", "serve"}) == expected
    os.close(full)


@pytest.mark.parametrize("name", WRITING)
def test_a_closed_pipe_is_no_error(tmp_path: Path, name: str) -> None:
    arguments = command_line(name, tmp_path)
    reader, writer = os.pipe()
    os.close(reader)
    assert run_into(writer, arguments, program=name in {"check", "serve"}) == (141, "")
    os.close(writer)


@pytest.mark.parametrize("columns", [30, 49])
def test_no_row_of_a_table_is_wider_than_a_narrow_terminal(tmp_path: Path, columns: int) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    formulas = tmp_path / "f.ctl"
    formulas.write_text("EF solved\nAG EF solved\n")
    store = tmp_path / "a.db"
    assert puzzlemc("batch", levels, "--store", store, "--quiet").returncode == 1
    for arguments in (
        ("check", levels),
        ("solve", levels),
        ("results", store),
        ("compare", f"{levels}#1"),
        ("query", levels, "-f", formulas),
    ):
        shown = on_terminal(*arguments, columns=columns)
        rows = [
            line for line in shown.written if re.match(r" *(#\d|level  |method  |auto |forward |breadth)", line)
        ]
        assert len(rows) >= 3, shown.written
        for row in rows:
            assert len(row) <= columns, (arguments, row)
        assert "" not in [line.strip() for line in shown.written[:-1]], arguments  # no blank line after a row


def test_numbers_on_a_narrow_terminal_are_whole_and_long_titles_end_with_an_ellipsis(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH.replace("One push", "A title of some length " + "x" * 40))
    store = tmp_path / "a.db"
    assert puzzlemc("batch", levels, "--store", store, "--quiet").returncode == 0
    for arguments in (("check", levels), ("results", store)):
        narrow = on_terminal(*arguments, columns=40).written
        assert next(row for row in narrow if "verdict" in row).split() == ["level", "verdict", "pushes", "moves"]
        assert next(row for row in narrow if row.startswith("  #1")).split() == ["#1", "solvable", "1", "1"]
        wide = on_terminal(*arguments, columns=80).written
        assert re.search(r"#1 +A title of s.*… +solvable", "\n".join(wide))


@pytest.mark.parametrize("name", ["check", "puzzles"])
def test_standard_output_may_be_missing(tmp_path: Path, name: str) -> None:
    arguments = command_line(name, tmp_path)
    assert run_into(-1, arguments) == (2, "standard output: Bad file descriptor\n")


def test_verdicts_survive_an_unwritable_standard_error(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    command = [*PROGRAM, "solve", str(levels), "--format", "lurd", "--verbose"]
    for target in (os.open("/dev/full", os.O_WRONLY), None):
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=target,
            preexec_fn=None if target is not None else lambda: os.close(2),
            check=False,
        )
        assert done.returncode == 1
        assert done.stdout.splitlines()[-1] == b"R"
        assert len(done.stdout.splitlines()) == 2


WRITERS = {
    "export": ("export", "{level}", "--to", "smv", "-o", "/dev/full"),
    "export graphml": ("export", "{level}", "--to", "graphml", "-o", "/dev/full"),
    "generate": ("generate", "folding", "-o", "/dev/full"),
    "solve": ("solve", "{level}", "--format", "svg", "-o", "/dev/full"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_error_names_a_file_on_a_full_disk(tmp_path: Path, name: str) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    done = puzzlemc(*(part.format(level=level) for part in WRITERS[name]))
    assert (done.returncode, done.stderr) == (2, "/dev/full: No space left on device\n")


@pytest.mark.parametrize("name", ["export", "solve"])
def test_standard_output_named_as_a_file_may_be_closed(tmp_path: Path, name: str) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    reader, writer = os.pipe()
    os.close(reader)
    command = [part.format(level=level) for part in WRITERS[name]]
    assert run_into(writer, [*command[:-1], "/dev/stdout"], program=True) == (141, "")
    os.close(writer)


def test_errors_name_files_of_certificates_and_reports(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    (tmp_path / "full.html").symlink_to("/dev/full")
    done = puzzlemc("report", level, "-o", tmp_path / "full.html")
    assert (done.returncode, done.stderr) == (2, f"{tmp_path}/full.html: No space left on device\n")
    done = puzzlemc("check", level, "--certificate", level / "x")
    assert (done.returncode, done.stderr) == (2, f"{level}/x: Not a directory\n")
    certificates = tmp_path / "certificates"
    made = ("--engine", "bidirectional", "--certificate", certificates)
    assert puzzlemc("check", level, *made).returncode == 0
    (tmp_path / "drat").mkdir()
    (tmp_path / "drat" / "a.xsb-1.cnf").symlink_to("/dev/full")
    done = puzzlemc("verify", certificates / "a.xsb-1.cert", "--drat", tmp_path / "drat")
    message = f"{tmp_path}/drat/a.xsb-1.cnf: No space left on device"
    assert (done.returncode, done.stderr) == (2, f"{certificates / 'a.xsb-1.cert'}: {message}\n")


# Names and wording.


def test_a_dash_means_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    for arguments, start in [
        (("solve", level, "--format", "lurd", "-o", "-"), "R\n"),
        (("solve", level, "--format", "svg", "-o", "-"), "<svg "),
        (("export", level, "--to", "smv", "-o", "-"), "MODULE main"),
        (("report", level, "-o", "-"), "# One push\n"),
        (("generate", "folding", "-o", "-"), "% solutions: "),
    ]:
        done = puzzlemc(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert start in done.stdout[:2000]
        assert "-\n" not in done.stdout[-3:]
    gif = in_bytes("solve", level, "--format", "gif", "-o", "-")
    assert gif.returncode == 0
    assert gif.stdout.startswith(b"GIF89a")
    for arguments, message in [
        (("export", level, "--to", "pddl", "-o", "-"), "expected a name for two files"),
        (("solve", level, "--format", "json", "-o", "-", "--json"), "cannot share standard output"),
        (("solve", level, level, "--format", "svg", "-o", "-"), "needs -o FILE"),
    ]:
        done = puzzlemc(*arguments)
        assert done.returncode == 2
        assert message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.xsb"]


def test_a_wrong_option_is_reported_once(tmp_path: Path) -> None:
    boards, levels = write(tmp_path / "a.fold", "1 0\n\n1 0\n"), write(tmp_path / "b.xsb", ONE_PUSH, ONE_PUSH)
    done = puzzlemc("check", levels, "--metric", "jumps")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("jumps") == 1
    done = puzzlemc("check", tmp_path, "--metric", "pushes")
    assert done.returncode == 2
    assert done.stderr == "error: unknown metric 'pushes' of folding, expected one of moves, any\n"
    assert done.stdout.splitlines()[-1].startswith("4 levels: 2 solvable, 2 error")
    assert len(done.stdout.splitlines()) == 4
    done = puzzlemc("solve", boards, levels, "--metric", "pushes", "--format", "moves")
    assert done.stderr.count("unknown metric") == 1


def test_a_folder_with_several_puzzles_has_columns_that_fit_all(tmp_path: Path) -> None:
    write(tmp_path / "a.xsb", "######\n#@ $.#\n######\n")
    write(tmp_path / "b.fold", "1 0 0 0\n")
    write(tmp_path / "c.xsb", CORNERED)
    lines = puzzlemc("check", tmp_path).stdout.splitlines()
    head = lines[0]
    ends = [head.index(name) + len(name) for name in ("pushes", "moves")]
    found = [[line[end - 8 : end].strip() for end in ends] for line in lines[1:4]]
    assert found == [["1", "2"], ["", "2"], ["-", "-"]]
    assert head.split()[3:] == ["pushes", "moves", "seconds"]
    head = puzzlemc("check", tmp_path, "--metric", "moves").stdout.splitlines()[0]
    assert head.split()[3:] == ["moves", "pushes", "seconds"]


def test_a_bound_is_a_statement_in_words(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", hard(3))
    for options, statement in [
        (("--metric", "any", "--engine", "forward"), "timeout"),
        (("--metric", "pushes", "--engine", "forward"), r"timeout; no solution below \d+ pushes"),
    ]:
        row = puzzlemc("check", path, "--timeout", "3", *options).stdout.splitlines()[1]
        assert re.search(statement + "$", row), row


def test_notes_on_rows_name_no_file_and_are_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table([], None, traces=False)
    note = "output 60 a minute, loss 0, 12 belts and inserters; " * 3
    assert table.folded("folder/a.factorio#2", note) == f"folder/a.factorio#2: {note}"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    lines = Table([], None, traces=False).folded("folder/a.factorio#2", note).split("\n")
    assert lines[0].startswith("    #2: output 60")
    assert max(map(len, lines)) <= 80


def test_a_line_reaches_a_pipe_at_once() -> None:
    """Python does not get to write what it still holds when the program ends in this way."""
    code = (
        "from puzzlemc.reports.output.terminal import open_streams, show; open_streams(); show('a', ('b', 'red'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import os; {code}; os._exit(0)"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "ab\n"
