"""Symmetries of Sokoban levels: levels that are equal after a rotation or reflection.

Levels are compared by their floor, goals, boxes and player. The drawing of the walls, cells out of reach and the
position of the board in its rows do not matter.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from itertools import product

from puzzlemc.encodings.puzzle.symmetry import Grid, Symmetry
from puzzlemc.screens.sokoban import Cell, Level

WALL = "#"
KINDS = " .$*@+"  # floor, by the sum of 1 for a goal, 2 for a box and 4 for the player
OUT_OF_REACH = "o"  # a goal that never gets a box


def canonical(level: Level) -> str:
    """The least of the eight symmetric drawings of a level; equal for two levels exactly if they are symmetric.

    Rows are separated by newlines. Only the bounding rectangle of the floor and of goals out of reach is drawn.
    """
    return least_drawing(kinds(level))


def kinds(level: Level) -> dict[Cell, str]:
    """The character of each cell of the floor and of each goal out of reach."""
    found = dict.fromkeys(level.goals, OUT_OF_REACH)
    for cell in level.floor:
        boxed, manned = cell in level.start.boxes, cell == level.start.player
        found[cell] = KINDS[(cell in level.goals) + 2 * boxed + 4 * manned]
    return found


def least_drawing(kinds: Mapping[Cell, str]) -> str:
    """The least of the eight symmetric drawings of these characters by cell; all other cells are walls."""
    upright = ["".join(row) for row in drawn(kinds)]
    turned = ["".join(column) for column in zip(*upright, strict=True)]
    drawings = []
    for rows in (upright, turned):
        mirrored = [row[::-1] for row in rows]
        drawings += [rows, rows[::-1], mirrored, mirrored[::-1]]
    return min("\n".join(rows) for rows in drawings)


def drawn(kinds: Mapping[Cell, str]) -> Grid:
    """The drawing of these characters by cell; all other cells are walls."""
    top, left = min(row for row, _ in kinds), min(column for _, column in kinds)
    height = max(row for row, _ in kinds) - top + 1
    width = max(column for _, column in kinds) - left + 1
    grid = [[WALL] * width for _ in range(height)]
    for (row, column), letter in kinds.items():
        grid[row - top][column - left] = letter
    return tuple(map(tuple, grid))


def floor_symmetries(floor: Collection[Cell]) -> list[Mapping[Hashable, Hashable]]:
    """The rotations and reflections that map the floor to itself, but the one that moves nothing."""
    cells = frozenset(floor)
    top, bottom = min(row for row, _ in cells), max(row for row, _ in cells)
    left, right = min(column for _, column in cells), max(column for _, column in cells)
    found: list[Mapping[Hashable, Hashable]] = []
    for turned, upside_down, mirrored in product((False, True), repeat=3):
        image: dict[Hashable, Hashable] = {}
        for row, column in floor:
            down, along = (
                (bottom - row if upside_down else row - top),
                (right - column if mirrored else column - left),
            )
            image[row, column] = (top + along, left + down) if turned else (top + down, left + along)
        if cells == set(image.values()) and any(cell != other for cell, other in image.items()):
            found.append(image)
    return found


def _move(name: str, turned: Callable[[str], str]) -> str:
    return turned(name)


SYMMETRY = Symmetry(lambda level: drawn(kinds(level)), _move)
