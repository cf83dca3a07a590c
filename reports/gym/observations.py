"""Positions as arrays: a plane for each kind of thing, with a 1 on each cell that has one.

All levels of an environment have planes of the same kinds, and of the size of the largest level; the cells of
smaller ones are in the upper left corner.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle.display import Cells

Planes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Shape:
    """The size of arrays, and the names of their planes."""

    kinds: tuple[str, ...]
    rows: int
    columns: int

    @classmethod
    def of(cls, levels: Sequence[Cells]) -> "Shape":
        """The shape that holds all levels."""
        kinds = dict.fromkeys(kind for cells in levels for kind in cells.kinds)
        return cls(tuple(kinds), max(cells.rows for cells in levels), max(cells.columns for cells in levels))

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Planes, rows, columns."""
        return len(self.kinds), self.rows, self.columns


@dataclass(frozen=True)
class Observer:
    """Makes arrays of the positions of a level."""

    cells: Cells
    shape: Shape
    _first: tuple[int, ...] = field(init=False)  # the place of the first cell of each kind in the flat array

    def __post_init__(self) -> None:
        planes = {kind: plane for plane, kind in enumerate(self.shape.kinds)}
        area = self.shape.rows * self.shape.columns
        object.__setattr__(self, "_first", tuple(area * planes[kind] for kind in self.cells.kinds))

    def planes(self, position: Hashable) -> Planes:
        """The array of a position, which nothing else holds."""
        found = self._fixed.copy()
        flat, first, columns = found.reshape(-1), self._first, self.shape.columns
        flat[[first[kind] + row * columns + column for kind, row, column in self.cells.things(position)]] = 1
        return found

    @cached_property
    def _fixed(self) -> Planes:
        found = np.zeros(self.shape.sizes, np.uint8)
        for kind, row, column in self.cells.fixed:
            found.reshape(-1)[self._first[kind] + row * self.shape.columns + column] = 1
        return found
