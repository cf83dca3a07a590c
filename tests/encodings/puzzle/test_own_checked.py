"""A mistake in a puzzle's file is an error that names the file, or refuted; it never becomes a verdict."""

from pathlib import Path

import pytest
from command import puzzlemc, write
from places import ROOT

from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.reports.page.html import _command
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

STARTER = ROOT / "tests" / "compatibility" / "0.1" / "template"
TEXT = (STARTER / "my_puzzle.py").read_text(encoding="utf-8")
LEVELS = STARTER / "levels.my_puzzle"


def changed(folder: Path, before: str, after: str) -> Path:
    """The puzzle of the starter with one mistake."""
    assert TEXT.count(before) == 1
    return write(folder / "own.py", TEXT.replace(before, after))


def solved(path: Path, number: int) -> Result:
    """The result of a level of the starter."""
    (entry,) = load([f"{LEVELS}#{number}"], str(path))
    return solve_entry(entry, Options())


CONTRADICTED = [
    # a forgotten part of an update
    (2, "update[coin[there]] = False", "pass"),
    # a goal that no level reaches
    (1, "goal = dict.fromkeys(coin.values(), False)", "goal = {**dict.fromkeys(coin.values(), False), **initial}"),
    # a forgotten action
    (2, "if there in walker:", 'if there in walker and not (name == "down" and here == (1, 1)):'),
    (1, "if there in walker:", 'if there in walker and name != "right":'),
]


@pytest.mark.parametrize(("number", "before", "after"), CONTRADICTED)
def test_a_verdict_that_the_plain_rules_contradict_is_refuted(
    number: int, before: str, after: str, tmp_path: Path
) -> None:
    found = solved(changed(tmp_path, before, after), number)
    assert (found.verdict, found.exit_code) == ("error", 4)
    assert "refuted" in str(found.reason)


def test_a_refuted_verdict_shows_the_solution_of_the_plain_rules(tmp_path: Path) -> None:
    before, after = "if there in walker:", 'if there in walker and name != "right":'
    path = changed(tmp_path, before, after)
    reason = f"the model of {path} has no solution, but the plain rules solve it with 2 steps: right right"
    assert str(solved(path, 1).reason).endswith(reason)


MODELS = [
    ('boolean("coin", *cell)', 'boolean("walker", *cell)', "two variables share a bit: walker[1,3]"),
    ("goal, **atoms}", "goal, **atoms, 'x': {boolean('y').bits[0]: True}}", "x speaks of bits of no variable"),
    (
        "update[coin[there]] = False",
        'update[variables["coin", there]] = False',
        "action right: bits of no variable: ['the variable coin']",
    ),
    ("{walker[here]: True}, update, STEP", "None, update, STEP", "the guard is a NoneType, not a formula"),
    ("{walker[here]: True}, update, STEP", "{walker[here]: True}, update, 1", "costs: found 1, expected a"),
    ("{walker[here]: True}, update, STEP", '{walker[here]: True}, update, {"steps": -1}', "cost -1 of steps"),
    ("{walker[here]: True}, update, STEP", "{walker[here]: True}, update, {}", "has no cost for metric 'steps'"),
    ("variables=tuple(variables.values())", "variables=variables", "variables: found ('walker', (1, 1))"),
    ("init=initial", "init={bit: True for bit in initial if initial[bit]}", "init has no value for 2 bits"),
    ("decode=decode", "decode=lambda state: None", "decode: found None for the start, expected Position"),
]
RULES = [
    ("Transition(start, steps, solved)", "Transition(start, solved, steps)", "found False, expected steps"),
    ("position.coins - {place}), STEP)", "position.coins - {place}), 1)", "right: found costs 1, expected a"),
    ("position.coins - {place}), STEP)", "list(position.coins)), STEP)", "found a position of unhashable type"),
]


MISTAKES = [("encoding compact", *each) for each in MODELS] + [("the plain rules", *each) for each in RULES]


@pytest.mark.parametrize(("what", "before", "after", "message"), MISTAKES)
def test_a_mistake_names_the_file(what: str, before: str, after: str, message: str, tmp_path: Path) -> None:
    path = changed(tmp_path, before, after)
    with pytest.raises(LevelError) as raised:
        solved(path, 1)
    assert str(raised.value).startswith(f"{path}: {what}: ")
    assert message in str(raised.value)


def test_two_legal_moves_of_one_name_are_refuted(tmp_path: Path) -> None:
    path = changed(tmp_path, "yield Step(name, Position", 'yield Step("go", Position')
    (entry,) = load([f"{LEVELS}#2"], str(path))
    with pytest.raises(Refuted, match=r"two legal moves have the name go in Position\(walker=\(1, 1\)"):
        list(entry.puzzle.rules.steps(entry.level, entry.puzzle.rules.start(entry.level)))
    done = puzzlemc("replay", f"{LEVELS}#2", "go", "--puzzle", path)
    assert (done.returncode, "Traceback" in done.stderr) == (4, False)
    assert "refuted" in done.stderr


FIELDS = [
    ("screen=Screen()", "screen=Screen", "PUZZLE.screen: found the class Screen, expected an object, as Screen()"),
    ('metrics=("steps",)', 'metrics=("steps")', "PUZZLE.metrics: found 'steps', expected a tuple of names"),
    ('encodings={"compact": compact}', "encodings=compact", "expected a mapping, as {'compact': function}"),
    ('encodings={"compact": compact}', 'encodings={"main": compact}', "found main, expected compact"),
    ('SUFFIXES = (".my_puzzle",)', 'SUFFIXES = ".my_puzzle"', "SUFFIXES: found '.my_puzzle', expected a tuple"),
]


@pytest.mark.parametrize(("before", "after", "message"), FIELDS)
def test_a_value_of_a_wrong_kind_names_the_file(before: str, after: str, message: str, tmp_path: Path) -> None:
    path = changed(tmp_path, before, after)
    with pytest.raises(ModelError) as raised:
        puzzle(str(path))
    assert str(raised.value).startswith(f"{path}: ")
    assert message in str(raised.value)


def test_a_screen_that_builds_nothing_is_bad_input(tmp_path: Path) -> None:
    path = changed(tmp_path, "def parse(", "def build(self, part: Part) -> None: ...\n\n    def parse(")
    found = solved(path, 1)
    assert (found.verdict, found.exit_code) == ("error", 2)
    assert "found None, which the screen of my_puzzle has built, expected a level" in str(found.reason)


def test_the_command_line_in_a_report_names_the_file_of_the_puzzle(tmp_path: Path) -> None:
    path = write(tmp_path / "own.py", TEXT)
    (entry,) = load([f"{LEVELS}#1"], str(path))
    command = _command(entry, solve_entry(entry, Options()))
    assert command == f"puzzlemc report '{LEVELS}#1' --puzzle {path} -o report.html"
