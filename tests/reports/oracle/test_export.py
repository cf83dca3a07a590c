"""`export --to oracle` as a command: limits, sentences, exit codes."""

from pathlib import Path

import pytest
from command import puzzlemc

from puzzlemc.reports.oracle.file import EXACT, LOST_ONLY, MAGIC

ROOT = Path(__file__).parents[3]
SOKOBAN = ROOT / "screens/levels/sokoban/first_steps.xsb#6"
SCRIPT = ROOT / "screens/levels/puzzlescript/thaw.txt#12"
KIND = 17  # its place in a file


def export(level: object, place: object, *options: object) -> tuple[int, str, str]:
    """The exit code, and what is on standard output and standard error."""
    done = puzzlemc("export", level, "--to", "oracle", "-o", place, *options)
    return done.returncode, done.stdout, done.stderr


def test_the_header_says_what_the_file_holds(tmp_path: Path) -> None:
    place = tmp_path / "ein Orakel é.oracle"
    assert export(SOKOBAN, place) == (0, f"{place}\n", "")
    data = place.read_bytes()
    assert data.startswith(MAGIC)
    assert data[KIND] == EXACT
    words = f"{SOKOBAN}: only what proves positions lost: it has more than 10 positions (--states)\n"
    assert export(SOKOBAN, place, "--states", 10) == (0, f"{place}\n", words)
    assert place.read_bytes()[KIND] == LOST_ONLY


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--states", 100], "it has more than 100 positions (--states)"),
        (["--timeout", 0.001], "its positions take more than 0.001 s (--timeout)"),
    ],
)
def test_a_limit_leaves_no_file(options: list[object], words: str, tmp_path: Path) -> None:
    place = tmp_path / "level.oracle"
    code, output, errors = export(SCRIPT, place, *options)
    assert (code, output) == (3, "")
    assert errors.startswith(f"{SCRIPT}: not written: ")
    assert words in errors or "timeout" in errors  # the level may take longer to be read than that
    assert not place.exists()


def test_levels_without_such_positions_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "level.oracle"
    game = ROOT / "screens/levels/fabrik"
    level = f"{sorted(each for each in game.iterdir() if each.suffix != '.tsv')[0]}#1"
    code, output, errors = export(level, place)
    assert (code, output) == (2, "")
    assert "is a game of two sides" in errors
    assert not place.exists()
