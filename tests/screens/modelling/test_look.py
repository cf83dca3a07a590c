"""How words look, and how positions of boards are drawn."""

from typing import Any

import pytest

from puzzlemc.encodings.puzzles import colours
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.base.picture import Box, Label, Moved, Picture, Shape, disc, lines, tile
from puzzlemc.screens.modelling import Level, TextScreen, grid, numbers
from puzzlemc.screens.modelling.legend import Legend
from puzzlemc.screens.modelling.look import looks
from puzzlemc.screens.modelling.pictures import moved

ICE = {"#": "wall", ".": "floor", "@": "sledge on floor", "!": "flag on floor"}
FLOOR = (tile(0, 0, "line"), tile(0, 0, "floor", 0.015))
GEM = """
    ..1..
    .222.
    .222.
    .222.
    ....3
"""


def look(given: Any) -> tuple[Shape, ...]:
    return looks(Legend({"#": "thing"}), {"thing": given})["thing"]


@pytest.mark.parametrize(
    ("given", "shapes"),
    [
        ("wall", (tile(0, 0, "wall"),)),
        ("#A0b1C2", (tile(0, 0, "line"), tile(0, 0, "#a0b1c2", 0.015))),
        (" Blue ", (tile(0, 0, "line"), tile(0, 0, "2", 0.015))),
        ("disc 2", (disc(0, 0, "2", 0.38),)),
        ("Dot  goal", (disc(0, 0, "goal", 0.16),)),
        ("block #102030", (tile(0, 0, "#102030", 0.1, 0.16),)),
        ("A", (tile(0, 0, "1", 0.1, 0.16), Label(0.5, 0.52, "A", 0.6))),
        ("7", (tile(0, 0, "1", 0.1, 0.16), Label(0.5, 0.52, "7", 0.6))),
        ("\U0001f6a9", (Label(0.5, 0.52, "\U0001f6a9", 0.7),)),
        ("\U0001f468\U0001f3fd\u200d\U0001f33e", (Label(0.5, 0.52, "\U0001f468\U0001f3fd\u200d\U0001f33e", 0.5),)),
        (("disc red", "B"), (disc(0, 0, "1", 0.38), Label(0.5, 0.52, "B", 0.6))),
        (["A"], (tile(0, 0, "1", 0.1, 0.16), Label(0.5, 0.52, "A", 0.6))),
        (GEM, (Box(0.4, 0, 0.2, 0.2, "1"), Box(0.2, 0.2, 0.6, 0.6, "2"), Box(0.8, 0.8, 0.2, 0.2, "3"))),
    ],
)
def test_a_look_is_shapes(given: Any, shapes: tuple[Shape, ...]) -> None:
    assert look(given) == shapes


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "look: thing: found 3, expected a text, or several in a tuple"),
        ((), r"look: thing: found \(\), expected a text"),
        (("red", None), "look: thing: found None, expected a text"),
        (" ", "look: thing: found ' ', expected a text"),
        ("yelow", "found 'yelow', expected disc COLOUR.*a colour: grey, .* or #445566; nearest: yellow"),
        ("disc yelow", "found the colour 'yelow', expected a colour: .*; nearest: yellow"),
        ("#12345", "found '#12345', expected a colour as #445566"),
        ("#1234567", "found '#1234567', expected a colour"),
        ("disc", "found 'disc', expected disc COLOUR"),
        ("..1..\n.....", "found a sprite of 2 rows, expected 5"),
        (GEM.replace("....3", "...3"), r"found '\.\.\.3' in row 5 of the sprite, expected 5 digits"),
        (GEM.replace("3", "x"), r"found '\.\.\.\.x' in row 5 of the sprite"),
    ],
)
def test_a_wrong_look_is_an_error_of_the_author(given: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        grid({"#": "thing"}, look={"thing": given})


def test_a_look_of_an_unknown_word_names_the_nearest() -> None:
    with pytest.raises(ModelError, match=r"look: found 'slege', expected one of: .*; nearest: sledge"):
        grid(ICE, look={"slege": "red"})
    with pytest.raises(ModelError, match="look: found 'red', expected words and looks"):
        grid(ICE, look="red")  # type: ignore[arg-type]


def test_words_without_a_look_differ_and_keep_their_looks() -> None:
    first = looks(Legend(ICE))
    assert first["wall"] == (tile(0, 0, "wall"),)
    assert first["floor"] == FLOOR
    assert first["sledge"] == (disc(0, 0, "3", 0.38), Label(0.5, 0.52, "S", 0.6))
    assert len({*first.values()}) == len(ICE)
    assert looks(Legend(ICE), {"flag": "goal"})["sledge"] == first["sledge"]
    seen = looks(Legend({"*": "box on goal on floor", "$": "box on floor"}))
    assert (seen["goal"], seen["box"][0]) == ((tile(0, 0, "goal", 0.1, 0.16),), disc(0, 0, "3", 0.38))
    field = {".": "field", "x": "cross on field", "~": "water"}
    assert looks(Legend(field))["field"] == FLOOR
    assert looks(Legend(field))["water"] == (tile(0, 0, "line"), tile(0, 0, "3", 0.015))
    for other in (looks(Legend(field), {"water": "floor"}), looks(Legend(field | {"-": "floor"}))):
        assert other["field"] != FLOOR
    assert looks(Legend({"r": "red on water", "~": "water"}))["red"] == (disc(0, 0, "1", 0.38),)


def test_all_colours_of_looks_are_colours_of_pages() -> None:
    legend = Legend({chr(65 + n): f"word {n} on floor" for n in range(30)})
    shapes = [shape for each in looks(legend).values() for shape in each]
    named = ["gray", "black", "white", "#123456", "mark", ("teal", "A"), GEM, "Ab", "brown", "dot 9"]
    shapes += [shape for each in named for shape in look(each)]
    assert all(len(colours()[shape.colour]) == 2 for shape in shapes)


def ice(shown: Any, legend: dict[str, str] = ICE) -> tuple[TextScreen, Level]:
    screen = TextScreen((".ice",), grid(legend), show=lambda data, position: shown)
    (level,) = screen.parse("Title: T\n#@.\n _\n_\n!" if "_" in legend else "Title: T\n#@.\n_\n!", "a.ice")
    assert isinstance(level, Level)
    return screen, level


def test_things_are_drawn_over_what_stays() -> None:
    screen, level = ice({"sledge": [(2, 0)], "flag": ()})
    assert screen.draw(level, "any") == "#..\n_\n@"
    found = screen.picture(level, "any")
    assert (found.width, found.height) == (3, 3)
    assert found.board[:3] == (tile(0, 0, "wall"), tile(0, 1, "line"), tile(0, 1, "floor", 0.015))
    assert len(found.board) == 1 + 2 * 3
    assert found.pieces == (disc(2, 0, "3", 0.38), Label(0.5, 2.52, "S", 0.6))


def test_each_picture_has_the_board_of_its_level_and_of_the_words_that_stay() -> None:
    reader = grid(ICE)
    screen = TextScreen((".ice",), reader, show=lambda data, position: position)
    one, other = screen.parse("#@!\n\n@#!", "a.ice")
    assert isinstance(one, Level)
    assert isinstance(other, Level)
    for level, things in ((one, {"sledge": [(0, 1)]}), (one, {"flag": [(0, 1)]}), (other, {"flag": [(0, 1)]})):
        fresh = TextScreen((".ice",), grid(ICE), show=lambda data, position: position)
        for _ in range(2):
            assert screen.picture(level, things) == fresh.picture(level, things)


def test_a_sign_of_some_words_stands_for_all() -> None:
    screen, level = ice({"sledge": [(0, 1)], "flag": [(0, 1), (0, 2)]})
    assert screen.draw(level, "any") == "#!!\n_\n."
    assert screen.picture(level, "any").pieces[-4] == disc(
        0, 1, "4", 0.38
    )  # later in the legend: above the sledge


def test_a_cell_without_a_ground_gets_one() -> None:
    screen, level = ice({"sledge": [(2, 0)]}, {"#": "wall", ".": "ice", "@": "sledge", "!": "flag"})
    found = screen.picture(level, "any")
    assert {*found.board} >= {tile(0, 1, "line"), tile(0, 1, "floor", 0.015)}  # where the sledge was
    assert screen.draw(level, "any") == "# .\n_\n!"


def test_rows_of_signs_are_a_board() -> None:
    screen, level = ice("#.@\n_\n.")
    assert screen.draw(level, "any") == "#.@\n_\n."
    found = screen.picture(level, "any")
    assert [shape for shape in found.pieces if isinstance(shape, Label)] == [Label(2.5, 0.52, "S", 0.6)]
    assert tile(0, 0, "wall") in found.pieces


@pytest.mark.parametrize("text", ["3 left", "#.@", "#.@\n_\n.\n.", "", "#.x\n_\n."])
def test_other_text_is_drawn_as_lines(text: str) -> None:
    screen, level = ice(text)
    assert screen.draw(level, "any") == text
    assert screen.picture(level, "any") == lines(text)


def test_a_picture_of_the_author_is_shown() -> None:
    own = Picture(1, 1, (), ())
    screen, level = ice(own)
    assert screen.picture(level, ("here", 3)) == own
    assert screen.draw(level, ("here", 3)) == "('here', 3)"
    assert screen.moved(level, 1, 2) == Moved((), ())


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ({"sledge": [(1, 0)]}, r"found 'sledge' at \(1, 0\), expected the row and the column of a cell"),
        ({"sledge": [(9, 0)]}, "expected the row and the column"),
        ({"sledge": [None]}, "found 'sledge' at None"),
        ({"sledge": ["ab"]}, "found 'sledge' at 'ab'"),
        ({"sledge": [("a", "b")]}, "expected the row and the column"),
        ({"sledges": [(0, 0)]}, "a position: found 'sledges'.*nearest: sledge"),
    ],
)
def test_things_that_are_not_on_the_board_are_errors(things: Any, message: str) -> None:
    screen, level = ice(things)
    for show in (screen.draw, screen.picture):
        with pytest.raises(ModelError, match=message):
            show(level, "any")


