"""Effects: the objects and movements of a cell after a rule."""

from small_games import after, game, rule


def test_the_right_side_replaces_the_objects_of_its_layers() -> None:
    made = game("apple berry / mark", rule("right", "mark", "berry"), signs={"B": "berry", "x": "apple mark"})
    assert after(made, "xM") == "BB"


def test_an_object_of_the_left_side_alone_goes() -> None:
    made = game("apple / mark", rule("right", "apple mark", "mark"), signs={"x": "apple mark"})
    assert after(made, "xAM") == "MAM"


def test_a_property_stays_if_the_right_side_names_it() -> None:
    properties = {"fruit": "apple berry"}
    made = game(
        "apple berry / mark",
        rule("right", "fruit mark", "fruit"),
        signs={"x": "berry mark"},
        properties=properties,
    )
    assert after(made, "xA") == "BA"
    gone = game("apple berry / mark", rule("right", "fruit | mark", " | mark"), properties=properties)
    assert after(gone, "AMBMA") == ".M.MA"


def test_no_on_the_right_removes_an_object() -> None:
    made = game(
        "apple berry / mark", rule("right", "mark", "mark no apple"), signs={"x": "apple mark", "y": "berry mark"}
    )
    assert after(made, "xy") == "My"


def test_objects_of_other_layers_stay() -> None:
    made = game("apple / berry", rule("right", "apple", ""), signs={"x": "apple berry"})
    assert after(made, "x") == "B"


def test_a_movement_of_the_right_side_moves() -> None:
    made = game("player", rule("right", "left player", "right player"))
    assert after(made, ".P.", "left") == "..P"


def test_a_movement_of_the_left_side_alone_goes() -> None:
    made = game("player", rule("right", "left player", "player"))
    assert after(made, ".P.", "left") == ".P."
    assert after(made, ".P.", "right") == "..P"


def test_another_movement_stays() -> None:
    made = game("player / mark", rule("right", "player", "player mark"), signs={"p": "player mark"})
    assert after(made, ".P.", "left") == "PM."


def test_a_new_object_inherits_the_movement_of_its_layer() -> None:
    made = game("player other", rule("right", "player", "other"))
    assert after(made, ".P.", "left") == "O.."


def test_stationary_stops_a_layer() -> None:
    made = game("player other", rule("right", "player", "stationary other"))
    assert after(made, ".P.", "left") == ".O."


def test_a_layer_that_only_the_left_side_names_stops() -> None:
    """Otherwise the movement of the player would take along the crate that comes to its cell."""
    made = game(
        "player crate / mark",
        rule("right", "player mark", "mark"),
        rule("right", "mark", "mark crate"),
        signs={"x": "player mark", "y": "crate mark"},
    )
    assert after(made, ".x.", "left") == ".y."


def test_effects_of_several_rows_on_one_cell_follow_each_other() -> None:
    """The second row takes away the movement that it asks for, not the one that the first row gives."""
    made = game("player", rule("right", "left player ; left player", "right player ; player"))
    assert after(made, ".P.", "left") == "..P"


def test_action_and_movements_of_objects_that_are_no_players() -> None:
    made = game("player / crate", rule("right", "action player ; crate", "player ; right crate"))
    assert after(made, "PC.", "action") == "P.C"
