"""Whether levels that edits make are solvable, where a glance or a short search suffices."""

from collections.abc import Callable

import numpy as np

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.changes.grid import Room
from puzzlemc.encodings.sokoban.changes.relaxation import pushed
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Cell, Level

SHORT = 1 << 11  # positions of a search


def decider(level: Level) -> Callable[[Level, Budget], bool | None]:
    """A function that says whether a changed level is solvable; None if that takes more than a short search."""
    rooms = dict[tuple[Cell, ...], Room]()

    def decide(changed: Level, budget: Budget) -> bool | None:
        boxes, goals = sorted(changed.start.boxes), changed.goals
        if len(boxes) < len(goals) or not goals <= changed.cells:
            return False
        room = rooms.setdefault(changed.floor, rooms.get(changed.floor) or Room(changed.cells))
        numbers = [room.number[cell] for cell in boxes]
        least = reachable_cells(room.near, numbers, room.number[changed.start.player])[0]
        start = np.array([[*numbers, least]], np.int16)
        search, covering = pushed(room, start, goals, len(goals), SHORT, budget, stop=True)
        if covering.met >= 0:
            return True
        return False if search.complete or not search.used else None

    return decide
