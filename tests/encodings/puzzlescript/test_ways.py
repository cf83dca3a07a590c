"""Probabilities of states from the ways between them, and of passes that may go on for long."""

from dataclasses import replace
from fractions import Fraction

import pytest
from small_games import game, level, rule

from puzzlemc.encodings.puzzlescript.domain.application import REPETITIONS
from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.chances import PROCESS
from puzzlemc.encodings.puzzlescript.domain.drawing import Changed, Drawing, State, state_of
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rounds import rounds
from puzzlemc.encodings.puzzlescript.domain.rulebook import Group, rulebook
from puzzlemc.encodings.puzzlescript.drawn import WEIGHTED
from puzzlemc.encodings.puzzlescript.draws.drawn_turns import drawn_turns
from puzzlemc.encodings.puzzlescript.draws.ways import probabilities
from puzzlemc.screens.puzzlescript.game import Rule


def test_states_come_after_all_that_lead_to_them() -> None:
    ways = [(0, 1, 3), (0, 2, 3), (0, 3, 3), (3, 2, 2), (3, 4, 2), (2, 1, 1)]
    assert probabilities(ways, 5) == [1, Fraction(5, 6), Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]


def test_ways_that_go_round_have_no_answer() -> None:
    assert probabilities([(0, 1, 2), (0, 2, 2), (1, 2, 1), (2, 1, 1)], 3) is None


def one_by_one(drawing: Drawing, state: State, group: Group) -> dict[Changed, Fraction]:
    """The states after passes through a group, which are taken one after the other."""
    done: dict[Changed, Fraction] = {}
    live = {state: Fraction(1)}
    for number in range(REPETITIONS):
        following: dict[State, Fraction] = {}
        for each, weight in live.items():
            for (after, made), part in drawing._pass(each, group).items():
                if made:
                    following[after] = following.get(after, Fraction(0)) + weight * part
                else:
                    done[after, number > 0] = done.get((after, number > 0), Fraction(0)) + weight * part
        live = following
    for each, weight in live.items():
        done[each, True] = done.get((each, True), Fraction(0)) + weight
    return done


def test_loops_and_passes_that_are_broken_off_are_left_to_the_plain_rules() -> None:
    draws = rule("right", "egg", "random hen random fox")
    loop = game("egg hen fox", draws, rule("right", "hen", "egg"), rule("right", "fox", "egg"), loops=[(0, 2)])
    one = level(loop, "E")
    assert drawn_turns(one).rounds(one.cells, "") is None
    given = Position(one.cells, won=False)
    assert WEIGHTED.after(one, given, "left") == PROCESS.after(one, given, "left")
    steps = [rule("right", "egg", "random egg random fox"), rule("right", "egg nest", "egg nest")]
    one = level(game("egg hen fox nest", *steps), "E")
    assert drawn_turns(one).rounds(one.cells, "") == dict(rounds(one, Drawing(1, 1, weighs=True), one.cells, ""))


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        ([rule("right", "egg", "randomdir egg")], "E.E"),
        ([rule("right", "egg", "random hen random fox"), rule("right", "hen", "random egg random fox")], "EE"),
        ([rule("right", "egg", "random hen random fox"), rule("right", "fox", "random egg random hen")], "HEF"),
    ],
)
def test_passes_that_go_on_by_chance(rules: list[Rule], board: str) -> None:
    made = game("egg hen fox", *(replace(each, group=1) for each in rules))
    one = level(made, board)
    (group,) = rulebook(made).early.groups
    drawing = Drawing(one.width, one.height, weighs=True)
    state = state_of(Board(one.cells, one.width, one.height), frozenset())
    found = drawing.apply_group(state, group)
    assert sum(found.values()) == 1
    assert found == one_by_one(drawing, state, group)
