"""`check --lint`: warnings go to standard error, and change no answer."""

import json
from pathlib import Path

import pytest
from command import ONE_PUSH, puzzlemc, write
from places import ROOT
from tug import GAME

KEY = "OBJECTS\n\nKey\nred\n\n"
RULE = "RULES\n\n[ Worker | Key ] -> [ Worker | ]\n"
FAULTY = (
    GAME.replace("OBJECTS\n", KEY, 1)
    .replace("RULES\n", RULE, 1)
    .replace("COLLISIONLAYERS\n", "COLLISIONLAYERS\n\nKey", 1)
)
ROWS = "########\n#.o.ps.#\n########\n"
BECAUSE = "no level holds Key and no rule makes one"


def place(text: str, word: str, after: str) -> int:
    """The line of a word that is the first one behind another line."""
    lines = text.split("\n")
    return lines.index(word, lines.index(after)) + 1


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write(tmp_path / "game.txt", f"{FAULTY}\n{ROWS}")


def expected(name: object) -> list[str]:
    key = place(FAULTY, "Key", "OBJECTS")
    rule = place(FAULTY, "[ Worker | Key ] -> [ Worker | ]", "RULES")
    return [
        f"{name}:{key}:1: warning: object Key is never there: {BECAUSE}",
        f"{name}:{rule}:1: warning: rule can never apply: {BECAUSE}",
    ]


def test_warnings_are_beside_the_answer(game: Path) -> None:
    plain, linted = puzzlemc("check", game, "--json"), puzzlemc("check", game, "--lint", "--json")
    assert linted.returncode == plain.returncode == 0
    assert json.loads(linted.stdout)["verdict"] == "solvable"
    assert linted.stderr.splitlines() == expected(game)
    assert "warning" not in plain.stderr


def test_all_levels_count_if_one_is_asked_for(tmp_path: Path) -> None:
    legend = FAULTY.replace("LEGEND\n", "LEGEND\n\nk = Key\n", 1)
    game = write(tmp_path / "game.txt", f"{legend}\n{ROWS}\n\n{ROWS.replace('.#', 'k#')}")
    assert "warning" not in puzzlemc("check", f"{game}#1", "--lint").stderr
    one = write(tmp_path / "one.txt", f"{legend}\n{ROWS}")
    assert "object Key is never there" in puzzlemc("check", f"{one}#1", "--lint").stderr


def test_a_game_with_an_error_in_a_level_has_no_warnings(tmp_path: Path) -> None:
    game = write(tmp_path / "game.txt", f"{FAULTY}\n{ROWS}\n\n{ROWS.replace('o', '?')}")
    found = puzzlemc("check", game, "--lint")
    assert found.returncode == 2
    assert "warning" not in found.stderr


def test_standard_input_is_linted_whole() -> None:
    text = f"{FAULTY}\n{ROWS}"
    assert puzzlemc("check", "-", "--lint", text=text).stderr.splitlines() == expected("-")
    refused = puzzlemc("check", "-#1", "--lint", text=text)
    assert refused.returncode == 2
    assert "expected all levels of standard input" in " ".join(refused.stderr.split())


def test_other_puzzles(tmp_path: Path, game: Path) -> None:
    level = write(tmp_path / "level.xsb", ONE_PUSH)
    refused = puzzlemc("check", level, "--lint")
    assert refused.returncode == 2
    assert "--lint" in refused.stderr
    both = puzzlemc("check", level, game, "--lint")
    assert both.returncode == 0
    assert both.stderr.splitlines() == expected(game)


def test_a_limit_ends_lint_alone(tmp_path: Path) -> None:
    large = "\n" + "\n".join(["p" + "." * 249] * 250)
    game = write(tmp_path / "game.txt", f"{FAULTY}\n{ROWS}", *[large] * 25)
    found = puzzlemc("check", f"{game}#1", "--lint", "--timeout", "0.1")
    assert "lint was not finished: " in found.stderr
    assert "warning" not in found.stderr
    assert "1 level: " in found.stdout


@pytest.mark.parametrize("name", ["thaw", "shaft"])
def test_the_games_that_ship_have_none(name: str) -> None:
    game = ROOT / "screens" / "levels" / "puzzlescript" / f"{name}.txt"
    assert "warning" not in puzzlemc("check", f"{game}#1", "--lint").stderr
