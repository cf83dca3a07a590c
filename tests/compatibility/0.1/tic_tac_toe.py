"""Tic-tac-toe on any board: two sides mark empty cells in turn, and who first has so many in a row wins.

A level is (rows, columns, how many in a row); the known game is (3, 3, 3), a draw. A position is the text of the
board, row by row: `x` for the first side, `o` for the second. Run it:    python examples/tic_tac_toe.py 3 3 3
"""

import sys
from collections.abc import Hashable, Iterator
from typing import Any

from pyeda.boolalg.expr import And, Or

from puzzlemc.mc.games.explicit import explicit
from puzzlemc.mc.games.model import Drawn, GameModel, Winning
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.rules.plain import FIRST, SECOND, SIDES, Game, Step, Stuck

Level = tuple[int, int, int]
MARKS = "xo"
EMPTY = "."


def rows_of(level: Level) -> list[list[int]]:
    """The cells, by number, of every row that wins: across, down, and both diagonals."""
    height, width, length = level
    found = []
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last = (row + down * (length - 1), column + right * (length - 1))
                if 0 <= last[0] < height and 0 <= last[1] < width:
                    cells = [(row + i * down) * width + column + i * right for i in range(length)]
                    found.append(cells)
    return found


def start(level: Level) -> Hashable:
    """The empty board."""
    return EMPTY * (level[0] * level[1])


def turn(_: Any, position: Any) -> int:
    """Who marks next: the sides take turns."""
    return FIRST if position.count(MARKS[0]) == position.count(MARKS[1]) else SECOND


def steps(level: Any, position: Any) -> Iterator[Step]:
    """A mark on every empty cell: the move `R,C` is row R, column C, counted from 1."""
    mark = MARKS[turn(level, position)]
    for cell, held in enumerate(position):
        if held == EMPTY:
            row, column = divmod(cell, level[1])
            yield Step(f"{row + 1},{column + 1}", position[:cell] + mark + position[cell + 1 :], {"turns": 1})


def winner(level: Any, position: Any) -> int | None:
    """Who has a whole row."""
    for side in SIDES:
        if any(all(position[cell] == MARKS[side] for cell in row) for row in rows_of(level)):
            return side
    return None


RULES = Game(start, turn, steps, winner, Stuck.DRAWS)


def model(level: Level) -> GameModel:
    """Two bits a cell, one for each side's mark, and one bit that says whose turn it is."""
    cells = range(level[0] * level[1])
    second = boolean("second")
    marks = [[boolean(MARKS[side], cell) for cell in cells] for side in SIDES]
    bits = [[variable.bits[0] for variable in variables] for variables in marks]
    actions = [
        Action(
            f"{cell // level[1] + 1},{cell % level[1] + 1}",
            {second.bits[0]: bool(side), bits[FIRST][cell]: False, bits[SECOND][cell]: False},
            {second.bits[0]: not side, bits[side][cell]: True},
            {"turns": 1},
        )
        for cell in cells
        for side in SIDES
    ]
    first_won, second_won = (Or(*[And(*[own[cell] for cell in row]) for row in rows_of(level)]) for own in bits)
    variables = (second, *(variable for pair in zip(*marks, strict=True) for variable in pair))
    init = {b: False for variable in variables for b in variable.bits}
    return GameModel(
        Model(variables, init, tuple(actions), FALSE), ~second.bits[0], (first_won, second_won), Stuck.DRAWS
    )


def main() -> None:
    """Say who wins on the board of the command line."""
    height, width, length = tuple(map(int, sys.argv[1:])) or (3, 3, 3)
    verdict = explicit(model((height, width, length)), Budget())
    if isinstance(verdict, Winning):
        print(f"{('first', 'second')[verdict.winner]} wins in {verdict.turns} turns")
    elif isinstance(verdict, Drawn):
        print("a draw")
    print(f"{verdict.statistics.states} positions")


if __name__ == "__main__":
    main()
