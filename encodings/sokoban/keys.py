"""Keys of positions for games, and blocks of boxes that never move."""

from collections.abc import Iterator

from puzzlemc.encodings.puzzle.keys import Keys, Placed
from puzzlemc.encodings.sokoban.domain.rules import spare
from puzzlemc.encodings.sokoban.shared import key
from puzzlemc.screens.sokoban import Cell, Level


def number(level: Level, cell: Cell) -> int:
    """The number of a cell in keys: row by row, from 0."""
    return cell[0] * _width(level) + cell[1]


def board(level: Level) -> int:
    """The number of cells, walls included."""
    return len(level.rows) * _width(level)


def blocks(level: Level) -> Iterator[frozenset[Cell]]:
    """Yield the floor of each two by two cells that are lost if all of it holds boxes.

    Each of these boxes has a box or a wall beside it, and above or below it, and neither can move first: a push
    needs the cells on both sides of a box. So they stay, and more boxes than are over stand off the goals.
    """
    for row in range(-1, len(level.rows)):
        for column in range(-1, _width(level)):
            square = {(r, c) for r in (row, row + 1) for c in (column, column + 1)}
            floor = frozenset(square & level.cells)
            if len(floor - level.goals) > spare(level):
                yield floor


def _width(level: Level) -> int:
    return max(map(len, level.rows))


KEYS = Keys(key, Placed(number, board, blocks))
