"""Slips of the pen: messages name the nearest name, or show a whole command."""

from pathlib import Path

import pytest
from command import ONE_PUSH, puzzlemc, write


@pytest.mark.parametrize(
    ("command", "end"),
    [
        ("sove levels.xsb", "Did you mean 'solve', 'serve'?"),
        ("check levls.xsb", "expected a file, a folder or -; nearest: levels.xsb"),
        ("check deep/othr.xsb", "; nearest: other.xsb"),
        ("check levels.xsb --puzzle foldin", "; or a file, NAME.py; nearest: folding"),
        ("check levels.xsb --puzzle my_own", "; or a file, NAME.py; nearest: my_own.py"),
        ("puzzles tetravx", "; nearest: tetravex"),
        ("check levels.xsb --engine forwrd", "; nearest: forward"),
        ("check levels.xsb --metric move", "; nearest: moves"),
        ("check levels.xsb --encoding tile", "expected one of compact, tiles; nearest: tiles"),
        ("check levels.xsb --tmeout 3", "--timeout)"),
        ("results store.sqlit", "a store that `batch` has written; nearest: store.sqlite"),
        ("generate tetravx", "; nearest: tetravex"),
        ("solve", "Missing argument 'LEVELS'. For example: puzzlemc solve level.xsb"),
        (
            "report levels.xsb",
            "Missing option '--output' / '-o'. For example: puzzlemc report level.xsb -o report.html",
        ),
    ],
)
def test_a_message_says_what_was_meant(
    command: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "levels.xsb", ONE_PUSH)
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "other.xsb", ONE_PUSH)
    for name in ("my_own.py", "store.sqlite"):
        (tmp_path / name).touch()
    done = puzzlemc(*command.split())
    assert done.returncode == 2
    assert any(line.endswith(end) for line in (done.stdout + done.stderr).splitlines())


def test_nothing_is_guessed_in_a_folder_without_such_names(tmp_path: Path) -> None:
    done = puzzlemc("check", tmp_path / "missing.xsb")
    assert "expected a file, a folder or -\n" in done.stdout
