"""What both encodings of Sokoban call their actions."""

from puzzlemc.mc.verdict import Trace


def moves(trace: Trace) -> list[str]:
    """The letters of the actions; their names go on with the cell."""
    return [action.name[0] for action in trace.actions]
