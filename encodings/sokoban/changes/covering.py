"""Searches over pushes, or pulls, for positions in which enough boxes are on goals. Compiled: see `mc/words.py`.

A packed position is the one of `generate/positions.py`. A box is *alive* if some goal can be reached from its
cell on the board without other boxes. A search for positions with `needed` boxes on goals leaves out all
positions in which fewer boxes are alive: pushes never revive a box, so no position with enough boxes on goals
comes after them.
"""

from collections.abc import Callable

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.bitboards import fill, is_free, toggle
    from puzzlemc.encodings.sokoban.generate.exploration import list_successors
    from puzzlemc.mc.search.state_table import find, has_room
    from puzzlemc.mc.words import Bytes, Flag, Index, Shorts2

    PAUSE = 1 << 14  # positions between two looks at the budget


class Covering:
    """What a search looks for.

    goal    by cell: 1 for a goal, else 0
    alive   by cell: 1 where a box is alive, else 0
    needed  the number of boxes that must be on goals; positions with fewer boxes alive are left out
    stop    does the search end at the first position with enough boxes on goals?
    met     the number of that position, -1 if there is none
    """

    goal: Bytes
    alive: Bytes
    needed: Index
    stop: Flag
    met: Index  # readonly

    def __init__(
        self, goal: npt.NDArray[np.uint8], alive: npt.NDArray[np.uint8], needed: int, *, stop: bool
    ) -> None:
        self.goal, self.alive, self.needed, self.stop = view(goal), view(alive), needed, stop
        self.met = -1


def cover(steps: RoomSteps, search: Search, covering: Covering, limit: int, check: Callable[[], None]) -> None:
    """Search until all positions are found, or more than `limit`, or until one has enough boxes on goals.

    No start position may be one that is left out. `check` is called at least once in PAUSE positions.
    """
    _look(steps, search, covering)
    pause: Index = PAUSE
    while covering.met < 0 and not search.complete and search.used <= limit:
        check()
        pause = min(limit, search.used + PAUSE)
        while not _cover(steps, search, covering, pause):
            search.enlarge(steps.after.shape[0])


def least_cells(
    steps: RoomSteps, packed: npt.NDArray[np.int16], players: npt.NDArray[np.int16]
) -> npt.NDArray[np.int16]:
    """The least cell that the player reaches between the boxes of each packed position, from a cell given for it.

    It is -1 where a box stands on that cell.
    """
    least = np.zeros((len(packed), 1), np.int16)
    starts = np.ascontiguousarray(players.reshape(-1, 1), np.int16)
    _least(steps, view(np.ascontiguousarray(packed)), view(starts), view(least))
    return least[:, 0]


def _look(steps: RoomSteps, search: Search, covering: Covering) -> None:
    """Is one of the start positions what the search looks for?"""
    boxes: Index = steps.boxes
    i: Index
    k: Index
    for i in range(search.used):
        on: Index = 0
        for k in range(boxes):
            on += covering.goal[search.packed[i, k]]
        if covering.stop and on >= covering.needed and covering.met < 0:
            covering.met = i


def _cover(steps: RoomSteps, search: Search, covering: Covering, limit: Index) -> Flag:
    """Search until the end or `limit`; return False if the arrays have no room for further successors."""
    i: Index
    while search.expanded < search.used and search.used <= limit and covering.met < 0:
        if not has_room(search, steps.after.shape[0]):
            return False
        for i in range(list_successors(steps, search.packed, search.expanded)):
            _insert(steps, search, covering, i)
        search.expanded += 1
    search.complete = search.expanded == search.used
    return True


def _insert(steps: RoomSteps, search: Search, covering: Covering, i: Index) -> None:
    """Insert successor `i` of the position that is expanded, unless it is known or left out."""
    alive: Index = 0
    on: Index = 0
    k: Index
    for k in range(steps.boxes):
        alive += covering.alive[steps.numbers[i, k]]
        on += covering.goal[steps.numbers[i, k]]
    if alive < covering.needed:
        return
    place: Index = find(search, steps.after, i)
    if search.slots[place] >= 0:
        return
    for k in range(steps.after.shape[1]):
        search.rows[search.used, k] = steps.after[i, k]
    search.depth[search.used] = search.depth[search.expanded] + 1
    search.slots[place] = search.used
    if covering.stop and on >= covering.needed and covering.met < 0:
        covering.met = search.used
    search.used += 1


def _least(steps: RoomSteps, packed: Shorts2, players: Shorts2, least: Shorts2) -> None:
    """`least_cells` in compiled code."""
    i: Index
    k: Index
    for i in range(packed.shape[0]):
        for k in range(steps.boxes):
            toggle(steps.board, packed[i, k])
        least[i, 0] = -1
        if is_free(steps.board, players[i, 0]):
            fill(steps.board, players[i, 0], steps.lit)
            least[i, 0] = steps.lit.least
        for k in range(steps.boxes):
            toggle(steps.board, packed[i, k])
