"""Finds the holes in the wall of an open board: a smallest set of cells that closes the board if they become wall.

The set is a minimum vertex cut between the outside and the pieces. Among several minimum cuts, cells between two
walls are preferred, and then the cut nearest to the outside: other cuts run through corridors inside the board, or
through the free cells around it.
"""

from collections.abc import Sequence

MOST_CELLS = 3000  # of a board that is searched for the smallest cut, which takes a second
OPEN, IN_LINE = 10_001, 10_000  # capacities of cells: the differences of all cells add up to less than one cell


def missing_walls(
    reached: Sequence[int], steps: Sequence[int], exits: Sequence[tuple[int, int]], pieces: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the cells that should be wall, each as a reached cell and a step from it, or 0 for the cell itself.

    `reached` are the cells that the player can reach, `steps` the differences of neighbours' indices, `pieces` the
    reached cells with a piece. `exits` are the reached cells next to the outside with the step that leads outside,
    the nearest exit first. If a piece is at an exit, the first such exit is the answer; on a board of more than
    MOST_CELLS cells, the first exit is.
    """
    outer, held = dict(reversed(exits)), set(pieces)
    if len(reached) > MOST_CELLS or not held.isdisjoint(outer):
        return [next((exit for exit in exits if exit[0] in held), exits[0])]
    import networkx as nx  # slow to load, and only bad boards need it

    cells, graph = set(reached), nx.DiGraph()

    def in_line(cell: int) -> bool:
        """Return whether a cell is between two cells that are not reached."""
        return any(cell + step not in cells and cell - step not in cells for step in steps)

    for cell in reached:
        limit = {} if cell in held else {"capacity": IN_LINE if in_line(cell) else OPEN}
        graph.add_edge((cell, 0), (cell, 1), **limit)
        graph.add_edges_from(((cell, 1), (cell + step, 0)) for step in steps if cell + step in cells)
    graph.add_edges_from(("pieces", (cell, 0)) for cell in pieces)
    graph.add_edges_from(((cell, 1), "outside") for cell in outer)
    _, (inner, _) = nx.minimum_cut(graph, "pieces", "outside")
    first, *others = sorted(cell for cell in reached if (cell, 0) in inner and (cell, 1) not in inner)
    step = 0 if others or in_line(first) else outer.get(first, 0)
    return [(first, step), *((cell, 0) for cell in others)]
