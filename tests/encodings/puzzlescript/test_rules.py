"""The plain rules: the start of a level, its steps, and solved positions."""

import pytest
from small_games import game, level, rule, shown, win

from puzzlemc.encodings.puzzlescript.domain.position import METRICS, Position, moves
from puzzlemc.encodings.puzzlescript.domain.rules import RULES, solved, start, steps
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.mc.rules.plain import replay
from puzzlemc.screens.puzzlescript.game import Game, Level

WAYS = ("up", "down", "left", "right")


def sokoban(**more: object) -> Game:
    return game(
        "target / player crate wall",
        *(rule(way, f"{way} player | crate", f"{way} player | {way} crate") for way in WAYS),
        signs={"x": "crate target", "p": "player target"},
        wins=[win("all", "crate", "target")],
        **more,  # type: ignore[arg-type]
    )


def reached(one: Level, position: Position) -> dict[str, tuple[str, bool]]:
    """The boards after each step, and whether it wins."""
    return {step.name: (shown(one, step.position.cells), step.position.won) for step in steps(one, position)}


def test_steps_change_the_position_or_win() -> None:
    one = level(sokoban(), "WP.CT")
    assert start(one)[:2] == (one.cells, False)
    assert reached(one, start(one)) == {"right": ("W.PCT", False)}


def test_a_solution_is_replayed() -> None:
    one = level(sokoban(), "WP.CT W....")
    replayed = replay(RULES, one, ["right", "right"], METRICS)
    assert replayed.costs == {"turns": 2}
    assert shown(one, replayed.positions[-1].cells) == "W..Px W...."
    assert replayed.positions[-1].won


def test_a_won_position_has_no_steps() -> None:
    one = level(sokoban(), "P.x..")
    won = Position(one.cells, won=True)
    assert solved(one, won)
    assert reached(one, won) == {}


def test_a_level_that_is_solved_at_the_start_takes_a_turn() -> None:
    """Each turn wins, even one that changes nothing."""
    one = level(sokoban(), "Px")
    assert not solved(one, start(one))
    assert reached(one, start(one)) == dict.fromkeys(moves(one.game), ("Px", True))


def test_a_game_without_action_has_four_moves() -> None:
    with_action = game("player mark", rule("right", "action player", "mark"))
    assert reached(level(with_action, "P"), start(level(with_action, "P"))) == {"action": ("M", False)}
    without = game("player mark", rule("right", "action player", "mark"), has_action=False)
    assert reached(level(without, "P"), start(level(without, "P"))) == {}
    assert moves(with_action) == ("up", "left", "down", "right", "action")
    assert moves(without) == ("up", "left", "down", "right")


def test_turns_that_restart_are_no_steps() -> None:
    made = game("player wall", rule("right", "left player", "player", commands="restart"))
    assert set(reached(level(made, ".P."), start(level(made, ".P.")))) == {"right"}


def test_a_step_goes_on_until_the_turn_settles() -> None:
    """A stone that is pushed over an edge falls, one cell in each round."""
    below = "stationary stone | no stone no wall"
    made = game(
        "player stone wall",
        rule("right", "right player | stone", "right player | right stone"),
        rule("down", below, "down stone |"),
        rule("down", below.replace("stationary", ""), late=True, commands="again"),
    )
    one = level(made, "PS.. WW.. W... W...")
    assert reached(one, start(one)) == {"right": (".P.. WW.. W... W.S.", False)}


def test_a_turn_that_never_ends_is_no_step() -> None:
    made = game(
        "player egg hen nest",
        rule("right", "hen", "nest", commands="again"),
        rule("right", "egg", "hen", commands="again"),
        rule("right", "nest", "egg"),
    )
    assert list(steps(level(made, "PE"), start(level(made, "PE")))) == []


def test_a_turn_that_does_not_settle_is_an_error() -> None:
    one = level(game("player walker", rule("right", "walker", "right walker", commands="again")), "PW" + 520 * ".")
    with pytest.raises(Unsettled):
        list(steps(one, start(one)))


class TestStart:
    RIPEN = rule("right", "hen", "fox", commands="again"), rule("right", "egg", "hen", commands="again")

    def test_a_game_may_begin_with_a_turn(self) -> None:
        made = game("player egg hen fox", *self.RIPEN, run_rules_on_level_start=True)
        one = level(made, "PE")
        assert start(one)[:2] == (level(made, "PF").cells, False)

    def test_its_first_round_cannot_win(self) -> None:
        made = game("player egg hen", self.RIPEN[1], run_rules_on_level_start=True, wins=[win("some", "hen")])
        one = level(made, "PE")
        assert start(one)[:2] == (level(made, "PH").cells, False)

    def test_its_later_rounds_can_win(self) -> None:
        made = game("player egg hen fox", *self.RIPEN, run_rules_on_level_start=True, wins=[win("some", "fox")])
        one = level(made, "PE")
        assert start(one)[:2] == (level(made, "PF").cells, True)
        assert not list(steps(one, start(one)))

    def test_a_restart_in_its_first_round_does_nothing(self) -> None:
        made = game(
            "player egg hen fox",
            *self.RIPEN,
            rule("right", "hen", commands="restart again"),
            run_rules_on_level_start=True,
        )
        assert shown(level(made, "PE"), start(level(made, "PE")).cells) == "PF"

    def test_other_games_begin_with_the_level(self) -> None:
        made = game("player egg hen fox", *self.RIPEN)
        assert shown(level(made, "PE"), start(level(made, "PE")).cells) == "PE"
