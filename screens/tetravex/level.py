"""Tetravex levels: immutable values, and the checks that both text formats share."""

from dataclasses import dataclass
from typing import NamedTuple

from puzzlemc.screens.base.errors import LevelError


class Tile(NamedTuple):
    """The colours of a tile's sides."""

    north: int
    south: int
    east: int
    west: int


Board = tuple[int, ...]  # the number of the tile on each cell, from 1, or EMPTY; row by row

EMPTY = 0
PUT, SWAP = "put", "swap"
MAX_SIDE = 100
MAX_COLOUR = 10**9


@dataclass(frozen=True, slots=True)
class Level:
    """The tiles of a board of `side` rows and columns, in the order of the file.

    In a game, `rules` is `put` or `swap`, and `start` is the initial board. If the level only asks for an
    arrangement of the tiles, both are empty.
    """

    title: str
    author: str
    side: int
    tiles: tuple[Tile, ...]
    rules: str = ""
    start: Board = ()


def checked_side(side: int, source: str, line: int | None, column: int | None) -> int:
    """Return the number of rows of a board, which is at that place of the file. Raises LevelError."""
    if not 1 <= side <= MAX_SIDE:
        message = f"found a board of {side} rows, expected 1 to {MAX_SIDE}"
        raise LevelError(message, source=source, line=line, column=column)
    return side


def wrong_number_of_tiles(
    found: int, side: int, source: str, line: int | None, column: int | None = None
) -> LevelError:
    """Return the error for a level whose number of tiles does not fit its number of rows."""
    tiles = "1 tile" if found == 1 else f"{found} tiles"
    message = f"found {tiles} for a board of {side} rows, expected {side * side}"
    return LevelError(message, source=source, line=line, column=column)
