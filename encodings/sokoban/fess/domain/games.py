"""A game on a board, and the boxes of a position. Compiled: see `mc/words.py`."""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.mc.words import Bytes, Index, Shorts, Shorts2, Words, Words2


class Game:
    """The push game or the pull game on a board.

    near          (cells + 1, 4): the next cell in each direction; the last cell is the wall
    codes         (2, cells + 1): random words for boxes and player
    dead_squares  by cell: may no box stand there? 1 for the wall, too
    is_target     by cell
    kind          PUSH or PULL
    cells         the number of cells, which is also the number of the wall
    """

    near: Shorts2  # readonly
    codes: Words2  # readonly
    dead_squares: Bytes  # readonly
    is_target: Bytes  # readonly
    kind: Index  # readonly
    cells: Index  # readonly

    def __init__(
        self,
        near: npt.NDArray[np.int16],
        codes: npt.NDArray[np.uint64],
        dead_squares: npt.NDArray[np.uint8],
        is_target: npt.NDArray[np.uint8],
        kind: int,
    ) -> None:
        self.near, self.codes = view(near), view(codes)
        self.dead_squares, self.is_target = view(dead_squares), view(is_target)
        self.kind, self.cells = kind, len(near) - 1


class Boxes:
    """The boxes of a position.

    cells  their cells, the first `count` of them
    row    the cells as bits
    stuck  by cell: 1 for the wall, and for frozen boxes while a rule runs
    """

    cells: Shorts  # readonly
    row: Words  # readonly
    stuck: Bytes  # readonly
    count: Index  # public

    def __init__(self, most: int, cells: int) -> None:
        """No boxes, with room for `most` of them on a board with that number of cells."""
        stuck = np.zeros(cells + 1, np.uint8)
        stuck[cells] = 1
        self.cells, self.stuck = view(np.zeros(most, np.int16)), view(stuck)
        self.row = view(np.zeros(cells // 64 + 1, np.uint64))
        self.count = 0


def set_boxes(boxes: Boxes, cells: Sequence[int]) -> None:
    """Set the boxes to those on these cells."""
    row = np.asarray(boxes.row)
    row[:] = 0
    for cell in cells:
        row[cell >> 6] |= np.uint64(1 << (cell & 63))
    np.asarray(boxes.cells)[: len(cells)] = cells
    boxes.count = len(cells)


def put_down(floor: Floor, boxes: Boxes) -> None:  # public
    """Put the boxes on the floor."""
    at: Index
    for at in range(boxes.count):
        floor.on[boxes.cells[at]] = 1


def lift(floor: Floor, boxes: Boxes) -> None:  # public
    """Take the boxes off the floor."""
    at: Index
    for at in range(boxes.count):
        floor.on[boxes.cells[at]] = 0
