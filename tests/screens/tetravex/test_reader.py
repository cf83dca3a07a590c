"""Tetravex levels as text: data files with the syntax of MiniZinc, the plain form, and places of errors."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.screens.base import part
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MARKED
from puzzlemc.screens.tetravex import Level, Tile, draw, looks_like, parse

ONE = Level("", "", 1, (Tile(1, 2, 3, 4),))


@pytest.mark.parametrize(
    "text",
    [
        "N = 1;\npuzzle = array2d(1..N*N, 1..4,[1,2,3,4]);",
        "N=1;puzzle=array2d(1..N*N,1..4,[1,2,3,4,]);\n",
        "% N = 2;\n\tN\n=\n1 ; % one\npuzzle = array2d ( 1 .. N * N , 1 .. 4 , [ 1 , 2,\n% 9,\n3,4 ] ) ;\r\n% 5",
        "puzzle = [|1,2,3,4|];\nN = 1",
        "/* N = 3; */ N = 1; puzzle = [| 1,2,3,4, |];",
        "N = 1; puzzle = array2d(1..1, 1..4, [01,2,3,4]);",
        "\ufeffTetravex 1\n1 2 3 4",
        "% comment\n\n  tetravex\t1\r\n\r\n 1, 2, 3; 4\n# end\n",
    ],
)
def test_a_level_of_one_tile_is_read(text: str) -> None:
    assert looks_like(text)
    assert parse(text, "x") == [ONE]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "N = 2;\npuzzle = [|\n1,2,3,4|\n1,2,3,4|\n1,2,3,4|\n1,2,3,4|\n1,2,3,4|];",
            "x:7:1: found 5 tiles for a board of 2 rows, expected 4",
        ),
        ("N = 2;\npuzzle = [|1,2,3,4|];", "x:2:1: found 1 tile for a board of 2 rows, expected 4"),
        ("N = 1;\npuzzle = [|1,2,\nx,4|];", "x:3:1: found 'x', expected a colour: a number from 0 to 1000000000"),
        ("N = 1;\npuzzle = [|1,-2,3,4|];", "x:2:14: found '-', expected a colour: a number from 0 to 1000000000"),
        ("N = 1;\npuzzle = array2d(1..N*N, 1..4, [1,2,3,4);", "x:2:40: found ')', expected , or ]"),
        ("N = 1;\npuzzle = array2d(1..N*N, 1..4, [1,2,3,4];", "x:2:41: found ';', expected )"),
        ("N = 1;\npuzzle = [|1,2,3,4", "x:2:19: found the end of the text, expected , or | or |]"),
        ("N = 1;\npuzzle = [|1,2 3,4|];", "x:2:16: found '3', expected , or | or |]"),
        ("N = 1\npuzzle = [|1,2,3,4|];", "x:2:1: found 'puzzle', expected ;"),
        (
            "N = 1;\npuzzle = [|1,2,3|];",
            "x:2:16: found 3 numbers, expected 4: four for each of 1 tiles",
        ),
        ("N = 0;\npuzzle = [| |];", "x:1:5: found a board of 0 rows, expected 1 to 100"),
        ("puzzle = [|1,2,3,4|];\n", "x:2:1: found the end of the text, expected N = …, the number of rows"),
        ("N = 1;", "x:1:7: found the end of the text, expected puzzle = …, the tiles"),
        ("N = 1;\nN = 2;", "x:2:1: found 'N', expected each of N and puzzle once"),
        ("M = 1;", "x:1:1: found 'M', expected N = … or puzzle = …"),
        ("N = x;", "x:1:5: found 'x', expected the number of rows: a number from 0 to 1000000000"),
        ("", "x:1:1: found the end of the text, expected N = …, the number of rows"),
        ("Tetravex", "x:1:1: found 'Tetravex', expected Tetravex and the number of rows"),
        ("Tetravex 0", "x:1:10: found a board of 0 rows, expected 1 to 100"),
        ("Tetravex 2\n1 2 3 4", "x:1: found 1 tile for a board of 2 rows, expected 4"),
        ("Tetravex 1\n1 2 3 4\n1 2 3 4", "x:3: found 2 tiles for a board of 1 rows, expected 1"),
        ("Tetravex 1\n1 2 3", "x:2: found 3 numbers, expected 4 colours: north south east west"),
        ("Tetravex 1\n1 2 b 4", "x:2:5: found 'b', expected a number from 0 to 1000000000"),
        ("Tetravex 1\n1 2 3 4\nSwap\n2", "x:4:1: found 2, expected a tile from 1 to 1"),
        ("Tetravex 1\n1 2 3 4\nSwap\n0", "x:4:1: found 0, expected a tile from 1 to 1"),
        ("Tetravex 1\n1 2 3 4\nPut\n1 0", "x:4: found 2 numbers, expected 1 tiles"),
        ("Tetravex 1\n1 2 3 4\nPut", "x:3: found 0 rows of a board, expected 1"),
        ("Tetravex 1\n1 2 3 4\nPut\n0\n0", "x:5: found 2 rows of a board, expected 1"),
    ],
)
def test_errors_are_reported_with_their_places(text: str, message: str) -> None:
    (error,) = parse(text, "x")
    assert isinstance(error, LevelError)
    assert str(error) == message


@pytest.mark.parametrize("heading", ["2 2", "2", "2x2", "2 × 2", "2, 2", "% a comment\n2 2"])
def test_tiles_below_a_size_are_told_the_heading(heading: str) -> None:
    text = f"{heading}\n3 0 1 2\n7 7 8 1\n0,5,4,6\n7 9 2 4\n"
    assert looks_like(text) == MARKED
    (error,) = parse(text, "x")
    line, size = heading.count("\n") + 1, heading.split("\n")[-1]
    assert str(error) == f"x:{line}:1: found {size!r}, expected Tetravex 2: the heading of 4 tiles"


@pytest.mark.parametrize("text", ["2 2\n0 1\n1 0\n", "2 2\n1 2 3 4\n", "1 1\n1 2 3\n", "2 2\n0 -1 1 1\n" * 2])
def test_other_numbers_are_no_tiles(text: str) -> None:
    assert looks_like(text) == 0


def test_a_duplicate_tile_is_an_error() -> None:
    tiles = "\n".join(["1 2 3 4"] * 4)
    (error,) = parse(f"Tetravex 2\n{tiles}\nPut\n0 1\n1 0", "x")
    assert str(error) == "x:8:1: found tile 1 again, expected each tile once"


def test_a_bad_level_hides_no_other() -> None:
    good = "Tetravex 1\n1 2 3 4\n"
    one, bad, other = parse(f"{good}Title: bad\nTetravex 1\n1 2\nTitle: last\nAuthor: me\n{good}", "x")
    assert one == ONE
    assert str(bad) == "x:5: found 2 numbers, expected 4 colours: north south east west"
    assert (other.title, other.author) == ("last", "me")  # type: ignore[union-attr]


def test_squares_are_drawn() -> None:
    level = Level("", "", 2, (Tile(1, 2, 3, 4), Tile(10, 0, 0, 3), Tile(2, 7, 8, 9), Tile(0, 1, 1, 8)))
    assert draw(level, (1, 2, 0, 4)).splitlines() == [
        "+-----+-----+",
        "|  1  | 10  |",
        "|4   3|3   0|",
        "|  2  |  0  |",
        "+-----+-----+",
        "|     |  0  |",
        "|     |8   1|",
        "|     |  1  |",
        "+-----+-----+",
    ]
    for wrong in [(1, 2, 3), (1, 1, 2, 3), (1, 2, 3, 5), (-1, 1, 2, 3)]:
        with pytest.raises(ValueError, match="the board has 4 cells"):
            draw(level, wrong)


@given(st.text(alphabet="N=puzle array2d(1..4,[|];%*/ \nTetravex Put 0123\t", max_size=80) | st.text(max_size=40))
def test_any_text_gives_levels_or_errors(text: str) -> None:
    for item in parse(text, "x"):
        assert isinstance(item, Level | LevelError)


def test_a_data_file_may_have_the_greatest_size() -> None:
    tiles = "1,2,3,4|\n" * 10_000
    (level,) = parse(f"N = 100;\npuzzle = [|\n{tiles}|];", "x")
    assert isinstance(level, Level)
    assert level.tiles == (Tile(1, 2, 3, 4),) * 10_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N = 100; puzzle = [|" + "1," * (1 << 22), "found more than 40000 numbers, expected four for each tile"),
        ("N = 1;" * (1 << 20), "found 'N', expected each of N and puzzle once"),
        ("N = 1;" + "/* " * (1 << 20), "found '/', expected N = … or puzzle = …"),
        ("N = " + "1" * (1 << 22), "found '11111111111111111111', expected the number of rows"),
    ],
)
def test_a_large_file_is_refused_at_its_first_error(text: str, message: str) -> None:
    before = time.process_time()
    (error,) = parse(text, "x")
    assert message in str(error)
    assert time.process_time() - before < 2


def test_levels_beyond_the_limit_are_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "MAX_LEVELS", 3)
    found = parse(5 * "Tetravex 1\n1 2 3 4\n", "x")
    assert [isinstance(each, LevelError) for each in found] == [False, False, False, True]
