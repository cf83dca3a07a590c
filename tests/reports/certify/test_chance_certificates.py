"""Certificates of levels with chance: both questions about ten games, and what a changed file still shows."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from command import puzzlemc, write
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.encodings.puzzlescript.domain import drawing
from puzzlemc.encodings.puzzlescript.domain.rules import kept_outcomes
from puzzlemc.mc.games.chance import QUESTIONS, ChanceProof
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.strategies import read
from puzzlemc.reports.certify.strategies import write as write_strategies
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Probability, Result
from puzzlemc.reports.solve.solve import solve_entry

GAMES = ROOT / "tests" / "chance_games"
# By game: the least numbers of turns of a lucky player and of a strategy, for each level.
TURNS: dict[str, list[tuple[int, int | None]]] = {
    "bats": [(6, 10), (5, None)],
    "deck": [(7, 7), (4, 5)],
    "dice": [(3, 3), (4, 4), (4, None)],
    "glaze": [(4, 8), (3, None)],
    "goose": [(1, 1), (2, 5)],
    "hedgehog": [(6, 10), (6, None)],
    "keys": [(5, 7), (3, 5)],
    "lamps": [(5, 5), (4, 4)],
    "pads": [(4, 8), (3, None)],
    "toadstools": [(3, None), (3, 3)],
}
LEVELS = [(name, number) for name, turns in TURNS.items() for number in range(len(turns))]


def entry(name: str, number: int) -> Entry:
    return list(load([GAMES / f"{name}.txt"], "puzzlescript"))[number]


def certified(one: Entry, options: Options, folder: Path) -> tuple[Result, Path]:
    """The result with its certificate, which has been checked, and its file."""
    folder.mkdir(exist_ok=True)
    result = certify(one, options, solve_entry(one, replace(options, prove=True)), folder / "some.cert")
    return result, folder / f"some.{options.chance}.strategies"


def test_all_games_are_here() -> None:
    assert {path.stem for path in GAMES.iterdir()} == set(TURNS)
    assert all(any(sure for _, sure in turns) for turns in TURNS.values())


@pytest.mark.parametrize("asked", ["lucky", "surely"])
@pytest.mark.parametrize(("name", "number"), LEVELS)
def test_each_answer_has_a_certificate(name: str, number: int, asked: str, tmp_path: Path) -> None:
    turns = TURNS[name][number][asked == "surely"]
    one = entry(name, number)
    result, path = certified(one, Options(chance=asked), tmp_path)
    assert (result.verdict, result.cost, result.checked) == (
        "unsolvable" if turns is None else "solvable",
        turns,
        True,
    )
    done = verify(path, [one])
    assert (done.status, done.asked, done.by) == ("valid", asked, "plain rules")
    assert done.certificate is not None
    assert (done.certificate.cost, done.certificate.optimal) == (turns, turns is not None)
    # The other question has another answer, or at least other evidence.
    other = {"lucky": "surely", "surely": "lucky"}[asked]
    path.write_text(path.read_text().replace(f"\nchance {asked}\n", f"\nchance {other}\n"))
    assert verify(path).status == "refuted"


def test_a_certificate_is_about_its_level(tmp_path: Path) -> None:
    one, other = entry("goose", 1), entry("goose", 0)
    _, path = certified(one, Options(chance="surely"), tmp_path)
    assert verify(path, [other, one]).status == "valid"
    done = verify(path, [other])
    assert (done.status, "another level" in (done.reason or "")) == ("refuted", True)


def test_any_solution_has_a_certificate_without_a_bound(tmp_path: Path) -> None:
    result, path = certified(entry("goose", 1), Options("any", chance="surely"), tmp_path)
    assert (result.verdict, result.optimal, result.checked) == ("solvable", False, True)
    done = verify(path)
    assert done.certificate is not None
    assert (done.certificate.cost, done.certificate.optimal) == (5, False)
    assert len(read(path).strategies) == 1


def test_an_answer_that_its_strategies_do_not_show_is_an_error(tmp_path: Path) -> None:
    one, options = entry("goose", 1), Options(chance="surely", prove=True)
    result = solve_entry(one, options)
    assert isinstance(result.proof, ChanceProof)
    wins, survives = result.proof.strategies
    for strategies in ((wins,), (survives,), (wins, wins)):
        changed = replace(result, proof=replace(result.proof, strategies=strategies))
        found = certify(one, options, changed, tmp_path / "some.cert")
        assert (found.verdict, found.exit_code, found.checked) == ("error", 4, False)


def test_outcomes_that_cannot_be_listed_leave_a_certificate_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, path = certified(entry("lamps", 0), Options(), tmp_path)
    kept_outcomes.cache_clear()
    monkeypatch.setattr(drawing, "MOST_STATES", 1)
    done = verify(path)
    kept_outcomes.cache_clear()
    assert (done.status, done.exit_code) == ("unchecked", 2)
    assert "draws more than can be listed" in (done.reason or "")


def test_a_file_of_a_level_without_chance_is_unreadable(tmp_path: Path) -> None:
    _, path = certified(entry("goose", 1), Options(), tmp_path)
    file = read(path)
    write_strategies(replace(file, level=file.level.replace("random ", "")), path)
    done = verify(path)
    assert (done.status, done.exit_code) == ("unreadable", 2)
    assert "of a level without chance" in (done.reason or "")


def test_versions_have_their_own_third_line(tmp_path: Path) -> None:
    _, path = certified(entry("goose", 1), Options(), tmp_path)
    text = path.read_text()
    for old, new, expected in [
        ("puzzlemc-strategies 2", "puzzlemc-strategies 1", "`positions each` or `positions like`"),
        ("chance lucky", "positions each", "`chance lucky` or `chance surely`"),
        ("puzzlemc-strategies 2", "puzzlemc-strategies 3", "the versions that this program knows"),
    ]:
        path.write_text(text.replace(old, new))
        done = verify(path)
        assert (done.status, expected in (done.reason or "")) == ("unreadable", True)


def test_the_command_line_names_the_question(tmp_path: Path) -> None:
    game = write(tmp_path / "goose.txt", (GAMES / "goose.txt").read_text())
    folder = tmp_path / "proofs"
    done = puzzlemc("check", f"{game}#2", "--chance", "surely", "--certificate", folder, "--json")
    assert json.loads(done.stdout)["checked"]
    shown = puzzlemc("verify", folder, "--level", game)
    assert shown.returncode == 0
    assert "solvable (surely)  5 turns (optimal)  proof checked by plain rules" in shown.stdout
    row = json.loads(puzzlemc("verify", folder, "--json").stdout)
    assert (row["chance"], row["verdict"], row["cost"], row["optimal"]) == ("surely", "solvable", 5, True)


# A goose flies anywhere, and the player walks to the flag, or cannot.
FLAG = """title Flag
OBJECTS
Background
black

