"""What both encodings of Sokoban call their actions and atoms."""

from itertools import product

from puzzlemc.encodings.puzzle.encoded import placed
from puzzlemc.encodings.puzzle.parts import name_of
from puzzlemc.mc.model.trace import Trace
from puzzlemc.screens.sokoban import Cell, Level

ON_GOAL = "boxes_on_goal"  # a number: how many boxes are on goals


def action_name(letter: str, player: Cell) -> str:
    """The action that a letter stands for where the player is there: `R(2,3)`, row and column from 1."""
    return f"{letter}({name_of(player)})"


def moves(trace: Trace) -> list[str]:
    """The letters of the actions; their names go on with the place of the player."""
    return [action.name[0] for action in trace.actions]


def constants(level: Level) -> dict[str, bool]:
    """The atoms of places off the floor: nobody comes there; a box that is drawn there stays."""
    floor = level.cells
    places = product(range(len(level.rows)), range(max(map(len, level.rows))))
    outside = [place for place in places if place not in floor]
    always = dict.fromkeys(placed("player", outside).values(), False)
    for (row, column), name in placed("box", outside).items():
        always[name] = level.rows[row][column : column + 1] in ("$", "*")
    return always
