"""The box to remove next from full targets, for a packing plan. Compiled: see `mc/words.py`.

A box is removed by reversed steps. The best box has the shortest way to a source, a square where a box starts.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import Marks
from puzzlemc.encodings.sokoban.board.floor import Floor
from puzzlemc.encodings.sokoban.fess.domain.blocks import Tree
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import flood, new_stamp
    from puzzlemc.encodings.sokoban.board.floor import PUSH
    from puzzlemc.encodings.sokoban.fess.domain.blocks import edge, find_blocks
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints

    FREE_PLAYER, FARTHEST_FIRST = 1, 2  # the bits of a variant
    MOST_WORK = 1 << 23  # cells visited for one target: some hundredths of a second


class Removal:
    """The boxes that are left on the targets, and the last box that was removed.

    floor       the floor with these boxes
    kind        PUSH or PULL
    variant     bits: FREE_PLAYER, the player may be anywhere before each way; FARTHEST_FIRST, the farthest box is
                removed first
    targets     all targets
    is_source   by cell: is it a source that no box has used?
    was_source  by cell: is it a source?
    is_floor    by cell: is it no target?
    box, end    the cell of the last box, and its source, or -1
    player      a cell of the player after its way, or -1
    """

    floor: Floor  # readonly
    kind: Index  # readonly
    variant: Index  # readonly
    targets: Ints  # readonly
    is_source: Bytes  # readonly
    was_source: Bytes  # readonly
    is_floor: Bytes  # readonly
    box: Index  # readonly
    end: Index  # readonly
    player: Index  # readonly
    _least: Index
    _work: Index
    _marks: Marks
    _tree: Tree
    _steps: Ints
    _waiting: Ints

    def __init__(
        self,
        near: npt.NDArray[np.int16],
        kind: int,
        targets: npt.NDArray[np.int32],
        sources: npt.NDArray[np.int32],
        variant: int,
    ) -> None:
        """Boxes on all targets."""
        cells = len(near) - 1
        is_source, is_floor = np.zeros(cells + 1, np.uint8), np.ones(cells + 1, np.uint8)
        is_source[sources], is_floor[targets] = 1, 0
        self.floor, self.kind, self.variant = Floor(near), kind, variant
        np.asarray(self.floor.on)[targets] = 1
        self.targets, self.is_floor = view(targets), view(is_floor)
        self.is_source, self.was_source = view(is_source), view(is_source.copy())
        self.box = self.end = self.player = -1
        self._least = self._work = 0
        self._marks, self._tree = Marks(cells), Tree(cells)
        self._steps, self._waiting = (view(np.zeros(4 * cells, np.int32)) for _ in range(2))


def remove_box(removal: Removal) -> None:  # public
    """Remove the best box: to an unused source, else to any source, else to a square that is no target.

    If no box has such a way, any box is removed.
    """
    player: Index = -1 if removal.variant & FREE_PLAYER else removal.player
    at: Index = 0
    _find(removal, player, removal.is_source, True)
    if removal.box < 0:
        _find(removal, player, removal.was_source, True)
    if removal.box < 0:
        _find(removal, player, removal.is_floor, False)
    if removal.box < 0:
        while removal.floor.on[removal.targets[at]] == 0:
            at += 1
        removal.box = removal.targets[at]
        removal.player = player
    removal.floor.on[removal.box] = 0
    if removal.end >= 0:
        removal.is_source[removal.end] = 0


def _find(removal: Removal, player: Index, ends: Bytes, is_source: Flag) -> None:
    """Find the box with the best way to one of the ends; after MOST_WORK, take any box if none was found.

    player  a cell of the player before the way; -1 if the player may be anywhere
    """
    at: Index
    removal.box = removal.end = removal.player = -1
    removal._least = 1 << 40
    removal._work = 0
    new_stamp(removal._marks)
    if player >= 0:
        flood(removal.floor, player, removal._marks)
    for at in range(removal.targets.shape[0]):
        box: Index = removal.targets[at]
        if removal.floor.on[box] == 0:
            continue
        if removal._work > MOST_WORK:
            if removal.box < 0:
                removal.box = box
                removal.player = player
                removal._least = at
            continue
        tail: Index = _begin(removal, player, box)
        removal.floor.on[box] = 0
        removal._work += find_blocks(removal.floor, box, removal._tree)
        state: Index = _search(removal, ends, tail)
        removal.floor.on[box] = 1
        if state >= 0:
            steps: Index = removal._steps[state]
            value: Index = (4095 - steps if removal.variant & FARTHEST_FIRST else steps) * 4096 + at
            if value < removal._least:
                removal._least = value
                removal.box = box
                removal.end = state >> 2 if is_source else -1
                removal.player = removal.floor.near[state >> 2, state & 3]


def _begin(removal: Removal, player: Index, box: Index) -> Index:
    """Begin a search with the sides of a box that the player reaches, which are marked; return their number."""
    side: Index
    state: Index
    tail: Index = 0
    for state in range(removal._steps.shape[0]):
        removal._steps[state] = -1
    for side in range(4):
        cell: Index = removal.floor.near[box, side]
        if removal.floor.on[cell] == 0 and (player < 0 or removal._marks.seen[cell] == removal._marks.stamp):
            state = box * 4 + side
            removal._steps[state] = 0
            removal._waiting[tail] = state
            tail += 1
    return tail


def _search(removal: Removal, ends: Bytes, tail: Index) -> Index:
    """Search for a nearest end from the sides of a lifted box; return its state (cell · 4 + side), or -1.

    tail  the number of waiting states
    """
    head: Index = 0
    while head < tail:
        state: Index = removal._waiting[head]
        head += 1
        if ends[state >> 2] == 1:
            return state
        tail = _step(removal, state, tail)
    return -1


def _step(removal: Removal, state: Index, tail: Index) -> Index:
    """Add the states one reversed step after this one; return the number of all states that waited."""
    here: Index = state >> 2
    new: Index
    player: Index = edge(removal._tree, here, removal.floor.near[here, state & 3])
    removal._work += 1
    for new in range(4):
        stand: Index = removal.floor.near[here, new]
        # The player walks to the other sides of the box that it reaches without crossing the box.
        if removal.floor.on[stand] or edge(removal._tree, here, stand) != player:
            continue
        # A step backward: a pull in the push game, and a push in the pull game.
        there: Index = stand if removal.kind == PUSH else removal.floor.near[here, new ^ 2]
        free: Index = removal.floor.near[stand, new] if removal.kind == PUSH else there
        if removal.floor.on[free] == 0 and removal._steps[there * 4 + new] < 0:
            removal._steps[there * 4 + new] = removal._steps[state] + 1
            removal._waiting[tail] = there * 4 + new
            tail += 1
    return tail
