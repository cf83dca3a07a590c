"""One side of the search: the tables of its game, its positions, and its work arrays."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.deadlocks.matching import Matching, matching_for
from puzzlemc.encodings.sokoban.fess.domain.boards import Bytes, Numbers, Shorts, Words
from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, COUNT, GAME, HERE, SPARE, THERE
from puzzlemc.encodings.sokoban.fess.domain.floods import FULL, Tree, count_steps, tree_for
from puzzlemc.encodings.sokoban.fess.features.lanes import Lanes, lanes_for
from puzzlemc.encodings.sokoban.fess.features.plan import Plan

Longs: TypeAlias = npt.NDArray[np.int64]
Place: TypeAlias = tuple[frozenset[int], int]  # the boxes, and the least cell of the player

NEARBY = 64  # nearest cells that are listed for each cell


class Past(NamedTuple):
    """The positions of a side, and their parents."""

    bits: Words
    players: Shorts
    parents: Shorts

    def place(self, number: int) -> Place:
        """The boxes of a position, and the least cell of the player."""
        row = np.unpackbits(self.bits[number].view(np.uint8), bitorder="little")
        return frozenset(np.flatnonzero(row).tolist()), int(self.players[number])

    def way(self, number: int) -> list[Place]:
        """The positions from a start of the side to this one."""
        found = []
        while number >= 0:
            found.append(self.place(number))
            number = int(self.parents[number])
        return found[::-1]


class Side(NamedTuple):
    """A side. Positions are numbered; each cell of the feature space has a heap of its open positions.

    near, codes       neighbours of cells; (2, cells + 1) random words for boxes and player
    dead_squares      by cell: may no box stand there? 1 for the wall, too
    is_target         by cell
    order ... bars    the packing plan; `lanes.reach` and `bars` with the cell as first index
    match             the targets that its boxes reach
    bits              (positions, words): the squares with boxes, as bits
    hashes, players   the hash of a position, and the least cell that its player reaches
    parents           the position before, -1 for a start
    keys              weight · 2^32 + distance; the least key is expanded first
    cells             the cell of the feature space
    down, right       the links of the heaps
    slots             a hash table of the positions
    heads             by cell of the feature space: the first open position, or -1
    counters          see `domain/counters.py`
    """

    near: Numbers
    codes: Words
    dead_squares: Bytes
    is_target: Bytes
    order: Shorts
    far: Shorts
    next: Shorts
    out_of_plan: Bytes
    lanes: Lanes
    need: Bytes
    bars: Bytes
    match: Matching
    bits: Words
    hashes: Words
    players: Shorts
    parents: Shorts
    keys: Longs
    cells: Shorts
    down: Shorts
    right: Shorts
    slots: Longs
    heads: Shorts
    counters: Longs

    def place(self, number: int) -> Place:
        """See `Past.place`."""
        return Past(self.bits, self.players, self.parents).place(number)

    def way(self, number: int) -> list[Place]:
        """See `Past.way`."""
        return Past(self.bits, self.players, self.parents).way(number)

    def past(self) -> Past:
        """A copy of the positions and their parents, without the other arrays."""
        count = int(self.counters[COUNT])
        return Past(self.bits[:count].copy(), self.players[:count].copy(), self.parents[:count].copy())


class Room(NamedTuple):
    """Working arrays over cells, sides of cells, and boxes."""

    on: Bytes
    seen: Shorts
    stamps: Longs
    queue: Numbers
    starts: Numbers
    full: Numbers
    tree: Tree
    visited: Bytes
    waiting: Numbers
    targets: Numbers
    players: Numbers
    firsts: Numbers
    sizes: Numbers
    leasts: Numbers
    waited: Longs
    hashed: Words
    stands: Numbers
    beyond: Numbers
    uses: Bytes
    boxes: Numbers
    stuck: Bytes
    row: Words
    best: Longs
    packed: Bytes
    nearest: Shorts
    without_packed: Bytes
    without_nearest: Shorts
    judged: Longs
    nearby: Numbers


def room_for(near: Numbers, boxes: int) -> Room:
    """Working arrays for a level with these cells and this number of boxes."""
    cells = len(near) - 1
    on = np.zeros(cells + 1, np.uint8)
    on[cells] = 1
    stuck = np.zeros(cells + 1, np.uint8)
    stuck[cells] = 1

    full = np.zeros(cells + 1, np.uint16)
    full[cells] = FULL

    def numbers(many: int) -> Numbers:
        return np.zeros(many, np.uint16)

    return Room(
        on=on,
        seen=np.zeros(cells + 1, np.int32),
        stamps=np.zeros(1, np.int64),
        queue=numbers(cells + 1),
        starts=numbers(cells + 2),
        full=full,
        tree=tree_for(cells),
        visited=np.zeros(cells + 1, np.uint8),
        waiting=numbers(4 * cells + 4),
        targets=numbers(4 * cells + 4),
        players=numbers(4 * cells + 4),
        firsts=numbers(4 * cells + 4),
        sizes=numbers(4 * cells + 4),
        leasts=numbers(4 * cells + 4),
        waited=np.zeros(1, np.int64),
        hashed=np.zeros(4 * cells + 4, np.uint64),
        stands=numbers(4 * boxes + 4),
        beyond=numbers(4 * boxes + 4),
        uses=np.zeros(cells + 1, np.uint8),
        boxes=numbers(boxes + 1),
        stuck=stuck,
        row=np.zeros(cells // 64 + 1, np.uint64),
        best=np.zeros((16,), np.int64),
        packed=np.zeros(boxes + 1, np.uint8),
        nearest=np.zeros(boxes + 1, np.int32),
        without_packed=np.zeros(boxes + 1, np.uint8),
        without_nearest=np.zeros(boxes + 1, np.int32),
        judged=np.zeros(3, np.int64),
        nearby=nearest_cells(near),
    )


def nearest_cells(near: Numbers) -> Numbers:
    """The cells nearest to each cell by steps of a player, itself first: (cells, at most NEARBY), then walls."""
    cells = len(near) - 1
    result = np.full((cells, NEARBY), cells, np.uint16)
    steps, queue = np.empty(cells + 1, np.int32), np.zeros(cells + 1, np.uint16)
    count: Any = count_steps
    for cell in range(cells):
        steps[:] = cells
        found = count(near, cell, steps, queue)
        result[cell, : min(found, NEARBY)] = queue[: min(found, NEARBY)]
    return result


def bytes_per_position(cells: int) -> int:
    """Bytes of memory for each position of a side: its arrays, and the hash tables while they grow."""
    return 8 * (cells // 64 + 1) + 8 + 8 + 6 * 4 + 48 + 44


def side_of(
    near: Numbers,
    codes: Words,
    dead_squares: Bytes,
    targets: Shorts,
    made: Plan,
    game: int,
    spare: int,
    most: int,
) -> Side:
    """An empty side with room for `most` positions. Memory is allocated as it is used."""
    cells = len(near) - 1
    is_target = np.zeros(cells + 1, np.uint8)
    is_target[targets] = 1
    counters = np.zeros(16, np.int64)
    counters[GAME], counters[SPARE], counters[HERE], counters[THERE] = game, spare, -1, -1
    return Side(
        near=near,
        codes=codes,
        dead_squares=dead_squares,
        is_target=is_target,
        order=made.order,
        far=made.far,
        next=made.next,
        out_of_plan=made.out_of_plan,
        lanes=lanes_for(made.reach),
        need=made.need,
        bars=np.ascontiguousarray(made.bars.T),
        match=matching_for(made.reach, spare + len(targets)),
        bits=np.empty((most, cells // 64 + 1), np.uint64),
        hashes=np.empty(most, np.uint64),
        players=np.empty(most, np.int32),
        parents=np.empty(most, np.int32),
        keys=np.empty(most, np.int64),
        cells=np.empty(most, np.int32),
        down=np.empty(most, np.int32),
        right=np.empty(most, np.int32),
        slots=np.full(1 << 12, -1, np.int64),
        heads=np.full((len(targets) + 1) * CELLS, -1, np.int32),
        counters=counters,
    )
