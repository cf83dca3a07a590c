"""Tetravex played with a pointer: a tile is dragged to a cell, or to the tile that it is swapped with."""

from puzzlemc.encodings.puzzle.pointing import Place, Pointing
from puzzlemc.encodings.tetravex.rules import place, steps
from puzzlemc.screens.tetravex import EMPTY, SWAP, Board, Level
from puzzlemc.screens.tetravex.pictures import waiting


def moves(level: Level, position: Board, pressed: Place, released: Place) -> list[str]:
    """The move that a drag means, if it is legal: without a game, a tile goes to the next empty cell only."""
    cell = _cell(level, released)
    if cell is None:
        return []
    if level.rules == SWAP:
        other = _cell(level, pressed)
        one, two = sorted((cell, cell if other is None else other))
        move = f"{place(level, one)}-{place(level, two)}"
    else:
        tile = next((number for number, at in waiting(level).items() if at == pressed), EMPTY)
        move = f"{tile}@{place(level, cell)}" if level.rules else str(tile)
        if not level.rules and (EMPTY not in position or position.index(EMPTY) != cell):
            return []
    return [move] if move in {step.name for step in steps(level, position)} else []


def _cell(level: Level, at: Place) -> int | None:
    """The number of a cell of the board; None beside it."""
    row, column = at
    return row * level.side + column if 0 <= row < level.side and 0 <= column < level.side else None


POINTING = Pointing(moves, "drag a tile to a cell, or to the tile that it is swapped with")
