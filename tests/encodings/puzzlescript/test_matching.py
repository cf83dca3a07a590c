"""Matching: conditions on a cell, the order of matches, ellipses."""

from small_games import after, game, rule


class TestConditions:
    def test_all_objects_of_a_cell_are_needed(self) -> None:
        made = game("rock / mark", rule("right", "rock mark", "mark"), signs={"B": "rock mark"})
        assert after(made, "RMB") == "RMM"

    def test_a_property_is_any_of_its_objects(self) -> None:
        made = game(
            "apple berry cup / mark",
            rule("right", "fruit", "fruit mark"),
            properties={"fruit": "apple berry"},
            signs={"a": "apple mark", "b": "berry mark"},
        )
        assert after(made, "ABC.") == "abC."

    def test_no_excludes_an_object(self) -> None:
        made = game("rock / mark", rule("right", "no rock no mark", "mark"), signs={"B": "rock mark"})
        assert after(made, "R.B") == "RMB"

    def test_a_movement_is_that_of_the_layer(self) -> None:
        made = game(
            "player rock / mark",
            rule("right", "up player", "up player mark"),
            signs={"p": "player mark"},
        )
        assert after(made, "P", "up") == "p"
        assert after(made, "P", "down") == "P"
        assert after(made, "P") == "P"

    def test_a_movement_of_another_layer_does_not_count(self) -> None:
        made = game("player / rock", rule("right", "up rock", ""), signs={"b": "player rock"})
        assert after(made, "b", "up") == "b"

    def test_stationary_is_a_layer_without_movement(self) -> None:
        made = game("player / mark", rule("right", "stationary player", "player mark"), signs={"p": "player mark"})
        assert after(made, "P") == "p"
        assert after(made, "P", "up") == "P"

    def test_a_row_does_not_leave_the_board(self) -> None:
        signs = {"r": "rock mark"}
        across = game("rock / mark", rule("right", "rock | rock", "rock mark | rock"), signs=signs)
        assert after(across, "RR RR RR") == "rR rR rR"
        along = game("rock / mark", rule("down", "rock | rock | rock", "rock mark | rock | rock"), signs=signs)
        assert after(along, "RR RR RR") == "rr RR RR"


class TestOrder:
    """A seed is used up by the first match, so that it shows which match that is."""

    def seed(self, direction: str) -> str:
        made = game("seed free chosen / wall", rule(direction, "seed ; free", " ; chosen"))
        return after(made, "S.F .F.")

    def test_horizontal_rules_match_row_by_row(self) -> None:
        assert self.seed("right") == "..C .F."
        assert self.seed("left") == "..C .F."

    def test_vertical_rules_match_column_by_column(self) -> None:
        assert self.seed("down") == "..F .C."
        assert self.seed("up") == "..F .C."

    def test_the_order_does_not_follow_the_direction(self) -> None:
        made = game(
            "seed free chosen / wall",
            rule("left", "seed ; free | ... | wall", " ; chosen | ... | wall"),
        )
        assert after(made, "SWFWF") == ".WCWF"

    def test_the_match_of_the_first_row_varies_fastest(self) -> None:
        made = game(
            "apple / berry / cup",
            rule("right", "apple ; apple", "berry ; apple cup"),
            signs={"x": "apple berry cup"},
        )
        # In the other order, the second cell would get the cup.
        assert after(made, "AA") == "xB"


class TestEllipses:
    def test_a_gap_may_be_empty_or_long(self) -> None:
        made = game("apple berry / mark", rule("right", "apple | ... | berry", "apple | ... | mark"))
        assert after(made, "AB") == "AM"
        assert after(made, "A..B") == "A..M"
        assert after(made, "B.A") == "B.A"

    def test_a_gap_may_contain_anything(self) -> None:
        made = game("apple berry wall / mark", rule("right", "apple | ... | berry", "apple | ... | mark"))
        assert after(made, "AW.WB") == "AW.WM"

    def test_short_gaps_come_first(self) -> None:
        made = game("apple berry cup", rule("right", "apple | ... | berry", "cup | ... | cup"))
        assert after(made, "A.B.B") == "C.C.B"

    def test_up_and_left_look_backwards(self) -> None:
        made = game("apple berry / mark", rule("left", "apple | ... | berry", "apple | ... | mark"))
        assert after(made, "B.A.B") == "M.A.B"
        made = game("apple berry / mark", rule("up", "apple | ... | berry", "apple | ... | mark"))
        assert after(made, "B . A . B") == "M . A . B"

    def test_two_ellipses(self) -> None:
        made = game(
            "apple berry cup",
            rule("right", "apple | ... | berry | ... | cup", "apple | ... | | ... | cup"),
        )
        assert after(made, "A.BBC") == "A...C"
        assert after(made, "A.C.B") == "A.C.B"

    def test_the_first_gap_varies_slowest(self) -> None:
        made = game(
            "apple berry cup end",
            rule("right", "apple | ... | berry | ... | cup", "apple | ... | end | ... | end"),
        )
        # In the other order, the second B and the C would be the first match.
        assert after(made, "ABBC") == "AEBE"
