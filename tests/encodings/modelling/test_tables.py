"""Positions without a board: variables of places are tables, other families stand in words."""

from typing import Any

import pytest

from puzzlemc.encodings.modelling.tables import LONGEST, SIZE
from puzzlemc.mc.errors import ModelError
from puzzlemc.modelling import System, numbers, puzzle
from puzzlemc.screens.base.picture import Box, Label, Moved, Picture, lines, tile

CELLS = [(0, 0), (0, 1), (1, 0), (1, 2)]


def shown(declare: Any, *positions: Any) -> tuple[str, Picture, Moved]:
    """The text and the picture of the first position, and what a step to the last one changes."""

    def system(level: Any) -> System:
        made = System()
        declare(made)
        made.goal = True
        return made

    own = puzzle("own", system, numbers())
    (level,) = own.screen.parse("1", "a.own")
    return (
        own.screen.draw(level, positions[0]),
        own.picture(level, positions[0]),
        own.display.moved(level, positions[0], positions[-1]),
    )


def labels(picture: Picture) -> dict[str, tuple[float, float]]:
    shapes = picture.board + picture.pieces
    return {shape.text: (shape.y, shape.x) for shape in shapes if isinstance(shape, Label)}


def test_numbers_of_places_are_a_table_of_blocks() -> None:
    text, picture, moved = shown(lambda s: s.numbers("tile", CELLS, 0, 12), (1, 0, 12, 3), (1, 12, 0, 3))
    assert text == " 1  0\n12     3"
    assert (picture.width, picture.height) == (3, 2)
    assert labels(picture) == {"1": (0.52, 0.5), "12": (1.52, 0.5), "3": (1.52, 2.5)}
    boxes = [shape for shape in picture.pieces if isinstance(shape, Box)]
    assert boxes == [tile(0, 0, "1", 0.06, 0.12), tile(1, 0, "3", 0.06, 0.12), tile(1, 2, "3", 0.06, 0.12)]
    assert len(picture.board) == 2 * len(CELLS)
    assert moved == Moved(((0, 1), (1, 0)), ((0, 1), (1, 0)))


def test_truth_values_of_places_are_lamps() -> None:
    text, picture, _ = shown(lambda s: s.flags("lamp", CELLS), (True, False, False, True))
    assert text == "1 0\n0   1"
    assert picture.pieces == (tile(0, 0, "3", 0.015), tile(1, 2, "3", 0.015))


def test_other_values_of_places_are_words_in_the_colour_of_their_place_in_the_domain() -> None:
    values = [None, "red", "green", "longer"]
    text, picture, _ = shown(lambda s: s.choices("side", CELLS, values), (None, "red", "longer", "red"))
    assert text == "     -    red\nlonger           red"
    assert [shape.colour for shape in picture.pieces if isinstance(shape, Box)] == ["2", "4", "2"]
    sizes = {shape.text: shape.size for shape in picture.pieces if isinstance(shape, Label)}
    assert 0.6 * sizes["longer"] * len("longer") <= 1


def test_several_tables_and_other_families_stand_below_each_other() -> None:
    def declare(s: System) -> None:
        s.flag("wet")
        s.numbers("up", [(0, 0), (1, 0)], 0, 3)
        s.numbers("jug", [1, 2], 0, 9)
        s.flags("on", [(0, 1)])
        s.numbers("it", ["a", "b"], 0, 1)

    text, picture, moved = shown(declare, (True, 1, 2, 8, 9, True, 1, 0), (False, 1, 0, 8, 9, False, 1, 0))
    assert text == "up:\n1\n2\njug 1 = 8, jug 2 = 9\non:\n  1\nwet = True\nit a = 1, it b = 0"
    assert labels(picture) == {
        "up": (0.5, 0.1),
        "1": (1.52, 0.5),
        "2": (2.52, 0.5),
        "jug": (3.5, 0.1),
        "8": (4.52, 0.5),
        "9": (4.52, 1.5),
        "on": (5.5, 0.1),
        "wet = True": (7.5, 0.1),
        "it a = 1": (8.5, 0.1),
        "it b = 0": (9.5, 0.1),
    }
    assert tile(6, 1, "3", 0.015) in picture.pieces
    assert (picture.width, picture.height) == (3, 10)
    assert picture.width >= 0.6 * SIZE * len("wet = False")
    assert moved == Moved(((2, 0), (6, 1)), ((2, 0), (6, 1)))


def test_a_picture_is_as_wide_as_its_widest_table() -> None:
    def declare(s: System) -> None:
        s.flags("wide", [(0, 0), (0, 1), (0, 2)])
        s.flags("high", [(0, 0), (1, 0)])

    picture = shown(declare, (True,) * 5)[1]
    assert (picture.width, picture.height) == (3, 5)


