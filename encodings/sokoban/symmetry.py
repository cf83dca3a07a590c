"""Sokoban levels that are the same up to rotation and mirror.

What is compared is what can be played: the floor, goals, boxes and the player. How the walls are drawn, what lies
out of reach and where the board stands in its rows make no difference.
"""

from collections.abc import Mapping

from puzzlemc.screens.sokoban import Cell, Level

WALL = "#"
KINDS = " .$*@+"  # of floor: a goal adds 1, a box 2, the player 4
OUT_OF_REACH = "o"  # a goal that never gets a box


def canonical(level: Level) -> str:
    """The least drawing of the eight of a level: the same text for two levels exactly if they are the same.

    Rows are split by newlines, and only as many are drawn as hold floor, or goals out of reach.
    """
    kinds = dict.fromkeys(level.goals, OUT_OF_REACH)
    for cell in level.floor:
        boxed, manned = cell in level.start.boxes, cell == level.start.player
        kinds[cell] = KINDS[(cell in level.goals) + 2 * boxed + 4 * manned]
    return least_drawing(kinds)


def least_drawing(kinds: Mapping[Cell, str]) -> str:
    """The least of the eight drawings of cells, each with a letter; all others are walls."""
    top, left = min(row for row, _ in kinds), min(column for _, column in kinds)
    height = max(row for row, _ in kinds) - top + 1
    width = max(column for _, column in kinds) - left + 1
    grid = [[WALL] * width for _ in range(height)]
    for (row, column), letter in kinds.items():
        grid[row - top][column - left] = letter
    upright = ["".join(row) for row in grid]
    turned = ["".join(column) for column in zip(*grid, strict=True)]
    drawings = []
    for rows in (upright, turned):
        mirrored = [row[::-1] for row in rows]
        drawings += [rows, rows[::-1], mirrored, mirrored[::-1]]
    return min("\n".join(rows) for rows in drawings)
