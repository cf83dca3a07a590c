"""Folding Blocks drawn by hand on a page, and played with a pointer."""

from puzzlemc.encodings.folding.rules import steps
from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.encodings.puzzle.pointing import Place, Pointing
from puzzlemc.screens.base.picture import Shape
from puzzlemc.screens.folding import Level, Matrix, picture

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


def moves(level: Level, position: Matrix, pressed: Place, released: Place) -> list[str]:
    """The fold of the pressed block towards the place where the pointer is released, if it is legal."""
    down, right = released[0] - pressed[0], released[1] - pressed[1]
    if not (0 <= pressed[0] < len(position) and 0 <= pressed[1] < len(position[0])) or not (down or right):
        return []
    direction = ("U" if down < 0 else "D") if abs(down) >= abs(right) else ("L" if right < 0 else "R")
    fold = f"{position[pressed[0]][pressed[1]]}{direction}"
    return [fold] if fold in {step.name for step in steps(level, position)} else []


POINTING = Pointing(moves, "drag a block towards the side over which it folds")
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
