"""A level whose walls, boxes, goals and player can be moved: changed levels as sets of cells, and back to
levels.

An *inner wall* is a wall of which all four neighbours are walls or floor of the level. However many inner walls
are taken away, the floor only grows by their cells, so the level stays closed.
"""

from collections.abc import Set
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.numbered import neighbours
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.sokoban import Cell, Level, State

MOST_CELLS = (1 << 15) - 2
NO_CELLS: frozenset[Cell] = frozenset()


class Arrangement(NamedTuple):
    """What edits have made of a level.

    opened  walls that are floor now
    closed  floor that is a wall now
    """

    boxes: frozenset[Cell]
    goals: frozenset[Cell]
    player: Cell
    opened: frozenset[Cell] = NO_CELLS
    closed: frozenset[Cell] = NO_CELLS


class Room:
    """The floor of a changed level by numbers.

    cells   in reading order
    number  of each cell
    near    (cells + 1, 4): the next cell in each direction; the last cell is the wall
    """

    def __init__(self, floor: Set[Cell]) -> None:
        """The room of these cells. Raises LimitReached if they are too many for compiled code."""
        if len(floor) > MOST_CELLS:
            raise LimitReached("memory", f"a floor of more than {MOST_CELLS} cells")
        self.cells = tuple(sorted(floor))
        self.number = {cell: number for number, cell in enumerate(self.cells)}
        self.near: npt.NDArray[np.int16] = neighbours(self.cells).astype(np.int16)


class Grid:
    """A level that can be changed.

    level  the level as it is
    start  its arrangement
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.start = Arrangement(level.start.boxes, level.goals, level.start.player)
        self._rooms: dict[frozenset[Cell], Room] = {}

    @cached_property
    def inner_walls(self) -> tuple[Cell, ...]:
        """The inner walls, in reading order."""
        walls = {
            (row, column)
            for row, line in enumerate(self.level.rows)
            for column, sign in enumerate(line)
            if sign == "#"
        }
        solid = walls | self.level.cells
        return tuple(
            sorted(
                cell for cell in walls if all(ahead(cell, direction) in solid for direction in DIRECTIONS.values())
            )
        )

    def room(self, opened: frozenset[Cell]) -> Room:
        """The room without these inner walls."""
        if opened not in self._rooms:
            self._rooms[opened] = Room(self._reached(opened, NO_CELLS, self.level.floor[0]))
        return self._rooms[opened]

    def level_of(self, arrangement: Arrangement) -> Level | None:
        """The level with this arrangement, which is what the reader makes of its text.

        None if the arrangement is no level: two things are on one cell, or something was moved to where the player
        could not go if there were no boxes, or is there now.
        """
        boxes, goals, player, opened, closed = arrangement
        floor = (
            self._reached(opened, closed, player) if closed or player in opened else set(self.room(opened).cells)
        )
        lost = self.level.goals - self.level.cells
        if player not in floor or player in boxes or not goals or not boxes | goals - lost <= floor:
            return None
        grid = [list(row) for row in self.level.rows]
        for row, column in lost - goals:
            grid[row][column] = " "
        for row, column in self.level.cells | opened:
            grid[row][column] = " "
        for row, column in closed:
            grid[row][column] = "#"
        for row, column in goals:
            grid[row][column] = "."
        for row, column in boxes:
            grid[row][column] = "*" if (row, column) in goals else "$"
        grid[player[0]][player[1]] = "+" if player in goals else "@"
        return Level(
            title=self.level.title,
            author=self.level.author,
            rows=tuple("".join(row).rstrip() for row in grid),
            floor=tuple(sorted(floor)),
            goals=goals,
            start=State(player, boxes),
        )

    def _reached(self, opened: frozenset[Cell], closed: frozenset[Cell], start: Cell) -> set[Cell]:
        """The floor that is reached from a cell if there are no boxes."""
        free = (self.level.cells | opened) - closed
        reached, waiting = {start}, [start]
        while waiting:
            cell = waiting.pop()
            for direction in DIRECTIONS.values():
                other = ahead(cell, direction)
                if other in free and other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return reached
