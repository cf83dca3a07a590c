"""The floor of a board with the boxes on it, and shortest walks between them. Compiled: see `mc/words.py`."""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Index, Ints, Shorts, Shorts2

    PUSH, PULL = 0, 1  # kinds of steps of a box


class Floor:
    """The floor of a board, and the boxes on it.

    near   (cells + 1, 4): the next cell in each direction; the last cell is the wall
    on     by cell: is there a box? 1 for the wall, too
    cells  the number of cells
    """

    near: Shorts2  # readonly
    on: Bytes  # readonly
    cells: Index  # readonly

    def __init__(self, near: npt.NDArray[np.int16]) -> None:
        """The floor without boxes."""
        on = np.zeros(len(near), np.uint8)
        on[len(near) - 1] = 1
        self.near, self.on, self.cells = view(near), view(on), len(near) - 1


class ShortestWalks:
    """Shortest walks from a cell to all cells that a player reaches from there.

    reached  these cells, nearest first
    far      by cell: the number of steps; -1 for other cells, and after `forget`
    came     by cell that is reached: the direction of the last step
    """

    reached: Shorts  # readonly
    far: Ints  # readonly
    came: Bytes  # readonly

    def __init__(self, cells: int) -> None:
        """No walks on a board with that number of cells."""
        self.reached, self.came = view(np.zeros(cells + 1, np.int16)), view(np.zeros(cells + 1, np.uint8))
        self.far = view(np.full(cells + 1, -1, np.int32))


def find_walks(floor: Floor, start: Index, walks: ShortestWalks) -> Index:  # public
    """Find the walks from a cell; return the number of cells that are reached. `forget` must follow."""
    head: Index = 0
    tail: Index = 1
    d: Index
    walks.reached[0] = start
    walks.far[start] = 0
    while head < tail:
        here: Index = walks.reached[head]
        head += 1
        steps: Index = walks.far[here] + 1
        for d in range(4):
            there: Index = floor.near[here, d]
            if floor.on[there] == 0 and walks.far[there] < 0:
                walks.far[there] = steps
                walks.came[there] = d
                walks.reached[tail] = there
                tail += 1
    return tail


def forget(walks: ShortestWalks, reached: Index) -> None:  # public
    """Forget walks to that number of cells."""
    at: Index
    for at in range(reached):
        walks.far[walks.reached[at]] = -1


def list_walk(floor: Floor, walks: ShortestWalks, end: Index, steps: Bytes, first: Index) -> Index:  # public
    """Write the directions of the walk to a cell to `steps`, from number `first` on; return the next number."""
    last: Index = first + walks.far[end]
    at: Index
    for at in range(last - 1, first - 1, -1):
        steps[at] = walks.came[end]
        end = floor.near[end, steps[at] ^ 2]
    return last


def shortest_walk(near: npt.NDArray[np.int16], boxes: Sequence[int], start: int, end: int) -> list[int]:
    """The cells of a shortest walk between boxes, from the end back to the start."""
    floor, walks, cells = Floor(near), ShortestWalks(len(near) - 1), [end]
    came = np.asarray(walks.came)
    np.asarray(floor.on)[list(boxes)] = 1
    find_walks(floor, start, walks)
    while end != start:
        end = int(near[end, came[end] ^ 2])
        cells.append(end)
    return cells
