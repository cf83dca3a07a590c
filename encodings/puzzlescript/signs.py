"""The signs of a game, each with the sprites of its objects, to paint into the rows of a level."""

from itertools import groupby

from puzzlemc.encodings.puzzle.drawing import Brush
from puzzlemc.screens.base.picture import Box
from puzzlemc.screens.puzzlescript.game import Game, Level
from puzzlemc.screens.puzzlescript.level import backgrounds, filled
from puzzlemc.screens.puzzlescript.pictures import pixels


def signs(level: Level) -> list[Brush]:
    """A brush for each character of the legend that a level may have."""
    game = level.game
    (ground,) = level.cells[0] & backgrounds(game)
    content = filled(game, ground)  # a cell has a background, also where its sign stands for none
    return [
        Brush(sign, " and ".join(sorted(objects)), "", _shapes(game, content[sign]))
        for sign, objects in game.signs.items()
    ]


def _shapes(game: Game, objects: frozenset[str]) -> tuple[Box, ...]:
    """The sprites of the objects in a cell: runs of one colour in each row of pixels."""
    rows = pixels(game, objects)
    size = 1 / len(rows)
    found = []
    for row, line in enumerate(rows):
        column = 0
        for colour, run in groupby(line):
            width = len(list(run))
            found.append(Box(column * size, row * size, width * size, size, colour))
            column += width
    return tuple(found)
