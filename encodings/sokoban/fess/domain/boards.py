"""A level in numbers: its cells, boxes and goals."""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.screens.sokoban import Cell, Level

Shorts: TypeAlias = npt.NDArray[np.int16]
Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]

MOST_CELLS = 1 << 11  # their numbers, times four, are kept in 16 bits
MOST_PLACES = 1 << 18  # boxes times cells; a plan stores several numbers for each
LETTERS = "lurd"
STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))  # (rows, columns) of these directions


class Board(NamedTuple):
    """A level in numbers.

    near     (cells + 1, 4): the next cell in each direction
    boxes    cells of the boxes at the start
    goals    cells of the goals
    player   cell of the player at the start
    cells    row and column of each cell
    """

    near: Shorts
    boxes: Ints
    goals: Ints
    player: int
    cells: tuple[Cell, ...]


def board_of(level: Level) -> Board | None:
    """The level in numbers; None if it is too large, or has a goal that no box reaches."""
    number = {cell: place for place, cell in enumerate(level.floor)}
    cells = len(number)
    if (
        cells >= MOST_CELLS
        or cells * len(level.start.boxes) > MOST_PLACES
        or not level.goals <= level.cells
        or len(level.goals) > len(level.start.boxes)
    ):
        return None
    near = np.full((cells + 1, 4), cells, np.int16)
    for (row, column), place in number.items():
        near[place] = [number.get((row + down, column + right), cells) for down, right in STEPS]
    boxes = np.array(sorted(number[cell] for cell in level.start.boxes), np.int32)
    goals = np.array(sorted(number[cell] for cell in level.goals), np.int32)
    return Board(near, boxes, goals, number[level.start.player], level.floor)
