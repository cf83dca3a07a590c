"""A level by numbers: cells are numbered in reading order, and the number after the last cell is the wall."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS
from puzzlemc.screens.sokoban import Cell, Level

Shorts: TypeAlias = npt.NDArray[np.int16]
Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]

# Of the directions by number, then of the pushes in these directions; d ^ 2 is the direction opposite to d.
LETTERS = "".join((*DIRECTIONS, *map(str.upper, DIRECTIONS)))


class NumberedLevel(NamedTuple):
    """A level by numbers.

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


def numbered(level: Level) -> NumberedLevel:
    """The level by numbers, without goals that no box reaches. It has fewer than 2^15 cells."""
    number = {cell: place for place, cell in enumerate(level.floor)}
    boxes = np.array(sorted(number[cell] for cell in level.start.boxes), np.int32)
    goals = np.array(sorted(number[cell] for cell in level.goals & level.cells), np.int32)
    near = neighbours(level.floor).astype(np.int16)
    return NumberedLevel(near, boxes, goals, number[level.start.player], level.floor)


def neighbours(cells: Sequence[Cell]) -> npt.NDArray[np.int64]:
    """(cells + 1, 4): the number of the next cell in each direction."""
    return _neighbours(tuple(cells)).copy()


@lru_cache(maxsize=1)  # the model of a level and the improvement of its solution both ask
def _neighbours(cells: tuple[Cell, ...]) -> npt.NDArray[np.int64]:
    wall, number = len(cells), {cell: place for place, cell in enumerate(cells)}
    ways = DIRECTIONS.values()
    near = [[number.get((row + down, column + right), wall) for down, right in ways] for row, column in cells]
    return np.array([*near, [wall] * len(DIRECTIONS)], np.int64)
