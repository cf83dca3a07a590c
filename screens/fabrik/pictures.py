"""Fabrik positions as pictures."""

from puzzlemc.screens.base.picture import Label, Picture, Shape, disc, tile
from puzzlemc.screens.fabrik.level import LETTERS, Level, Position


def picture(level: Level, position: Position) -> Picture:
    """Return a position as a picture: stones and workers are discs; two sides have letters and numbers."""
    board: list[Shape] = []
    for row in range(level.size):
        board.append(Label(0.5, row + 1.5, str(row + 1), 0.4, "rim"))
        board.append(Label(row + 1.5, 0.5, LETTERS[row], 0.4, "rim"))
        for column in range(level.size):
            board += [tile(row + 1, column + 1, "line"), tile(row + 1, column + 1, "table", 0.02)]
    pieces: list[Shape] = []
    for cells, colour in ((position.black, "black"), (position.white, "white"), (position.workers, "worker")):
        for row, column in sorted(cells):
            pieces += [disc(row + 1, column + 1, "rim", 0.38), disc(row + 1, column + 1, colour, 0.35)]
    return Picture(level.size + 1, level.size + 1, tuple(board), tuple(pieces))
