"""Tournaments on the command line: wins of each bot from each side, and the same games for the same seed."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import PROGRAM, puzzlemc, write
from processes import program, wait_until, workers_of

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.games.match import Match
from puzzlemc.mc.rules.plain import FIRST, SECOND
from puzzlemc.reports.ask.tournament import standings

SMALL = "Fabrik 5 4\n"


def test_the_seed_determines_the_games(tmp_path: Path) -> None:
    level = write(tmp_path / "a.fabrik", SMALL)
    command = ("tournament", "fabrik", "--bots", "greedy,random", "--games", "5", "--level", level, "--json")
    tournaments = [json.loads(puzzlemc(*command, "--seed", seed).stdout) for seed in "112"]
    games = [[game["moves"] for game in each["games"]] for each in tournaments]
    assert games[0] == games[1] != games[2]
    first = tournaments[0]
    assert (first["puzzle"], first["seed"], first["asked"], first["played"]) == ("fabrik", 1, 5, 5)
    assert [game["black"] for game in first["games"]] == ["greedy", "random", "greedy", "random", "greedy"]
    greedy, other = first["bots"]
    assert (greedy["bot"], other["bot"]) == ("greedy", "random")
    assert greedy["won"] + other["won"] == 5
    assert greedy["won"] == greedy["won_as_black"] + greedy["won_as_white"]
    assert greedy["won"] == sum(game[game["winner"]] == "greedy" for game in first["games"])
    assert greedy["turns"] + other["turns"] == sum(len(game["moves"]) for game in first["games"])
    record = write(tmp_path / "b.fabrik", f"{SMALL}Moves\n{' '.join(games[0][0])}\n")
    (line,) = puzzlemc("check", record, "--json").stdout.splitlines()
    assert json.loads(line)["game"]["winner"] == first["games"][0]["winner"]


def test_the_table_has_the_wins(tmp_path: Path) -> None:
    level = write(tmp_path / "a.fabrik", SMALL)
    done = puzzlemc("tournament", "fabrik", "--bots", "strong,random", "--games", "4", "--level", level)
    assert done.returncode == 0
    head, strong, other, last = done.stdout.splitlines()
    assert head.split() == ["bot", "won", "as", "black", "as", "white", "turns", "ms", "a", "turn"]
    assert re.fullmatch(r"strong +4/4 +2/2 +2/2 +\d+ +[\d.]+", strong)
    assert re.fullmatch(r"random +0/4 +0/2 +0/2 +\d+ +[\d.]+", other)
    assert last.startswith("4 games, ")


def test_a_bot_may_play_against_itself() -> None:
    games = [
        Match(("a", "a"), winner, (), (3, 2), (0.5, 0.25)) for winner in (FIRST, FIRST, SECOND, None)
    ]  # the pair swaps sides: wins of 0, 1, 1, draw
    one, other = standings(("a", "a"), games)
    assert (one.won, one.played, one.turns, one.seconds) == ((1, 0), (2, 2), 10, 1.5)
    assert (other.won, other.played, other.turns, other.seconds) == ((1, 1), (2, 2), 10, 1.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sokoban", "--bots", "a,b"), "'sokoban' is unknown, expected one of fabrik"),
        (("fabrik", "--bots", "greedy"), "found 'greedy', expected two bots: A,B"),
        (("fabrik", "--bots", "greedy,best"), "'best' is unknown, expected one of random, greedy, strong"),
        (("fabrik", "--bots", "greedy,random,strong"), "found 'greedy,random,strong', expected two bots: A,B"),
        (("fabrik", "--bots", "greedy,"), "'' is unknown, expected one of random, greedy, strong"),
        (("fabrik", "--bots", "greedy,random", "--games", "0"), "found '0', expected a whole number"),
        (("fabrik", "--bots", "greedy,random", "--level", "no.fabrik"), "no.fabrik: found no such file"),
    ],
)
def test_bad_usage_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = puzzlemc("tournament", *arguments)
    assert done.returncode == 2
    assert message in re.sub(r"[│\s]+", " ", done.stderr)
    assert done.stdout == ""


def test_a_puzzle_without_opponents_has_no_bots() -> None:
    assert [name for name in ("sokoban", "fabrik") if puzzle(name).game is not None] == ["fabrik"]


def test_an_interrupt_keeps_finished_games(tmp_path: Path) -> None:
    level = write(tmp_path / "a.fabrik", SMALL)
    command = [*PROGRAM, "tournament", "fabrik", "--bots", "greedy,random", "--games", "1000000", "--level", level]
    pipe = subprocess.PIPE
    with program([*command, "--json"], stdout=pipe, stderr=pipe, text=True) as running:
        wait_until(lambda: workers_of(running.pid))
        time.sleep(2)  # long enough for some games
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    found = json.loads(output)
    assert found["asked"] == 1_000_000
    assert found["played"] == len(found["games"])
    assert f"interrupted after {found['played']} of 1000000 games" in errors
    assert "Traceback" not in errors


def test_the_help_describes_one_tournament() -> None:
    """It does not mention levels: one object is printed, and one worker has the memory."""
    shown = " ".join(puzzlemc("tournament", "--help").stdout.split())
    assert "One JSON object on standard output, nothing else there." in shown
    assert "GiB for all games together." in shown
    assert "each level" not in shown
