"""Application: groups, loops, and the queue of commands."""

import pytest
from small_games import after, game, round_of, rule

from puzzlemc.encodings.puzzlescript.domain.application import queued

GROW = rule("right", "apple | no apple", "apple | apple")


class TestGroups:
    def test_a_group_is_repeated_until_it_changes_nothing(self) -> None:
        assert after(game("apple / berry", GROW), "A....") == "AAAAA"

    def test_groups_come_one_after_another(self) -> None:
        """The first group does not see what the second one makes."""
        made = game("apple / berry", rule("right", "berry", "apple"), rule("right", "apple", "berry"))
        assert after(made, "AB") == "BB"

    def test_rules_of_one_group_are_repeated_together(self) -> None:
        made = game(
            "apple berry cup",
            rule("right", "berry", "cup", group=1),
            rule("right", "apple", "berry", group=1),
        )
        assert after(made, "AB") == "CC"
        apart = game("apple berry cup", rule("right", "berry", "cup"), rule("right", "apple", "berry"))
        assert after(apart, "AB") == "BC"

    def test_a_match_that_the_rule_makes_waits_for_the_next_repetition(self) -> None:
        """The other rule of the group sees each place of the apple on its way."""
        made = game(
            "apple / trail",
            rule("right", "apple | no apple", " | apple", group=1),
            rule("right", "apple no trail", "apple trail", group=1),
            signs={"a": "apple trail"},
        )
        assert after(made, "A...") == ".TTa"

    def test_a_match_is_applied_only_if_it_still_holds(self) -> None:
        """The second match overlaps the first one."""
        made = game("apple berry", rule("right", "apple | apple", "berry | berry"))
        assert after(made, "AAA") == "BBA"

    def test_all_combinations_of_matches_are_applied(self) -> None:
        made = game(
            "apple / berry / once",
            rule("right", "once ; apple ; berry", "once ; apple berry ; berry", group=1),
            rule("right", "once", "", group=1),
            signs={"x": "apple berry"},
        )
        assert after(made, "OAABB") == ".xxBB"

    def test_a_group_that_never_settles_ends_after_200_repetitions(self) -> None:
        """Odd repetitions end with the berry, even ones with the cup."""
        made = game(
            "apple berry cup",
            rule("right", "cup", "apple", group=1),
            rule("right", "berry", "cup", group=1),
            rule("right", "apple", "berry", group=1),
        )
        assert after(made, "A") == "C"


class TestLoops:
    @pytest.mark.parametrize("late", [False, True])
    def test_a_loop_goes_back_while_it_changes_something(self, late: bool) -> None:
        """The key opens a lock, the open lock takes a spare key: again if the loop goes back."""
        rules = (
            rule("right", "key ; lock", " ; open", late=late),
            rule("right", "open ; spare", " ; key", late=late),
        )
        objects = "key lock open spare"
        assert after(game(objects, *rules), "KLLSS") == "..LKS"
        loops = {"late_loops" if late else "loops": [(0, 1)]}
        assert after(game(objects, *rules, **loops), "KLLSS") == "....K"

    def test_a_loop_ends_at_its_last_group(self) -> None:
        """The third group is outside: its key opens nothing."""
        rules = (
            rule("right", "key ; lock", " ; open"),
            rule("right", "key", "key"),
            rule("right", "open ; spare", " ; key"),
        )
        made = game("key lock open spare", *rules, loops=[(0, 1)])
        assert after(made, "KLLSS") == "..LKS"

    def test_a_loop_that_never_settles_leaves_out_the_rest(self) -> None:
        turning = (rule("right", "apple", "berry"), rule("right", "berry", "apple"))
        rest = rule("right", "mark", "")
        assert after(game("apple berry mark", *turning, rest), "AM") == "A."
        assert after(game("apple berry mark", *turning, rest, loops=[(0, 1)]), "AM") == "AM"


class TestQueue:
    def test_commands_are_queued_without_a_change(self) -> None:
        assert round_of(game("apple", rule("right", "apple", "apple", commands="again")), "A").commands == {
            "again"
        }

    def test_commands_need_a_match_of_each_row(self) -> None:
        made = game("apple berry", rule("right", "apple ; berry", commands="win"))
        assert round_of(made, "AB").commands == {"win"}
        assert round_of(made, "AA").commands == frozenset()

    def test_late_rules_queue_commands(self) -> None:
        made = game("apple", rule("right", "apple", late=True, commands="win again"))
        assert round_of(made, "A").commands == {"win", "again"}

    @pytest.mark.parametrize(
        ("first", "second", "queue"),
        [
            ("again", "win", "again win"),
            ("again win", "cancel", "cancel"),
            ("again win", "restart", "restart"),
            ("cancel", "again", "cancel"),
            ("cancel", "restart", "cancel"),
            ("restart", "again", "restart"),
            ("restart", "cancel", "cancel"),
            ("win", "cancel again", "cancel again"),
        ],
    )
    def test_cancel_and_restart_come_first(self, first: str, second: str, queue: str) -> None:
        assert queued(frozenset(first.split()), frozenset(second.split())) == set(queue.split())
        made = game("apple", rule("right", "apple", commands=first), rule("right", "apple", commands=second))
        assert round_of(made, "A").commands == set(queue.split())
