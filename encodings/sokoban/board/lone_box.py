"""The steps of a lone box to targets, by backward breadth-first search. Compiled: see `mc/words.py`."""

from collections.abc import Collection, Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Cell

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import PUSH
    from puzzlemc.mc.words import Bytes, Index, Ints, Ints2

    NEVER = 1 << 30  # the distance where there is no way


class LoneBox:
    """A board with walls and one box.

    near     (cells + 1, 4): as in `Floor`
    kind     PUSH or PULL
    walls    by cell, 1 for the wall; callers may set more of them
    steps    by cell: the steps of the box to the targets of the last search, or NEVER
    waiting  the queue
    cells    the number of cells
    """

    near: Ints2  # readonly
    kind: Index  # readonly
    walls: Bytes  # readonly
    steps: Ints  # readonly
    waiting: Ints  # readonly
    cells: Index  # readonly

    def __init__(self, near: npt.NDArray[np.signedinteger], kind: int) -> None:
        """The board without further walls."""
        walls = np.zeros(len(near), np.uint8)
        walls[len(near) - 1] = 1
        self.near, self.walls = view(np.ascontiguousarray(near, np.int32)), view(walls)
        self.kind, self.cells = kind, len(near) - 1
        self.steps = view(np.full(len(near), NEVER, np.int32))
        self.waiting = view(np.zeros(len(near), np.int32))


def spread(lone: LoneBox, tail: Index) -> None:  # public
    """Fill in the steps to the first `tail` squares in `waiting`, which have theirs; NEVER elsewhere at first."""
    head: Index = 0
    cell: Index
    before: Index
    player: Index
    d: Index
    while head < tail:
        cell = lone.waiting[head]
        head += 1
        for d in range(4):
            before = lone.near[cell, d]
            if lone.walls[before] or lone.steps[before] < NEVER:
                continue
            # The push to `cell` needs the player beyond `before`; the pull needs it beyond `cell`.
            player = lone.near[before, d] if lone.kind == PUSH else lone.near[cell, d ^ 2]
            if lone.walls[player] == 0:
                lone.steps[before] = lone.steps[cell] + 1
                lone.waiting[tail] = before
                tail += 1


def spread_from(lone: LoneBox, target: Index) -> None:  # public
    """Fill in the steps to a target, which may be a wall."""
    cell: Index
    for cell in range(lone.cells + 1):
        lone.steps[cell] = NEVER
    lone.steps[target] = 0
    lone.waiting[0] = target
    spread(lone, 1)


def measure(lone: LoneBox, targets: Ints) -> None:  # public
    """Fill in the steps to the nearest target that is not a wall; 0 on walls, but NEVER on the last cell."""
    tail: Index = 0
    cell: Index
    at: Index
    for cell in range(lone.cells + 1):
        lone.steps[cell] = NEVER
    for at in range(targets.shape[0]):
        cell = targets[at]
        if lone.walls[cell] == 0:
            lone.steps[cell] = 0
            lone.waiting[tail] = cell
            tail += 1
    spread(lone, tail)
    for cell in range(lone.cells):
        if lone.walls[cell]:
            lone.steps[cell] = 0


def distances(lone: LoneBox, targets: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """A copy of the steps that `measure` fills in."""
    measure(lone, view(np.ascontiguousarray(targets)))
    return np.array(lone.steps)


def steps_by_cell(
    near: npt.NDArray[np.signedinteger], cells: Sequence[Cell], targets: Collection[Cell], kind: int
) -> dict[Cell, int]:
    """The steps of a lone box to the nearest target, with the player anywhere, from the cells that have a way."""
    places = np.flatnonzero([cell in targets for cell in cells])
    steps = distances(LoneBox(near, kind), places.astype(np.int32)).tolist()
    return {cell: number for cell, number in zip(cells, steps, strict=False) if number < NEVER}
