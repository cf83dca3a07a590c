"""A die rolls over a board and must come to the flag with the six on top."""

from puzzlemc.modelling import All, System, grid, puzzle

TURNED = {"up": ("top", "south", "bottom", "north"), "right": ("top", "west", "bottom", "east")}
TURNED |= {"down": TURNED["up"][::-1], "left": TURNED["right"][::-1]}
SIDES = {"top": 1, "north": 2, "east": 3, "south": 5, "west": 4, "bottom": 6}


def cube(board):
    """Roll the die over the floor to the flag; the six must be on top there."""
    s = System()
    die = s.choice("die", board.cells, board.one("die"))
    side = s.numbers("side", SIDES, low=1, high=6)
    for place in board.cells:
        for way, there in board.beside(place).items():
            if not board.has(there, "hole"):
                turned = TURNED[way]
                new = {side[one]: side[other] for one, other in zip(turned, turned[1:] + turned[:1], strict=True)}
                s.action(way, die == place, {die: there, **new})
    s.goal = All(die == board.one("flag"), side["top"] == 6)
    return s


LEGEND = {".": "floor", "#": "hole", "@": "die on floor", "!": "flag on floor"}
LOOK = {"floor": "floor", "hole": "black", "die": "⚀", "flag": "🚩"}
PUZZLE = puzzle("rolling_cube", cube, grid(LEGEND, LOOK), metrics="rolls")

LEVELS = """
Title: Between holes
@.#.
..#!
....

Title: A lane
@...!
"""
