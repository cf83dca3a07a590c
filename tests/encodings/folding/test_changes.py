"""Single edits of Folding Blocks boards."""

from puzzlemc.encodings.folding.puzzle import PUZZLE
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change
from puzzlemc.screens.folding import Level, parse

BOARD = """\
 1  1  0
-1  2  0"""


def level(text: str) -> Level:
    """The board of a text."""
    (found,) = parse(text, "board.fold")
    assert isinstance(found, Level)
    return found


def made(text: str, *kinds: str, keep: frozenset[tuple[int, int]] = frozenset()) -> list[Change]:
    """The edits of these kinds."""
    assert PUZZLE.changes is not None
    changes = PUZZLE.changes()
    return list(changes.edits(level(text), Allowed(frozenset(kinds or changes.kinds), keep)))


def test_each_edit_makes_another_board_that_the_reader_accepts_and_names_the_cells_that_differ() -> None:
    before = level(BOARD)
    found = made(BOARD)
    assert len({change.level for change in found}) == len(found) == 16
    for change in found:
        (edit,) = change.edits
        assert parse(PUZZLE.screen.draw(change.level), "again") == [change.level]
        assert edit.cells == tuple(
            (r, c) for r in range(2) for c in range(3) if before.rows[r][c] != change.level.rows[r][c]
        )
        assert edit.cells
        assert {value for row in change.level.rows for value in row} >= {1, 2}


def test_edits_in_words() -> None:
    assert [(change.level.rows, change.edits[0].words) for change in made("1 2 0 -1 0", "cells")] == [
        (((1, 2, -1, -1, 0),), "the cell in row 1, column 3 is taken away"),
        (((1, 2, 0, 0, 0),), "an empty cell is added in row 1, column 4"),
        (((1, 2, 0, -1, -1),), "the cell in row 1, column 5 is taken away"),
    ]
    assert [(change.level.rows, change.edits[0].words) for change in made(BOARD, "blocks")] == [
        (((0, 1, 1), (-1, 2, 0)), "the block of colour 1 is moved 1 right"),
        (((1, 1, 2), (-1, 0, 0)), "the block of colour 2 is moved 1 up and 1 right"),
        (((1, 1, 0), (-1, 0, 2)), "the block of colour 2 is moved 1 right"),
    ]
    assert [(change.level.rows, change.edits[0].words) for change in made("2 2 0", "colours")] == [
        (((0, 2, 0),), "the cell in row 1, column 1 starts empty"),
        (((2, 0, 0),), "the cell in row 1, column 2 starts empty"),
        (((2, 2, 2),), "the cell in row 1, column 3 gets colour 2"),
        (((2, 2, 1),), "the cell in row 1, column 3 gets colour 1"),
    ]


def test_the_last_cell_of_a_board_stays() -> None:
    assert [change.level.rows for change in made("0")] == [((1,),)]


def test_cells_to_keep_are_in_no_edit() -> None:
    for cell in [(0, 1), (0, 2), (1, 0), (1, 1)]:
        found = made(BOARD, keep=frozenset([cell]))
        assert [change.level for change in found] == [
            change.level for change in made(BOARD) if cell not in change.edits[0].cells
        ]
        assert found
