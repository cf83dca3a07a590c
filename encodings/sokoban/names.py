"""What both encodings of Sokoban call their actions and atoms."""

from puzzlemc.mc.verdict import Trace
from puzzlemc.screens.sokoban import Cell


def moves(trace: Trace) -> list[str]:
    """The letters of the actions; their names go on with the cell."""
    return [action.name[0] for action in trace.actions]


def place(cell: Cell) -> str:
    """A cell as atoms name it."""
    return f"({cell[0]},{cell[1]})"
