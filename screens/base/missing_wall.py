"""Where a board that is open has holes in its wall: the fewest cells that must become wall to close it.

They are a smallest vertex cut between the outside and the pieces. Of several such cuts it is one between two
walls, and the one nearest to the outside: others are corridors, or lie in the spaces around a board, which are
cells, too.
"""

from collections.abc import Sequence

MOST_CELLS = 3000  # of a board in which the hole is looked for: it takes a second
OPEN, IN_LINE = 10_001, 10_000  # what a cell counts in a cut: all of them together differ by less than one cell


def missing_walls(
    reached: Sequence[int], steps: Sequence[int], exits: Sequence[tuple[int, int]], pieces: Sequence[int]
) -> list[tuple[int, int]]:
    """The cells that should be wall, each as a reached cell and a step from it, or 0 for that cell.

    `exits` are the reached cells next to the outside with the step that leads there, the nearest first. If a piece
    is at an exit, or the board is large, the answer is the first such exit, or the first exit.
    """
    outer, held = dict(reversed(exits)), set(pieces)
    if len(reached) > MOST_CELLS or not held.isdisjoint(outer):
        return [next((exit for exit in exits if exit[0] in held), exits[0])]
    import networkx as nx  # slow to load, and only bad boards need it

    cells, graph = set(reached), nx.DiGraph()

    def in_line(cell: int) -> bool:
        """Is it between two cells that are no floor?"""
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
