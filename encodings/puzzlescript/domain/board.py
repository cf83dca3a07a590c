"""A board within a round: the objects and the movements of each cell.

Cells are numbered by rows: cell = row * width + column. A cell has at most one object of each layer, so a movement
belongs to a cell and a layer. It can remain there after its object has gone.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from puzzlemc.encodings.puzzlescript.domain.position import Cells

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


class Lines:
    """The geometry of a board.

    ahead  by direction and cell: the cells from this one to the border in that direction
    """

    def __init__(self, width: int, height: int) -> None:
        cells = range(width * height)
        self.ahead: dict[str, Sequence[range]] = {
            "up": [range(cell, -1, -width) for cell in cells],
            "down": [range(cell, width * height, width) for cell in cells],
            "left": [range(cell, cell - cell % width - 1, -1) for cell in cells],
            "right": [range(cell, cell - cell % width + width) for cell in cells],
        }


@lru_cache(maxsize=64)
def lines(width: int, height: int) -> Lines:
    """The geometry of the boards of one size."""
    return Lines(width, height)


class Board:
    """A board that rules and movements change.

    cells      the objects of each cell
    places     by object: the cells that contain it
    movements  by cell and layer: a direction or `action`; no entry if the layer does not move
    rigid      by cell and layer: the number of the group whose rigid rule has set the movement (see `application`)
    ahead      the geometry, see `Lines`
    """

    def __init__(self, cells: Cells, width: int, height: int) -> None:
        self.width = width
        self.ahead = lines(width, height).ahead
        self.cells = list(cells)
        self.places: defaultdict[str, set[int]] = defaultdict(set)
        for cell, objects in enumerate(cells):
            for name in objects:
                self.places[name].add(cell)
        self.movements: dict[tuple[int, int], str] = {}
        self.rigid: dict[tuple[int, int], int] = {}

    def replace(self, cell: int, objects: frozenset[str]) -> None:
        """Replace the objects of a cell by these."""
        before = self.cells[cell]
        for name in before - objects:
            self.places[name].remove(cell)
        for name in objects - before:
            self.places[name].add(cell)
        self.cells[cell] = objects

    def by_columns(self, cell: int) -> tuple[int, int]:
        """A sort key of cells: column by column, each from the top down."""
        return cell % self.width, cell
