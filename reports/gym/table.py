"""All positions of a level with the least cost from each to a solution: the exact distances.

The table is made once for a level, in a process of its own under limits. A player then goes from position to
position by the names of moves; no position is looked up.
"""

import multiprocessing
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.graph.paths import FAR, distances
from puzzlemc.mc.graph.state_graph import Indices, Offsets
from puzzlemc.mc.limits import TIME, Budget, Limits
from puzzlemc.reports.positions.explored import MOST, explored
from puzzlemc.reports.workers.worker import Worker


@dataclass(frozen=True)
class Table:
    """The positions of a level by numbers; 0 is the start.

    names  of the moves
    first  the steps from position n are those from `first[n]` to before `first[n + 1]`
    after  of each step, the position after it
    name   of each step, the number of the name of its move
    left   of each position, the least cost to a solution, FAR if there is none
    """

    names: list[str]
    first: Offsets
    after: Indices
    name: Indices
    left: Indices

    def step(self, position: int, move: str) -> int:
        """The position after a legal move. Raises Refuted if the table has no such step."""
        begin, end = int(self.first[position]), int(self.first[position + 1])
        places = np.flatnonzero(self.name[begin:end] == self._numbers.get(move, -1))
        if not len(places):
            raise Refuted(f"the plain rules have a step {move!r} that the table of positions lacks")
        return int(self.after[begin + int(places[0])])

    def distance(self, position: int) -> float:
        """The least cost to a solution, infinite if there is none."""
        left = int(self.left[position])
        return float("inf") if left == FAR else float(left)

    @cached_property
    def farthest(self) -> int:
        """The largest of all distances that are not infinite."""
        return int(self.left[self.left != FAR].max(initial=0))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}


def table(entry: Entry, metric: str, limits: Limits) -> Table:
    """The positions of a level. Raises ModelError if they cannot be counted, and LimitReached."""
    if multiprocessing.current_process().daemon:  # as those of vector environments: it may have no children
        return tabulated(entry, metric, limits)
    with Worker(limits.memory, ("puzzlemc.reports.gym.table",)) as worker:
        found: Table = worker.run(tabulated, entry, metric, limits, seconds=limits.seconds)
    return found


def tabulated(entry: Entry, metric: str, limits: Limits) -> Table:
    """The same in this process."""
    if entry.error is not None:
        raise entry.error
    try:
        level = explored(entry, metric, Budget(limits))
    except LimitReached as limit:
        if limit.reason in TIME:
            raise
        raise ModelError(
            f"{entry.id}: its positions cannot be listed within the limits; expected at most {MOST:,} of them"
        ) from None
    goals = np.flatnonzero(level.solved).astype(np.int32)
    left = distances(level.graph.back.adjacency, level.costs, goals)
    return Table(level.names, level.graph.forth.first, level.graph.forth.other, level.name, left)
