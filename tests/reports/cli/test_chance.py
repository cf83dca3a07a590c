"""Levels with chance on the command line: what a lucky player wins is kept apart from what a strategy wins."""

import json
from pathlib import Path

import pytest
from command import puzzlemc, write

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import LimitReached
from puzzlemc.reports.solve import chance
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

# The action throws a coin for each side beside the player, who wins on a head. A tail becomes a head in the end.
GAME = """title Coins
OBJECTS
Background
black

Player
white

Head
yellow

Tail
brown

LEGEND
. = Background
P = Player
T = Tail
H = Head
Side = Head or Tail

SOUNDS

COLLISIONLAYERS
Background
Player
Head, Tail

RULES
[ action Player | Tail ] -> [ Player | random Side ]
[ > Player | Tail ] -> cancel

WINCONDITIONS
Some Player on Head

LEVELS

PT

PTH
"""
SURE = GAME.replace("-> cancel", "-> [ > Player | Head ]")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write(tmp_path / "coins.txt", GAME)


def entry(folder: Path) -> Entry:
    (first, _) = load([write(folder / "sure.txt", SURE)], "puzzlescript")
    return first


def test_what_no_strategy_wins_is_said_to_be_open_for_a_lucky_player(game: Path) -> None:
    lucky, sure = (puzzlemc("check", f"{game}#1", "--chance", each) for each in ("lucky", "surely"))
    assert (lucky.returncode, sure.returncode) == (0, 1)
    assert "no strategy wins whatever is drawn; --chance lucky says" in sure.stderr
    assert "no strategy" not in lucky.stderr


def test_a_store_keeps_both_answers_and_names_them(game: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for asked in ("lucky", "surely", "lucky"):
        puzzlemc("batch", f"{game}#1", "--store", store, "--chance", asked, "--quiet")
    lines = puzzlemc("results", store).stdout.splitlines()
    assert "chance" in lines[0].split()
    assert [line.split()[1:3] for line in lines[1:3]] == [["lucky", "solvable"], ["surely", "unsolvable"]]


def test_engines_that_cannot_take_draws_have_a_row_in_comparisons(game: Path) -> None:
    done = puzzlemc("compare", f"{game}#1", "--json", "--method", "auto", "--method", "bmc")
    assert (done.returncode, done.stderr) == (0, "")
    auto, bmc = map(json.loads, done.stdout.splitlines())
    assert (auto["verdict"], auto["cost"], auto["engine"]) == ("solvable", 2, "lucky")
    assert bmc["verdict"] == "refused"
    assert "draws by chance" in bmc["reason"]


def test_a_strategy_that_is_not_checked_in_time_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise LimitReached("timeout")

    one = entry(tmp_path)
    found = solve_entry(one, Options(chance="surely"))
    assert (found.verdict, found.cost) == ("solvable", 1)
    monkeypatch.setattr(chance, "shown", late)
    found = solve_entry(one, Options(chance="surely"))
    assert (found.verdict, found.reason, found.bound) == ("unknown", "timeout", 1)
    assert found.note == chance.UNCHECKED


def test_luck_is_said_only_where_the_moves_name_a_draw(tmp_path: Path) -> None:
    for text, needs_luck in ((GAME, True), (SURE, False)):
        shown = puzzlemc("solve", f"{write(tmp_path / 'coins.txt', text)}#1")
        assert ("if what the moves name is drawn" in shown.stderr + shown.stdout) == needs_luck
        assert (":" in shown.stdout.splitlines()[2]) == needs_luck


def test_a_reason_that_is_not_searched_is_explained(tmp_path: Path) -> None:
    level = f"{write(tmp_path / 'coins.txt', GAME)}#1"
    shown = puzzlemc("check", level, "--chance", "surely", "--why")
    assert "why was not found: bound (turns with chance have no search for reasons)" in shown.stderr


def test_an_engine_that_cannot_draw_is_refused(tmp_path: Path) -> None:
    shown = puzzlemc("check", f"{write(tmp_path / 'coins.txt', GAME)}#1", "--engine", "bmc")
    assert shown.returncode == 2
    assert "draws by chance, so a turn may have several outcomes" in shown.stdout
