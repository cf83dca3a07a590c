"""Fabrik positions drawn by hand on a page."""

from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.screens.base.picture import Shape, disc, tile

FIRST = """\
Fabrik 7 4 black
. . . . . . .
. O . . X . .
. . O # . . .
. . X O . . .
. # . . . X .
. . X . . . .
. . . . . . ."""
GROUND = (tile(0, 0, "line"), tile(0, 0, "table", 0.02))


def _piece(colour: str) -> tuple[Shape, ...]:
    return (*GROUND, disc(0, 0, "rim", 0.38), disc(0, 0, colour, 0.35))


DRAWING = Drawing(
    letters=True,
    brushes=(
        Brush(".", "empty cell", "e", GROUND),
        Brush("O", "black stone", "b", _piece("black")),
        Brush("X", "white stone", "w", _piece("white")),
        Brush("#", "worker", "k", _piece("worker")),
    ),
    first=FIRST,
    between=" ",
    sized="Fabrik",
)
