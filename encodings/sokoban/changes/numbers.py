"""Numbers of levels that edits make of one level: what wishes for another level, not only a solvable one, ask for.

    pushes         the least number of pushes of a solution
    solution_sets, box_changes, lost_share   the measures of these names
    placed         the boxes that begin on goals

One search by pulls from the solved positions answers for all levels with the same floor and goals, wherever boxes
and player are. It goes on until it meets the start of a level: by then it has all positions that are nearer to a
solution. Levels with more boxes than goals are measured one by one.
"""

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH
from puzzlemc.encodings.sokoban.board.numbered import numbered
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search, advance, packed_row
from puzzlemc.encodings.sokoban.generate.positions import MOST_COUNTED, Cells, solved_positions
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
AT_A_TIME = 4_000  # positions between two looks at the clock
MOST_POSITIONS = 300_000  # of a search by pulls
MOST_KEPT = 1_000_000  # positions of all searches that are kept
MOST_CELLS = (1 << 15) - 1  # that the searches number
BYTES = 64  # of memory for a position, about


class Pulls(NamedTuple):
    """A search by pulls, which can go on."""

    steps: RoomSteps
    search: Search

    def found(self, position: Cells, budget: Budget) -> int:
        """The number of a packed position, -1 if it is unsolvable. Raises LimitReached."""
        row = packed_row(position)
        most = min(MOST_POSITIONS, budget.limits.memory // BYTES)
        while (number := self.search.number_of(row)) < 0 and not self.search.complete:
            budget.check()
            if self.search.used > most:
                raise LimitReached("memory")
            advance(self.steps, self.search, self.search.used + AT_A_TIME)
        return number


class Numbers:
    """Finds the numbers of levels with parts in common."""

    def __init__(self) -> None:
        self._searches: OrderedDict[tuple[tuple[Cell, ...], frozenset[Cell]], Pulls] = OrderedDict()
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
        cells = room.boxes.tolist()
        least = min(reachable_cells(near, cells, room.player))
        key = level.floor, level.goals
        if key not in self._searches:
            solved = solved_positions(near, sorted(room.goals.tolist()))
            self._searches[key] = Pulls(RoomSteps(near, PULL, len(cells)), Search(solved, MOST_COUNTED))
        self._searches.move_to_end(key)
        search = self._searches[key].search
        self._kept -= search.used
        try:
            start = self._searches[key].found(np.array([*cells, least], np.int16), budget)
        finally:
            self._kept += search.used
        while self._kept > MOST_KEPT and len(self._searches) > 1:
            self._kept -= self._searches.popitem(last=False)[1].search.used
        if start < 0:
            return None
        depth = np.asarray(search.depth)[: search.used]
        return shortest_solutions(RoomSteps(near, PUSH, len(cells)), search, depth, start)


def numbers(level: Level) -> Numbers:
    """The function for the levels that edits make of a level."""
    return Numbers()
