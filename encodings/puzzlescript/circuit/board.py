"""A board within a turn: for each cell, the literals of its planes."""

from collections.abc import Callable, Sequence

from puzzlemc.encodings.puzzlescript.circuit.graph import Graph
from puzzlemc.encodings.puzzlescript.patterns.rules import Cell, Plane
from puzzlemc.mc.proofs.circuit import FALSE, TRUE


class Lines:
    """The geometry of a board.

    ahead       by direction and cell: the cells from this one to the border
    by_rows     all cells, row by row; `by_columns` likewise
    """

    def __init__(self, width: int, height: int) -> None:
        cells = range(width * height)
        ahead: dict[str, Callable[[int], range]] = {
            "up": lambda cell: range(cell, -1, -width),
            "down": lambda cell: range(cell, width * height, width),
            "left": lambda cell: range(cell, cell - cell % width - 1, -1),
            "right": lambda cell: range(cell, cell - cell % width + width),
        }
        self.ahead = {direction: [line(cell) for cell in cells] for direction, line in ahead.items()}
        self.by_rows = list(cells)
        self.by_columns = sorted(cells, key=lambda cell: (cell % width, cell))

    def order(self, direction: str) -> Sequence[int]:
        """The cells in the order in which matches of a rule with this direction are found."""
        return self.by_columns if direction in ("up", "down") else self.by_rows


class Board:
    """The literals of planes, by cell. A plane without a literal is false."""

    def __init__(self, graph: Graph, lines: Lines, cells: Sequence[dict[Plane, int]]) -> None:
        self.graph = graph
        self.lines = lines
        self.cells = list(cells)

    def copy(self) -> "Board":
        """A board with the same literals, which changes by itself."""
        return Board(self.graph, self.lines, [dict(here) for here in self.cells])

    def matches(self, cell: int, wanted: Cell) -> int:
        """The literal: the cell meets the terms."""
        here, parts = self.cells[cell], []
        for planes, holds in wanted.terms:
            literals = [here[plane] for plane in planes if plane in here]
            if TRUE in literals:
                literal = TRUE
            else:
                literal = literals[0] if len(literals) == 1 else self.graph.disj(literals)
            if literal == (FALSE if holds else TRUE):
                return FALSE
            parts.append(literal if holds else literal ^ 1)
        return self.graph.conj(parts)

    def change(self, cell: int, wanted: Cell, when: int) -> int:
        """Set the planes to their new values where the literal holds. Returns the literal: a plane has changed."""
        here, graph, changes = self.cells[cell], self.graph, []
        for plane, value in wanted.changes.items():
            before = here.get(plane, FALSE)
            if before == value:
                continue
            here[plane] = graph.both(before ^ 1, when ^ 1) ^ 1 if value else graph.both(before, when ^ 1)
            changes.append(graph.both(when, before ^ value))
        return graph.disj(changes)
