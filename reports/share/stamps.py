"""Pictures of positions as stamps: the looks that are painted over the board of a level, each at a cell."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from math import floor
from typing import Any, TypeAlias

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.screens.base.picture import Cell, Polygon, Shape

Look: TypeAlias = tuple[Shape, ...]  # shapes in the upper left cell
Stamp: TypeAlias = tuple[int, int, int]  # the number of a look, the row and the column of its cell, from 0


class Stamps:
    """The stamps of the positions of a level. `looks` are those that were met."""

    def __init__(self, puzzle: Puzzle, level: Any) -> None:
        self.looks: list[Look] = []
        self._puzzle, self._level = puzzle, level
        self._number: dict[Hashable, int] = {}
        self._corner = cache(_corner)
        self._known = None if puzzle.display.stamps is None else puzzle.display.stamps(level)

    def of(self, position: Any) -> list[Stamp]:
        """The stamps of a position, in the order in which they are painted."""
        if self._known is not None:
            looks = self._known.looks
            return [(self._look(name, looks[name]), row, column) for name, row, column in self._known.of(position)]
        shapes = map(self._corner, self._puzzle.picture(self._level, position).pieces)
        found = []
        for cell, group in groupby(shapes, key=lambda each: each[1]):
            look = tuple(shape for shape, _ in group)
            found.append((self._look(look, look), *cell))
        return found

    def _look(self, key: Hashable, shapes: Sequence[Shape]) -> int:
        """The number of a look; a new one if it is not known."""
        number = self._number.setdefault(key, len(self.looks))
        if number == len(self.looks):
            self.looks.append(tuple(shapes))
        return number


def _corner(shape: Shape) -> tuple[Shape, Cell]:
    """A shape in the upper left cell, and the cell that it comes from."""
    if isinstance(shape, Polygon):
        row, column = (floor(min(axis)) for axis in zip(*((y, x) for x, y in shape.points), strict=True))
        points = tuple((round(x - column, 4), round(y - row, 4)) for x, y in shape.points)
        return replace(shape, points=points), (row, column)
    row, column = floor(shape.y), floor(shape.x)
    return replace(shape, x=round(shape.x - column, 4), y=round(shape.y - row, 4)), (row, column)