def test_things_of_other_levels_are_errors() -> None:
    screen = TextScreen((".x",), numbers(), show=lambda data, position: {"sledge": [(0, 0)]})
    (level,) = screen.parse("1", "a.x")
    assert isinstance(level, Level)
    with pytest.raises(ModelError, match="expected a text: the levels are no grids"):
        screen.draw(level, "any")


def test_a_level_without_a_board_is_drawn_as_lines() -> None:
    screen = TextScreen((".x",), numbers())
    (level,) = screen.parse("1 2", "a.x")
    assert isinstance(level, Level)
    assert screen.picture(level, (3, 4)) == lines("(3, 4)")


def test_cells_that_a_step_changes_are_those_of_things() -> None:
    screen = TextScreen((".ice",), grid(ICE), show=lambda data, position: position)
    (level,) = screen.parse("#@.\n..!", "a.ice")
    assert isinstance(level, Level)
    expected = Moved(((0, 1), (1, 2)), ((0, 2),))
    before, after = {"sledge": [(0, 1)], "flag": [(1, 2)]}, {"sledge": [(0, 2)], "flag": ()}
    assert screen.moved(level, before, after) == expected
    assert moved({"a": [(0, 0)]}, {}) == Moved(((0, 0),), ())
    rows = screen.moved(level, "#@.\n..!", "#.@\n...")
    assert rows == expected
