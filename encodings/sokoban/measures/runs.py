"""The fewest runs in which a level can be solved: a run is pushes of one box, one after another. Compiled."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.search.growing import UNLIMITED, Growing
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Bytes2, Flag, Index, Ints, Ints2, Numbers, Shorts2

    ROOM = 1 << 10  # entries for which there is room at first
    ENDED, SOLVED, FULL = 0, 1, 2  # what a run returns


class Runs(Growing):
    """A breadth-first search over the positions and the box that was pushed last, by the number of runs.

    first, targets, moved  the pushes, as in `PushGraph`
    solved    (positions,)
    known     (positions, boxes): was the position reached with a last push of the box?
    opened    (positions,): was the position reached at all?
    queue     (capacity, 2): the positions that were reached, with the box that was pushed last; `tail` of them
    head      the place of the next one
    opening   (positions,): the positions in the order in which they were reached first; `open_tail` of them
    open_head  the place of the first one in which no run has begun
    opened_in_run  the number of those that were reached before the last run
    """

    first: Numbers
    targets: Ints
    moved: Shorts2
    solved: Bytes
    known: Bytes2
    opened: Bytes
    queue: Ints2  # public
    opening: Ints
    head: Index
    tail: Index  # readonly
    open_head: Index  # readonly
    open_tail: Index  # readonly
    opened_in_run: Index  # readonly

    def __init__(
        self,
        first: npt.NDArray[np.int64],
        targets: npt.NDArray[np.int32],
        moved: npt.NDArray[np.int16],
        solved: npt.NDArray[np.bool_],
        boxes: int,
    ) -> None:
        super().__init__()
        self.first, self.targets, self.moved = view(first), view(targets), view(moved)
        positions = len(solved)
        self.solved = view(solved.view(np.uint8))
        self.known, self.opened = view(np.zeros((positions, boxes), np.uint8)), view(np.zeros(positions, np.uint8))
        self.queue, self.opening = view(np.zeros((ROOM, 2), np.int32)), view(np.zeros(positions, np.int32))
        self.opened[0] = 1
        self.head = self.tail = self.open_head = self.opened_in_run = 0
        self.open_tail = 1


def fewest_runs(
    first: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int32],
    moved: npt.NDArray[np.int16],
    solved: npt.NDArray[np.bool_],
    boxes: int,
) -> int | None:
    """The least number of runs of a solution from position 0, of any length; None if there is none.

    The arguments are as in `PushGraph`.
    """
    if solved[0]:
        return 0
    search, runs = Runs(first, targets, moved, solved, boxes), 0
    most = int(np.diff(first).max(initial=0))
    while search.open_head < search.open_tail:
        runs += 1
        state: Index = _run(search, search.open_tail)
        while state == FULL:
            search.grow(search.tail + most, UNLIMITED, "queue")
            state = _run(search, search.opened_in_run)
        if state == SOLVED:
            return runs
    return None


def _run(search: Runs, end: Index) -> Index:
    """Begin a run in each position that was reached before place `end`, and follow all these runs.

    Returns FULL if the queue has no room for the pushes from another position.
    """
    at: Index
    e: Index
    search.opened_in_run = end
    while search.open_head < end:
        at = search.opening[search.open_head]
        if search.tail + search.first[at + 1] - search.first[at] > search.queue.shape[0]:
            return FULL
        search.open_head += 1
        for e in range(search.first[at], search.first[at + 1]):
            if _reach(search, e):
                return SOLVED
    while search.head < search.tail:
        at = search.queue[search.head, 0]
        box: Index = search.queue[search.head, 1]
        if search.tail + search.first[at + 1] - search.first[at] > search.queue.shape[0]:
            return FULL
        search.head += 1
        for e in range(search.first[at], search.first[at + 1]):
            if search.moved[e, 0] == box and _reach(search, e):
                return SOLVED
    return ENDED


def _reach(search: Runs, e: Index) -> Flag:
    """Enter the position after a push; return whether it is solved."""
    to: Index = search.targets[e]
    box: Index = search.moved[e, 1]
    if search.known[to, box]:
        return False
    search.known[to, box] = 1
    search.queue[search.tail, 0] = to
    search.queue[search.tail, 1] = box
    search.tail += 1
    if search.opened[to] == 0:
        search.opened[to] = 1
        search.opening[search.open_tail] = to
        search.open_tail += 1
    return search.solved[to] != 0
