"""Checkpoints that a rule goes back to: a restart leads to no new position, unless a turn goes on behind one."""

import pytest
from small_games import game, level, rule, shown, win

from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.domain.inputs import play
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import step
from puzzlemc.encodings.puzzlescript.domain.turn import GOES_ON, Unsettled
from puzzlemc.encodings.puzzlescript.planes.encoding import planes
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Unknown, Unreachable, Verdict, resolved
from puzzlemc.screens.puzzlescript.game import Game, Level, Rule

SAVE = rule("right", "right player | egg", "right player | hen", commands="checkpoint")
SAVE_AND_GO_ON = rule("right", "right player | egg", "right player | hen", commands="checkpoint again")
TAKE = rule("right", "left player | hen", "left player | cow")
GROW = rule("right", "hen", "fox")
BACK = rule("right", "action player", None, commands="restart")
ALONE = rule("right", "up player | fox", "up player | hen", commands="again")


def hatching(*rules: Rule) -> Game:
    return game("player egg hen fox cow", *rules, wins=[win("some", "cow")])


# The original wins by right, action, left: the restart leads to the hen, which a fox has replaced within the turn.
GOING_ON = level(hatching(TAKE, GROW, SAVE_AND_GO_ON, BACK), "PE")


def answer(one: Level) -> Verdict:
    model = planes(one).model
    assert isinstance(model, StepSystem)
    return breadth_first(model, "turns", Budget(Limits()))


def test_a_turn_that_goes_on_behind_a_checkpoint_leaves_a_level_unknown() -> None:
    with pytest.raises(Unsettled, match=GOES_ON):
        step(GOING_ON, Position(GOING_ON.cells, won=False), "right")
    assert isinstance(answer(GOING_ON), Unknown)


def test_no_certificate_leaves_such_a_turn_out() -> None:
    """It is one of the same level without the restart, whose only bits are those of the objects."""
    settled = level(hatching(TAKE, GROW, SAVE_AND_GO_ON), "PE")
    verdict = answer(settled)
    assert isinstance(verdict, Unreachable)
    proof = resolved(verdict.proof)
    assert isinstance(proof, ListedStates)
    check_listed(settled, proof, Budget(Limits()))
    with pytest.raises(Unsettled):
        check_listed(GOING_ON, proof, Budget(Limits()))


@pytest.mark.parametrize(
    "rules",
    [
        (TAKE, GROW, SAVE_AND_GO_ON),  # no restart
        (TAKE, GROW, rule("right", "right player | egg", "right player | hen", commands="again"), BACK),
        (GROW, SAVE, ALONE, BACK),  # the turn with the checkpoint has no further round
    ],
)
def test_other_games_are_decided(rules: tuple[Rule, ...]) -> None:
    one = level(hatching(*rules), "PE")
    verdict = answer(one)
    assert isinstance(verdict, Unreachable)
    proof = resolved(verdict.proof)
    assert isinstance(proof, ListedStates)
    check_listed(one, proof, Budget(Limits()))


def test_a_play_goes_back_into_a_turn() -> None:
    steps = [each for each in play(GOING_ON, ["right", "action", "left"]) if each is not None]
    found = [each.position for each in steps if isinstance(each.position, Position)]
    assert [shown(GOING_ON, position.cells) for position in found] == ["PF", "PH", "PC"]
    assert [position.won for position in found] == [False, False, True]
