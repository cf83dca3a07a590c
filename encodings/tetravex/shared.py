"""Tetravex for a page that plays a level by itself: what `rules.js` gets, and keys of positions."""

from puzzlemc.encodings.puzzle.shared import Shared, SharedLevel
from puzzlemc.encodings.tetravex.rules import start
from puzzlemc.screens.base.picture import Shape, tile
from puzzlemc.screens.tetravex import Board, Level, picture
from puzzlemc.screens.tetravex.pictures import waiting


def level(found: Level) -> SharedLevel:
    """The tiles, the game, the initial board, and where tiles wait; the look of each tile, and of a gap."""
    looks: dict[str, tuple[Shape, ...]] = {"gap": (tile(0, 0, "line", 0.3, 0.1),)}
    for number, each in enumerate(found.tiles, 1):
        looks[str(number)] = picture(Level("", "", 1, (each,), "", (1,)), (1,)).pieces
    data = {
        "side": found.side,
        "tiles": [each._asdict() for each in found.tiles],
        "game": found.rules,
        "start": start(found),
        "waiting": [[number, *place] for number, place in waiting(found).items()],
    }
    return SharedLevel(data, looks)


def key(found: Level, position: Board) -> str:
    """The numbers of the tiles on all cells, row by row."""
    return " ".join(map(str, position))


SHARED = Shared(("puzzlemc.encodings.tetravex", "rules.js"), level, key)
