"""Tetravex on a page: tiles that are drawn, and what a pointer means."""

from dataclasses import replace

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.tetravex.pointing import moves, playable, refusal
from puzzlemc.encodings.tetravex.tiling import read
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.tetravex import PUT, SWAP, Level, parse

TWO = "Tetravex 2\n0 0 0 2\n2 1 1 2\n0 0 1 1\n2 2 2 1"
TILES = [[0, 0, 0, 2], [2, 1, 1, 2], [0, 0, 1, 1], [2, 2, 2, 1]]


def level(text: str = TWO) -> Level:
    (found,) = parse(text, "here")
    assert isinstance(found, Level)
    return found


def part(text: str) -> Part:
    return Part("here", 1, text, "", "")


def test_tiles_are_read_from_both_forms_and_if_their_number_is_wrong() -> None:
    assert read(part(TWO)) == (2, TILES, "", [])
    assert read(part(f"{TWO}\nSwap\n4 3\n2 1")) == (2, TILES, "swap", [4, 3, 2, 1])
    assert read(part(f"{TWO}\n% a comment\n9, 9; 9 9")) == (2, [*TILES, [9] * 4], "", [])
    assert read(part("N = 1; puzzle = [|1,2,3,4|];")) == (1, [[1, 2, 3, 4]], "", [])
    for wrong in ("Tetravex 2\n0 0 x 2", "Tetravex 2\n0 0 2", "Tetravex\n0 0 0 0", f"{TWO}\nPut\n0 0", "N = 1;"):
        assert read(part(wrong)) is None


def test_a_level_without_a_game_is_played_as_one_and_a_game_stays() -> None:
    played = playable(level())
    assert (played.rules, played.start) == (PUT, (0, 0, 0, 0))
    swap = replace(level(), rules=SWAP, start=(1, 2, 3, 4))
    assert playable(swap) is swap


def test_a_tile_and_a_place_are_pointed_at_in_either_order() -> None:
    played = playable(level())
    beside, cell = (1, 3), (0, 1)  # tile 2
    assert moves(played, (0, 0, 0, 0), beside, cell) == ["2@1,2"]
    assert moves(played, (0, 0, 0, 0), cell, beside) == ["2@1,2"]
    assert moves(played, (0, 2, 0, 0), beside, (0, 0)) == []  # it lies already
    assert moves(level(), (0, 0, 0, 0), beside, cell) == []  # in reading order
    assert moves(level(), (0, 0, 0, 0), beside, (0, 0)) == ["2"]
    swap = replace(level(), rules=SWAP, start=(1, 2, 3, 4))
    assert moves(swap, swap.start, (1, 1), (0, 1)) == ["1,2-2,2"]
    assert moves(swap, swap.start, (5, 5), (7, 7)) == []


def test_a_refusal_names_all_sides_that_differ() -> None:
    played = playable(level("Tetravex 2\n1 2 3 4\n5 6 7 8\n9 10 11 12\n2 13 14 7"))
    words = refusal(played, (1, 2, 0, 0), (0, 4), (1, 0))  # tile 3
    wrong = "its north side is 9, and the south side of the tile on 1,1 is 2"
    assert words == f"This tile does not fit on 2,1: {wrong}"
    words = refusal(played, (0, 2, 1, 0), (0, 4), (0, 0))
    assert words == (
        "This tile does not fit on 1,1: its east side is 11, and the west side of the tile on 1,2 is 8; "
        "its south side is 10, and the north side of the tile on 2,1 is 1"
    )
    assert refusal(played, (1, 2, 0, 0), (0, 4), (0, 1)) == "There is a tile on 1,2 already"
    assert "Undo" in refusal(played, (1, 2, 0, 0), (0, 0), (1, 1))
    assert "reading order; the next one goes to 1,1" in refusal(level(), (0, 0, 0, 0), (0, 3), (1, 1))
    assert refusal(played, (1, 2, 0, 0), (0, 4), (0, 9)) == ""


def test_marks_show_the_cursor_the_chosen_tile_and_where_it_fits() -> None:
    hands = puzzle("tetravex").by_hand
    assert hands is not None
    assert hands.marks is not None
    played = playable(level())
    position = (1, 0, 0, 0)
    marks = hands.marks(played, position, hands.hand(played, position, None))
    assert marks.cursor == (0, 0)
    assert (list(marks.legal), list(marks.seen)) == ([(1, 1)], [(1, 3)])


def test_the_games_of_drawn_tiles_are_those_of_the_reader() -> None:
    for game in (PUT, SWAP):
        assert level(f"{TWO}\n{game.capitalize()}\n1 2\n3 4").rules == game
