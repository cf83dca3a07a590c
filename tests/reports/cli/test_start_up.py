"""What the start of the program imports: libraries that take long to load are loaded when they are needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import systems
from command import ONE_PUSH, write

from puzzlemc.encodings.puzzles import OWN

SLOW = (
    "starlette",
    "uvicorn",
    "PIL",
    "asyncio",
    "dd",
    "jinja2",
    "lark",
    "matplotlib",
    "msgspec",
    "networkx",
    "numpy",
    "oxidd",
    "pyarrow",
    "pydantic",
    "pysat",
    "sqlite3",
    "textual",
)
# What a command without levels does not need: solving, printing in colour, unpacking archives.
IDLE = (
    *SLOW,
    "concurrent.futures",
    "multiprocessing",
    "puzzlemc.encodings.puzzle",
    "pyeda",
    "rich.console",
    "rich.text",
    "tarfile",
    "zipfile",
)
OTHERS = tuple(f"puzzlemc.{top}.{name}" for name in OWN if name != "sokoban" for top in ("encodings", "screens"))
COMMANDS = tuple(
    f"puzzlemc.reports.cli.commands.{name}" for name in ("batch", "generate", "play", "query", "report")
)
BY_CASE = {
    "--version": (
        *(name for name in IDLE if name != "zipfile"),
        *COMMANDS,
        "puzzlemc.reports.cli.commands.solve",
    ),
    "--help": (*IDLE, "importlib.metadata"),
    "check --help": (*IDLE, *OTHERS, *COMMANDS),
    "check missing.xsb": (
        *IDLE,
        *OTHERS,
        *COMMANDS,
        "importlib.metadata",
        "puzzlemc.encodings.sokoban",
        "puzzlemc.mc.model",
    ),
    "check a.xsb": (
        *SLOW,
        *OTHERS,
        "importlib.metadata",
        "multiprocessing.popen_forkserver",
        "rich.console",
        "tarfile",
        "zipfile",
    ),
    "batch a.xsb --store a.sqlite --jobs 1": ("dd", "networkx", "numpy", "puzzlemc.reports.certify.certify"),
    "report a.xsb -o a.html": ("dd", "jinja2", "matplotlib", "networkx"),
    "check a.txt": ("numpy", *(f"{name}.puzzle" for name in OTHERS if ".encodings." in name)),
}
PLUGIN = """
from dataclasses import replace
from puzzlemc.encodings.folding.puzzle import PUZZLE as FOLDING
PUZZLE = replace(FOLDING, name="plugged")
"""


def run(code: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """The run of a program in a folder."""
    command = [sys.executable, "-c", code]
    more = os.environ | variables
    return subprocess.run(
        command,
        cwd=folder,
        env=more,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("arguments", BY_CASE)
def test_slow_libraries_are_not_imported(tmp_path: Path, arguments: str) -> None:
    write(tmp_path / "a.xsb", ONE_PUSH)
    write(tmp_path / "a.txt", ONE_PUSH)
    code = (
        "import os, sys\n"
        "before = set(sys.modules)\n"  # a measurement of coverage imports modules, too
        f"sys.argv = ['puzzlemc', *{arguments.split()!r}]\n"
        "from puzzlemc.reports.cli.start import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    print(*sorted(set(sys.modules) - before), file=sys.stderr)\n"
    )
    done = run(code, tmp_path)
    loaded = done.stderr.splitlines()[-1].split()
    assert "puzzlemc.reports.cli.app" in loaded
    assert sorted(set(BY_CASE[arguments]) & set(loaded)) == []
    assert done.returncode == (2 if "missing" in arguments else 0)


@systems.copies
def test_a_worker_of_a_tiny_level_imports_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    """A worker is forked with what the program has imported; it lists what it has in the end."""
    write(tmp_path / "a.xsb", ONE_PUSH)
    code = (
        "import sys\n"
        "from puzzlemc.encodings.puzzles import load\n"
        "from puzzlemc.reports.crew.outcome import PRELOAD\n"
        "from puzzlemc.reports.solve.options import Options\n"
        "from puzzlemc.reports.crew.in_order import fork_workers, solve_in_worker\n"
        "from puzzlemc.reports.workers.worker import Worker\n"
        "(entry,) = load('a.xsb')\n"
        "parent = set(sys.modules)\n"
        "def solved(entry):\n"
        "    at_first = set(sys.modules)\n"
        "    result = solve_in_worker(entry, Options())\n"
        "    return result.verdict, sorted(at_first - parent), sorted(sys.modules)\n"
        "fork_workers(1)\n"
        "with Worker(1 << 30, PRELOAD) as worker:\n"
        "    verdict, more, loaded = worker.run(solved, entry)\n"
        "print(verdict, *more, file=sys.stderr)\n"
        "print(*loaded)\n"
    )
    done = run(code, tmp_path)
    verdict, *more = done.stderr.split()
    assert verdict == "solvable", done.stderr
    assert [name for name in more if name.startswith("puzzlemc")] == []  # it was forked ready
    loaded = done.stdout.split()
    assert "numpy" in loaded
    assert sorted({*SLOW, *OTHERS} - {"numpy"} & set(loaded)) == []


def test_python_runs_the_package(tmp_path: Path) -> None:
    done = run("import runpy, sys; sys.argv = ['', '--version']; runpy.run_module('puzzlemc')", tmp_path)
    assert done.stdout.startswith("puzzlemc "), done.stderr


def test_numpy_has_no_threads_that_wait_for_work(tmp_path: Path) -> None:
    code = (
        "import os\n"
        "from puzzlemc.reports.cli import app, start\n"
        "def count() -> None:\n"
        "    import numpy\n"
        "    print(len(os.listdir('/proc/self/task')))\n"
        "app.main = count\n"
        "start.main()\n"
    )
    done = run(code, tmp_path)
    assert done.stdout.split() == ["1"], done.stderr


def test_a_puzzle_of_an_installed_package_is_found(tmp_path: Path) -> None:
    (tmp_path / "plugged.py").write_text(PLUGIN)
    info = tmp_path / "plugged-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[puzzlemc.puzzles]\nplugged = plugged:PUZZLE\n")
    code = "from puzzlemc.encodings.puzzles import puzzles; print(*puzzles())"
    done = run(code, tmp_path, PYTHONPATH=str(tmp_path))
    assert done.stdout.split()[-1:] == ["plugged"], done.stderr
