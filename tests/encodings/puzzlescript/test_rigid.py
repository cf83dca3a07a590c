"""Rigid rules: if a movement that one has set is not used up, the round begins anew without its group."""

import pytest
from small_games import after, game, round_of, rule

BOTH = ("right", "apple ; berry", "right apple ; right berry")
OBJECTS = "apple berry wall other"


@pytest.mark.parametrize(("rigid", "moved"), [(False, "AW ..B"), (True, "AW .B.")])
def test_both_objects_move_or_none(rigid: bool, moved: str) -> None:
    made = game(OBJECTS, rule(*BOTH, rigid=rigid))
    assert after(made, "A.. .B.") == ".A. ..B"
    assert after(made, "AW. .B.") == moved.replace("AW", "AW.")


def test_the_movements_of_players_stay() -> None:
    made = game("player / " + OBJECTS, rule(*BOTH, rigid=True))
    assert after(made, "P.. AW. B..", "right") == ".P. AW. B.."


def test_other_rules_of_the_group_are_left_out_too() -> None:
    made = game(OBJECTS, rule(*BOTH, rigid=True, group=1), rule("right", "other", "right other", group=1))
    assert after(made, "A.. B.. O..") == ".A. .B. .O."
    assert after(made, "AW. B.. O..") == "AW. B.. O.."


def test_other_groups_are_applied_again() -> None:
    made = game(OBJECTS, rule(*BOTH, rigid=True), rule("right", "other", "right other"))
    assert after(made, "AW. B.. O..") == "AW. B.. .O."


def test_a_movement_that_no_rigid_rule_has_set_may_be_left_over() -> None:
    made = game(OBJECTS, rule(*BOTH, rigid=True), rule("right", "other", "right other"))
    assert after(made, "A.. B.. OW.") == ".A. .B. OW."


def test_the_round_begins_with_the_objects_before_it() -> None:
    """The second attempt would turn the hen of the first one into a fox."""
    made = game(
        OBJECTS + " / egg hen fox",
        rule("right", "hen", "fox"),
        rule("right", "egg", "hen"),
        rule(*BOTH, rigid=True),
    )
    assert after(made, "AW. B.E") == "AW. B.H"


def test_the_round_begins_with_an_empty_queue() -> None:
    made = game(OBJECTS, rule(*BOTH, rigid=True, commands="win"), rule("right", "other", commands="again"))
    assert round_of(made, "A.O B..").commands == {"win", "again"}
    assert round_of(made, "AWO B..").commands == {"again"}


def test_each_failing_group_is_left_out_in_turn() -> None:
    """Without the apple's movement the berry is blocked, so its group fails in the second attempt only."""
    made = game(
        "apple berry wall",
        rule("right", "wall ; apple", "wall ; right apple", rigid=True),
        rule("right", "berry", "right berry", rigid=True),
    )
    assert after(made, "BAW") == "BAW"
    assert after(made, "BA.W") == ".BAW"


def test_late_rules_are_applied_once_at_the_end() -> None:
    made = game(
        OBJECTS + " / egg hen fox",
        rule(*BOTH, rigid=True),
        rule("right", "hen", "fox", late=True),
        rule("right", "egg", "hen", late=True),
    )
    assert after(made, "AW. B.E") == "AW. B.H"


def test_of_two_layers_in_a_cell_the_lowest_one_fails_first() -> None:
    """The second group is blocked by a stone that the first one puts there; without the first group it moves."""
    made = game(
        "apple wall / berry stone / mark",
        rule("right", "apple ; mark", "right apple ; mark stone", rigid=True),
        rule("right", "berry", "right berry", rigid=True),
        signs={"x": "apple berry", "y": "wall mark", "z": "wall berry mark"},
    )
    assert after(made, "xy") == "Az"
