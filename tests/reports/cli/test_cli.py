"""The command line as seen by users: output, JSON, exit codes, bad input, limits."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import CORNERED, MAIN, ONE_PUSH, PROGRAM, as_json, hard, puzzlemc, write
from processes import program

from puzzlemc.reports.workers import crew
from puzzlemc.reports.workers.worker import Worker

KEYS = [
    "id",
    "title",
    "puzzle",
    "verdict",
    "metric",
    "cost",
    "optimal",
    "trace",
    "moves",
    "pushes",
    "engine",
    "diagrams",
    "encoding",
    "checked",
    "bound",
    "reason",
    "seconds",
    "peak_mb",
    "wall_seconds",
]


def test_solve_shows_a_trace(tmp_path: Path) -> None:
    done = puzzlemc("solve", write(tmp_path / "a.xsb", ONE_PUSH))
    assert done.returncode == 0
    head, row, trace, summary = done.stdout.splitlines()
    assert head.split() == ["level", "title", "verdict", "pushes", "moves", "seconds"]
    assert row.split()[-4:-1] == ["solvable", "1", "1"]
    assert trace.strip() == "R"
    assert summary.startswith("1 level: 1 solvable")
    assert done.stderr == ""


def test_check_shows_no_trace(tmp_path: Path) -> None:
    done = puzzlemc("check", write(tmp_path / "a.xsb", ONE_PUSH, CORNERED))
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 4
    assert "2 levels: 1 solvable, 1 unsolvable" in done.stdout


def test_json_has_the_fixed_fields(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    code, (solved, stuck) = as_json("solve", path)
    assert code == 1
    assert list(solved) == KEYS
    assert list(stuck) == KEYS
    assert solved | {"seconds": 0, "peak_mb": 0, "wall_seconds": 0} == {
        "id": f"{path}#1",
        "title": "One push",
        "puzzle": "sokoban",
        "verdict": "solvable",
        "metric": "pushes",
        "cost": 1,
        "optimal": True,
        "trace": "R",
        "moves": 1,
        "pushes": 1,
        "engine": "explicit",
        "diagrams": None,
        "encoding": "compact",
        "checked": True,
        "bound": None,
        "reason": None,
        "seconds": 0,
        "peak_mb": 0,
        "wall_seconds": 0,
    }
    assert 0 < solved["wall_seconds"] < 10
    assert (stuck["verdict"], stuck["trace"], stuck["cost"], stuck["moves"]) == (
        "unsolvable",
        None,
        None,
        None,
    )
    assert 0 < solved["seconds"] < 10
    assert solved["peak_mb"] > 5


@pytest.mark.parametrize("engine", ["forward", "backward", "explicit"])
@pytest.mark.parametrize("diagrams", ["cudd", "zdd"])
@pytest.mark.parametrize("encoding", ["compact", "tiles"])
def test_json_names_the_chosen_engine_diagrams_and_encoding(
    tmp_path: Path, engine: str, diagrams: str, encoding: str
) -> None:
    path = write(tmp_path / "a.xsb", "######\n#@   #\n#  $ #\n# .  #\n######")
    options = ("--engine", engine, "--diagrams", diagrams, "--encoding", encoding, "--metric", "moves")
    code, (result,) = as_json("solve", path, *options)
    assert code == 0
    assert (result["engine"], result["encoding"], result["metric"]) == (engine, encoding, "moves")
    assert result["diagrams"] == (None if engine == "explicit" else diagrams)
    assert (result["cost"], result["pushes"], result["checked"]) == (6, 2, True)


def test_any_claims_no_optimum(tmp_path: Path) -> None:
    code, (result,) = as_json("solve", write(tmp_path / "a.xsb", ONE_PUSH), "--metric", "any")
    assert code == 0
    assert (result["metric"], result["cost"], result["optimal"], result["checked"]) == (
        "any",
        None,
        False,
        True,
    )


def test_standard_input_and_level_numbers_are_accepted(tmp_path: Path) -> None:
    code, (result,) = as_json("check", "-", text=ONE_PUSH)
    assert (code, result["id"], result["verdict"]) == (0, "-#1", "solvable")
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    code, (result,) = as_json("check", f"{path}#2")
    assert (code, result["id"], result["title"]) == (1, f"{path}#2", "Cornered")


BAD = {
    "empty file": (b"", "empty"),
    "no player": (b"#####\n# $.#\n#####\n", "no player"),
    "two players": (b"######\n#@$.@#\n######\n", ":2:5: found a second player"),
    "unknown character": (b"#####\n#@q.#\n#####\n", ":2:3: found 'q', expected one of"),
    "unclosed": (b"#####\n#@$. \n#####\n", ":2:"),
    "binary junk": (bytes(range(256)) * 8, ":1:1: found the control character"),
    "10 MB of #": (b"#" * 10_000_000, "expected"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gives_one_line_and_others_are_solved(tmp_path: Path, name: str) -> None:
    data, message = BAD[name]
    bad, good = tmp_path / "bad.xsb", write(tmp_path / "good.xsb", ONE_PUSH)
    bad.write_bytes(data)
    started = time.monotonic()
    done = puzzlemc("check", bad, good)
    assert time.monotonic() - started < 20
    assert done.returncode == 2
    assert "Traceback" not in done.stdout + done.stderr
    (error,) = [line for line in done.stdout.splitlines() if line.startswith("error: ")]
    assert error.startswith(f"error: {bad}:")
    assert message in error
    assert "expected" in error
    assert len(error) < len(str(bad)) + 200
    assert "1 solvable, 1 error" in done.stdout


def test_missing_files_and_levels_are_errors(tmp_path: Path) -> None:
    good = write(tmp_path / "good.xsb", ONE_PUSH)
    secret = write(tmp_path / "secret.xsb", ONE_PUSH)
    secret.chmod(0)
    code, results = as_json("check", tmp_path / "none.xsb", secret, f"{good}#999", good)
    assert code == 2
    reasons = [result["reason"] for result in results]
    assert "no such file" in reasons[0]
    if os.geteuid():  # root can read every file
        assert "permission" in reasons[1].lower()
    assert "has 1 level" in reasons[2]
    assert "#999" in reasons[2]
    assert results[3]["verdict"] == "solvable"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "magic"), "expected one of auto, forward"),
        (("--diagrams", "paper"), "expected one of auto, cudd, zdd"),
        (("--encoding", "morse"), "expected one of compact, tiles"),
        (("--metric", "jumps"), "expected one of pushes, moves, pushes,moves, moves,pushes, any"),
        (("--timeout", "-1"), "--timeout"),
        (("--puzzle", "chess"), "expected one of: sokoban"),
    ],
)
def test_bad_options_are_errors(tmp_path: Path, options: tuple[str, str], message: str) -> None:
    done = puzzlemc("check", write(tmp_path / "a.xsb", ONE_PUSH), *options)
    assert done.returncode == 2
    assert message in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr


def test_a_time_limit_gives_unknown_with_a_bound(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", hard(3), ONE_PUSH)
    code, (unknown, solved) = as_json("check", path, "--timeout", "2", "--engine", "bidirectional")
    assert code == 3
    assert (unknown["verdict"], unknown["reason"], unknown["checked"]) == ("unknown", "timeout", False)
    assert unknown["bound"] >= 1
    assert solved["verdict"] == "solvable"


@pytest.mark.parametrize("engine", ["explicit", pytest.param("forward", marks=pytest.mark.slow)])
def test_a_memory_limit_gives_unknown(tmp_path: Path, engine: str) -> None:
    """Or a solution that is not called optimal, if the search had one from its plan finder."""
    path = write(tmp_path / "a.xsb", hard(3))
    code, (unknown,) = as_json("check", path, "--memory", "0.0625", "--engine", engine, "--metric", "moves")
    if unknown["verdict"] == "solvable":
        assert (code, engine, unknown["optimal"]) == (0, "explicit", False)
    else:
        assert (code, unknown["verdict"], unknown["reason"]) == (3, "unknown", "memory")
    assert unknown["bound"] >= 1


def test_an_interrupt_keeps_finished_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, hard(4))
    with program(
        [*PROGRAM, "check", str(path), "--json", "--timeout", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert json.loads(running.stdout.readline())["verdict"] == "solvable"
        running.send_signal(signal.SIGINT)
        errors = running.communicate(timeout=30)[1]
    assert running.returncode == 130
    assert errors.strip().removesuffix("; 1 more has a bound") == "interrupted after 1 of 2 levels"


def test_an_interrupt_while_a_class_is_made_ends_the_program_silently() -> None:
    """Python 3.11 makes a RuntimeError of it: a command that imports its modules meets that."""
    code = """
