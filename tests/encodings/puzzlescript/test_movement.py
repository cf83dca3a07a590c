"""Movement: which objects move, and in which order."""

from small_games import after, game, rule

PUSH = tuple(rule(way, f"{way} player | crate", f"{way} player | {way} crate") for way in ("right", "down"))


def moving(objects: str, *rows: str, layers: str = "crate player wall") -> str:
    """The board after a round in which objects get the movements that the text names, as `x right`."""
    words = objects.split()
    rules = [
        rule("right", f"stationary {name}", f"{way} {name}")
        for name, way in zip(words[::2], words[1::2], strict=True)
    ]
    return after(game(layers, *rules), " ".join(rows))


class TestMovement:
    def test_an_object_moves_to_a_free_cell(self) -> None:
        assert moving("crate right", "C..") == ".C."
        assert moving("crate up", ". C") == "C ."

    def test_an_object_does_not_move_over_the_border(self) -> None:
        for way in ("left", "right", "up", "down"):
            assert moving(f"crate {way}", "C") == "C"

    def test_an_object_does_not_move_to_an_object_of_its_layer(self) -> None:
        assert moving("crate right", "CW") == "CW"

    def test_an_object_moves_to_objects_of_other_layers(self) -> None:
        made = game("crate / mark", rule("right", "crate", "right crate"), signs={"x": "crate mark"})
        assert after(made, "CM") == ".x"

    def test_a_line_of_objects_moves_together(self) -> None:
        assert moving("crate right", "CCC.") == ".CCC"
        assert moving("crate left", ".CCC") == "CCC."

    def test_a_ring_of_objects_does_not_move(self) -> None:
        ring = moving("apple right berry down cup left date up", "AB DC", layers="apple berry cup date")
        assert ring == "AB DC"

    def test_of_two_objects_that_move_to_one_cell_the_first_by_columns_does(self) -> None:
        """Row by row the player above would be the first one."""
        assert moving("player down crate right", ".P C.", layers="player crate") == ".P .C"

    def test_layers_move_apart(self) -> None:
        made = game("player / crate", rule("right", "crate", "right crate"), signs={"x": "player crate"})
        assert after(made, ".x.", "left") == "P.C"

    def test_a_movement_without_an_object_takes_along_what_comes_to_its_cell(self) -> None:
        """The crate gets a movement and goes; the player comes to its cell, and goes on with this movement."""
        made = game(
            "player crate / mark",
            rule("right", "crate", "right crate"),
            rule("right", "mark", "mark no crate"),
            signs={"x": "crate mark"},
        )
        assert after(made, "Px.", "right") == ".MP"

    def test_action_is_used_up_and_moves_nothing(self) -> None:
        assert after(game("player"), ".P.", "action") == ".P."

    def test_players_push(self) -> None:
        made = game("player crate wall", *PUSH)
        assert after(made, "PC.", "right") == ".PC"
        assert after(made, "PCW", "right") == "PCW"
        assert after(made, "P C .", "down") == ". P C"
