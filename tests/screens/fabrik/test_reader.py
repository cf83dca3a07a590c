"""The reader and the writer of Fabrik are inverse to each other, and errors name their places."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fabrik_levels

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.fabrik import (
    BLACK,
    EMPTY,
    WHITE,
    Level,
    Position,
    draw,
    looks_like,
    name,
    named,
    parse,
    picture,
)

TEXT = """\
Title: three against two
Author: Ada
% a comment
Fabrik 5 4 white
. . . . .
. O O . #
. X X O .
. # . . .
. . . . .
Moves
C4 E2-A2/B4
"""


def one(text: str) -> Level:
    (level,) = parse(text, "a.fabrik")
    assert isinstance(level, Level), level
    return level


def refused(text: str) -> str:
    (error,) = parse(text, "a.fabrik")
    assert isinstance(error, LevelError)
    return str(error)


def cells(text: str) -> frozenset[tuple[int, int]]:
    return frozenset(map(named, text.split()))


def test_a_level_is_read() -> None:
    position = Position(cells("B2 C2 D3"), cells("B3 C3"), cells("E2 B4"), WHITE)
    assert one(TEXT) == Level("three against two", "Ada", 5, 4, position, ("C4", "E2-A2/B4"))
    assert looks_like(TEXT) == 1


@pytest.mark.parametrize("text", ["Fabrik", "FABRIK 11", " fabrik 11 5 ", "\ufeffFabrik\r\n", "Title: x\nFabrik"])
def test_the_empty_board_is_read(text: str) -> None:
    assert replace(one(text), title="") == Level("", "", 11, 5, EMPTY)
    assert looks_like(text) == 1


@pytest.mark.parametrize("head", ["", "Fabrik 5 4\n", "Fabrik\n"])
@pytest.mark.parametrize("end", ["", ".", "\nMoves\nA1"])
def test_a_list_of_rows_is_read(head: str, end: str) -> None:
    row = "none, none, none, none, none"
    rows = f"[[ none, black,worker, none, none],\n[{row}],[{row}],\n[{row}],\n[ none, white, white,worker,none]]"
    text = f"{head}{rows}{end}"
    level = one(text)
    assert level.start == Position(cells("B1"), cells("B5 C5"), cells("C1 D5"), BLACK)
    assert (level.size, level.row, len(level.moves)) == (5, 4 if "4" in head else 5, "Moves" in end)
    assert looks_like(text) == 1


def test_each_list_without_a_heading_is_a_level() -> None:
    board = "[[none,worker],\n[worker,none]]\n"
    items = parse(f"{board}\n{board}Fabrik 2 2\n{board}", "a.fabrik")
    assert [getattr(item, "row", None) for item in items] == [None, None, 2]
    assert str(items[1]) == "a.fabrik:4: found 5 in a row to win on a board of 2 rows, expected 1 to 2"


@pytest.mark.parametrize(
    ("board", "turn"),
    [
        ("O . #\n. X #\n. . .", BLACK),
        ("O O #\n. X #\n. . .", WHITE),
        ("O X #\n. X #\n. . .", BLACK),
        (". . #\n. . #\n. . .", ""),
        (". . █\n...\n. . .", ""),
    ],
)
def test_the_pieces_determine_the_default_side_to_move(board: str, turn: str) -> None:
    assert one(f"Fabrik 3 3\n{board}").start.turn == turn


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.fabrik: found an empty text, expected Fabrik with"),
        ("% only this", "a.fabrik: found text but no level"),
        ("hello", "a.fabrik:1:1: found 'hello', expected Fabrik with the number of rows"),
        ("Fabrik x", "a.fabrik:1:8: found 'x', expected the number of rows"),
        ("Fabrik 5 x", "a.fabrik:1:10: found 'x', expected the number in a row that wins"),
        ("Fabrik 5 4 red", "a.fabrik:1:12: found 'red', expected black or white"),
        ("Fabrik 27", "a.fabrik:1:8: found a board of 27 rows, expected 2 to 26"),
        ("Fabrik 4", "a.fabrik:1: found 5 in a row to win on a board of 4 rows, expected 1 to 4"),
        ("Fabrik 3 0", "a.fabrik:1: found 0 in a row to win on a board of 3 rows"),
        ("Fabrik 3 3\n# . .\n. . #", "a.fabrik:2: found a board of 2 rows, expected 3"),
        ("Fabrik 2 2\n# .\n. # .", "a.fabrik:3: found a row of 3 cells, expected 2: the board is square"),
        ("Fabrik 2 2\n# .\n. q", "a.fabrik:3:3: found 'q', expected . empty, O black, X white or # a worker"),
        ("Fabrik 2 2\n# #\n# .", "a.fabrik:2: found 3 workers, expected at most 2"),
        ("Fabrik 2 2\n# O\n. .", "a.fabrik:2: found 1 worker, expected 2 on a board with stones"),
        ("Fabrik 2 2 white", "a.fabrik:1: found no workers, expected 2 on a board with stones or with a side"),
        ("[[none, none],\n [none, red]]", "a.fabrik:2:9: found 'red', expected black or none or white or worker"),
        ("[[none, none],\n [none]]", "a.fabrik:2: found a row of 1 cell, expected 2: the board is square"),
        ("[[none, none],\n [none, none]", "a.fabrik:2: found the end of the level, expected , or ]"),
        ("[[none, none],\n [none none]]", "a.fabrik:2:8: found 'none', expected , or ]"),
        ("[[none, none],\n [none, none]] 7", "a.fabrik:2:16: found '7' after the board, expected Moves"),
        ("Fabrik 3 3\nMoves\nA1 A4", "a.fabrik:3:4: found A4, expected a cell from A1 to C3"),
        ("Fabrik 3 3\nMoves\nA1 B2-D3/A1", "a.fabrik:3:7: found D3, expected a cell from A1 to C3"),
        ("Fabrik 3 3\nMoves\nA1 B2/C3", "a.fabrik:3:4: found 'B2/C3', expected black, white, or a move such as"),
        (
            "Fabrik 3 3\nMoves\n" + "A1 " * 700,
            "a.fabrik:3:2038: found more than 679 moves, expected at most those of a game",
        ),
    ],
)
def test_invalid_levels_are_refused(text: str, message: str) -> None:
    assert refused(text).startswith(message)


def test_a_bad_level_hides_no_other() -> None:
    items = parse("Fabrik 4 4\nFabrik 4 x\nTitle: last\nFabrik 4 3", "a.fabrik")
    assert [type(item) for item in items] == [Level, LevelError, Level]


@pytest.mark.parametrize(
    "text", ["", "hello", "#####\n#@$.#\n#####", "1 0\n0 2", "[[1, 2]]", "a fabrik\nof words", "black"]
)
def test_other_texts_do_not_look_like_fabrik(text: str) -> None:
    assert not looks_like(text)


@given(level=fabrik_levels())
def test_drawing_and_reading_are_inverse(level: Level) -> None:
    text = draw(level)
    assert one(text) == level
    assert looks_like(text) == 1
    named_ = replace(level, title="A board", author="Ada", moves=("A1", "black", "A1-B2/A2"))
    assert one(draw(named_)) == named_
    shown = draw(level, level.start)
    assert [shown.count(sign) for sign in "X█"] == [
        len(level.start.white) + (level.size > 23),  # with column X
        len(level.start.workers),
    ]


def test_a_position_is_drawn_in_a_frame() -> None:
    level = one("Fabrik 2 2\n# O\nX #")
    assert draw(level, level.start).split("\n") == [
        "      A       B",
        "  ┼───────┼───────┼",
        "  │       │       │",
        "1 │   █   │   O   │",
        "  │       │       │",
        "  ┼───────┼───────┼",
        "  │       │       │",
        "2 │   X   │   █   │",
        "  │       │       │",
        "  ┼───────┼───────┼",
    ]
    with pytest.raises(ValueError, match="fit"):
        draw(level, replace(level.start, black=cells("C1")))
    with pytest.raises(ValueError, match="fit"):
        draw(level, replace(level.start, black=cells("A1")))


def test_a_picture_has_a_disc_for_each_piece() -> None:
    level = one(TEXT)
    shown = picture(level, level.start)
    colours = [getattr(shape, "colour", "") for shape in shown.pieces]
    assert [colours.count(colour) for colour in ("black", "white", "worker", "rim")] == [3, 2, 2, 7]
    assert (shown.width, shown.height) == (6, 6)


@given(st.tuples(st.integers(0, 25), st.integers(0, 25)))
def test_cells_have_names(cell: tuple[int, int]) -> None:
    assert named(name(cell)) == cell


@given(st.text(alphabet="FabrikMoves 123[],nolackwhte-/AB.OX#%\n\t²\x00", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for start in ("", "Fabrik 3 3\n", "[[none"):
        assert all(isinstance(item, (Level, LevelError)) for item in parse(start + text, "a.fabrik"))
