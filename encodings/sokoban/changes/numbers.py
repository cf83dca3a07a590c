"""Numbers of levels that edits make of one level: what wishes for another level, not only a solvable one, ask for.

    pushes         the least number of pushes of a solution
    solution_sets, box_changes, lost_share   the measures of these names
    placed         the boxes that begin on goals

One search by pulls from the solved positions answers for all levels with the same floor and goals, wherever boxes
and player are. Levels with more boxes than goals are measured one by one.
"""

from collections import OrderedDict
from collections.abc import Collection, Mapping

import numpy as np

from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PUSH
from puzzlemc.encodings.sokoban.board.numbered import numbered
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps
from puzzlemc.encodings.sokoban.generate.positions import Cells, Positions, backward, number_of
from puzzlemc.encodings.sokoban.generate.shortest import (
    ShortestSolutions,
    count_sets,
    least_changes,
    shortest_solutions,
)
from puzzlemc.encodings.sokoban.measures.measure import MOST_VARIANTS, measure
from puzzlemc.encodings.sokoban.measures.push_graph import push_graph
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Cell, Level

PUSHES, SETS, CHANGES, LOST, PLACED = "pushes", "solution_sets", "box_changes", "lost_share", "placed"
MOST_POSITIONS = 200_000  # of a search by pulls
MOST_KEPT = 1_000_000  # positions of all searches that are kept
MOST_CELLS = (1 << 15) - 1  # that the searches number
BYTES = 64  # of memory for a position, about


class Numbers:
    """Finds the numbers of levels with parts in common."""

    def __init__(self) -> None:
        self._searches: OrderedDict[tuple[tuple[Cell, ...], frozenset[Cell]], Positions] = OrderedDict()
        self._kept = 0  # positions

    def __call__(self, level: Level, budget: Budget, names: Collection[str]) -> Mapping[str, Number] | None:
        """The numbers with these names; None if the level is unsolvable.

        Raises LimitReached if one is not known.
        """
        budget.check()
        found: dict[str, Number] = {PLACED: len(level.start.boxes & level.goals)} if PLACED in names else {}
        asked = {PUSHES, SETS, CHANGES} & {*names}
        if asked:
            solutions = self._solutions(level, budget)
            if solutions is None:
                return None
            cells = len(level.floor)
            found |= {PUSHES: solutions.left} if PUSHES in asked else {}
            found |= {CHANGES: least_changes(solutions)} if CHANGES in asked else {}
            found |= {SETS: count_sets(solutions, cells + 1, MOST_VARIANTS)} if SETS in asked else {}
        if LOST in names:
            found |= measure(level, budget, [LOST])
        if any(found.get(name) is None for name in names):
            raise LimitReached("bound", "a measure is not known")
        return found

    def _solutions(self, level: Level, budget: Budget) -> ShortestSolutions | None:
        """The shortest solutions; None if there is none. Raises LimitReached."""
        boxes, goals = level.start.boxes, level.goals
        if len(boxes) < len(goals) or not goals <= level.cells:
            return None
        if len(level.floor) >= MOST_CELLS:
            raise LimitReached("memory")
        if len(boxes) > len(goals):
            graph = push_graph(level, budget)
            if graph is not None and graph.solutions is None and not graph.complete:
                raise LimitReached("memory")
            return None if graph is None else graph.solutions
        room = numbered(level)
        near = np.asarray(room.near, np.int16)
        positions = self._positions(level, near, room.goals.tolist(), budget)
        cells = room.boxes.tolist()
        least = min(reachable_cells(near, cells, room.player))
        start = number_of(positions, np.array([*cells, least], np.int16))
        if start < 0:
            if positions.complete:
                return None
            raise LimitReached("memory")
        steps = RoomSteps(near, PUSH, len(cells))
        return shortest_solutions(steps, positions.search, positions.depth, start)

    def _positions(self, level: Level, near: Cells, goals: list[int], budget: Budget) -> Positions:
        """The positions from which the goals can be covered."""
        key = level.floor, level.goals
        if key not in self._searches:
            limit = min(MOST_POSITIONS, budget.limits.memory // BYTES)
            self._searches[key] = backward(near, sorted(goals), limit)
            self._kept += len(self._searches[key].packed)
            while self._kept > MOST_KEPT and len(self._searches) > 1:
                self._kept -= len(self._searches.popitem(last=False)[1].packed)
        self._searches.move_to_end(key)
        return self._searches[key]


def numbers(level: Level) -> Numbers:
    """The function for the levels that edits make of a level."""
    return Numbers()
