"""Folding Blocks for a page that plays a level by itself: what `rules.js` gets, and keys of positions."""

from puzzlemc.encodings.puzzle.shared import Shared, SharedLevel
from puzzlemc.screens.folding import EMPTY, Level, Matrix, picture


def level(found: Level) -> SharedLevel:
    """The rows of numbers, and the look of each colour."""
    colours = sorted({value for row in found.rows for value in row if value > EMPTY})
    looks = {str(each): picture(Level("", "", ((each,),)), ((each,),)).pieces for each in colours}
    return SharedLevel({"rows": found.rows}, looks)


def key(found: Level, position: Matrix) -> str:
    """The numbers of all cells, row by row."""
    return " ".join(str(value) for row in position for value in row)


SHARED = Shared(("puzzlemc.encodings.folding", "rules.js"), level, key)
