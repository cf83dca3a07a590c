"""Recorded plays: moves that change nothing, undo and restart."""

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

from puzzlemc.encodings.puzzlescript.domain.inputs import play
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Position
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript import Level, parse

GAME = """title A test
{prelude}

OBJECTS

background
black

player
white

crate
orange

hole
blue

spring
green

LEGEND

. = background
p = player
* = crate
o = hole
s = spring

SOUNDS

COLLISIONLAYERS

background
hole, spring
player, crate

RULES

[ > player | crate ] -> [ > player | > crate ]
{rules}

WINCONDITIONS

all crate on hole

LEVELS

{rows}
"""


def level(rows: str = "p.*.o", rules: str = "", prelude: str = "") -> Level:
    (found,) = parse(GAME.format(rows=rows, rules=rules, prelude=prelude), "a.txt")
    assert isinstance(found, Level), found
    return found


def places(of: Level, inputs: str) -> list[tuple[int, int]]:
    """The cells of the player and of the crate after each input."""
    found = []
    for step in play(of, inputs.split()):
        assert step is not None
        assert isinstance(step.position, Position)
        cells = step.position.cells
        whose = [next(at for at, here in enumerate(cells) if name in here) for name in ("player", "crate")]
        found.append((whose[0], whose[1]))
    return found


def costs(of: Level, inputs: str) -> list[int]:
    return [-1 if step is None else step.costs["turns"] for step in play(of, inputs.split())]


def test_a_move_that_changes_nothing_leaves_the_position_and_costs_nothing() -> None:
    assert places(level(), "up right down right action right") == [(0, 2), (1, 2), (1, 2), (2, 3), (2, 3), (3, 4)]
    assert costs(level(), "up right down right action right") == [0, 1, 0, 1, 0, 1]


def test_undo_goes_back_by_changes() -> None:
    assert places(level(), "right up right undo undo undo") == [(1, 2), (1, 2), (2, 3), (1, 2), (0, 2), (0, 2)]
    assert costs(level(), "right undo right right right") == [1, 0, 1, 1, 1]


def test_restart_goes_back_to_the_start_and_can_be_undone() -> None:
    assert places(level(), "right right restart undo undo") == [(1, 2), (2, 3), (0, 2), (2, 3), (1, 2)]


def test_a_restart_of_a_restart_is_one_step_of_undo() -> None:
    assert places(level(), "right restart restart undo") == [(1, 2), (0, 2), (0, 2), (1, 2)]


def test_a_rule_may_restart_the_level() -> None:
    of = level("p.*so", "late [ player spring ] -> restart")
    assert places(of, "right right right undo") == [(1, 2), (2, 3), (0, 2), (2, 3)]


def test_a_restart_goes_back_to_a_checkpoint() -> None:
    of = level("ps*..o", "late [ player spring ] -> checkpoint")
    assert places(of, "right right right restart") == [(1, 2), (2, 3), (3, 4), (1, 2)]


def test_a_rule_may_restart_from_a_checkpoint() -> None:
    rules = "late [ player spring ] -> checkpoint\nlate [ player hole ] -> restart"
    of = level("ps*..o", rules)
    assert places(of, "right right right left left") == [(1, 2), (2, 3), (3, 4), (2, 4), (1, 4)]
    of = level("p.so..*", rules)
    assert places(of, "right right right right") == [(1, 6), (2, 6), (2, 6), (2, 6)]
    assert places(level("p.o..*", rules), "right right right") == [(1, 5), (0, 5), (1, 5)]


def test_the_rules_at_the_start_are_played_at_a_checkpoint_too() -> None:
    """As in the original: a crate beside a spring moves once before the first move, with it, and by a restart."""
    rules = (
        "right [ crate | spring ] -> [ right crate | spring ]\n[ moving player ] -> [ moving player ] checkpoint"
    )
    of = level("p..*sss.o", rules, "run_rules_on_level_start")
    assert places(of, "right restart restart") == [(1, 5), (1, 6), (1, 6)]


@pytest.mark.parametrize(("prelude", "name"), [("noundo", "undo"), ("norestart", "restart")])
def test_a_game_may_switch_them_off(prelude: str, name: str) -> None:
    assert places(level(prelude=prelude), f"right {name}") == [(1, 2), (1, 2)]


def test_the_rules_at_the_start_are_part_of_the_start() -> None:
    of = level("p.*..o", "[ player | | crate ] -> [ | player | crate ]", "run_rules_on_level_start")
    assert places(of, "right restart") == [(2, 3), (1, 2)]


@pytest.mark.parametrize("inputs", ["rigth", "right right right up", "right right right undo", "noundo"])
def test_other_words_and_moves_after_the_win_are_refused(inputs: str) -> None:
    *legal, last = play(level(), inputs.split())
    assert last is None
    assert None not in legal


def recorded() -> Iterator[dict[str, Any]]:
    file = ROOT.parent / "shared" / "puzzlescript" / "plays.jsonl"
    if not file.is_file():
        pytest.skip(f"the recorded plays are not here: {file}")
    yield from map(json.loads, file.read_text("utf-8").splitlines())


MOST, LONGEST = 25, 4000  # inputs of a play, and characters of a game here: the plain rules are slow


@pytest.mark.corpus
@pytest.mark.slow
def test_recorded_plays_take_the_same_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level of each play is won by the same input, or is the same after the last one."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    plays = import_module("plays")
    won = idle = 0
    for each in recorded():
        inputs = each["inputs"]
        if "tick" in inputs or len(inputs) > MOST or len(each["game"]) > LONGEST:
            continue
        try:
            course = plays.Play(plays.course(each["game"]), int(each["level"]), plays.TURNS["planes"])
        except (LevelError, Unsettled):
            continue
        level, number, names = course.board.level, course.number, []
        for given in [*inputs, None]:
            if given is None or course.over or course.number != number:
                steps = list(play(level, names))
                assert None not in steps, each["name"]
                is_won = bool(steps) and steps[-1].position.won
                assert is_won == (course.over or course.number != number), each["name"]
                assert is_won or not steps or steps[-1].position.cells == course.board.cells, each["name"]
                won += is_won
                idle += is_won and any(not step.costs["turns"] for step in steps)
                level, number, names = course.board.level, course.number, []
            if given is None or course.over:
                break
            course.input(given)
            names.append(given if isinstance(given, str) else MOVES[given])
    assert won > 5
    assert idle > 0
