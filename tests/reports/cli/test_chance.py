"""Levels with chance on the command line: what a lucky player wins is kept apart from what a strategy wins."""

import csv
import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from command import puzzlemc, write
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.encodings.puzzlescript.domain import drawing
from puzzlemc.mc.errors import LimitReached
from puzzlemc.reports.solve import chance, plan
from puzzlemc.reports.solve.odds import without_draws
from puzzlemc.reports.solve.options import CHANCES, Options
from puzzlemc.reports.solve.result import Probability
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
    monkeypatch.setattr(chance, "check", late)
    found = solve_entry(one, Options(chance="surely"))
    assert (found.verdict, found.reason, found.bound) == ("unknown", "timeout", 1)
    assert found.note == chance.UNCHECKED


GAMES = ROOT / "tests" / "chance_games"


@pytest.mark.parametrize("name", ["bats#1", "deck#2", "glaze#1", "goose#2", "hedgehog#1", "keys#1", "lamps#2"])
def test_the_strategy_of_the_json_wins_whatever_is_drawn(name: str) -> None:
    """The plain rules play it against all draws; each position is the one that the JSON shows."""
    file, _, number = name.partition("#")
    row = json.loads(puzzlemc("solve", f"{GAMES / file}.txt#{number}", "--chance", "surely", "--json").stdout)
    one = list(load([GAMES / f"{file}.txt"], "puzzlescript"))[int(number) - 1]
    level, known = one.level, one.puzzle.chance(one.level)
    assert known is not None
    assert row["chance"] == "surely"
    first, choices, rules = row["strategy"]["first"], row["strategy"]["positions"], known.rules
    starts = {rules.begin(level, each) or "start": each for each in rules.first(level)}
    assert set(first) == set(starts)
    waiting = [(first[draw], each, row["cost"]) for draw, each in starts.items()]
    met = set[int]()
    for at, position, within in waiting:
        if at is None:
            assert rules.solved(level, position)
            continue
        met.add(at)
        choice = choices[at]
        assert choice["turns"] <= within
        assert choice["drawing"] == one.puzzle.screen.draw(level, position)
        turn = rules.turn(level, position, choice["input"])
        assert not turn.fails
        assert set(choice["after"]) == {step.name for step in turn.steps}
        waiting += [(choice["after"][step.name], step.position, choice["turns"] - 1) for step in turn.steps]
    assert met == set(range(len(choices)))


def test_the_strategy_is_said() -> None:
    lines = puzzlemc("solve", f"{GAMES / 'goose.txt'}#2", "--chance", "surely").stdout.splitlines()
    assert lines[2].split() == ["down:2", "left:1", "action", "right", "right"]
    assert [line.strip() for line in lines[3:8]] == [
        "1: down (5 turns): down:1 → 2, down:2 → 3",
        "2: action (3 turns): action → 4",
        "3: left (4 turns): left:1 → 2, left:2 → won",
        "4: right (2 turns): right → 5",
        "5: right (1 turn): right → won",
    ]
    assert lines[8].startswith("1 level:")
    drawn = puzzlemc("solve", f"{GAMES / 'keys.txt'}#1", "--chance", "surely").stdout.splitlines()
    assert drawn[3].strip() == "start:1 → 1, start:2 → 2"
    long = puzzlemc("solve", f"{GAMES / 'hedgehog.txt'}#1", "--chance", "surely").stdout.splitlines()
    assert long[-2].strip() == "… and 22 more, which --json lists"
    assert "→" not in puzzlemc("check", f"{GAMES / 'goose.txt'}#2", "--chance", "surely").stdout


def test_a_strategy_that_is_too_long_is_in_the_certificate_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "MOST_LISTED", 4)
    (_, one) = load([GAMES / "goose.txt"], "puzzlescript")
    found = solve_entry(one, Options(chance="surely"))
    assert (found.verdict, found.plan) == ("solvable", None)
    assert found.note.endswith("it is too long to be listed, but --certificate writes it")


