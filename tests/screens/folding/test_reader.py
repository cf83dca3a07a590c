"""The reader and the writer of Folding Blocks are inverse to each other, and errors name their places."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.folding import Level, draw, looks_like, parse


def one(text: str) -> Level:
    (level,) = parse(text, "a.fold")
    assert isinstance(level, Level), level
    return level


def refused(text: str) -> str:
    (error,) = parse(text, "a.fold")
    assert isinstance(error, LevelError)
    return str(error)


@pytest.mark.parametrize(
    "text",
    [
        "1 0 -1\n0 0 2",
        " 1   0  -1 \n 0 0 2\n\n",
        "1,0,-1\n0,0,2",
        "1, 0, -1,\n0, 0, 2,",
        "1\t0\t-1\r\n0\t0\t2\r\n",
        "1;0;-1\n0;0;2",
        "\ufeff1 0 -1\r0 0 2",
        "% a comment\n1 0 -1\n# another\n0 0 2",
        "01 0 -1\n0 -0 2",
    ],
)
def test_all_forms_of_a_board_are_read(text: str) -> None:
    assert one(text).rows == ((1, 0, -1), (0, 0, 2))
    assert looks_like(text)


def test_a_collection_with_headers_is_read() -> None:
    text = "Author: Ada\nTitle: First\n1 0\n\n2 0\n \nTITLE : Third \nauthor: Bob\n0 3\nTitle: Fourth\n4 0"
    levels = [level for level in parse(text, "a.fold") if isinstance(level, Level)]
    assert [(level.title, level.author, level.rows) for level in levels] == [
        ("First", "Ada", ((1, 0),)),
        ("", "Ada", ((2, 0),)),
        ("Third", "Bob", ((0, 3),)),
        ("Fourth", "Ada", ((4, 0),)),
    ]
    assert looks_like(text)


def test_a_bad_board_hides_no_other() -> None:
    items = parse("1 0\n\n1 x\n\n0 2", "a.fold")
    assert [type(item) for item in items] == [Level, LevelError, Level]
    assert str(items[1]).startswith("a.fold:3:3: found 'x'")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.fold: found an empty text, expected rows of numbers"),
        ("% only this", "a.fold: found text but no board, expected rows of numbers"),
        ("1 0\n0 0 0", "a.fold:2: found a row of 3 numbers, expected 2 as in the row above"),
        ("1 0\n0", "a.fold:2: found a row of 1 number, expected 2 as in the row above"),
        ("1 0\n0 -2", "a.fold:2:3: found '-2', expected -1 for no cell, 0 for an empty one, or a colour from 1"),
        ("1 0.5", "a.fold:1:3: found '0.5', expected -1"),
        ("1 99999999999999999999999", "a.fold:1:3: found '99999999999999999999', expected -1"),
        ("1, ²", "a.fold:1:4: found '²', expected -1"),
        ("-1 -1\n-1 -1", "a.fold:1: found a board without any cell, expected a 0 or a colour"),
        ("0 " * 1001, "a.fold:1:2001: found a row of more than 1000 numbers, expected at most 1000"),
        ("0\n" * 1001, "a.fold:1: found a board of 1001 rows, expected at most 1000"),
    ],
)
def test_invalid_boards_are_refused(text: str, message: str) -> None:
    assert refused(text).startswith(message)


@pytest.mark.parametrize("text", ["", "hello", "#####\n#@$.#\n#####", "% 1 2 3", "1 2\nbut not this", "{1, 0}"])
def test_other_texts_do_not_look_like_folding(text: str) -> None:
    assert not looks_like(text)


@given(level=boards())
def test_drawing_and_reading_are_inverse(level: Level) -> None:
    assert one(draw(level)).rows == level.rows
    assert draw(level, level.rows) == draw(level)
    named = replace(level, title="A board", author="Ada")
    assert one(draw(named)) == named


def test_columns_of_a_drawing_are_aligned() -> None:
    assert draw(one("1 0 -1\n12 0 2")) == " 1  0 -1\n12  0  2"
    with pytest.raises(ValueError, match="shape"):
        draw(one("1 0"), ((1,),))


@given(st.text(alphabet="01-9 ,;\t\n%#Titleauthor:x²\x00", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert all(isinstance(item, (Level, LevelError)) for item in parse(text, "a.fold"))


def test_an_empty_line_of_authors_names_none() -> None:
    text = "Author: Ann\n1 0\n\nTitle: Two\n1 0\n\nAuthor:\n1 0\n\nAuthor: Bob\n1 0\n\n1 0\n"
    assert [level.author for level in parse(text, "x") if isinstance(level, Level)] == [
        "Ann",
        "Ann",
        "",
        "Bob",
        "Ann",
    ]
