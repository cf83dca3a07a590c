"""Factorio instances drawn by hand on a page: where items come in and go out."""

from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.screens.base.picture import Label, Shape, tile

FIRST = """\
Factorio
recipe iron-gear-wheel: 120 iron-plate = 60 iron-gear-wheel
in A: iron-plate
out B: iron-gear-wheel
A....
.....
.....
.....
....B"""
GROUND = (tile(0, 0, "plan line"), tile(0, 0, "plan", 0.02))
LETTERS = "ABCDEFGH"


def _port(letter: str) -> tuple[Shape, ...]:
    return (
        *GROUND,
        tile(0, 0, "goal", 0.03, 0.12),
        tile(0, 0, "plan", 0.1, 0.08),
        Label(0.5, 0.5, letter, 0.5, "chalk"),
    )


DRAWING = Drawing(
    brushes=(
        Brush(".", "free cell", "x", GROUND),
        *(
            Brush(letter, f"port {letter}", letter.lower() if letter <= "D" else "", _port(letter))
            for letter in LETTERS
        ),
    ),
    first=FIRST,
)
