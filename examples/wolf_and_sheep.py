"""Wolf and sheep on a board of dark fields: all go aslant, the wolf also back. The wolf wants to pass."""

from puzzlemc.modelling import Any, System, grid, puzzle


def wolf_and_sheep(board):
    """Move to a free field that is aslant of yours. The wolf wins on the first row; who cannot move loses."""
    s = System(sides=2)
    wolf = s.choice("wolf", board.cells, board.one("wolf"))
    sheep = s.flags("sheep", {place: board.has(place, "sheep") for place in board.cells})
    for row, column in board.cells:
        here = row, column
        for there in [(row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1), (row + 1, column + 1)]:
            if there in board:
                name = f"{row + 1},{column + 1} to {there[0] + 1},{there[1] + 1}"
                s.action(f"wolf {name}", (wolf == here) & ~sheep[there], {wolf: there}, by=0)
                if there[0] > row:
                    can_go = sheep[here] & ~sheep[there] & (wolf != there)
                    s.action(f"sheep {name}", can_go, {sheep[here]: False, sheep[there]: True}, by=1)
    s.winner = (Any(wolf == place for place in board.cells if place[0] == 0), False)
    return s


LEGEND = {".": "field", "s": "sheep on field", "w": "wolf on field"}
LOOK = {"field": "brown", "sheep": "🐑", "wolf": "🐺"}
PUZZLE = puzzle("wolf_and_sheep", wolf_and_sheep, grid(LEGEND, LOOK), sides=("wolf", "sheep"), stuck="loses")

LEVELS = """
Title: Two sheep
 s s
. .
 . .
w .

Title: A wide field
 s . s
. . .
 . . .
. w .
"""
