"""The current folder may have Python files of strangers: no command takes one of them for a module.

Python searches the folder of a script first, and for `python -c` and `python -m` the current folder. The fork
server of workers, the resource tracker and the processes of Dask are started by `python -c`.
"""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from command import CORNERED, MAIN, ONE_PUSH, write
from places import ROOT
from played import playing
from processes import program

from puzzlemc.reports.cli.app import COMMANDS

ROOMS = ("encodings", "mc", "reports", "screens")
NAMES = {*sys.stdlib_module_names, *packages_distributions(), *ROOMS, "puzzlemc", "sitecustomize", "usercustomize"}
DECOY = "import builtins\nbuiltins.open({log!r}, 'a').write({name!r} + ' ')\nraise SystemExit(99)\n"
TWO = f"{ONE_PUSH}\n######\n#@ $.#\n######\nTitle: Two\n"
# Each with the files that an earlier one has written.
CASES = (
    "check a.xsb u.xsb",
    "solve a.xsb u.xsb --why --certificate proofs",
    "solve ferry.pddl",
    "solve own.xsb --puzzle own.py",
    "verify proofs",
    "batch two.sok --store store.sqlite --certify --dataset data",
    "batch two.sok --store other.sqlite --cluster local --jobs 1",
    "results store.sqlite --report page.html --single 1",
    "report a.xsb -o report.html",
    "query a.xsb AG(EF(solved))",
    "replay a.xsb R",
    "suggest u.xsb --certificate changed",
    "compare a.xsb",
    "export a.xsb --to dot -o graph.dot",
    "export a.xsb --to pddl -o problem.pddl",
    "convert a.xsb b.sok",
    "generate sokoban --count 2",
    "generate tetravex --unique",
    "tournament fabrik --bots greedy,random --games 1 --level s.fabrik",
    "mcp .",
    "new-puzzle fresh",
    "doctor",
    "puzzles",
)
APART = {"play", "serve"}  # they do not end by themselves
ENDED = """
import multiprocessing
multiprocessing.set_executable("/bin/false")  # what the fork server is started with
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Levels among decoys. A decoy writes its name to the file `RAN`."""
    folder = tmp_path / "levels"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(DECOY.format(log=str(folder / "RAN"), name=name))
    for name, text in (("a.xsb", ONE_PUSH), ("u.xsb", CORNERED), ("two.sok", TWO), ("s.fabrik", "Fabrik 5 4\n")):
        write(folder / name, text)
    for name in ("ferry.pddl", "ferry-domain.pddl"):
        write(folder / name, (ROOT / "screens" / "levels" / "pddl" / name).read_text())
    write(folder / "own.py", "from puzzlemc.encodings.sokoban.puzzle import PUZZLE\n")
    write(folder / "own.xsb", ONE_PUSH)
    return folder


def command(folder: Path, before: str = "") -> list[str]:
    """The program as a script: the folder of the script is that which Python searches, not the current one."""
    path = folder.parent / "program.py"
    path.write_text(f"{before}\nif __name__ == '__main__':\n    {MAIN}\n")  # Dask imports it in each process
    return [sys.executable, str(path)]


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in the folder."""
    free = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    return subprocess.run(
        words,
        cwd=folder,
        env=free,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def ran(folder: Path) -> str:
    """The names of the decoys that have run."""
    log = folder / "RAN"
    return log.read_text() if log.exists() else ""


def test_every_command_is_tried() -> None:
    assert {case.split()[0] for case in CASES} | APART == set(COMMANDS)


def test_no_decoy_runs_in_a_worker_of_the_fork_server(folder: Path) -> None:
    done = run(*command(folder), "query", "a.xsb", "AG EF solved", folder=folder)
    assert (done.returncode, ran(folder)) == (0, ""), done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_no_decoy_runs_in_any_command(folder: Path) -> None:
    for case in CASES:
        done = run(*command(folder), *case.split(), folder=folder)
        assert ran(folder) == "", case
        assert done.returncode in {0, 1}, (case, done.stderr)


@pytest.mark.slow
def test_no_decoy_runs_in_the_workbench(folder: Path) -> None:
    words = [*command(folder), "serve", "a.xsb", "--no-browser", "--port", "0"]
    with program(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = re.search(r"http://\S+", running.stdout.readline())
        assert address is not None
        asked = json.dumps({"ask": "glance", "n": 0, "puzzle": "sokoban", "text": (folder / "a.xsb").read_text()})
        found = urllib.request.urlopen(f"{address[0]}glance", asked.encode(), timeout=60).read()
        assert b'"solvable"' in found
        running.send_signal(signal.SIGINT)
        assert "Traceback" not in running.communicate(timeout=60)[1]
    assert ran(folder) == ""


@pytest.mark.slow
def test_no_decoy_runs_in_a_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("played.PROGRAM", command(folder))
    with playing("a.xsb") as terminal:
        terminal.wait("Still solvable in 1 push.")
        terminal.press("q")
        assert terminal.end() == 0
    assert ran(folder) == ""


def test_no_decoy_runs_in_a_program_that_imports_the_library(folder: Path) -> None:
    path = folder.parent / "library.py"
    path.write_text(
        "import multiprocessing, os, sys, numpy, puzzlemc\n"
        "if __name__ == '__main__':\n"
        "    print(puzzlemc.solve(puzzlemc.load('a.xsb')[0]).verdict, os.environ.get('PYTHONSAFEPATH'))\n"
    )
    done = run(sys.executable, str(path), folder=folder)
    assert (done.stdout, ran(folder)) == ("solvable None\n", ""), done.stderr


def test_no_decoy_runs_in_the_program_as_a_module(folder: Path) -> None:
    """Python itself searches the current folder until it has found the program."""
    found = run(sys.executable, "-S", "-c", "import runpy, sys; print(*sys.modules)", folder=folder.parent)
    for name in {"puzzlemc", *found.stdout.split()}:
        (folder / f"{name}.py").unlink(missing_ok=True)
    for case in ("query a.xsb AG(EF(solved))", "check a.xsb"):
        done = run(sys.executable, "-m", "puzzlemc", *case.split(), folder=folder)
        assert (done.returncode in {0, 1}, ran(folder)) == (True, ""), done.stderr


@pytest.mark.parametrize("case", ["query a.xsb solved", "replay a.xsb R", "export a.xsb --to dot -o -"])
def test_a_fork_server_that_ends_is_named(folder: Path, case: str) -> None:
    done = run(*command(folder, ENDED), *case.split(), folder=folder)
    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith("no worker can be started: the fork server has ended")


def test_a_fork_server_that_is_killed_is_started_again(folder: Path) -> None:
    once = folder.parent / "once"
    once.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *forkserver*) test -e {once}.ended || {{ touch {once}.ended; exit 1; }};; esac\n'
        f'exec {sys.executable} "$@"\n'
    )
    once.chmod(0o755)
    ends_once = f"import multiprocessing\nmultiprocessing.set_executable({str(once)!r})\n"
    done = run(*command(folder, ends_once), "query", "a.xsb", "solved", folder=folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert (folder.parent / "once.ended").exists()
