"""All positions of a room, by breadth-first search over pushes or pulls. `exploration.py` is the compiled part.

A packed position is an array of numbers: the cells of the boxes in increasing order, then the least cell that the
player can reach. Walking does not change it, so its depth in the search is a number of pushes. A pull reverses a
push: in a search by pulls from the solved positions, the depth is the least number of pushes of a solution.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.generate import exploration
from puzzlemc.encodings.sokoban.generate.exploration import Board, Search
from puzzlemc.screens.sokoban import Cell

Cells: TypeAlias = npt.NDArray[np.int16]
Table: TypeAlias = npt.NDArray[np.int32]

NOWHERE = -1  # a wall
MOST_COUNTED = 1 << 40  # shortest paths to a position; larger numbers become this one
FIRST_CAPACITY = 1 << 9  # positions for which a search allocates memory at first
FIRST_ON_SOLUTIONS = 1 << 6  # likewise, positions on shortest solutions


class Room(NamedTuple):
    """The floor of a room, its cells numbered in row-major order, with tables of neighbours, pushes and pulls.

    near    (cells, 4): the neighbour in each direction, or NOWHERE for a wall
    pushes  (cells, 4, 3): for a push of a box on that cell in that direction, the cells of the player before the
            push, of the box after it and of the player after it; NOWHERE if walls prevent the push
    pulls   (cells, 4, 3): likewise for a pull
    """

    near: Cells
    pushes: Cells
    pulls: Cells


class Positions(NamedTuple):
    """Positions in the order of their depth.

    packed    (positions, boxes + 1): packed positions, as defined at the top of this file
    depth     (positions,): the least number of pushes or pulls from a start position
    paths     (positions,): the number of shortest paths from the start positions, at most MOST_COUNTED
    edges     the number of pushes, or pulls, that are possible in all these positions together
    complete  whether these are all positions; otherwise they are all positions up to some depth
    search    the search that found them
    """

    packed: Cells
    depth: Table
    paths: npt.NDArray[np.int64]
    edges: int
    complete: bool
    search: Search


def room_of(floor: Sequence[Cell]) -> Room:
    """The tables of a floor whose cells are in row-major order."""
    numbers = {cell: number for number, cell in enumerate(floor)}
    directions = tuple(DIRECTIONS.values())
    near = np.array([[numbers.get(ahead(cell, d), NOWHERE) for d in directions] for cell in floor], np.int16)
    pushes = np.full((len(floor), 4, 3), NOWHERE, np.int16)
    pulls = np.full((len(floor), 4, 3), NOWHERE, np.int16)
    for cell in range(len(floor)):
        for d in range(4):
            onward, behind = near[cell, d], near[cell, (d + 2) % 4]
            if onward >= 0 and behind >= 0:
                pushes[cell, d] = behind, onward, cell
            if onward >= 0 and near[onward, d] >= 0:
                pulls[cell, d] = onward, onward, near[onward, d]
    return Room(near, pushes, pulls)


def backward(room: Room, goals: Sequence[int], limit: int) -> Positions:
    """The positions with a solution, up to about `limit` of them; the depth is the least number of pushes."""
    board = Board(room.near, room.pulls, len(goals))
    starts, left = [], set(range(len(room.near))) - set(goals)
    while left:
        starts.append(np.array([*sorted(goals), min(left)], np.int16))
        left.difference_update(exploration.reachable_cells(board, starts[-1]))
    return _found(board, np.array(starts, np.int16).reshape(-1, len(goals) + 1), limit)


def forward(room: Room, position: Cells, limit: int) -> Positions:
    """The positions reachable by pushes from a packed position, up to about `limit`."""
    return _found(Board(room.near, room.pushes, len(position) - 1), position[None, :], limit)


def _found(board: Board, starts: Cells, limit: int) -> Positions:
    """The positions that a search from these packed positions finds."""
    search = Search(starts, max(FIRST_CAPACITY, 1 << (2 * len(starts)).bit_length()), MOST_COUNTED)
    exploration.explore(board, search, limit)
    packed, depth, paths = (
        np.asarray(array)[: search.count] for array in (search.packed, search.depth, search.paths)
    )
    return Positions(packed, depth, paths, search.edges, search.complete, search)


def reachable_cells(room: Room, boxes: Cells, player: int) -> list[int]:
    """The cells that the player can reach without a push, in increasing order."""
    return exploration.reachable_cells(Board(room.near, room.pushes, 0), np.append(boxes, np.int16(player)))


def number_of(positions: Positions, position: Cells) -> int:
    """The number of a packed position, -1 if it is not among the positions."""
    return exploration.number_of(positions.search, position)


def count_common(positions: Positions, others: Positions) -> int:
    """The number of the other positions that are among the positions."""
    return exploration.count_common(positions.search, others.packed)


def best_solution(room: Room, positions: Positions, start: int) -> tuple[int, Table]:
    """A solution with the fewest pushes and, among these, the fewest changes of box: (changes, solution).

    A change is a push of another box than the box pushed before. The solution (pushes, 3) has for each push the
    number of the position before it, the cell of the box, and the direction. The positions are those of a backward
    search, and `start` is the number of one of them. The method is dynamic programming over pairs of a position on
    a shortest solution and the box that was pushed last.
    """
    board = Board(room.near, room.pushes, positions.packed.shape[1] - 1)
    return exploration.best_solution(board, positions.search, start, FIRST_ON_SOLUTIONS)


def losing_successors(room: Room, positions: Positions, most: int) -> Cells:
    """Successors of the positions that are not among them, at most this number; some of them can be equal."""
    boxes = positions.packed.shape[1] - 1
    found = np.empty((most, boxes + 1), np.int16)
    return found[: exploration.losing_successors(Board(room.near, room.pushes, boxes), positions.search, found)]
