"""Cars in a jam: each goes forward and back in its row or column; car A must come to the right edge."""

from puzzlemc.modelling import System, free, puzzle


def jam(text):
    """Drive cars forward and back by a cell, never through others. Car A must come to the right edge."""
    signs = {(r, c): sign for r, row in enumerate(text.split()) for c, sign in enumerate(row)}
    s = System()
    full = s.flags("full", {place: sign != "." for place, sign in signs.items()})
    for car in sorted({*signs.values()} - {"."}):
        cells = [place for place, sign in signs.items() if sign == car]
        (row, column), is_across, length = cells[0], cells[0][0] == cells[-1][0], len(cells)
        line = [place for place in signs if (place[0] == row if is_across else place[1] == column)]
        head = s.number(car, 0, len(line) - length, line.index(cells[0]))
        back, forward = ("left", "right") if is_across else ("up", "down")
        for at in range(len(line) - length):
            first, last = full[line[at]], full[line[at + length]]
            s.action(f"{car} {forward}", (head == at) & ~last, {head: at + 1, first: False, last: True})
            s.action(f"{car} {back}", (head == at + 1) & ~first, {head: at, first: True, last: False})
        if car == "A":
            s.goal = head == len(line) - length
    return s


PUZZLE = puzzle("rush_hour", jam, free(str))

LEVELS = """
Title: Five cars and a truck
.BBC..
...C.D
AA.C.D
..EE..
..F...
..F...

Title: Shut in
AAB
..B
"""
