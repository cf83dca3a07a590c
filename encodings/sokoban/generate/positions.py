"""All positions of a room, by breadth-first search over pushes or pulls. `exploration.py` is the compiled part.

A packed position is an array of numbers: the cells of the boxes in increasing order, then the least cell that the
player can reach. Walking does not change it, so its depth in the search is a number of pushes. A pull reverses a
push: in a search by pulls from the solved positions, the depth is the least number of pushes of a solution.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH
from puzzlemc.encodings.sokoban.board.numbered import neighbours
from puzzlemc.encodings.sokoban.generate import exploration
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.encodings.sokoban.generate.shortest import count_sets, shortest_solutions
from puzzlemc.screens.sokoban import Cell

Cells: TypeAlias = npt.NDArray[np.int16]
Table: TypeAlias = npt.NDArray[np.int32]

MOST_COUNTED = 1 << 40  # shortest paths to a position; larger numbers become this one


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


def room_of(floor: Sequence[Cell]) -> Cells:
    """The neighbours of the cells of a floor in row-major order: (cells + 1, 4); the last cell is the wall."""
    return neighbours(floor).astype(np.int16)


def backward(room: Cells, goals: Sequence[int], limit: int) -> Positions:
    """The positions with a solution, up to about `limit` of them; the depth is the least number of pushes."""
    return _found(RoomSteps(room, PULL, len(goals)), solved_positions(room, goals), limit)


def solved_positions(room: Cells, goals: Sequence[int]) -> Cells:
    """The packed positions with a box on each goal."""
    starts, left = [], set(range(len(room) - 1)) - set(goals)
    while left:
        starts.append(np.array([*sorted(goals), min(left)], np.int16))
        left.difference_update(reachable_cells(room, goals, min(left)))
    return np.array(starts, np.int16).reshape(-1, len(goals) + 1)


def forward(room: Cells, position: Cells, limit: int) -> Positions:
    """The positions reachable by pushes from a packed position, up to about `limit`."""
    return _found(RoomSteps(room, PUSH, len(position) - 1), position[None, :], limit)


def _found(steps: RoomSteps, starts: Cells, limit: int) -> Positions:
    """The positions that a search from these packed positions finds."""
    search = Search(starts, MOST_COUNTED)
    exploration.explore(steps, search, limit)
    packed, depth, paths = (
        np.asarray(array)[: search.used] for array in (search.packed, search.depth, search.paths)
    )
    return Positions(packed[:, : starts.shape[1]], depth, paths, search.edges, search.complete, search)


def number_of(positions: Positions, position: Cells) -> int:
    """The number of a packed position, -1 if it is not among the positions."""
    return positions.search.number_of(exploration.packed_row(position))


def count_common(positions: Positions, others: Positions) -> int:
    """The number of the other positions that are among the positions."""
    return exploration.count_common(positions.search, others.search)


def best_solution(room: Cells, positions: Positions, start: int) -> tuple[int, Table]:
    """A solution with the fewest pushes and, among these, the fewest changes of box: (changes, solution).

    A change is a push of another box than the box pushed before. The solution (pushes, 3) has for each push the
    number of the position before it, the cell of the box, and the direction. The positions are those of a backward
    search, and `start` is the number of one of them. The method is dynamic programming over pairs of a position on
    a shortest solution and the box that was pushed last.
    """
    steps = RoomSteps(room, PUSH, positions.packed.shape[1] - 1)
    return exploration.best_solution(steps, positions.search, start)


def solution_sets(room: Cells, positions: Positions, start: int, most: int) -> int | None:
    """The number of shortest solutions from a position of a backward search that differ in more than the order.

    None if there are more than `most` pairs of a position and the pushes before it.
    """
    steps = RoomSteps(room, PUSH, positions.packed.shape[1] - 1)
    return count_sets(shortest_solutions(steps, positions.search, positions.depth, start), len(room), most)


def losing_successors(room: Cells, positions: Positions, most: int) -> Cells:
    """Successors of the positions that are not among them, at most this number; some of them can be equal."""
    steps = RoomSteps(room, PUSH, positions.packed.shape[1] - 1)
    return exploration.losing_successors(steps, positions.search, most)
