"""Pictures of positions: coloured shapes, from which SVG, GIF and HTML are all rendered.

The package of a puzzle makes them in `picture(level, position)`. The unit is a cell; x grows to the right and y
grows downwards from the upper left corner. Shapes are painted in their order. A colour is a name in `COLOURS`,
or in the palette that the puzzle declares (`Display.palette`), or the literal `#rrggbb`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

Palette: TypeAlias = Mapping[str, tuple[str, str]]  # name -> colour on a light page, colour on a dark page

COLOURS: Palette = {
    "wall": ("#5c6675", "#4b5563"),
    "floor": ("#eceff3", "#252b34"),
    "line": ("#c3cad4", "#3c4552"),
    "goal": ("#d9480f", "#ff8f4d"),
    "accent": ("#1f5fbf", "#5b9bf5"),  # the cursor and hints on a terminal
    "mark": ("#c2186b", "#ff7ab8"),  # painted over a picture to point at something
    "ink": ("#16191d", "#16191d"),  # on the colours below
    "0": ("#b9bec6", "#aab0ba"),
    "1": ("#f28e8a", "#e97f7b"),
    "2": ("#7fb3ea", "#74a9e2"),
    "3": ("#f3c64f", "#e3b640"),
    "4": ("#84cc8b", "#76bf7e"),
    "5": ("#c49be8", "#b88cdf"),
    "6": ("#f2a45c", "#e6974e"),
    "7": ("#6fcfca", "#61c1bc"),
    "8": ("#e79ac6", "#dc8bba"),
    "9": ("#c8b37a", "#bda76c"),
}
NUMBERED = 10  # the colours "0" to "9"


def is_literal(colour: str) -> bool:
    """Is the colour the literal `#rrggbb`, in lower case, and not a name?"""
    return re.fullmatch("#[0-9a-f]{6}", colour) is not None


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners; a disc if the radius is half of both sides."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon with corners (x, y)."""

    points: tuple[tuple[float, float], ...]
    colour: str


@dataclass(frozen=True, slots=True)
class Label:
    """A short text of height `size`: centred at (x, y), or beginning at x if `from_left`."""

    x: float
    y: float
    text: str
    size: float
    colour: str = "ink"
    from_left: bool = False


Shape = Box | Polygon | Label
Cell = tuple[int, int]  # row and column of a picture, from 0


@dataclass(frozen=True)
class Picture:
    """A position of a level: `board` is the same in all positions of the level, `pieces` are painted over it."""

    width: float
    height: float
    board: tuple[Shape, ...]
    pieces: tuple[Shape, ...]


@dataclass(frozen=True)
class Moved:
    """The cells of the picture that a step moves: their places before the step, and after it."""

    before: tuple[Cell, ...]
    after: tuple[Cell, ...]


def tile(row: float, column: float, colour: str, inset: float = 0.0, radius: float = 0.0) -> Box:
    """Return the square of a cell, inset on each side."""
    side = 1 - 2 * inset
    return Box(column + inset, row + inset, side, side, colour, radius)


def frame(row: int, column: int, width: float = 0.09) -> tuple[Box, ...]:
    """Return a frame along the inner edge of a cell, which marks the cell."""
    across = [Box(column, y, 1, width, "mark") for y in (row, row + 1 - width)]
    down = [Box(x, row + width, width, 1 - 2 * width, "mark") for x in (column, column + 1 - width)]
    return (*across, *down)


def disc(row: int, column: int, colour: str, radius: float) -> Box:
    """Return a disc in the middle of a cell."""
    return tile(row, column, colour, 0.5 - radius, radius)


def lines(text: str) -> Picture:
    """Return the lines of a text below each other."""
    rows = text.splitlines()
    labels = tuple(Label(0.2, row + 0.5, each, 0.6, "accent", from_left=True) for row, each in enumerate(rows))
    width = max(8, ceil(0.4 * max(map(len, rows), default=0)))  # whole cells: a page numbers them
    return Picture(width, max(1, len(rows)), (), labels)
