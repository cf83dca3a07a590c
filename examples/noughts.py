"""Noughts and crosses: who first has three marks in a line wins."""

from puzzlemc.modelling import All, Any, System, grid, puzzle


def noughts(board):
    """Put your mark on an empty cell. Three marks of one side in a line win."""
    crosses, rings = board.find("cross"), board.find("ring")
    s = System(sides=2, first=int(len(crosses) > len(rings)))
    marks = {place: "cross" if place in crosses else "ring" if place in rings else "" for place in board.cells}
    cell = s.choices("cell", marks, ["", "cross", "ring"])
    for (row, column), one in cell.items():
        for side, mark in enumerate(("cross", "ring")):
            s.action(f"{row + 1},{column + 1}", one == "", {one: mark}, by=side)
    lines = [[(n, 0), (n, 1), (n, 2)] for n in range(3)] + [[(0, n), (1, n), (2, n)] for n in range(3)]
    lines += [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
    s.winner = tuple(
        Any(All(cell[place] == mark for place in line) for line in lines) for mark in ("cross", "ring")
    )
    return s


LEGEND = {".": "field", "x": "cross on field", "o": "ring on field"}
READER = grid(LEGEND, look={"field": "floor", "cross": "X", "ring": "O"})
PUZZLE = puzzle("noughts", noughts, READER, sides=("crosses", "noughts"), stuck="draws")

LEVELS = """
...
...
...

xo.
...
...

x..
.o.
..x
"""
