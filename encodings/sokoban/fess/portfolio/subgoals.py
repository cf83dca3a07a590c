"""Subgoals: a few boxes move to their targets while boxes farther away are fixed; then the next few.

If a level has nearly independent parts, a search of the whole level solves none of them well. A *gap* is a pair of
positions, one reached by pushes and one by pulls. A *leg* closes a part of a gap (serializable subgoals, Korf
1987): it moves a *cluster*, boxes near each other that differ between the two positions. Clusters, and the radius
within which boxes may move, are drawn at random. Most legs fail, so they are short at first. Gaps with few boxes
to go come first; gaps with failed legs come later.
"""

import heapq
from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from puzzlemc.encodings.sokoban.fess.domain.boards import Board, Ints
from puzzlemc.encodings.sokoban.fess.domain.floods import count_steps
from puzzlemc.encodings.sokoban.fess.domain.games import PUSH
from puzzlemc.encodings.sokoban.fess.domain.lone_box import LoneBox, measure
from puzzlemc.encodings.sokoban.fess.search.entering import MET, PAUSED
from puzzlemc.encodings.sokoban.fess.search.past import Place
from puzzlemc.mc.heuristics.assignment import cheapest_pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.words import view

WORK_OF_LEG = 200_000  # visited cells of a leg, times one more than the number of failed legs of its gap
TURNS = 8  # of a leg, at least
SETTING_UP = 300_000  # work to set up a leg, in visited cells
FAILED = 0.4  # added to the score of a gap for each failed leg
GAPS = 512  # past this number, the worse half is dropped
FAR = 1 << 20  # steps
MOST_PUSHES = 1 << 12  # counted for one box
SIZES = (1, 2, 3, 4, 6, 8, 12)  # of clusters, boxes
RADII = (1, 2, 3, 4, FAR)  # steps around a cluster within which boxes move

Boxes: TypeAlias = frozenset[int]
Item = TypeVar("Item")


class Search(Protocol):
    """The search of a leg."""

    @property
    def work(self) -> int:
        """The number of visited cells."""
        ...

    def go_on(self, work: int) -> int:
        """Search for a turn; return PAUSED, or the reason of the end."""
        ...

    def positions(self) -> list[Place]:
        """The positions from its start to its end, after a meeting."""
        ...

    def forget(self) -> None:
        """Release the search."""
        ...


class Gap(NamedTuple):
    """A start and a goal between which a path is missing.

    score          boxes to go, plus FAILED for each failed leg
    number         gaps with equal score are taken in order of number
    start          a position reached by pushes
    goal           the boxes of a position reached by pulls
    players        cells on which the player may be there; None for anywhere
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
    is_last     whether it closes the gap
    fixed       boxes that are walls
    work        its limit of visited cells
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
    """The gaps of a level, and the legs that close them one after another."""

    def __init__(self, board: Board, search: Callable[[Board, list[int] | None], Search], budget: Budget) -> None:
        self.work = 0
        self._board, self._search = board, search
        self._random = Random(1)
        self._gaps: list[Gap] = []
        self._made = 0
        self._tried: dict[int, float] = {}
        self._now: Leg | None = None
        self._run: list[Place] = []
        self._steps, self._pushes = between_cells(board, budget)
        start = frozenset(board.boxes.tolist()), board.player
        self._add(start, frozenset(board.goals.tolist()), None, [start], [])

    def go_on(self, turn: int) -> int:
        """Search for a turn; return PAUSED or MET."""
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
        """The positions from the start to the goal."""
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
        """A random item. Only `random()` gives the same numbers in all versions of Python."""
        return some[int(self._random.random() * len(some))]

    def _begun(self) -> Leg | None:
        """A new leg at the first gap; None if that leg has been tried."""
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
        """Add the gap that a successful leg leaves; return MET if nothing is left, else PAUSED."""
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
        """A cluster: its boxes, their target squares, and the squares of all other boxes to move."""
        if not gone:
            return frozenset(), frozenset(), []
        pairs = paired(self._pushes, gone, come)
        apart = self._steps[pairs[:, None, :, None], pairs[None, :, None, :]].min(axis=(2, 3))
        # The cluster grows by a nearest pair (single linkage); ties are broken at random.
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
            # All boxes that are nearer to each other than to the rest.
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


def _numbers(cells: Boxes) -> Ints:
    return np.array(sorted(cells), np.int32)


def paired(pushes: Ints, gone: list[int], come: list[int]) -> Ints:
    """An assignment of boxes to target squares with the fewest pushes in total, (pairs, 2)."""
    costs = np.minimum(pushes[np.ix_(come, gone)].T, MOST_PUSHES)
    return np.column_stack([gone, np.array(come)[cheapest_pairs(costs)]]).astype(np.int32)


def between_cells(board: Board, budget: Budget) -> tuple[Ints, Ints]:
    """Steps of a player between cells, (cells, cells); pushes of a lone box to the first, (cells, cells + 1).

    Raises LimitReached.
    """
    cells = len(board.near) - 1
    steps = np.full((cells, cells + 1), FAR, np.int32)
    pushes = np.zeros((cells, cells + 1), np.int32)
    queue, lone = np.zeros(cells + 1, np.int16), LoneBox(board.near, PUSH)
    for cell in range(cells):
        budget.check()
        count_steps(view(board.near), cell, view(steps[cell]), view(queue))
        measure(lone, view(np.array([cell], np.int32)))
        pushes[cell] = np.asarray(lone.steps)
    return steps[:, :cells], pushes
