"""Games with a clock: a tick is a move, a turn without a movement."""

from dataclasses import replace

import pytest
from small_games import game, level, rule, shown, win

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.circuit.tiles import tiles
from puzzlemc.encodings.puzzlescript.domain.content import content
from puzzlemc.encodings.puzzlescript.domain.inputs import play
from puzzlemc.encodings.puzzlescript.domain.moves import refusal
from puzzlemc.encodings.puzzlescript.domain.position import Position, moves
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes.encoding import planes, relevant_planes
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.engines.explicit import explicit
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.verdict import Reachable, Unreachable, resolved
from puzzlemc.screens.puzzlescript.game import Game, Level

# A boat drifts to the right in each round, also under walls. The player boards it in the same cell.
DRIFT = rule("right", "boat", "right boat")
BOARDS = win("some", "player", "boat")


def drifting(**options: bool) -> Game:
    return game("player wall / boat", DRIFT, signs={"B": "boat"}, wins=[BOARDS], **options)


def solution(one: Level) -> list[str] | None:
    encoded = pruned_planes(one)
    found = breadth_first(encoded.model, "turns", Budget(Limits()))
    if not isinstance(found, Reachable):
        return None
    assert puzzle("puzzlescript").replay(one, encoded.moves(found.trace)).costs["turns"] == found.cost
    proof = resolved(found.proof)
    assert proof is None or check_listed(one, proof, Budget(Limits()))
    return encoded.moves(found.trace)


class TestMoves:
    def test_a_tick_is_the_last_move(self) -> None:
        assert moves(drifting(has_clock=True)) == ("up", "left", "down", "right", "action", "tick")
        assert moves(drifting(has_clock=True, has_action=False)) == ("up", "left", "down", "right", "tick")
        assert "tick" not in moves(drifting())

    def test_a_tick_is_a_round_without_a_movement(self) -> None:
        one = level(drifting(has_clock=True, require_player_movement=True), "PWB...")
        step = RULES.reply(one, RULES.start(one), "tick")
        assert step is not None
        assert shown_boat(one, step.position) == 3
        assert RULES.reply(one, RULES.start(one), "left") is None
        assert RULES.reply(level(drifting(), "PWB..."), RULES.start(one), "tick") is None

    def test_undo_goes_back_over_ticks(self) -> None:
        one = level(drifting(has_clock=True), "P..WB...")
        *_, moved, _, _, undone = play(one, ["tick", "right", "tick", "tick", "undo"])
        assert moved is not None
        assert undone is not None
        assert shown_boat(one, undone.position) == 5
        assert shown_boat(one, moved.position) == 6
        (first, back) = play(one, ["tick", "undo"])
        assert first is not None
        assert back is not None
        assert back.position == first.position

    def test_a_tick_that_never_ends_is_no_step(self) -> None:
        flips = (
            rule("right", "cat", "mark", commands="again"),
            rule("right", "dog", "cat", commands="again"),
            rule("right", "mark", "dog"),
        )
        one = level(game("player / cat dog mark", *flips, has_clock=True), "PC")
        assert list(RULES.steps(one, RULES.start(one))) == []
        assert refusal(one, RULES.start(one), "tick").startswith("the turn never ends")
        assert list(play(one, ["tick"])) == [None]
        for encoded in (planes(one), relevant_planes(one)):
            assert encoded.model.successors(initial_state(encoded.model)) == []
        assert isinstance(explicit(planes(one).model, "turns", Budget(Limits())), Unreachable)


def shown_boat(one: Level, position: object) -> int:
    assert isinstance(position, Position)
    return next(cell for cell, here in enumerate(position.cells) if "boat" in here)


class TestSearch:
    @pytest.mark.parametrize("has_action", [True, False])
    def test_waiting_solves_a_level(self, has_action: bool) -> None:
        made = drifting(has_clock=True, has_action=has_action, require_player_movement=True)
        assert solution(level(made, "WBWP")) == ["tick", "tick"]
        assert solution(level(drifting(require_player_movement=True, has_action=False), "WBWP")) is None

    def test_the_proof_that_no_tick_helps_is_checked(self) -> None:
        one = level(drifting(has_clock=True), "PWWB..")
        found = breadth_first(pruned_planes(one).model, "turns", Budget(Limits()))
        assert isinstance(found, Unreachable)
        proof = resolved(found.proof)
        assert isinstance(proof, ListedStates)
        assert check_listed(one, proof, Budget(Limits()))
        with_way = replace(one, cells=level(one.game, "WBWP..").cells)
        with pytest.raises(Refuted):
            check_listed(with_way, proof, Budget(Limits()))

    def test_a_proof_without_ticks_is_refuted(self) -> None:
        """The same level without its clock has a proof, whose positions lead to a win by ticks."""
        frozen = level(drifting(has_action=False, require_player_movement=True), "WBWP")
        found = breadth_first(planes(frozen).model, "turns", Budget(Limits()))
        assert isinstance(found, Unreachable)
        proof = resolved(found.proof)
        assert isinstance(proof, ListedStates)
        check_listed(frozen, proof, Budget(Limits()))
        ticking = replace(frozen, game=drifting(has_clock=True, has_action=False, require_player_movement=True))
        with pytest.raises(Refuted):
            check_listed(ticking, proof, Budget(Limits()))

    def test_the_circuit_has_ticks(self) -> None:
        one = level(drifting(has_clock=True, has_action=False, require_player_movement=True), "WBWP")
        encoded = tiles(one)
        found = explicit(encoded.model, "turns", Budget(Limits()))
        assert isinstance(found, Reachable)
        assert encoded.moves(found.trace) == ["tick", "tick"]

    def test_an_animation_gives_no_ticks(self) -> None:
        shines = rule("right", "sun", "moon"), rule("right", "moon", "sun")
        both = [replace(each, group=1) for each in shines]
        made = game("player wall / boat / sun moon", *both, wins=[BOARDS], has_clock=True)
        one = level(made, "PMB")
        encoded = relevant_planes(one)
        names = [action.name for action, _ in encoded.model.successors(initial_state(encoded.model))]
        assert names == ["right"]


class TestShown:
    def test_by_hand(self) -> None:
        hand = puzzle("puzzlescript").by_hand
        assert hand is not None
        one, still = (level(drifting(has_clock=clock), "P..WB...") for clock in (True, False))
        assert hand.press(one, RULES.start(one), None, ".") == (None, "tick")
        assert hand.press(still, RULES.start(still), None, ".") == (None, "")
        assert "." in dict(hand.keys_in(one))
        assert "." not in dict(hand.keys_in(still))
        assert [list(hand.pad(each))[4:] for each in (one, still)] == [["x", "."], ["x"]]
        assert hand.say(one, "tick") == "wait for a tick"
        line = hand.show(one, RULES.start(one), None, ["tick"], 0).line(0)
        assert "‖" in "".join(span.text for span in line)

    def test_the_clock_is_content(self) -> None:
        one, still = (level(drifting(has_clock=clock), "P..WB...") for clock in (True, False))
        assert content(one) != content(still)
        assert shown(one, one.cells) == shown(still, still.cells)
