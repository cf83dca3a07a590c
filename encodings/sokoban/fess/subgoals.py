"""Subgoals: a few boxes go where they belong, while those farther away stand as walls; then the next few.

Where a level falls into parts that have little to do with each other, a search of the whole does all of them
nearly, and none of them well. A *gap* lies between a position come to by pushes and one come to by pulls. A leg
closes a part of it (serializable subgoals, Korf 1987): a *cluster*, boxes that stand elsewhere in the two and are
near each other, goes over from the one end or into the other. The clusters, and how far around them boxes move,
are drawn at random. Most legs fail, so they are short at first. Gaps with few boxes to go come first, and those at
which legs have failed later.
"""

import heapq
from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from puzzlemc.encodings.sokoban.fess.boards import Board, Shorts
from puzzlemc.encodings.sokoban.fess.floods import count_steps
from puzzlemc.encodings.sokoban.fess.moves import PUSH
from puzzlemc.encodings.sokoban.fess.plan import measure
from puzzlemc.encodings.sokoban.fess.search import MET, PAUSED
from puzzlemc.encodings.sokoban.fess.sides import Place
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.rows.bounds import MATCH, NOTHING_BESIDE, OBJECTS, assignment

WORK_OF_LEG = 200_000  # cells looked at; at a gap at which so many legs have failed, as often once more
TURNS = 8  # of a leg, at least
SETTING_UP = 300_000  # what a leg costs besides, in such cells
FAILED = 0.4  # boxes that a gap seems wider for each leg that has failed there
GAPS = 512  # with more of them the worse half is forgotten
FAR = 1 << 20  # steps
MOST_PUSHES = 1 << 12  # counted for one box
SIZES = (1, 2, 3, 4, 6, 8, 12)  # of clusters, boxes
RADII = (1, 2, 3, 4, FAR)  # steps around a cluster within which boxes move

Boxes: TypeAlias = frozenset[int]
Item = TypeVar("Item")


class Search(Protocol):
    """What a leg is made of."""

    @property
    def work(self) -> int:
        """How many cells it has looked at."""
        ...

    def go_on(self, work: int) -> int:
        """Search for a while: PAUSED, or why it ended."""
        ...

    def positions(self) -> list[Place]:
        """From its start to its end, where it has met."""
        ...

    def forget(self) -> None:
        """It is wanted no more."""
        ...


class Gap(NamedTuple):
    """What is left to do.

    score          boxes to go, and more for legs that have failed
    number         of equal score the first goes first
    start          a position come to by pushes
    goal           the boxes of one come to by pulls
    players        where the player may be there; None, anywhere
    before, after  the positions from the start of the level to `start`, and from the goal on
    failed         legs
    """

    score: float
    number: int
    start: Place
    goal: Boxes
    players: list[int] | None
    before: list[Place]
    after: list[Place]
    failed: int


class Leg(NamedTuple):
    """A search for a part of a gap.

    is_forward  from its start; else to its goal
    is_last     nothing is left of the gap then
    fixed       boxes that are walls
    work        so much at most
    key         a hash of its boxes at the start and at the end, the player, and what is fixed
    """

    gap: Gap
    is_forward: bool
    is_last: bool
    fixed: Boxes
    search: Search
    work: int
    key: int


