"""Keys of positions for games: the objects of each cell."""

from puzzlemc.encodings.puzzle.keys import Keys
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.screens.puzzlescript.game import Level

CELL, WON = ",", "won "


def key(level: Level, position: Position) -> str:
    """The names of the objects of each cell, row by row, in alphabetical order; `won` before a won position."""
    cells = CELL.join(" ".join(sorted(objects)) for objects in position.cells)
    return WON * position.won + cells


KEYS = Keys(key)
