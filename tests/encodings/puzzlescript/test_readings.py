"""Compiled turns, on planes of bits and cell by cell: they agree with the plain rules."""

from collections.abc import Callable
from functools import partial

from hypothesis import HealthCheck, given, settings
from random_games import levels
from small_games import game, level, rule

from examples import examples
from puzzlemc.encodings.puzzlescript.cells import encoding as by_cells
from puzzlemc.encodings.puzzlescript.domain.position import MOVES
from puzzlemc.encodings.puzzlescript.domain.turn import Outcome, Unsettled
from puzzlemc.encodings.puzzlescript.domain.turn import turn as plain
from puzzlemc.encodings.puzzlescript.planes.encoding import Board
from puzzlemc.screens.puzzlescript.game import Level


def outcome(turn: Callable[..., Outcome], *args: object, begins: bool) -> Outcome | None:
    try:
        return turn(*args, begins=begins)
    except Unsettled:
        return None


def agree(one: Level) -> None:
    """All turns from the start, and from what comes of them, are equal."""
    readings = Board(one).turn, partial(by_cells.turn, one)
    boards = [one.cells]
    for cells in boards:
        for movement in ("", *MOVES):
            for begins in (False, True):
                wanted = outcome(plain, one, cells, movement, begins=begins)
                for turn in readings:
                    assert outcome(turn, cells, movement, begins=begins) == wanted
                if wanted is not None and len(boards) < 4 and wanted.cells not in boards:
                    boards.append(wanted.cells)


@settings(max_examples=examples(30, 300), deadline=None, suppress_health_check=list(HealthCheck))
@given(levels())
def test_they_agree_with_the_plain_rules(one: Level) -> None:
    agree(one)


@settings(max_examples=examples(15, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(levels(most=14))
def test_they_agree_on_boards_of_several_words(one: Level) -> None:
    agree(one)


def test_a_loop_whose_last_group_never_applies() -> None:
    grows, never = rule("right", "player |", "player | player"), rule("right", "ghost", "wall", group=1)
    agree(level(game("player / wall / ghost", grows, never, loops=((0, 1),)), "P...\n...."))


def test_an_object_that_a_rule_seems_to_bring() -> None:
    """Food without an egg is a hen: the rule sets what is there already, and no hen ever comes."""
    hen = rule("right", "player | food no egg", "player | hen")
    made = game("egg hen / player", hen, properties={"food": "egg hen"})
    agree(level(made, "PE."))
