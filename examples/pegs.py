"""Peg solitaire: a peg jumps over another one, which is taken away, until one is left."""

from puzzlemc.modelling import Count, System, grid, puzzle


def pegs(board):
    """Jump over a peg into the hole behind it; that peg is taken away. One peg must be left."""
    s = System()
    peg = s.flags("peg", {place: board.has(place, "peg") for place in board.cells})
    for place in board.cells:
        for way in ("left", "up", "right", "down"):
            over, to = board.step(place, way), board.step(place, way, 2)
            if over is not None and to is not None:
                name = f"{place[0] + 1},{place[1] + 1} {way}"
                can_jump = peg[place] & peg[over] & ~peg[to]
                s.action(name, can_jump, {peg[place]: False, peg[over]: False, peg[to]: True})
    s.goal = Count(peg.values()) == 1
    return s


LOOK = {"hole": "disc grey", "peg": "disc orange"}
PUZZLE = puzzle("pegs", pegs, grid({".": "hole", "o": "peg on hole"}, LOOK), metrics="jumps")

LEVELS = """
Title: A cross
..o..
.ooo.
..o..
..o..
.....
.....

Title: Four in a row
.oooo.
"""