import signal
from puzzlemc.reports.cli import app

class Attribute:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.SIGINT)

def command(prog_name):
    class Imported:
        attribute = Attribute()

app.app = command
app.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_puzzles_lists_metrics_and_shipped_levels() -> None:
    done = puzzlemc("puzzles")
    assert done.returncode == 0
    shown = done.stdout.partition("\nfolding\n")[0]
    assert shown.startswith("sokoban\n")
    lines = dict(line.strip().split(None, 1) for line in shown.splitlines()[1:])
    assert lines["metrics"] == "pushes moves pushes,moves moves,pushes any"
    assert lines["encodings"] == "compact tiles"
    assert list(Path(lines["levels"]).glob("*.xsb"))


def test_help_is_quick() -> None:
    """A loose bound for slow machines; it fails if help imports the libraries of the engines."""
    code = "import sys; sys.argv = ['puzzlemc', '--help']\n"
    code += f"try:\n    {MAIN}\nexcept SystemExit:\n    print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1]
    for library in ("numpy", "networkx", "pyeda", "oxidd", "dd.cudd", "multiprocessing.forkserver"):
        assert f"'{library}'" not in loaded


def test_a_level_with_fewer_boxes_than_goals_is_unsolvable(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", "######\n#@$..#\n######\n")
    done = puzzlemc("check", path, "--certificate", tmp_path / "proofs")
    assert (done.returncode, done.stderr) == (1, "")
    assert "2 goals but 1 box" in done.stdout
    assert puzzlemc("verify", *(tmp_path / "proofs").iterdir()).returncode == 0
    code, (result,) = as_json("check", path)
    assert (code, result["verdict"], result["reason"]) == (1, "unsolvable", "2 goals but 1 box")


def test_ids_of_levels_on_standard_input_are_accepted_as_arguments() -> None:
    text = f"{CORNERED}\n{ONE_PUSH}"
    code, results = as_json("check", "-", text=text)
    assert (code, [one["id"] for one in results]) == (1, ["-#1", "-#2"])
    code, (one,) = as_json("solve", "-#2", text=text)
    assert (code, one["id"], one["trace"]) == (0, "-#2", "R")
    assert [one["id"] for one in as_json("check", "-#2", "-#1", text=text)[1]] == ["-#2", "-#1"]
    assert puzzlemc("query", "-#2", "EF solved", text=text).returncode == 0
    assert "found no level with the title 'x'" in puzzlemc("check", "-#x", text=text).stdout
    assert "No such option" in puzzlemc("check", "-x", text=text).stderr


def test_a_level_is_built_within_its_limits(tmp_path: Path) -> None:
    """Boards of a million cells: the process that distributes the levels never holds a model."""
    board = "|".join(["1000#", "#@$.995-#", *["#998-#"] * 900, "1000#"])
    path = write(tmp_path / "a.xsb", *[f"{board}\n"] * 3)
    code = (
        "import re, sys; from puzzlemc.reports.cli.app import main\n"
        "sys.argv = ['puzzlemc', 'check', '--json', '--timeout', '0.2', '--memory', '0.5', *sys.argv[1:]]\n"
        "try:\n main()\n"
        "except SystemExit as end:\n"
        " print(end.code, re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, timeout=60)
    *lines, last = done.stdout.splitlines()
    assert [(json.loads(line)["verdict"], json.loads(line)["reason"]) for line in lines] == [
        ("unknown", "timeout")
    ] * 3
    exit_code, peak = map(int, last.split())
    assert exit_code == 3
    assert peak >> 10 < 200  # MiB, of which the interpreter needs more than half


@pytest.mark.parametrize("command", ["check", "solve"])
@pytest.mark.parametrize(("asked", "workers"), [(("--jobs", "1"), 1), (("--jobs", "3"), 3), ((), os.cpu_count())])
def test_jobs_run_levels_in_parallel(
    command: str, asked: tuple[str, ...], workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(crew, "Worker", lambda *arguments: made.append(0) or Worker(*arguments))
    path = write(tmp_path / "a.xsb", *[ONE_PUSH] * max(4, workers))
    code, rows = as_json(command, path, *asked)
    assert (code, len(rows), len(made)) == (0, max(4, workers), workers)


def test_invalid_numbers_of_jobs_are_errors(tmp_path: Path) -> None:
    done = puzzlemc("check", write(tmp_path / "a.xsb", ONE_PUSH), "--jobs", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--jobs" in done.stderr


def test_levels_of_a_file_can_be_selected(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, ONE_PUSH)
    assert [row["id"] for row in as_json("check", f"{path}#2-3")[1]] == [f"{path}#2", f"{path}#3"]
    assert [row["id"] for row in as_json("check", f"{path}#Cornered")[1]] == [f"{path}#2"]
    text = path.read_text()
    assert [row["id"] for row in as_json("check", "-#Cornered", "-#3,1", text=text)[1]] == ["-#2", "-#3", "-#1"]
    done = puzzlemc("check", f"{path}#One push")
    assert (done.returncode, done.stdout) == (2, "error: " + done.stdout[7:])
    assert "found 2 levels with the title 'One push', expected one of #1, #3" in done.stdout


@pytest.mark.parametrize("command", [("report", "-o", "-"), ("export", "--to", "smv", "-o", "-")])
def test_a_command_for_one_level_refuses_several(command: tuple[str, ...], tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, ONE_PUSH)
    name, *more = command
    done = puzzlemc(name, f"{path}#2-3", *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"found 2 levels, expected one, such as {path}#2" in done.stderr


def test_each_error_of_a_level_has_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command writes one line for each error, and the number and title of the level once."""
    monkeypatch.chdir(tmp_path)
    Path("b.xsb").write_text(f"{ONE_PUSH}\n#####\n#@x.#\n#$@ #\n#####\nTitle: Broken\n", encoding="utf-8")
    first = len(ONE_PUSH.split("\n"))
    expected = [
        f"b.xsb:{first + 2}:3: found 'x', expected one of # @ + $ * . space - _ (level #2, Broken)",
        f"b.xsb:{first + 3}:3: found a second player, expected one @ or +",
    ]
    for command in (
        ("check", "b.xsb"),
        ("query", "b.xsb#2", "EF solved"),
        ("batch", "b.xsb", "--store", "s.sqlite"),
        ("report", "b.xsb#2", "-o", "b.html"),
        ("convert", "b.xsb", "c.xsb"),
    ):
        done = puzzlemc(*command)
        assert done.returncode == 2
        lines = (done.stdout + done.stderr).splitlines()
        at = next(place for place, line in enumerate(lines) if expected[0] in line)
        assert lines[at + 1] == expected[1]
    result = json.loads(puzzlemc("check", "b.xsb#2", "--json").stdout)
    assert result["reason"].split("\n") == expected
