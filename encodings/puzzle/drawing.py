"""The capabilities to draw levels by hand: cell by cell, or as square tiles with a number at each side.

A page paints cells with the signs of a `Drawing`, and knows nothing else of the puzzle. Lines above and below the
rows of the text stay as they are. Of a `Tiling` it paints the numbers, and writes the level as a heading with the
number of rows, a line for each tile, and, in a game, the game and the rows of its initial board.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.picture import Shape

Place = tuple[int, int]  # row and column of the picture, from 0


@dataclass(frozen=True)
class Brush:
    """A kind of cell.

    sign    in the text of a level
    name    for people
    key     of a keyboard, which chooses it; empty: it is painted with others only
    shapes  of a cell in the upper left corner
    """

    sign: str
    name: str
    key: str
    shapes: tuple[Shape, ...] = ()


class Sheet(NamedTuple):
    """The text of a level: its rows of signs, and the lines above and below them."""

    above: str
    rows: list[list[str]]
    below: str


@dataclass(frozen=True)
class Drawing:
    """How levels are drawn.

    brushes   the kinds of cells; the first one fills new cells
    first     the text of a small level to begin with
    between   what stands between the signs of a row
    hollow    the text of a row in which nothing is drawn, if its signs would not be read; empty: they are
    outside   the sign of cells that short rows leave out; empty: that of the first brush
    enclosed  the sign of walls that enclose each level: cells of the first brush beyond them are outside; empty:
              each cell is part of the level
    other     other signs in texts -> signs of brushes
    onto      a brush, a blank and the sign that it is painted on -> the sign that results, if not the brush
    single    signs of which a level has one -> what is left where another one is painted; several such mappings
              for signs that do not replace each other
    sized     a word in the lines above, which the number of rows follows: such a board is square
    letters   columns are named by letters, as in D3 for row 3; else cells are named as row 3, column 4
    lost      the cells of a level on which a piece is lost
    count     the number of objects of a level, as `generate` counts them; None if it makes none like it
    """

    brushes: tuple[Brush, ...]
    first: str
    between: str = ""
    hollow: str = ""
    outside: str = ""
    enclosed: str = ""
    other: dict[str, str] = field(default_factory=dict)
    onto: dict[str, str] = field(default_factory=dict)
    single: dict[str, str] | Sequence[dict[str, str]] = ()
    sized: str = ""
    letters: bool = False
    lost: Callable[[Any], Iterable[Place]] = lambda level: ()
    count: Callable[[Any], int] | None = None

    def sheet(self, text: str) -> Sheet | None:
        """The rows of a text: the most lines in a row that consist of signs; None without any."""
        lines = text.split("\n")
        read = [self._row(line) for line in lines]
        best, start = range(0), 0
        for end in range(len(lines) + 1):
            if end == len(lines) or read[end] is None:
                best = max(best, range(start, end), key=len)
                start = end + 1
        rows = [row for row in read[best.start : best.stop] if row is not None]
        if not rows:
            return None
        width = max(map(len, rows))
        outside = self.outside or self.brushes[0].sign
        filled = [row + [outside] * (width - len(row)) for row in rows]
        return Sheet("\n".join(lines[: best.start]), filled, "\n".join(lines[best.stop :]))

    def text(self, sheet: Sheet) -> str:
        """The text of rows of signs, with the lines above and below them."""
        lines = [self.between.join(row).rstrip() or self.hollow for row in sheet.rows]
        return "\n".join(part for part in (sheet.above, *lines, sheet.below) if part)

    def _row(self, line: str) -> list[str] | None:
        if not line.strip():
            return None
        signs = line.split() if self.between else list(line.rstrip())
        known = {brush.sign for brush in self.brushes}
        row = [self.other.get(sign, sign) for sign in signs]
        return row if all(sign in known for sign in row) else None


class Tiles(NamedTuple):
    """The tiles of a level, which may be too few or too many for its board.

    rows   of the square board
    tiles  the numbers at the sides of each tile
    game   one of the games of the puzzle; empty if the tiles are only to be arranged
    board  the number of the tile on each cell, from 1, or 0; empty without a game
    """

    rows: int
    tiles: list[list[int]]
    game: str
    board: list[int]


@dataclass(frozen=True)
class Tiling:
    """How levels are drawn.

    heading  the word before the number of rows
    sides    the sides in the order of the numbers in a line
    games    the words that begin an initial board, with what a player does; in the last one every cell is full
    read     the tiles of the text of a level; None if it has a fault in a number
    rows     the number of rows of a level
    count    the number of objects of a level, as `generate` counts them
    """

    heading: str
    sides: tuple[str, str, str, str]
    games: dict[str, str]
    read: Callable[[Part], Tiles | None]
    rows: Callable[[Any], int]
    count: Callable[[Any], int]
