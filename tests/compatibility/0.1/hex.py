"""Hex: two sides put stones on a rhombus of hexagons; the first joins top and bottom, the second left and right.

It cannot end in a draw, and the side to move first wins (Nash 1949, by an argument that tells no strategy; here
one comes out). A level is the number of rows; a position is the text of the board as in tic-tac-toe.
Run it:    python examples/hex.py 3
"""

import sys
from collections.abc import Hashable, Iterator
from typing import Any

from pyeda.boolalg.expr import And, Or

from puzzlemc.mc.games.explicit import explicit
from puzzlemc.mc.games.model import GameModel, Winning
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.rules.plain import FIRST, SECOND, SIDES, Game, Step, Stuck

MARKS = "xo"
EMPTY = "."


def neighbours(size: int, cell: int) -> list[int]:
    """The up to six cells that a cell touches."""
    row, column = divmod(cell, size)
    around = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
    places = [(row + down, column + right) for down, right in around]
    return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]


def edges(size: int, side: int) -> tuple[set[int], set[int]]:
    """The cells at the two edges that a side has to join."""
    if side == FIRST:
        return set(range(size)), set(range(size * (size - 1), size * size))
    return set(range(0, size * size, size)), set(range(size - 1, size * size, size))


def start(level: int) -> Hashable:
    """The empty board."""
    return EMPTY * (level * level)


def turn(_: Any, position: Any) -> int:
    """Who puts the next stone: the sides take turns."""
    return FIRST if position.count(MARKS[0]) == position.count(MARKS[1]) else SECOND


def steps(level: Any, position: Any) -> Iterator[Step]:
    """A stone on every empty cell: the move `R,C` is row R, column C, counted from 1."""
    mark = MARKS[turn(level, position)]
    for cell, held in enumerate(position):
        if held == EMPTY:
            name = f"{cell // level + 1},{cell % level + 1}"
            yield Step(name, position[:cell] + mark + position[cell + 1 :], {"turns": 1})


def winner(level: Any, position: Any) -> int | None:
    """Whose stones join the two edges: a flood from one of them."""
    for side in SIDES:
        one, other = edges(level, side)
        reached = {cell for cell in one if position[cell] == MARKS[side]}
        waiting = list(reached)
        for cell in waiting:  # which grows meanwhile
            for near in neighbours(level, cell):
                if position[near] == MARKS[side] and near not in reached:
                    reached.add(near)
                    waiting.append(near)
        if reached & other:
            return side
    return None


RULES = Game(start, turn, steps, winner, Stuck.DRAWS)


def paths(size: int, side: int) -> Iterator[tuple[int, ...]]:
    """Every way from edge to edge that has no shortcut."""
    one, other = edges(size, side)
    waiting = [(cell,) for cell in sorted(one)]
    while waiting:
        way = waiting.pop()
        if way[-1] in other:
            yield way
            continue
        for near in neighbours(size, way[-1]):
            if near not in one and not any(near == cell or near in neighbours(size, cell) for cell in way[:-1]):
                waiting.append((*way, near))


def model(level: int) -> GameModel:
    """Two bits a cell, one for each side's stone, and one bit that says whose turn it is."""
    cells = range(level * level)
    second = boolean("second")
    stones = [[boolean(MARKS[side], cell) for cell in cells] for side in SIDES]
    bits = [[variable.bits[0] for variable in variables] for variables in stones]
    actions = [
        Action(
            f"{cell // level + 1},{cell % level + 1}",
            {second.bits[0]: bool(side), bits[FIRST][cell]: False, bits[SECOND][cell]: False},
            {second.bits[0]: not side, bits[side][cell]: True},
            {"turns": 1},
        )
        for cell in cells
        for side in SIDES
    ]
    first_won, second_won = (
        Or(*[And(*[bits[side][cell] for cell in way]) for way in paths(level, side)]) for side in SIDES
    )
    variables = (second, *(variable for pair in zip(*stones, strict=True) for variable in pair))
    init = {b: False for variable in variables for b in variable.bits}
    return GameModel(
        Model(variables, init, tuple(actions), FALSE), ~second.bits[0], (first_won, second_won), Stuck.DRAWS
    )


def main() -> None:
    """Say who wins on the board of the command line."""
    verdict = explicit(model(int(sys.argv[1]) if sys.argv[1:] else 3), Budget())
    assert isinstance(verdict, Winning)
    print(f"{('first', 'second')[verdict.winner]} wins in {verdict.turns} turns")
    print(f"{verdict.statistics.states} positions")


if __name__ == "__main__":
    main()