def test_rows_name_the_question(game: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for asked in ("lucky", "surely"):
        puzzlemc("batch", f"{game}#1", "--store", store, "--chance", asked, "--quiet")
    rows = [json.loads(line) for line in puzzlemc("results", store, "--json").stdout.splitlines()]
    assert [(row["chance"], row["verdict"]) for row in rows] == [("lucky", "solvable"), ("surely", "unsolvable")]
    for asked in ("lucky", "surely", "almost"):
        row = json.loads(puzzlemc("check", f"{game}#1", "--json", "--chance", asked).stdout)
        assert (row["chance"], "strategy" in row) == (asked, False)


def test_luck_is_said_only_where_the_moves_name_a_draw(tmp_path: Path) -> None:
    for text, needs_luck in ((GAME, True), (SURE, False)):
        shown = puzzlemc("solve", f"{write(tmp_path / 'coins.txt', text)}#1")
        assert ("if what the moves name is drawn" in shown.stderr + shown.stdout) == needs_luck
        assert (":" in shown.stdout.splitlines()[2]) == needs_luck


@pytest.mark.parametrize("asked", CHANCES)
def test_a_limit_is_said_once(game: Path, asked: str) -> None:
    shown = puzzlemc("check", f"{game}#1", "--chance", asked, "--timeout", "0.0001")
    assert "  timeout\n" in shown.stdout
    assert "timeout" not in shown.stderr


@pytest.mark.parametrize(("command", "more"), [("query", ["EF won"]), ("export", ["--to", "dot", "-o", "x.dot"])])
def test_what_takes_no_chance_says_what_does(game: Path, command: str, more: list[str]) -> None:
    done = puzzlemc(command, f"{game}#1", *more)
    assert done.returncode == 2
    assert "draws by chance, so a turn may have several outcomes; check, solve and report take that" in " ".join(
        done.stderr.split()
    )


def test_a_reason_that_is_not_searched_is_explained(tmp_path: Path) -> None:
    level = f"{write(tmp_path / 'coins.txt', GAME)}#1"
    shown = puzzlemc("check", level, "--chance", "surely", "--why")
    assert "why was not found: turns with chance have no search for reasons" in shown.stderr


def test_an_engine_that_cannot_draw_is_refused(tmp_path: Path) -> None:
    shown = puzzlemc("check", f"{write(tmp_path / 'coins.txt', GAME)}#1", "--engine", "bmc")
    assert shown.returncode == 2
    assert "draws by chance, so a turn may have several outcomes" in shown.stdout


def test_a_strategy_that_throws_a_coin_until_it_shows_heads(game: Path) -> None:
    """The coin that shows a tail may be thrown again. The second level has a head already."""
    shown = puzzlemc("solve", game, "--chance", "almost", "--json")
    assert shown.returncode == 0
    for found in map(json.loads, shown.stdout.splitlines()):
        assert (found["verdict"], found["metric"], found["cost"]) == ("solvable", "any", None)
        assert (found["trace"], found["turns"], found["checked"]) == (["action:1", "right"], 2, True)
        assert found["engine"] == "almost"


def test_what_may_be_lost_for_good_is_not_won_with_probability_1(tmp_path: Path) -> None:
    once = GAME.replace("[ Player | random Side ]", "[ Player | random Side ] again").replace(
        "[ > Player", "[ Player | Tail ] -> [ Player | ]\n[ > Player"
    )
    level = f"{write(tmp_path / 'coins.txt', once)}#1"
    lucky, almost = (puzzlemc("check", level, "--chance", each) for each in ("lucky", "almost"))
    assert (lucky.returncode, almost.returncode) == (0, 1)
    assert "no strategy wins with probability 1; --chance lucky says" in almost.stderr


def test_what_is_won_with_some_probability_has_no_certificate(game: Path, tmp_path: Path) -> None:
    shown = puzzlemc("check", f"{game}#1", "--chance", "almost", "--certificate", tmp_path)
    assert "no certificate: a probability has none, unless all draws win or none does" in shown.stderr


# Of the sides of a die, one wins.
DICE = """title Dice
OBJECTS
Background
black

Player
white

Wall
grey

Six
yellow

Four
green

Bad
red

Mark
brown

LEGEND
. = Background
P = Player
# = Wall
M = Mark
Side = Six or Four or Bad

SOUNDS

COLLISIONLAYERS
Background
Player, Wall, Mark
Six, Four, Bad

RULES
[ action Player | Mark ] -> [ Player | random Side ]
late [ Four ] -> THEN

WINCONDITIONS
Some Six

LEVELS

PM
"""


@pytest.mark.parametrize(("rule", "fraction"), [("[ Four ]", "1/3"), ("restart", "1/2"), ("win", "2/3")])
def test_the_best_probability_is_exact(tmp_path: Path, rule: str, fraction: str) -> None:
    """Of three sides one wins, one loses, and one is as bad, starts the level again, or wins."""
    pytest.importorskip("stormpy", reason="the extra `chance` is not installed")
    level = write(tmp_path / "dice.txt", DICE.replace("THEN", rule))
    shown = puzzlemc("check", level, "--chance", "probability")
    assert f"probability {fraction} (0." in shown.stdout
    assert f"a strategy for 1 position wins with probability {fraction} (0." in shown.stderr
    (found,) = map(json.loads, puzzlemc("solve", level, "--chance", "probability", "--json").stdout.splitlines())
    value = float(Fraction(fraction))
    assert found["probability"] == {"fraction": fraction, "low": value, "high": value}
    assert (found["verdict"], found["metric"], found["checked"]) == ("solvable", "any", True)
    assert found["chance"] == "probability"
    assert found["trace"] == [f"action:{3 if rule != 'win' else 2}"] or rule != "[ Four ]"


def test_what_no_draw_wins_is_unsolvable(tmp_path: Path) -> None:
    pytest.importorskip("stormpy", reason="the extra `chance` is not installed")
    level = write(tmp_path / "dice.txt", DICE.replace("THEN", "restart").replace("Some Six", "Some Mark on Six"))
    shown = puzzlemc("check", level, "--chance", "probability", "--json")
    assert shown.returncode == 1
    assert json.loads(shown.stdout)["probability"] == {"fraction": "0", "low": 0.0, "high": 0.0}


def test_draws_that_decide_nothing_leave_no_doubt(tmp_path: Path) -> None:
    text = DICE.replace("THEN", "[ Four ]").replace("Some Six", "Some Wall")
    shown = puzzlemc("check", write(tmp_path / "dice.txt", text), "--chance", "probability", "--json")
    found = json.loads(shown.stdout)
    assert found["probability"] == {"fraction": "0", "low": 0.0, "high": 0.0}
    assert "chance" not in found
    without = text.replace("random Side", "Four")
    shown = puzzlemc("check", write(tmp_path / "without.txt", without), "--chance", "probability")
    assert "unsolvable" in shown.stdout
    assert "  probability 0" in shown.stdout
    assert without_draws("solvable") == Probability(Fraction(1), Fraction(1))
    assert without_draws("unknown") is None


def test_a_store_keeps_probabilities(tmp_path: Path) -> None:
    pytest.importorskip("stormpy", reason="the extra `chance` is not installed")
    level, store = write(tmp_path / "dice.txt", DICE.replace("THEN", "restart")), tmp_path / "store"
    puzzlemc("batch", level, "--store", store, "--chance", "probability", "--quiet")
    (row,) = map(json.loads, puzzlemc("results", store, "--json").stdout.splitlines())
    assert row["probability"] == {"fraction": "1/2", "low": 0.5, "high": 0.5}
    (row,) = csv.DictReader(puzzlemc("results", store, "--csv").stdout.splitlines())
    assert (row["chance"], json.loads(row["probability"])["fraction"]) == ("probability", "1/2")
    assert "  probability 1/2 (0.5)\n" in puzzlemc("results", store, "--where", "chance = probability").stdout
    assert puzzlemc("results", store, "--csv", "--where", "chance = lucky").stdout.count("\n") == 1


def test_the_moves_of_a_strategy_that_plays_on_are_not_said_to_be_perhaps_the_fewest(game: Path) -> None:
    shown = puzzlemc("check", game, "--chance", "almost")
    assert [line.split()[1:3] for line in shown.stdout.splitlines()[1:3]] == [["solvable", "2"]] * 2
    assert "perhaps not the cheapest" not in shown.stdout
    assert "≤ 2" in puzzlemc("check", f"{game}#1", "--metric", "any").stdout


def test_without_storm_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stormpy", None)
    (one,) = load([write(tmp_path / "dice.txt", DICE.replace("THEN", "restart"))], "puzzlescript")
    found = solve_entry(one, Options(chance="probability"))
    assert (found.verdict, found.exit_code) == ("error", 2)
    assert "the best probability of winning needs stormpy: pip install" in (found.reason or "")


def test_bounds_are_shown_rounded_apart() -> None:
    third = Fraction(1, 3)
    assert str(Probability(third, third)) == "1/3 (0.3333333333)"
    assert str(Probability(Fraction(1), Fraction(1))) == "1"
    between = Probability(third, third + Fraction(1, 10**9))
    assert str(between) == "from 0.3333333333 to 0.3333333344"
    written = between.as_json()
    assert Fraction(written["low"]) <= third < between.high <= Fraction(written["high"])  # type: ignore[arg-type]
    assert Probability.read(Probability(third, third).as_json()) == Probability(third, third)
    assert Probability.read(written).high >= between.high


@pytest.mark.parametrize("asked", ["lucky", "surely", "almost"])
@pytest.mark.parametrize("draws_start", [False, True])
def test_what_the_plain_rules_cannot_list_is_not_said_to_be_won(
    asked: str, draws_start: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled turns list more outcomes than the plain rules, which have the last word."""
    text = SURE
    if draws_start:
        text = text.replace("title Coins", "title Coins\nrun_rules_on_level_start").replace("[ action", "[")
    file = write(tmp_path / "sure.txt", text)
    answer = solve_entry(load([file], "puzzlescript")[0], Options(chance=asked))
    assert answer.verdict == "solvable"
    monkeypatch.setattr(drawing, "MOST_WORK", 0)
    file.write_text(text.replace("title Coins", "title Other coins"))  # of which nothing is kept
    unchecked = solve_entry(load([file], "puzzlescript")[0], Options(chance=asked))
    if asked == "lucky" and not draws_start:  # the plain rules need no list to draw one outcome, and it wins
        assert (unchecked.verdict, unchecked.trace) == ("solvable", answer.trace)
        return
    assert (unchecked.verdict, unchecked.reason) == ("unknown", "bound")
    assert unchecked.note


def test_a_position_that_cannot_be_written_has_no_certificate(tmp_path: Path) -> None:
    """The action may put a tail beside the head, which is lost: no text of a level has both."""
    text = GAME.replace(
        "Player | Tail ] -> [ Player | random Side", "Player | Tail no Head ] -> [ Player | Head random Side"
    )
    level = write(tmp_path / "both.txt", text.replace("Some Player on Head", "No Tail"))
    done = puzzlemc("replay", f"{level}#1", "action:1")
    assert done.returncode == 1
    reason = "no certificate: the position cannot be written: found head and tail in row 1, column 2"
    assert f"loses it: after it there is no solution (proved; {reason}" in done.stdout
