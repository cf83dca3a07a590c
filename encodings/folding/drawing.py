"""Folding Blocks drawn by hand on a page."""

from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.screens.base.picture import Shape
from puzzlemc.screens.folding import Level, picture

FIRST = """\
 1  0  0  0
 0  0  0  0
 0  0  0  0
 0  0  2  2"""
CHOSEN = 6  # colours with a key of their own
COLOURS = 9


def _cell(value: int) -> tuple[Shape, ...]:
    shown = picture(Level("", "", ((value,),)), ((value,),))
    return (*shown.board, *shown.pieces)


DRAWING = Drawing(
    brushes=(
        Brush("0", "empty cell", "e", _cell(0)),
        Brush("-1", "no cell", "x", _cell(-1)),
        *(
            Brush(str(colour), f"colour {colour}", str(colour) if colour <= CHOSEN else "", _cell(colour))
            for colour in range(1, COLOURS + 1)
        ),
    ),
    first=FIRST,
    between=" ",
    count=lambda level: len({value for row in level.rows for value in row if value > 0}),
)
