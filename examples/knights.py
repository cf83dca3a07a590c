"""Knights change places: they jump on a small board, and must stand as the second board says."""

from puzzlemc.modelling import All, System, free, puzzle

JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def board(rows):
    """Return the signs by place."""
    return {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}


def knights(text):
    """Jump with a knight to a free cell. The knights must stand as on the board to the right."""
    start, goal = board(text.split()[::2]), board(text.split()[1::2])
    s = System()
    cell = s.choices("cell", start, sorted({*start.values()}))
    for row, column in start:
        for there in ((row + down, column + right) for down, right in JUMPS):
            if there in start:
                here, other = cell[row, column], cell[there]
                name = f"{row + 1},{column + 1} to {there[0] + 1},{there[1] + 1}"
                s.action(name, (here != ".") & (other == "."), {here: ".", other: here})
    s.goal = All(cell[place] == sign for place, sign in goal.items())
    return s


PUZZLE = puzzle("knights", knights, free(str), metrics="jumps")

LEVELS = """
Title: Four knights in the corners
b.b w.w
... ...
w.w b.b

Title: Two of them
abcd bacd
efgh efgh
ijk. ijk.
"""
