"""Lights out as a model with updates by formulas: a press changes a lamp and its neighbours. All must go out.

python examples/lights_out.py
"""

from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import negation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.verdict import Reachable

BOARD = ("****", "****", "****", "****")


def model(board: tuple[str, ...]) -> Model:
    """The board as a model: a bit for each lamp, an action for each press; `*` is lit."""
    variables = {
        (row, column): boolean("lamp", row, column)
        for row in range(len(board))
        for column in range(len(board[row]))
    }
    lamps = {place: variable.bits[0] for place, variable in variables.items()}
    actions = []
    for row, column in lamps:
        near = [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        update = {lamps[place]: negation(lamps[place]) for place in near if place in lamps}
        actions.append(Action(f"{row + 1},{column + 1}", {}, update, {"presses": 1}))
    start = {lamp: board[row][column] == "*" for (row, column), lamp in lamps.items()}
    return Model(tuple(variables.values()), start, tuple(actions), dict.fromkeys(lamps.values(), False))


if __name__ == "__main__":
    puzzle = model(BOARD)
    verdict = engine("bidirectional")(puzzle, "presses", Budget())
    if isinstance(verdict, Reachable):
        verdict.trace.check(puzzle)
        print(f"{verdict.cost} presses: {' '.join(action.name for action in verdict.trace.actions)}")
    else:
        print("no solution")
