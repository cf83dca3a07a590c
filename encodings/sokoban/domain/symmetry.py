"""Sokoban levels that are the same up to rotation and mirror.

What is compared is what can be played: the floor, goals, boxes and the player. How the walls are drawn, what
lies out of reach and where the board stands in its rows make no difference.
"""

from collections.abc import Callable, Mapping

from puzzlemc.encodings.puzzle.symmetry import Grid, Symmetry
from puzzlemc.screens.sokoban import Cell, Level

WALL = "#"
KINDS = " .$*@+"  # of floor: a goal adds 1, a box 2, the player 4
OUT_OF_REACH = "o"  # a goal that never gets a box


def canonical(level: Level) -> str:
    """The least drawing of the eight of a level: the same text for two levels exactly if they are the same.

    Rows are split by newlines, and only as many are drawn as hold floor, or goals out of reach.
    """
    return least_drawing(kinds(level))


def kinds(level: Level) -> dict[Cell, str]:
    """What can be told of each cell that is floor, or a goal out of reach."""
    found = dict.fromkeys(level.goals, OUT_OF_REACH)
    for cell in level.floor:
        boxed, manned = cell in level.start.boxes, cell == level.start.player
        found[cell] = KINDS[(cell in level.goals) + 2 * boxed + 4 * manned]
    return found


def least_drawing(kinds: Mapping[Cell, str]) -> str:
    """The least of the eight drawings of cells, each with a letter; all others are walls."""
    upright = ["".join(row) for row in drawn(kinds)]
    turned = ["".join(column) for column in zip(*upright, strict=True)]
    drawings = []
    for rows in (upright, turned):
        mirrored = [row[::-1] for row in rows]
        drawings += [rows, rows[::-1], mirrored, mirrored[::-1]]
    return min("\n".join(rows) for rows in drawings)


def drawn(kinds: Mapping[Cell, str]) -> Grid:
    """The drawing of cells, each with a letter; all others are walls."""
    top, left = min(row for row, _ in kinds), min(column for _, column in kinds)
    height = max(row for row, _ in kinds) - top + 1
    width = max(column for _, column in kinds) - left + 1
    grid = [[WALL] * width for _ in range(height)]
    for (row, column), letter in kinds.items():
        grid[row - top][column - left] = letter
    return tuple(map(tuple, grid))


def _move(name: str, turned: Callable[[str], str]) -> str:
    return turned(name)


SYMMETRY = Symmetry(lambda level: drawn(kinds(level)), _move)
