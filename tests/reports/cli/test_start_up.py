"""What the start of the program imports: libraries that take long to load are loaded when they are needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import ONE_PUSH, write

SLOW = (
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
# A file that cannot be read needs neither a worker nor the registry's plug-ins.
BY_CASE = {
    "--version": (*SLOW, "multiprocessing", "pyeda", "rich.console"),
    "--help": (*SLOW, "importlib.metadata", "multiprocessing", "pyeda", "rich.console"),
    "check missing.xsb": (
        *SLOW,
        "importlib.metadata",
        "multiprocessing.popen_fork",
    ),
    "check a.xsb": (*SLOW, "importlib.metadata", "multiprocessing.popen_forkserver"),
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


def test_a_puzzle_of_an_installed_package_is_found(tmp_path: Path) -> None:
    (tmp_path / "plugged.py").write_text(PLUGIN)
    info = tmp_path / "plugged-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[puzzlemc.puzzles]\nplugged = plugged:PUZZLE\n")
    code = "from puzzlemc.encodings.puzzles import puzzles; print(*puzzles())"
    done = run(code, tmp_path, PYTHONPATH=str(tmp_path))
    assert done.stdout.split()[-1:] == ["plugged"], done.stderr
