"""The capability to draw levels of square tiles with a number at each side.

A page paints the numbers, and writes the level as a heading with the number of rows, a line for each tile, and,
in a game, the game and the rows of its initial board. It knows nothing else of the puzzle.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from puzzlemc.screens.base.part import Part


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
