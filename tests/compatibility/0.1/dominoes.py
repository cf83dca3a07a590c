"""Dominoes on a board without two of its corners, as a model: a move covers two cells side by side.

python examples/dominoes.py
"""

from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean


def model(size: int) -> Model:
    """A square board without its first and last cell, which have the same colour on a chessboard."""
    cells = [(r, c) for r in range(size) for c in range(size)][1:-1]
    variables = {cell: boolean("covered", *cell) for cell in cells}
    covered = {cell: variable.bits[0] for cell, variable in variables.items()}
    actions = []
    for r, c in cells:
        for other in ((r + 1, c), (r, c + 1)):
            if other in covered:
                both = (covered[r, c], covered[other])
                name = f"{r + 1},{c + 1} and {other[0] + 1},{other[1] + 1}"
                actions.append(
                    Action(name, dict.fromkeys(both, False), dict.fromkeys(both, True), {"dominoes": 1})
                )
    start, goal = (dict.fromkeys(covered.values(), value) for value in (False, True))
    return Model(tuple(variables.values()), start, tuple(actions), goal)


if __name__ == "__main__":
    print(auto(model(8), "any", Budget()).verdict.note)
