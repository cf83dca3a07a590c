"""Turns: players, late rules, commands, wins, and further rounds."""

import pytest
from small_games import after, after_turn, game, level, round_of, rule, shown, turn_from, win

from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import at
from puzzlemc.encodings.puzzlescript.domain.turn import ROUNDS, Ending, Unsettled, turn
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.puzzlescript.winning import won

RIPEN = rule("right", "hen", "fox", commands="again"), rule("right", "egg", "hen", commands="again")


class TestPlayers:
    def test_each_player_moves_in_each_of_its_layers(self) -> None:
        made = game("cat dog / hat", players="cat dog hat", signs={"x": "cat hat"})
        assert after(made, ".D .x .H", "left") == "D. x. H."

    def test_other_objects_do_not_move(self) -> None:
        assert after(game("player / crate", signs={"x": "player crate"}), ".x", "left") == "PC"

    def test_an_aggregate_moves_only_where_it_is_whole(self) -> None:
        made = game(
            "cat / hat / mat", players="cat hat", players_all=True, signs={"x": "cat hat", "y": "cat hat mat"}
        )
        assert after(made, ".C .H .x .y", "left") == ".C .H x. xM"

    def test_a_round_without_a_movement_moves_no_player(self) -> None:
        assert after(game("player"), ".P.") == ".P."


class TestLateRules:
    def test_late_rules_come_after_movement(self) -> None:
        early = game("player / mark", rule("right", "player", "player mark"), signs={"p": "player mark"})
        assert after(early, "P.", "right") == "MP"
        late = game("player / mark", rule("right", "player", "player mark", late=True), signs={"p": "player mark"})
        assert after(late, "P.", "right") == ".p"

    def test_late_rules_see_no_movement(self) -> None:
        still = rule("right", "stationary player", "player mark", late=True)
        made = game("player wall / mark", still, signs={"p": "player mark"})
        assert after(made, "PW", "right") == "pW"
        moving = rule("right", "right player", "player mark", late=True)
        assert after(game("player wall / mark", moving, signs={"p": "player mark"}), "PW", "right") == "PW"


class TestRequiredMovement:
    MARK = rule("right", "crate", "apple", commands="win")

    def test_a_round_in_which_no_player_leaves_its_cell_does_nothing(self) -> None:
        made = game("player wall / crate apple", self.MARK, require_player_movement=True)
        assert after(made, "P.C", "right") == ".PA"
        stopped = round_of(made, "PWC", "right")
        assert shown(level(made, "PWC"), stopped.cells) == "PWC"
        assert stopped.commands == frozenset()

    def test_one_of_the_players_suffices(self) -> None:
        made = game("player wall / crate apple", self.MARK, require_player_movement=True)
        assert after(made, "PWC P..", "right") == "PWA .P."

    def test_a_cell_with_another_player_has_not_been_left(self) -> None:
        made = game(
            "cat dog / stone", rule("right", "cat", "dog"), players="cat dog", require_player_movement=True
        )
        assert after(made, "CS", "action") == "CS"
        assert after(made, "C.S", "right") == ".DS"

    def test_rounds_without_a_movement_and_boards_without_a_player_need_none(self) -> None:
        made = game("player wall / crate apple", self.MARK, require_player_movement=True)
        assert after(made, "PWC") == "PWA"
        assert after(made, ".WC", "right") == ".WA"


