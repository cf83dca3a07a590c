"""The positions that a level can reach by pushes, the pushes between them, and their distances to a solution."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PUSH
from puzzlemc.encodings.sokoban.board.lone_box import NEVER, LoneBox
from puzzlemc.encodings.sokoban.board.lone_box import distances as distances_to
from puzzlemc.encodings.sokoban.board.numbered import numbered
from puzzlemc.encodings.sokoban.generate import exploration, positions
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.encodings.sokoban.generate.shortest import ShortestSolutions, shortest_solutions
from puzzlemc.encodings.sokoban.measures.edges import list_edges
from puzzlemc.encodings.sokoban.measures.obvious import Sight, plainly_lost
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.graph.measures import Along, Steps, along
from puzzlemc.mc.graph.paths import FAR, Adjacency, distances, turn
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

MOST_CELLS = (1 << 15) - 2  # of a floor, whose cells have numbers of 16 bits
MOST_POSITIONS = 300_000  # of a level that is measured
AT_A_TIME = 20_000  # positions between two looks at the clock
BACKWARD_SECONDS = 2.0  # more than a search from the goals takes
BYTES_PER_POSITION = 256  # with its pushes, in both directions

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class PushGraph:
    """The positions that are reachable by pushes, as packed in `generate/positions.py`; the start is the first.

    near      (cells + 1, 4): as in `NumberedLevel`
    goals     the cells of the goals
    packed    (positions, boxes + 1): the packed positions, in the order of the pushes that they take
    first     (positions + 1,): the pushes from position p are those from `first[p]` to before `first[p + 1]`
    targets   (pushes,): the position after each push
    moved     (pushes, 2): the number of the box before and after the push, in the order of cells
    left      (positions,): the least number of pushes of a solution; FAR for a lost position
    complete  whether these are all positions; otherwise they are all up to some number of pushes, and `left` may
              be too large where solutions lead through others
    """

    near: npt.NDArray[np.int16]
    goals: Ints
    packed: npt.NDArray[np.int16]
    first: npt.NDArray[np.int64]
    targets: Ints
    moved: npt.NDArray[np.int16]
    left: Ints
    complete: bool
    steps: RoomSteps
    search: Search
    budget: Budget

    @property
    def solved(self) -> npt.NDArray[np.bool_]:
        """Is each position solved? Shape (positions,)."""
        solved: npt.NDArray[np.bool_] = self.left == 0
        return solved

    @property
    def lost(self) -> npt.NDArray[np.bool_]:
        """Has each position no solution? Shape (positions,)."""
        lost: npt.NDArray[np.bool_] = self.left == FAR
        return lost

    @cached_property
    def as_steps(self) -> Steps:
        """The pushes as steps between positions, some of which are plainly lost."""
        dead = np.asarray(distances_to(LoneBox(self.near, PUSH), self.goals) == NEVER).astype(np.uint8)
        dead[-1] = 0
        plain = plainly_lost(Sight(self.near, self.goals, dead), self.packed, self.lost, self.first)
        return Steps(self.first, self.targets, self.left, plain)

    def _solutions_from_the_goals(self) -> ShortestSolutions | None:
        """All shortest solutions by a search with pulls; None if it does not reach the start.

        There is no such search with spare boxes, or if little time is left: it does not look at the clock.
        """
        boxes, left = self.packed.shape[1] - 1, self.budget.left
        if boxes != len(self.goals) or (left is not None and left < BACKWARD_SECONDS):
            return None
        solvable = positions.backward(self.near, self.goals.tolist(), MOST_POSITIONS)
        start = positions.number_of(solvable, self.packed[0])
        steps = RoomSteps(self.near, PUSH, boxes)
        return None if start < 0 else shortest_solutions(steps, solvable.search, solvable.depth, start)

    @property
    def is_solvable(self) -> bool:
        """Is there a solution among these positions?"""
        return bool(self.left[0] != FAR)

    @cached_property
    def along(self) -> Along:
        """What one meets along the shortest solutions; there must be one."""
        return along(self.as_steps)

    @cached_property
    def solutions(self) -> ShortestSolutions | None:
        """All shortest solutions; None if there are none, or if they are not known."""
        if not self.is_solvable:
            return None if self.complete else self._solutions_from_the_goals()
        return shortest_solutions(self.steps, self.search, self.left, 0)


def push_graph(level: Level, budget: Budget, most: int = MOST_POSITIONS) -> PushGraph | None:
    """The positions of a level, at most about `most` of them; None if it has no box. Raises LimitReached."""
    if len(level.floor) > MOST_CELLS:
        raise LimitReached("memory")
    room = numbered(level)
    boxes = room.boxes.tolist()
    if not boxes or level.goals - level.cells:
        return None
    start = np.array([*boxes, min(reachable_cells(room.near, boxes, room.player))], np.int16)
    steps, search = RoomSteps(room.near, PUSH, len(boxes)), Search(start[None, :], 1)
    most = min(most, budget.limits.memory // BYTES_PER_POSITION)
    limit = 0
    while not search.complete and search.used <= most:
        budget.check()
        limit = min(most, limit + AT_A_TIME)
        exploration.advance(steps, search, limit)
    if not search.complete:
        search.drop_deepest()
    if not search.used:
        raise LimitReached("memory")
    packed = np.ascontiguousarray(np.asarray(search.packed)[: search.used, : len(boxes) + 1])
    first, targets, moved = list_edges(steps, search, budget)
    none = np.zeros(len(targets), np.int32)
    back = Adjacency(np.zeros_like(first), np.empty_like(targets), np.empty_like(none))
    turn(Adjacency(first, targets, none), back)
    budget.check()
    solved = np.flatnonzero(_solved(packed[:, :-1], room.goals))
    left = distances(back, np.ones(1, np.int32), solved.astype(np.int32))
    return PushGraph(
        room.near, room.goals, packed, first, targets, moved, left, bool(search.complete), steps, search, budget
    )


def _solved(boxes: npt.NDArray[np.int16], goals: Collection[int] | Ints) -> npt.NDArray[np.bool_]:
    """Is there a box on each goal, in each position?"""
    covered = np.ones(len(boxes), np.bool_)
    for goal in goals:
        covered &= (boxes == goal).any(axis=1)
    return covered
