"""Turns by circuits: they agree with the plain rules, and refuse what a circuit does not describe."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from random_games import levels
from small_games import game, level, rule, shown, win

from examples import examples
from puzzlemc.encodings.puzzlescript.circuit.encoding import turn as by_circuit
from puzzlemc.encodings.puzzlescript.circuit.turns import Turns
from puzzlemc.encodings.puzzlescript.domain.position import MOVES
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Unsettled, turn
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.screens.puzzlescript.game import Level

PUSH = rule("right", "right player | crate", "right player | right crate")
LAYERS = "target / player crate wall"


def after(one: Level, movement: str) -> str:
    return shown(one, by_circuit(one, one.cells, movement).cells)


def reason(one: Level, movement: str = "right") -> str:
    with pytest.raises(Unsuitable) as error:
        Turns(one).turn(movement)
    return str(error.value)


class TestAgreement:
    @settings(max_examples=examples(15, 100), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels(most=4))
    def test_circuits_agree_with_the_plain_rules(self, one: Level) -> None:
        try:
            turns = Turns(one)
            for movement in ("", *MOVES):
                turns.turn(movement)
        except Unsuitable:
            assume(False)
        cells = one.cells
        for movement in ("", *MOVES, *MOVES):
            for begins in (False, True):
                try:
                    found = turn(one, cells, movement, begins=begins)
                except Unsettled:
                    pytest.fail("a circuit has no repetition without end")
                assert by_circuit(one, cells, movement, begins=begins) == found
            cells = found.cells

    def test_crates_are_pushed(self) -> None:
        pushing = game(LAYERS, PUSH)
        assert after(level(pushing, "PC.W"), "right") == ".PCW"
        assert after(level(pushing, ".PCW"), "right") == ".PCW"
        assert after(level(pushing, ".PCW"), "left") == "P.CW"

    def test_a_turn_wins_by_its_conditions(self) -> None:
        signs = {"o": "target", "*": "crate target"}
        made = game(LAYERS, PUSH, signs=signs, wins=[win("all", "target", "crate")])
        one = level(made, "PCo")
        assert by_circuit(one, one.cells, "right").ending is Ending.WON
        assert by_circuit(one, one.cells, "", begins=True).ending is Ending.SETTLED
        assert by_circuit(one, one.cells, "left").ending is Ending.SETTLED

    @pytest.mark.parametrize(
        ("commands", "ending", "moved"),
        [
            ("cancel", Ending.SETTLED, False),
            ("restart", Ending.RESTARTED, True),
            ("win", Ending.WON, True),
            ("cancel restart win", Ending.SETTLED, False),
            ("restart win", Ending.RESTARTED, True),
        ],
    )
    def test_commands(self, commands: str, ending: Ending, moved: bool) -> None:
        one = level(game("player", rule("right", "right player", commands=commands)), "P.")
        found = by_circuit(one, one.cells, "right")
        assert found == turn(one, one.cells, "right")
        assert found.ending is ending
        assert (found.cells != one.cells) is moved

    def test_a_checkpoint_is_the_cells_after_the_round(self) -> None:
        one = level(game("player", rule("right", "right player", commands="checkpoint")), "P.")
        found = by_circuit(one, one.cells, "right")
        assert found.checkpoint == found.cells != one.cells
        assert by_circuit(one, one.cells, "left").checkpoint is None

    def test_a_required_movement_undoes_the_round(self) -> None:
        # The crate becomes a wall, but the player stays.
        freezing = rule("right", "right player | crate", "player | wall")
        made = game(LAYERS, freezing, require_player_movement=True)
        assert after(level(made, "PC"), "right") == "PC"
        assert after(level(game(LAYERS, freezing), "PC"), "right") == "PW"

    def test_the_level_starts_after_a_turn_without_a_movement(self) -> None:
        made = game("player / spot", rule("right", "player", "player spot"), run_rules_on_level_start=True)
        one = level(made, "P.")
        assert by_circuit(one, one.cells, "", begins=True).cells == RULES.start(one).cells


class TestGroups:
    def test_a_group_is_repeated_until_it_changes_nothing(self) -> None:
        flood = rule("right", "spot | no spot", "spot | spot")
        one = level(game("player / spot", flood), "S..... .....P")
        assert after(one, "down") == turn_shown(one, "down") == "SSSSSS .....P"
        assert Turns(one).turn("down").passes[0] == 5

    def test_one_pass_is_enough_for_a_rule_that_ends_itself(self) -> None:
        one = level(game(LAYERS, rule("right", "crate", "wall")), "CC.P")
        assert Turns(one).turn("up").passes[0] == 1

    def test_commands_count_in_the_pass_that_changes_nothing(self) -> None:
        rules = (
            rule("right", "crate", "wall", group=1),
            rule("right", "wall", commands="win", group=1),
        )
        one = level(game(LAYERS, *rules[::-1]), "PC")
        assert by_circuit(one, one.cells, "up").ending is Ending.WON


def turn_shown(one: Level, movement: str) -> str:
    return shown(one, turn(one, one.cells, movement).cells)


class TestRefusals:
    def test_again(self) -> None:
        one = level(game(LAYERS, rule("right", "player | wall", commands="again")), "P.W")
        assert "again" in reason(one)
        assert "line 100" in reason(one)

    def test_a_rule_that_cannot_match_in_the_level_does_not_count(self) -> None:
        one = level(game(LAYERS, rule("right", "player | wall", commands="again")), "P..")
        assert after(one, "right") == ".P."

    def test_rigid_rules(self) -> None:
        assert "rigid" in reason(level(game("player", rule("right", "player", "right player", rigid=True)), "P."))

    def test_loops(self) -> None:
        assert "startloop" in reason(level(game(LAYERS, PUSH, loops=[(0, 0)]), "PC."))

    def test_a_group_without_an_end(self) -> None:
        swaps = (rule("right", "crate", "wall", group=1), rule("right", "wall", "crate", group=1))
        assert "passes" in reason(level(game(LAYERS, *swaps), "PC."))

    def test_many_combinations(self) -> None:
        many = rule("right", "crate ; crate ; crate", "crate spot ; crate ; crate")
        one = level(game("player crate / spot", many), "P" + "C" * 30)
        assert "27000 combinations" in reason(one, "up")


class TestBits:
    def test_objects_that_cannot_change_are_no_bits(self) -> None:
        turns = Turns(level(game(LAYERS, PUSH), "PC.W"))
        assert {name for name, _ in turns.bits} == {"player", "crate"}
        assert {cell for _, cell in turns.bits} == {0, 1, 2}

    def test_an_object_that_a_rule_makes_is_one(self) -> None:
        turns = Turns(level(game(LAYERS, rule("right", "player | crate", "player | wall")), "PC."))
        assert {name for name, _ in turns.bits} == {"player", "crate", "wall"}
