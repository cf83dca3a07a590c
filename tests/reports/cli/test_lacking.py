"""Without the packages that need a compiler, each puzzle works, proofs are checked, and errors say what lacks."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from command import PROGRAM
from places import ROOT, WRITTEN

from puzzlemc.encodings.puzzles import puzzles


def lacking(*arguments: str | Path, packages: str = "pyeda dd.cudd") -> subprocess.CompletedProcess[str]:
    """Run the command line in an interpreter that cannot import these packages."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests" / "lacking"), "LACKING": packages}
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("packages", ["pyeda dd.cudd", "pyeda dd"])
def test_every_puzzle_works(packages: str) -> None:
    done = lacking("doctor", "--json", packages=packages)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["diagrams"] == ["zdd"]
    assert set(found["puzzles"]) >= set(puzzles()) - {"pddl", "factorio"}
    assert set(found["puzzles"].values()) == {"solvable"}


def test_doctor_says_what_is_missing() -> None:
    shown = lacking("doctor").stdout
    assert "decision diagrams: zdd; missing: CUDD, which dd has for Linux on x86-64 only\n" in shown


def test_proofs_are_checked_by_the_other_package(tmp_path: Path) -> None:
    # Its proof is too large for the first checker, by SAT.
    level = f"{ROOT / 'screens' / 'levels' / 'sokoban' / 'first_steps.xsb'}#5"
    options = ("--engine", "bidirectional", "--encoding", "tiles", "--certificate", tmp_path, "--json")
    done = lacking("check", level, *options)
    (result,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (result["verdict"], result["diagrams"], result["checked"]) == ("solvable", "zdd", True)
    assert json.loads(lacking("verify", *tmp_path.glob("*.cert"), "--json").stdout)["checked_by"] == "diagrams"


def test_diagrams_that_are_missing_are_an_error() -> None:
    done = lacking("check", ROOT / "screens" / "levels" / "sokoban", "--diagrams", "cudd")
    assert done.returncode == 2
    expected = "Invalid value for --diagrams: found dd, which is installed without CUDD, expected one of zdd"
    assert expected in " ".join(done.stderr.split())


def test_a_puzzle_that_imports_pyeda_says_how_to_add_it() -> None:
    hexagons = WRITTEN / "hex.py"
    done = lacking("check", hexagons, "--puzzle", hexagons)
    assert done.returncode == 2
    assert f"{hexagons}:12: cannot be imported: ModuleNotFoundError: No module named 'pyeda" in done.stdout
    assert f"it is optional, add it by: pip install -e '{ROOT}[pyeda]'" in done.stdout
