"""Lights out: a press changes a lamp and its neighbours; all lamps must go dark."""

from puzzlemc.modelling import All, System, grid, puzzle


def lights(board):
    """Press a lamp: it and the lamps beside it change. All lamps must go dark."""
    s = System()
    lit = s.flags("lit", {place: board.has(place, "lit") for place in board.cells})
    for row, column in board.cells:
        changed = [(row, column), *board.beside((row, column)).values()]
        s.action(f"{row + 1},{column + 1}", True, {lit[place]: ~lit[place] for place in changed})
    s.goal = All(~one for one in lit.values())
    return s


LEGEND = {"0": "lamp", "1": "lit on lamp"}
LOOK = {"lamp": "disc grey", "lit": "disc yellow"}
PUZZLE = puzzle("lights_out", lights, grid(LEGEND, LOOK), metrics="presses")

LEVELS = """
Title: All of nine
111
111
111

Title: A row
11111

Title: A corner of twenty-five
10000
00000
00000
00000
00000
"""