@pytest.mark.parametrize("sized", [(1, False), (9, True)])
def test_the_size_of_a_picture_is_that_of_all_positions(sized: tuple[int, bool]) -> None:
    def declare(s: System) -> None:
        s.number("count", 1, 1000)
        s.flags("lamp", CELLS)

    few, many = (shown(declare, (count, *[sized[1]] * 4))[1] for count in (sized[0], 1000))
    assert (few.width, few.height, few.board) == (many.width, many.height, many.board)


def test_long_lines_are_in_the_text_alone() -> None:
    def declare(s: System) -> None:
        s.flags("lamp", CELLS)
        s.flag("short")
        s.flags("word", range(LONGEST))

    text, picture, _ = shown(declare, (False,) * (5 + LONGEST))
    assert text.endswith(f"word {LONGEST - 1} = False")
    assert (picture.height, labels(picture)) == (2, {})


def test_a_family_of_places_far_apart_is_no_table() -> None:
    text, picture, moved = shown(lambda s: s.flags("lamp", [(0, 0), (999, 999)]), (True, False), (False, False))
    assert text == "lamp (1,1) = True, lamp (1000,1000) = False"
    assert picture == lines(text)
    assert moved == Moved((), ())


def test_without_tables_a_picture_is_text() -> None:
    text, picture, _ = shown(lambda s: s.numbers("jug", ["a", "b"], 0, 9), (3, 4))
    assert text == "jug a = 3, jug b = 4"
    assert picture == lines(text)


def test_a_family_of_whole_numbers_is_a_row_in_pictures() -> None:
    text, picture, moved = shown(lambda s: s.flags("coin", [2, 1, 4]), (True, False, True), (True, True, True))
    assert text == "coin 2 = True, coin 1 = False, coin 4 = True"
    assert (picture.width, picture.height, len(picture.board)) == (4, 1, 2 * 3)
    assert picture.pieces == (tile(0, 1, "3", 0.015), tile(0, 3, "3", 0.015))
    assert moved == Moved(((0, 0),), ((0, 0),))
    jugs = shown(lambda s: s.numbers("jug", [1, 2], 0, 9), (0, 4))[1]
    assert labels(jugs) == {"0": (0.52, 0.5), "4": (0.52, 1.5)}
    far = shown(lambda s: s.flags("coin", [0, 60]), (True, False))
    assert far[1] == lines("coin 0 = True, coin 60 = False")


def test_the_turn_of_a_game_is_below_its_tables() -> None:
    def nim(level: Any) -> System:
        made = System(sides=2)
        heap = made.numbers("heap", {1: 3, 2: 1}, 0, 3)
        for number, left in heap.items():
            made.action(f"take {number}", left > 0, {left: left - 1})
        return made

    own = puzzle("own", nim, numbers(), sides=("first", "second"))
    (level,) = own.screen.parse("1", "a.own")
    assert own.screen.draw(level, (0, 3, 1)) == "heap 1 = 3, heap 2 = 1\nturn = first"
    picture = own.picture(level, (0, 3, 1))
    assert labels(picture).items() >= {"3": (0.52, 0.5), "1": (0.52, 1.5)}.items()
    assert [word for word in labels(picture) if "turn" in word] == ["turn = first"]


def test_values_that_say_nothing_and_values_that_a_constraint_leaves_open() -> None:
    def system(level: Any) -> System:
        made = System(constraint=True)
        made.choices("sign", [(0, 0), (0, 1)], [".", "x"])
        made.goal = True
        return made

    own = puzzle("own", system, numbers())
    (level,) = own.screen.parse("1", "a.own")
    assert labels(own.picture(level, (".", "x"))) == {"x": (0.52, 1.5)}
    assert own.screen.draw(level, own.rules.start(level)) == "? ?"
    assert own.picture(level, own.rules.start(level)).pieces[0] == Label(0.5, 0.52, "?", SIZE, "accent")


def test_a_function_of_the_author_comes_first() -> None:
    def system(level: Any) -> System:
        made = System()
        made.flags("lamp", CELLS)
        made.goal = True
        return made

    for result, expected in (("a\nb", lines("a\nb")), (Picture(1, 2, (), ()), Picture(1, 2, (), ()))):
        own = puzzle("own", system, numbers(), show=lambda level, values, result=result: result)
        (level,) = own.screen.parse("1", "a.own")
        assert own.picture(level, (True,) * 4) == expected
        assert own.display.moved(level, (True,) * 4, (False,) * 4) == Moved((), ())
    own = puzzle("own", system, numbers(), show=lambda level, values: {"lamp": []})
    (level,) = own.screen.parse("1", "a.own")
    with pytest.raises(ModelError, match="the levels are no grids"):
        own.picture(level, (True,) * 4)