class TestWins:
    @pytest.mark.parametrize(
        ("condition", "holds", "fails"),
        [
            (win("all", "crate", "target"), "x..T .... PPPP", "xC"),
            (win("some", "crate", "target"), "xCT", "CT. T.. PPP"),
            (win("no", "crate", "target"), "CTP ...", "xC"),
            (win("some", "crate"), "xT .C", "TP"),
            (win("no", "crate"), "TP", "TC"),
            (win("all", "crate target", "player", whole=True), "CT", "xP"),
            (win("all", "player", "crate target", whole=True), "q", "p"),
            (win("all", "player", "crate target"), "pq", "P"),
            (win("no", "crate target", whole=True), "CTpP", "x"),
        ],
    )
    def test_conditions(self, condition: object, holds: str, fails: str) -> None:
        signs = {"x": "crate target", "p": "player crate", "q": "player crate target"}
        made = game("player / crate / target", signs=signs, wins=[condition])
        assert [won(made, level(made, board).cells) for board in (*holds.split(), fails.split()[0])] == [
            *(True for _ in holds.split()),
            False,
        ]

    def test_all_without_on_always_holds(self) -> None:
        made = game("player crate", wins=[win("all", "crate")])
        assert won(made, level(made, "C").cells)

    def test_all_conditions_have_to_hold(self) -> None:
        made = game("player crate target", wins=[win("no", "crate"), win("no", "target")])
        assert [won(made, level(made, board).cells) for board in ("P", "C", "T")] == [True, False, False]

    def test_without_conditions_only_the_command_wins(self) -> None:
        made = game("player crate", rule("right", "crate", commands="win"))
        assert turn_from(made, "PC").ending is Ending.WON
        assert turn_from(made, "P.").ending is Ending.SETTLED

    def test_the_command_needs_no_condition_to_hold(self) -> None:
        made = game("player crate", rule("right", "crate", commands="win"), wins=[win("no", "crate")])
        assert turn_from(made, "PC").ending is Ending.WON

    def test_a_win_is_asked_after_a_round_that_changes_nothing(self) -> None:
        made = game("player crate", wins=[win("no", "crate")])
        assert turn_from(made, "P", "left").ending is Ending.WON

    def test_the_first_round_of_a_level_does_not_win(self) -> None:
        made = game("player crate", rule("right", "player", commands="win"), wins=[win("no", "crate")])
        assert turn_from(made, "P", begins=True).ending is Ending.SETTLED

    def test_a_later_round_of_the_start_can_win(self) -> None:
        made = game("egg hen fox", *RIPEN, wins=[win("some", "fox")])
        assert turn_from(made, "E", begins=True).ending is Ending.WON
        # The next round would change nothing: it is not played, so no win is asked for.
        once = game("egg hen", rule("right", "egg", "hen", commands="again"), wins=[win("some", "hen")])
        assert turn_from(once, "E", begins=True).ending is Ending.SETTLED
        assert turn_from(once, "E").ending is Ending.WON

    def test_a_round_without_the_required_movement_does_not_win(self) -> None:
        winning = rule("right", "right player | wall", commands="win")
        made = game("player wall", winning, require_player_movement=True)
        assert turn_from(made, ".PW", "right").ending is Ending.SETTLED
        assert turn_from(game("player wall", winning), ".PW", "right").ending is Ending.WON
        made = game("player wall crate", require_player_movement=True, wins=[win("no", "crate")])
        assert turn_from(made, ".PW", "left").ending is Ending.WON
        assert turn_from(made, ".PW", "right").ending is Ending.SETTLED
        assert turn_from(made, ".PW", "action").ending is Ending.SETTLED
        assert turn_from(made, "..W", "left").ending is Ending.WON


class TestMessages:
    """A message stands until it is closed: then the win is asked for, and the commands of its round are gone."""

    def test_a_command_beside_a_message_does_not_win(self) -> None:
        spoken = rule("right", "player", commands="message win")
        assert turn_from(game("player crate", spoken), "P").ending is Ending.SETTLED
        two = rule("right", "player", commands="message"), rule("right", "player", commands="win")
        assert turn_from(game("player crate", *two), "P").ending is Ending.SETTLED

    def test_conditions_win_when_the_message_is_closed(self) -> None:
        made = game("player crate", rule("right", "player", commands="message"), wins=[win("no", "crate")])
        assert turn_from(made, "P").ending is Ending.WON
        assert turn_from(made, "P", begins=True).ending is Ending.SETTLED

    def test_a_message_of_a_cancelled_round_asks_for_the_win(self) -> None:
        for commands, ending in (("cancel", Ending.SETTLED), ("cancel message", Ending.WON)):
            made = game(
                "player crate", rule("right", "player", "crate", commands=commands), wins=[win("no", "crate")]
            )
            found = turn_from(made, "P", "left")
            assert (found.ending, shown(level(made, "P"), found.cells)) == (ending, "P")
            assert turn_from(made, "P", begins=True).ending is Ending.SETTLED


