"""Positions as things on cells: walls, goals, boxes, the player. An action is a direction: it walks or pushes."""

from collections.abc import Iterator

from puzzlemc.encodings.puzzle.display import Cells, Thing
from puzzlemc.screens.sokoban import Level, State

WALL, GOAL, BOX, PLAYER = range(4)
KINDS = ("wall", "goal", "box", "player")
STAYS = {"#": (WALL,), ".": (GOAL,), "+": (GOAL,), "*": (GOAL, BOX), "$": (BOX,)}
ACTIONS = {"l": "left", "u": "up", "r": "right", "d": "down"}


def cells(level: Level) -> Cells:
    """The positions of a level. Boxes that nobody can reach stay where they are."""
    fixed = [
        (kind, row, column)
        for row, line in enumerate(level.rows)
        for column, sign in enumerate(line)
        for kind in STAYS.get(sign, ())
        if kind != BOX or (row, column) not in level.cells
    ]
    columns = max(map(len, level.rows))
    return Cells(KINDS, len(level.rows), columns, fixed, _things, tuple(ACTIONS.values()), _action)


def _things(position: State) -> Iterator[Thing]:
    yield (PLAYER, *position.player)
    for box in position.boxes:
        yield (BOX, *box)


def _action(move: str) -> str:
    return ACTIONS[move.lower()]
