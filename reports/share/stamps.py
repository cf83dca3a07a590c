"""Pictures of positions as stamps: the looks that are painted over the board of a level, each at a cell."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import groupby
from math import floor
from typing import Any, TypeAlias

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.screens.base.picture import Cell, Polygon, Shape

Look: TypeAlias = tuple[Shape, ...]  # shapes in the upper left cell
Stamp: TypeAlias = tuple[Look, int, int]  # the row and the column of its cell, from 0


def stamps(puzzle: Puzzle, level: Any) -> Callable[[Any], list[Stamp]]:
    """The function that makes the stamps of a position, in the order in which they are painted."""
    if puzzle.display.stamps is not None:
        known = puzzle.display.stamps(level)
        looks = {name: tuple(shapes) for name, shapes in known.looks.items()}
        return lambda position: [(looks[name], row, column) for name, row, column in known.of(position)]
    corner = cache(_corner)

    def drawn(position: Any) -> list[Stamp]:
        pieces = groupby(map(corner, puzzle.picture(level, position).pieces), key=lambda each: each[1])
        return [(tuple(shape for shape, _ in group), *cell) for cell, group in pieces]

    return drawn


def _corner(shape: Shape) -> tuple[Shape, Cell]:
    """A shape in the upper left cell, and the cell that it comes from."""
    if isinstance(shape, Polygon):
        row, column = (floor(min(axis)) for axis in zip(*((y, x) for x, y in shape.points), strict=True))
        points = tuple((round(x - column, 4), round(y - row, 4)) for x, y in shape.points)
        return replace(shape, points=points), (row, column)
    row, column = floor(shape.y), floor(shape.x)
    return replace(shape, x=round(shape.x - column, 4), y=round(shape.y - row, 4)), (row, column)
