"""Positions of systems on boards: variables stand for the words that they are called like."""

from typing import Any

from puzzlemc.encodings.modelling.tables import SIZE
from puzzlemc.modelling import Grid, Level, System, fields, grid, puzzle
from puzzlemc.screens.base.picture import Box, Label, Moved, Picture

ICE = grid({"#": "wall", ".": "floor", "@": "sledge on floor", "!": "flag on floor", "$": "box on floor"})
ROWS = "@.!\n#$."


def shown(declare: Any, position: Any, reader: Any = ICE, text: str = ROWS) -> tuple[str, Picture]:
    """The text and the picture of a position of a system with some variables."""

    def system(level: Any) -> System:
        made = System()
        declare(made, level)
        made.goal = True
        return made

    own = puzzle("own", system, reader)
    (level,) = own.screen.parse(text, "a.own")
    assert isinstance(level, Level), level
    return own.screen.draw(level, position), own.picture(level, position)


def labels(picture: Picture) -> dict[str, tuple[float, float]]:
    """The texts of the pieces with their places."""
    return {shape.text: (shape.y, shape.x) for shape in picture.pieces if isinstance(shape, Label)}


def test_a_choice_among_places_says_where_a_word_is() -> None:
    text, picture = shown(lambda s, level: s.choice("sledge", level.cells), ((1, 2),))
    assert text == "..!\n#$@"
    assert labels(picture) == {"S": (1.52, 2.5)}


def test_a_family_of_choices_says_where_each_is_and_other_values_are_nowhere() -> None:
    def declare(s: System, level: Grid) -> None:
        s.choices("box", {1: (0, 1), 2: (1, 2), 3: None}, [*level.cells, None, "gone", (9, 9)])

    assert shown(declare, ((0, 1), (1, 2), None))[0] == "@$!\n#.$"
    assert shown(declare, ("gone", (1, 2), (9, 9)))[0] == "@.!\n#.$"


def test_truth_values_and_numbers_of_places_say_whether_a_word_is_there() -> None:
    def declare(s: System, level: Grid) -> None:
        s.flags("flag", [(0, 2), (1, 2)])
        s.numbers("box", [(0, 1), (1, 1)], 0, 3)

    assert shown(declare, (False, True, 2, 0))[0] == "@$.\n#.!"
    text, picture = shown(declare, (True, False, 0, 1))
    assert text == ROWS
    assert {*labels(picture)} == {"F", "B"}


def test_what_a_constraint_leaves_open_is_not_there() -> None:
    def system(level: Grid) -> System:
        made = System()
        made.flags("flag", level.find("flag"))
        made.goal = True
        return made

    own = puzzle("own", system, ICE)
    (level,) = own.screen.parse(ROWS, "a.own")
    assert own.screen.draw(level, own.rules.start(level)) == ROWS.replace("!", ".")


def test_a_choice_of_a_place_says_which_word_is_there() -> None:
    def declare(s: System, level: Grid) -> None:
        s.choices("content", dict.fromkeys([(0, 1), (0, 2), (1, 1)], "nothing"), ["nothing", "flag", "box"])

    assert shown(declare, ("flag", "box", "nothing"))[0] == "@!$\n#.."


def test_where_no_variable_says_anything_the_words_of_the_level_stay() -> None:
    def declare(s: System, level: Grid) -> None:
        s.choices("content", {(0, 0): "floor"}, ["floor", "wall"])
        s.flags("flag", [(0, 1)])

    assert shown(declare, ("wall", False))[0] == "#.!\n#$."
    assert shown(declare, ("floor", True))[0] == "@!!\n#$."


def test_other_variables_stand_below_the_board() -> None:
    def declare(s: System, level: Grid) -> None:
        s.choice("sledge", level.cells)
        s.number("energy", 0, 100)
        s.flags("done", ["a", "b"])

    text, picture = shown(declare, ((0, 0), 7, True, False))
    assert text == f"{ROWS}\nenergy = 7\ndone a = True, done b = False"
    assert picture.height == 2 + 3
    assert labels(picture)["energy = 7"] == (2.5, 0.1)
    assert picture.width >= 0.6 * SIZE * len("done a = False")
    wide = shown(declare, ((0, 0), 100, False, False))[1]
    assert (wide.width, wide.height, wide.board) == (picture.width, picture.height, picture.board)


def test_a_system_that_says_nothing_of_the_board_is_text() -> None:
    def declare(s: System, level: Grid) -> None:
        s.flag("wet")
        s.flags("sledge", ["left", "right"])  # no places

    assert shown(declare, (True, False, False))[0] == "wet = True\nsledge left = False, sledge right = False"
    assert shown(lambda s, level: s.flags("flag", [(0, 0)]), (True,), fields(a=int), "a: 1")[0] == "1"


def test_what_stays_is_in_the_board_of_all_pictures() -> None:
    def declare(s: System, level: Grid) -> None:
        s.flags("flag", level.find("flag"))

    with_flag, without = (shown(declare, (held,))[1] for held in (True, False))
    assert with_flag.board == without.board
    assert len([shape for shape in with_flag.board if isinstance(shape, Box) and shape.colour == "floor"]) == 5
    assert without.pieces == ()


def test_a_step_moves_cells() -> None:
    def system(level: Grid) -> System:
        made = System()
        made.choice("sledge", level.cells, level.one("sledge"))
        made.goal = True
        return made

    own = puzzle("own", system, ICE)
    (level,) = own.screen.parse(ROWS, "a.own")
    assert own.display.moved(level, ((0, 0),), ((0, 2),)) == Moved(((0, 0),), ((0, 2),))
