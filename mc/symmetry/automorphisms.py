"""Automorphisms of a graph with vertices of different kinds, which generate a group.

One path of individualized vertices leads to a partition in which each vertex is alone. Then, from its end to its
beginning, another vertex is taken at one step, and later the same ones where that is possible: if the partition
at the end has the same form, it maps each vertex to one, and the map is tested (McKay and Piperno 2014,
without going back on a path). Each map that is found is an automorphism; some may be missed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.symmetry.partition import Partition, first_cell, individualize, maps_edges, undo
from puzzlemc.mc.words import view

Image = npt.NDArray[np.int32]

VERTEX_WORK = 4  # steps that take as long as to look at a vertex of a cell


@dataclass(frozen=True)
class Step:
    """A vertex that was individualized in a cell, the number of splits before, and the hash after it."""

    cell: int
    vertex: int
    splits: int
    hash: int


def automorphisms(cells: Partition, most_work: int) -> Iterator[Image]:
    """Yield automorphisms of the graph, each by the images of all vertices, for at most that many steps."""
    yield from _Search(cells, most_work).found()


class _Search:
    def __init__(self, cells: Partition, most_work: int) -> None:
        self._cells, self._left = cells, most_work
        self._path: list[Step] = []
        self._leaf = np.zeros(0, np.int32)
        self._orbit = list(range(cells.count))  # a smaller vertex in the orbit of each, or itself

    def found(self) -> Iterator[Image]:
        """Yield the automorphisms."""
        cells = self._cells
        cell = first_cell(cells, 0)
        while cell < cells.count:
            vertex, splits = min(self._vertices(cell)), cells.splits
            if cells.work > self._left:
                return
            self._path.append(Step(cell, vertex, splits, individualize(cells, vertex)))
            cell = first_cell(cells, cell)
        self._leaf = np.array(cells.order)
        for number in range(len(self._path) - 1, -1, -1):
            step = self._path[number]
            undo(cells, step.splits)
            refuted = set[int]()
            for other in sorted(self._vertices(step.cell)):
                if cells.work > self._left:
                    return
                if self._first(other) == self._first(step.vertex) or self._first(other) in refuted:
                    continue
                image = self._image(number, other)
                undo(cells, step.splits)
                if image is None:
                    refuted.add(self._first(other))
                else:
                    self._join(image)
                    yield image

    def _vertices(self, cell: int) -> list[int]:
        """Those of a cell; each takes as long as some steps."""
        size = self._cells.size[cell]
        self._left -= VERTEX_WORK * size
        found: list[int] = np.asarray(self._cells.order)[cell : cell + size].tolist()
        return found

    def _image(self, number: int, other: int) -> Image | None:
        """An automorphism that maps the vertex of a step to another, and keeps those of the steps before."""
        cells, first = self._cells, self._path[number]
        for step in self._path[number:]:
            if step.cell != first_cell(cells, step.cell):
                return None
            # Vertices keep their places where they can, so that the automorphism moves few.
            kept = (vertex for vertex in (step.vertex, first.vertex) if cells.cell[vertex] == step.cell)
            vertex = other if step is first else next(kept, cells.order[step.cell])
            if individualize(cells, vertex) != step.hash:
                return None
        image = np.zeros(cells.count, np.int32)
        image[self._leaf] = np.asarray(cells.order)
        return image if maps_edges(cells, view(image)) else None

    def _join(self, image: Image) -> None:
        """Join the orbits that an automorphism connects."""
        for vertex in np.flatnonzero(image != np.arange(len(image))).tolist():
            one, other = self._first(vertex), self._first(int(image[vertex]))
            self._orbit[max(one, other)] = min(one, other)

    def _first(self, vertex: int) -> int:
        """The first vertex that is known to be in the orbit of a vertex (union-find)."""
        orbit = self._orbit
        while orbit[vertex] != vertex:
            orbit[vertex] = vertex = orbit[orbit[vertex]]
        return vertex