Player
white

Flag
green

Nest
brown

Goose
lightgray

LEGEND
. = Background
P = Player
F = Flag
N = Nest
G = Goose and Nest

SOUNDS

COLLISIONLAYERS
Background
Flag
Nest
Player
Goose

RULES
random [ Goose Nest ] [ Nest no Goose ] -> [ Nest ] [ Nest Goose ]

WINCONDITIONS
Some Player on Flag

LEVELS
"""


@pytest.mark.parametrize("asked", ["lucky", "surely", "almost"])
@pytest.mark.parametrize("wins", [True, False])
def test_draws_that_decide_nothing_are_in_certificates(asked: str, wins: bool, tmp_path: Path) -> None:
    (one,) = load(
        [write(tmp_path / "flag.txt", FLAG + ("\nP.F\nNGN\n" if wins else "\nP.N\nNGN\n"))], "puzzlescript"
    )
    known = one.puzzle.chance(one.level)
    assert known is not None
    assert not known.decides
    result = certify(one, Options(chance=asked), solve_entry(one, Options(chance=asked)), tmp_path / "a.cert")
    assert (result.verdict, result.checked) == ("solvable" if wins else "unsolvable", True)
    shown = asked if asked in QUESTIONS else "surely" if wins else "lucky"
    done = verify(tmp_path / f"a.{shown}.strategies", [one])
    assert (done.status, done.asked) == ("valid", shown)
    assert done.certificate is not None
    assert (done.certificate.verdict, done.certificate.cost) == (result.verdict, result.cost)


@pytest.mark.parametrize(
    ("name", "number", "shown"), [("dice", 0, "surely"), ("dice", 2, None), ("goose", 1, "surely")]
)
def test_what_wins_whatever_is_drawn_certifies_probability_1(
    name: str, number: int, shown: str | None, tmp_path: Path
) -> None:
    one, options = entry(name, number), Options(chance="almost")
    result = certify(one, options, solve_entry(one, options), tmp_path / "some.cert")
    assert result.verdict == "solvable"
    assert ("no certificate" in result.note) == (shown is None)
    assert [path.name for path in tmp_path.iterdir()] == ([f"some.{shown}.strategies"] if shown else [])
    if shown:  # the file is that of the other question, with the least number of turns
        _, path = certified(one, Options(chance=shown), tmp_path / "other")
        assert path.read_text() == (tmp_path / path.name).read_text()


@pytest.mark.parametrize(("low", "written"), [("1/2", False), ("1", True)])
def test_a_probability_between_0_and_1_has_no_certificate(low: str, written: bool, tmp_path: Path) -> None:
    """Of a level that is won whatever is drawn, if its probability were this one."""
    one, options = entry("goose", 1), Options(chance="probability")
    known = Probability(Fraction(low), Fraction(1))
    result = Result(one.id, puzzle="puzzlescript", verdict="solvable", metric="any", probability=known)
    found = certify(one, options, result, tmp_path / "some.cert")
    assert (found.checked, any(tmp_path.iterdir())) == (written, written)


def test_a_certificate_that_shows_fewer_turns_is_valid(tmp_path: Path) -> None:
    """A solution that was found where draws are left out need not be the shortest."""
    one = entry("goose", 1)
    options = Options(chance="lucky", prove=True)
    result = solve_entry(one, options)
    assert result.solution is not None
    longer = replace(result, solution=replace(result.solution, cost=3, optimal=False))
    assert certify(one, options, longer, tmp_path / "some.cert").checked
    shorter = replace(result, solution=replace(result.solution, cost=1, optimal=False))
    assert certify(one, options, shorter, tmp_path / "some.cert").exit_code == 4


def test_a_folder_has_the_certificates_of_both_questions(tmp_path: Path) -> None:
    level, folder = f"{GAMES / 'goose.txt'}#2", tmp_path / "proofs"
    for asked in ("lucky", "surely"):
        puzzlemc("check", level, "--chance", asked, "--certificate", folder)
    assert {path.name for path in folder.iterdir()} == {f"goose.txt-2.{each}.strategies" for each in QUESTIONS}
    shown = [json.loads(line) for line in puzzlemc("verify", folder, "--json").stdout.splitlines()]
    assert [(row["chance"], row["cost"]) for row in shown] == [("lucky", 2), ("surely", 5)]


def test_a_batch_keeps_the_certificates_of_both_questions(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "proofs"
    for asked in QUESTIONS:
        options = ("--certificate", folder, "--chance", asked, "--quiet")
        puzzlemc("batch", f"{GAMES / 'goose.txt'}#2", "--store", store, *options)
    endings = {path.name.split(".", 3)[-1] for path in folder.iterdir()}
    assert endings == {"lucky.strategies", "surely.strategies"}
    assert puzzlemc("verify", folder).returncode == 0
