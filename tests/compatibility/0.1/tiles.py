"""Sliding tiles as a model of bits: a bit says that a tile is in a cell. What does the model say of itself?

    python examples/tiles.py 3 8672543.1

The width and the board in one line; `.` is the gap, letters go on after 9. The goal is 1, 2, 3, …, and the gap.
"""

import sys

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.planning.optimal import cheapest_plan

TILES = ".123456789abcdefghijklmno"


def model(width: int, board: str) -> Model:
    """The board as a model: an action slides a tile into the gap."""
    size = len(board)
    variables = {(tile, cell): boolean("at", tile, cell) for tile in range(size) for cell in range(size)}
    at = {place: variable.bits[0] for place, variable in variables.items()}
    actions = []
    for gap in range(size):
        for cell in range(size):
            if abs(gap % width - cell % width) + abs(gap // width - cell // width) == 1:
                for tile in range(1, size):
                    before = {at[0, gap]: True, at[tile, cell]: True}
                    after = {at[0, gap]: False, at[tile, cell]: False, at[0, cell]: True, at[tile, gap]: True}
                    actions.append(Action(TILES[tile], before, after, {"slides": 1}))
    start = {b: board[cell] == TILES[tile] for (tile, cell), b in at.items()}
    goal = {b: tile == (cell + 1) % size for (tile, cell), b in at.items()}
    return Model(tuple(variables.values()), start, tuple(actions), goal)


if __name__ == "__main__":
    width, board = (int(sys.argv[1]), sys.argv[2]) if len(sys.argv) > 1 else (3, "8672543.1")
    puzzle = model(width, board)
    found = translation(puzzle)
    print(f"{len(puzzle.bits)} bits are {len(found.task.variables)} variables")
    plan = cheapest_plan(found.with_metric("slides"), Budget()).plan
    if plan is None:
        print("no solution")
    else:
        found.trace(plan).check(puzzle)
        print(f"{len(plan)} slides: {' '.join(action.name for action in found.actions(plan))}")
