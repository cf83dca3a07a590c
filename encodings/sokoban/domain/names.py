"""The names of actions, atoms and numbers, which both encodings of Sokoban share."""

from itertools import product

from puzzlemc.encodings.puzzle.encoded import placed
from puzzlemc.encodings.puzzle.explanation import name_of
from puzzlemc.mc.model.action import names
from puzzlemc.mc.model.trace import Trace
from puzzlemc.screens.sokoban import Cell, Level

ON_GOAL = "boxes_on_goal"  # the number of boxes on goals


def action_name(letter: str, player: Cell) -> str:
    """The action of a letter with the player on a cell: `R(2,3)`, row and column from 1."""
    return f"{letter}({name_of(player)})"


def moves(trace: Trace) -> list[str]:
    """The letters of the actions of a trace, which are the first characters of their names."""
    return [name[0] for name in names(trace.actions)]


def constants(level: Level) -> dict[str, bool]:
    """The atoms of cells off the floor, which never change: the player is not there; a box drawn there stays."""
    floor = level.cells
    places = product(range(len(level.rows)), range(max(map(len, level.rows))))
    outside = [place for place in places if place not in floor]
    always = dict.fromkeys(placed("player", outside).values(), False)
    for (row, column), name in placed("box", outside).items():
        always[name] = level.rows[row][column : column + 1] in ("$", "*")
    return always
