"""`new-puzzle` writes a puzzle that works, under any name, and replaces nothing."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from command import as_json, puzzlemc

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.starter.writing import KINDS, NAMES, check_name, write_puzzle

NAME = "river_crossing_by_night_2"


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """The name of a kind."""
    return str(request.param)


@pytest.fixture(scope="module")
def folder(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A puzzle of a kind that was written."""
    folder = tmp_path_factory.mktemp("written") / "deep" / "folder"
    write_puzzle(NAME, kind, folder)
    return folder


def test_the_tests_that_are_written_pass(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull, "--import-mode", "importlib"]
    assert pytest.main([*options, "--rootdir", str(folder), str(folder)]) == 0
    assert "4 passed" in capsys.readouterr().out


def test_the_puzzle_is_short_and_its_levels_have_verdicts(kind: str, folder: Path) -> None:
    own = folder / f"{NAME}.py"
    assert len(own.read_text(encoding="utf-8").splitlines()) <= 40
    costs = list(KINDS[kind].costs.values())
    code, rows = as_json("solve", "--puzzle", str(own))
    assert [(row["puzzle"], row["cost"]) for row in rows] == [(NAME, cost) for cost in costs]
    assert code == (1 if None in costs else 0)


def test_every_file_has_the_new_name(folder: Path) -> None:
    written = sorted(path.relative_to(folder).as_posix() for path in folder.iterdir() if path.is_file())
    assert written == sorted(each.replace("my_puzzle", NAME) for each in NAMES)
    for path in written:
        text = (folder / path).read_text(encoding="utf-8")
        assert "my_puzzle" not in text
        assert "my-puzzle" not in text
        assert NAME in text
        assert "TITLE" not in text


def test_the_written_code_is_clean_outside_this_repository(folder: Path) -> None:
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "120"]
    command += ["--select", "E,F,W,I,B,SIM,UP,RUF", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_package_offers_the_puzzle(folder: Path) -> None:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    (name, place), *more = project["project"]["entry-points"]["puzzlemc.puzzles"].items()
    assert (name, place, more) == (NAME, f"{NAME}:PUZZLE", [])
    assert project["tool"]["setuptools"]["py-modules"] == [NAME]
    assert puzzle(str(folder / f"{NAME}.py")).name == NAME


def test_the_command_names_files_and_what_to_do_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = puzzlemc("new-puzzle", "frost")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert {line for line in lines if Path(line).is_file()} == {str(path) for path in Path("frost").iterdir()}
    assert lines[-3:] == [
        "Next:",
        "  puzzlemc solve --puzzle frost/frost.py",
        "  pytest frost/test_frost.py",
    ]


@pytest.mark.parametrize("there", ["README.md", "frost.py"])
def test_no_file_is_replaced(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    done = puzzlemc("new-puzzle", "frost", "--directory", tmp_path)
    assert done.returncode == 2
    assert f"{there}: exists, expected a folder without it; --directory names another one" in done.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    done = puzzlemc("new-puzzle", "frost", "--kind", "grids", "--directory", tmp_path)
    assert done.returncode == 2
    assert "'grids' is unknown, expected one of grid, numbers, pieces, rules" in " ".join(done.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = puzzlemc("new-puzzle", "frost", "--directory", tmp_path / "file")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{tmp_path / 'file'}: " in done.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("My Puzzle", "found 'My Puzzle', expected a small letter, then .*: my_puzzle$"),
        ("2048", "found '2048', expected a small letter, then up to 29 small letters, digits and _$"),
        ("../x", "found '../x', expected .*: x$"),
        ("x_", "found 'x_', expected .*: x$"),
        ("x" * 31, "found .*, expected "),
        ("x\n", "found 'x.n', expected "),
        ("folding", "a puzzle called 'folding' is known already"),
        ("class", "'class' has a meaning in Python, expected another name, as class_puzzle"),
        ("json", "'json' has a meaning in Python"),
        ("puzzlemc", "'puzzlemc' has a meaning in Python"),
    ],
)
def test_names_are_checked(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check_name(name)


@pytest.mark.parametrize("name", ["x", "frost", "level_2", "x" * 30])
def test_names_that_are_good(name: str) -> None:
    check_name(name)