class TestCommands:
    def test_cancel_undoes_its_round_and_checks_no_win(self) -> None:
        made = game("player crate", rule("right", "crate", "", commands="cancel win"), wins=[win("no", "crate")])
        ending, cells, _ = turn_from(made, "PC.", "right")
        assert (ending, shown(level(made, "PC."), cells)) == (Ending.SETTLED, "PC.")

    def test_cancel_undoes_no_earlier_round(self) -> None:
        made = game(
            "egg hen fox",
            rule("right", "hen", "fox", commands="cancel"),
            rule("right", "egg", "hen", commands="again"),
        )
        assert after_turn(made, "E") == "H"

    def test_restart_comes_before_the_win(self) -> None:
        made = game("player crate", rule("right", "player", commands="restart win"))
        assert turn_from(made, "P", "left").ending is Ending.RESTARTED

    def test_a_win_is_asked_for_after_the_restart(self) -> None:
        restart = rule("right", "player |", "player | crate", commands="restart")
        made = game("player / crate", restart, wins=[win("no", "crate")])
        assert turn_from(made, "P.", "left").ending is Ending.WON
        assert turn_from(made, "PC", "left").ending is Ending.RESTARTED

    def test_a_restart_goes_back_to_the_origin_of_a_position(self) -> None:
        made = game("player / crate", rule("right", "player", commands="restart"), wins=[win("no", "crate")])
        origin, later = level(made, "P."), level(made, "PC")
        assert turn(at(origin, Position(later.cells, won=False)), later.cells, "left").ending is Ending.WON
        assert turn(at(later, Position(origin.cells, won=False)), origin.cells, "left").ending is Ending.RESTARTED

    def test_a_restart_in_the_first_round_of_a_level_does_nothing(self) -> None:
        again = rule("right", "egg", "hen", commands="restart again"), rule("right", "hen", "fox")
        found = turn_from(game("egg hen fox", *reversed(again)), "E", begins=True)
        assert found.ending is Ending.SETTLED
        assert "fox" in found.cells[0]

    def test_a_level_that_restarts_at_its_start_never_starts(self) -> None:
        made = game("egg hen", rule("right", "hen", commands="restart"), RIPEN[1])
        with pytest.raises(Unsettled):
            turn_from(made, "E", begins=True)

    def test_a_later_round_can_restart(self) -> None:
        made = game(
            "egg hen", rule("right", "hen", commands="restart"), rule("right", "egg", "hen", commands="again")
        )
        assert turn_from(made, "E").ending is Ending.RESTARTED

    def test_the_last_checkpoint_counts_and_none_of_a_round_that_wins(self) -> None:
        rules = (
            rule("right", "fox", "owl"),
            rule("right", "hen", "fox", commands="checkpoint again"),
            rule("right", "egg", "hen", commands="checkpoint again"),
        )
        made = game("egg hen fox owl", *rules)
        _, cells, checkpoint = turn_from(made, "E")
        assert checkpoint is not None
        assert (shown(level(made, "E"), cells), shown(level(made, "E"), checkpoint)) == ("O", "F")
        assert turn_from(made, "O").checkpoint is None
        winning = game("egg hen", rule("right", "egg", "hen", commands="checkpoint win"))
        assert turn_from(winning, "E").checkpoint is None


class TestAgain:
    def test_a_turn_goes_on_while_rounds_change_objects(self) -> None:
        made = game(
            "egg hen fox",
            rule("right", "hen", "fox", commands="again"),
            rule("right", "egg", "hen", commands="again"),
        )
        assert after(made, "E") == "H"
        assert after_turn(made, "E") == "F"

    def test_again_counts_only_after_a_change(self) -> None:
        made = game("player egg", rule("right", "egg", commands="again"), rule("right", "left player", "player"))
        assert turn_from(made, "PE", "left").ending is Ending.SETTLED

    def test_the_players_move_in_the_first_round_only(self) -> None:
        made = game("player", rule("right", "player", commands="again"))
        assert after_turn(made, "P..", "right") == ".P."

    def test_a_win_ends_the_turn_in_any_round(self) -> None:
        rules = rule("right", "hen", "fox", commands="again"), rule("right", "egg", "hen", commands="again")
        made = game("egg hen fox", *rules, wins=[win("some", "hen")])
        ending, cells, _ = turn_from(made, "E")
        assert (ending, shown(level(made, "E"), cells)) == (Ending.WON, "H")
        late = game("egg hen fox", *rules, wins=[win("some", "fox")])
        assert turn_from(late, "E").ending is Ending.WON

    def test_a_round_that_only_wins_counts(self) -> None:
        made = game("egg hen", rule("right", "hen", commands="win"), rule("right", "egg", "hen", commands="again"))
        assert turn_from(made, "E").ending is Ending.WON

    def test_a_turn_whose_board_comes_back_never_ends(self) -> None:
        """The egg becomes a hen in one round, and an egg in the next."""
        made = game(
            "egg hen nest",
            rule("right", "hen", "nest", commands="again"),
            rule("right", "egg", "hen", commands="again"),
            rule("right", "nest", "egg"),
        )
        found = turn_from(made, "E")
        assert found.ending is Ending.STUCK
        assert found.cells == level(made, "E").cells
        with pytest.raises(Unsettled):
            turn_from(made, "E", begins=True)

    def test_a_turn_has_at_most_500_rounds(self) -> None:
        """The last round changes nothing."""
        made = game("walker", rule("right", "walker", "right walker", commands="again"))
        assert after_turn(made, "W" + 499 * ".") == 499 * "." + "W"
        with pytest.raises(Unsettled, match=f"within {ROUNDS} rounds") as error:
            after_turn(made, "W" + 500 * ".")
        assert isinstance(error.value, LimitReached)
        assert error.value.reason == "bound"
