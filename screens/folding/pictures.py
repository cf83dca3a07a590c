"""Folding Blocks positions as pictures."""

from puzzlemc.screens.base.picture import NUMBERED, Label, Moved, Picture, Shape, tile
from puzzlemc.screens.folding.level import EMPTY, NO_CELL, Level, Matrix


def picture(level: Level, position: Matrix) -> Picture:
    """Return a position as a picture: each coloured cell also shows the number of its colour."""
    board: list[Shape] = []
    pieces: list[Shape] = []
    for row, values in enumerate(position):
        for column, value in enumerate(values):
            if value != NO_CELL:
                board += [tile(row, column, "line"), tile(row, column, "floor", 0.02)]
            if value > EMPTY:
                pieces.append(tile(row, column, str(value % NUMBERED), 0.04, 0.1))
                number = str(value)
                pieces.append(Label(column + 0.5, row + 0.5, number, min(0.5, 1.3 / len(number))))
    return Picture(len(level.rows[0]), len(level.rows), tuple(board), tuple(pieces))


def moved(_: Level, before: Matrix, after: Matrix) -> Moved:
    """Return the block that a fold mirrors, and the cells that the block newly fills."""
    filled = [
        (row, column)
        for row, values in enumerate(after)
        for column, value in enumerate(values)
        if value != before[row][column]
    ]
    colours = {after[row][column] for row, column in filled}
    block = (
        (row, column)
        for row, values in enumerate(before)
        for column, value in enumerate(values)
        if value in colours
    )
    return Moved(tuple(block), tuple(filled))