class Subgoals:
    """Gaps of a level, and legs that close them one after the other."""

    def __init__(self, board: Board, search: Callable[[Board, list[int] | None], Search], watch: Watch) -> None:
        self.work = 0
        self._board, self._search = board, search
        self._random = Random(1)
        self._gaps: list[Gap] = []
        self._made = 0
        self._tried: dict[int, float] = {}
        self._now: Leg | None = None
        self._run: list[Place] = []
        self._steps, self._pushes = between_cells(board, watch)
        start = frozenset(board.boxes.tolist()), board.player
        self._add(start, frozenset(board.goals.tolist()), None, [start], [])

    def go_on(self, turn: int) -> int:
        """Search for a while: PAUSED or MET."""
        if self._now is None:
            self.work += SETTING_UP
            self._now = self._begun()
            if self._now is None:
                return PAUSED
        leg, search = self._now, self._now.search
        begun = search.work
        # Its two sides take turns.
        status = search.go_on(min(turn, leg.work // TURNS))
        self.work += search.work - begun
        if status == PAUSED and search.work < leg.work:
            return PAUSED
        self._now = None
        self._tried[leg.key] = leg.work if status == PAUSED else inf
        if status == MET:
            status = self._close(leg)
        search.forget()
        return MET if status == MET else PAUSED

    def positions(self) -> list[Place]:
        """From the start to the goal."""
        return self._run

    def _add(
        self,
        start: Place,
        goal: Boxes,
        players: list[int] | None,
        before: list[Place],
        after: list[Place],
        failed: int = 0,
    ) -> None:
        self._made += 1
        score = len(start[0] - goal) + FAILED * failed + self._random.random() / 2
        heapq.heappush(self._gaps, Gap(score, self._made, start, goal, players, before, after, failed))
        if len(self._gaps) > GAPS:
            self._gaps = heapq.nsmallest(GAPS // 2, self._gaps)

    def _pick(self, some: Sequence[Item]) -> Item:
        """Any of them. Of a random source only `random()` is the same in all versions of Python."""
        return some[int(self._random.random() * len(some))]

    def _begun(self) -> Leg | None:
        """A leg at the first gap; None where that one has been tried."""
        gap = heapq.heappop(self._gaps)
        self._add(gap.start, gap.goal, gap.players, gap.before, gap.after, gap.failed + 1)
        (boxes, player), goal = gap.start, gap.goal
        gone, come, others = self._cluster(sorted(boxes - goal), sorted(goal - boxes))
        is_forward = self._random.random() < 1 / 2
        source = boxes if is_forward else goal - come | gone
        target = boxes - gone | come if is_forward else goal
        if source != boxes:
            player = self._pick([cell for cell in range(len(self._steps)) if cell not in source])
        fixed = source - self._movable(source, gone, come, others)
        key = hash((source, target, player, fixed))
        work = WORK_OF_LEG * (1 + gap.failed)
        if work < 2 * self._tried.get(key, 0):
            return None
        players = gap.players if target == goal else None
        part = self._board._replace(boxes=_numbers(source), goals=_numbers(target), player=player)
        search = self._search(with_walls(part, fixed), players)
        is_last = source == boxes and target == goal
        return Leg(gap, is_forward, is_last, fixed, search, work, key)

    def _close(self, leg: Leg) -> int:
        """A leg has met: what is left of its gap, or MET where that is nothing."""
        gap = leg.gap
        way = [(boxes | leg.fixed, player) for boxes, player in leg.search.positions()]
        if leg.is_last:
            self._run = gap.before[:-1] + way + gap.after
            return MET
        if leg.is_forward:
            self._add(way[-1], gap.goal, gap.players, gap.before[:-1] + way, gap.after)
        else:
            self._add(gap.start, way[0][0], [way[0][1]], gap.before, way[1:] + gap.after)
        return PAUSED

    def _cluster(self, gone: list[int], come: list[int]) -> tuple[Boxes, Boxes, list[int]]:
        """Some boxes that are to go, the squares to which they come, and all squares of the others."""
        if not gone:
            return frozenset(), frozenset(), []
        pairs = paired(self._pushes, gone, come)
        apart = self._steps[pairs[:, None, :, None], pairs[None, :, None, :]].min(axis=(2, 3))
        # It grows by the pair that is nearest to any in it (single linkage), by any of those that are as near.
        chance = np.array([self._random.random() for _ in pairs])
        order = [int(self._random.random() * len(pairs))]
        nearest, joins = apart[order[0]].copy(), []
        while len(order) < len(pairs):
            nearest[order] = 2 * FAR
            order.append(int((nearest + chance).argmin()))
            joins.append(int(nearest[order[-1]]))
            nearest = np.minimum(nearest, apart[order[-1]])
        if self._random.random() < 1 / 2:
            size = min(self._pick(SIZES), len(order))
        else:
            # All that are nearer to each other than to any of the rest.
            cuts = [at + 1 for at, join in enumerate(joins) if at and join > max(joins[:at])]
            size = self._pick([*cuts, len(order)])
        cluster, others = pairs[order[:size]], pairs[order[size:]]
        return frozenset(cluster[:, 0].tolist()), frozenset(cluster[:, 1].tolist()), others.ravel().tolist()

    def _movable(self, source: Boxes, gone: Boxes, come: Boxes, others: list[int]) -> Boxes:
        """The boxes that may move: those within a radius of the cluster, or those nearer to it than to others."""
        if not gone:
            return source
        boxes, cluster = sorted(source), sorted(gone | come)
        near = self._steps[np.ix_(boxes, cluster)].min(axis=1)
        if self._random.random() < 1 / 2:
            far = self._steps[np.ix_(boxes, others)].min(axis=1) if others else np.full(len(boxes), FAR)
            moves = near < far
        else:
            moves = near <= self._pick(RADII)
        moves |= np.isin(boxes, cluster)
        return frozenset(np.array(boxes)[moves].tolist())


def with_walls(board: Board, fixed: Boxes) -> Board:
    """The board with these boxes as walls."""
    near, wall = board.near.copy(), len(board.near) - 1
    walls = _numbers(fixed)
    near[np.isin(near, walls)] = wall
    near[walls] = wall
    return board._replace(
        near=near, boxes=np.setdiff1d(board.boxes, walls), goals=np.setdiff1d(board.goals, walls)
    )


def _numbers(cells: Boxes) -> Shorts:
    return np.array(sorted(cells), np.int32)


def paired(pushes: Shorts, gone: list[int], come: list[int]) -> Shorts:
    """Boxes and the squares to which they come, (pairs, 2), with the fewest pushes in all."""
    count = len(gone)
    costs = np.ascontiguousarray(np.minimum(pushes[np.ix_(come, gone)].T, MOST_PUSHES)[None])
    work = np.zeros((7, count + 1), np.int64)
    work[OBJECTS, 1:] = np.arange(count)
    assign: Any = assignment
    assign(costs, NOTHING_BESIDE, np.int64(0), count, work)
    return np.column_stack([gone, np.array(come)[work[MATCH, 1:] - 1]]).astype(np.int32)


def between_cells(board: Board, watch: Watch) -> tuple[Shorts, Shorts]:
    """Steps of a player between cells, (cells, cells); pushes of a lone box to the first, (cells, cells + 1).

    Raises LimitReached.
    """
    cells = len(board.near) - 1
    steps = np.full((cells, cells + 1), FAR, np.int32)
    pushes = np.zeros((cells, cells + 1), np.int32)
    queue, nothing = np.zeros(cells + 1, np.uint16), np.zeros(cells + 1, np.uint8)
    nothing[cells] = 1
    count: Any = count_steps
    fill: Any = measure
    for cell in range(cells):
        watch.check()
        count(board.near, cell, steps[cell], queue)
        fill(board.near, PUSH, nothing, np.array([cell], np.int32), pushes[cell])
    return steps[:, :cells], pushes
