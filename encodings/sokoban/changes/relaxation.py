"""Relaxations of a level: some of its objects are freed, and a search asks whether enough of the others reach
goals.

The *objects* of a level with the boxes B and the goals G are its boxes, its goals, its inner walls, and the
player; `added 1`, `added 2`, .. stand for boxes that edits add. Each edit *touches* objects:

    a box, a goal or the player goes elsewhere      that object
    a wall is taken away                            that wall
    a box and a goal vanish                         both
    a goal vanishes                                 it
    a box is added, with a goal or alone            one of `added 1`, ..: the first that no other edit touches
    a floor cell becomes a wall                     none

Let U be a set of objects. The relaxation Q(U) keeps the boxes K = B - U and the goals H = G - U. Walls of U are
floor. If the player is in U, it may begin on any floor cell without a box of K. Q(U) asks whether a position is
reachable with at least `needed` boxes of K on goals of H, where `needed` is |G| less the number of boxes, goals
and added boxes in U.

*Theorem.* If no such position is reachable, no set of edits that touches only objects of U makes the level
solvable. (A set of edits is judged by the level after all of them. In it all boxes, and all goals that are not
out of reach in the level as it was, are on floor that the player could reach if there were no boxes.)

*Proof.* Take a solution of a level that such edits have made. Its boxes are K and others, the *foreign* ones;
each of them was moved or added, so there are at most as many as boxes and added boxes in U. Its goals include
H. All of them hold a box in the end, so at least |H| less the number of foreign boxes, which is at least
`needed`, of K are on goals of H. Now remove the foreign boxes from each position, as in `parts.py`: a step of
the player remains one, a push of a foreign box becomes a step of the player, a push of K remains a push, since
cells that were free remain free. The floor of the changed level is part of the floor of Q(U), on which more
walls were taken away and none were added. The player begins where it does in the level, or, if it is in U, on
some floor cell. So the result is a path of Q(U), and `needed` boxes of K are on goals of H at its end. ∎

*Placed and dropped boxes.* Q(U) also may have the boxes P of U stay on the board, on any free cells at the
start, and the boxes D of U be gone for good. Then positions have the boxes K and P, `needed` does not count the
boxes of P and D, and the theorem is about sets of edits in which no box of P vanishes and all boxes of D do.
For the boxes of D are not foreign, and the boxes of P stand somewhere on the floor of Q(U) in the changed
level.

*Monotonicity.* If U is part of V, and Q(V) answers no, so does Q(U). From a path of Q(U), remove the boxes of
V; of the boxes of K on goals of H at its end, at most as many are lost as boxes and goals are in V and not in
U.

A level may have more boxes than goals: the proof does not use their number. With fewer, Q(U) answers no while U
has fewer than |G| - |B| goals and added boxes.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PUSH
from puzzlemc.encodings.sokoban.board.lone_box import LoneBox, distances
from puzzlemc.encodings.sokoban.changes.covering import Covering, cover
from puzzlemc.encodings.sokoban.changes.grid import Grid, Room
from puzzlemc.encodings.sokoban.changes.objects import Objects, Relaxation
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.encodings.sokoban.generate.positions import MOST_COUNTED, Cells
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Cell

FAR = 1 << 30  # the distance of a cell from which no goal can be reached


def starts_anywhere(room: Room, boxes: Sequence[int]) -> list[int]:
    """The least cell of each region of the room between boxes."""
    left, least = set(range(len(room.cells))) - set(boxes), []
    while left:
        least.append(min(left))
        left.difference_update(reachable_cells(room.near, boxes, least[-1]))
    return least


def pushed(
    room: Room, starts: Cells, goals: frozenset[Cell], needed: int, limit: int, budget: Budget, *, stop: bool
) -> tuple[Search, Covering]:
    """The positions reachable by pushes from packed positions, without those in which too few boxes are alive.

    With `stop`, the search ends at the first position with `needed` boxes on these goals. There is a box in each
    start position. Raises LimitReached.
    """
    boxes, inside = starts.shape[1] - 1, [room.number[cell] for cell in goals if cell in room.number]
    goal = np.zeros(len(room.near), np.uint8)
    goal[inside] = 1
    lone = distances(LoneBox(room.near, PUSH), np.array(inside, np.int32))
    alive = (lone < FAR).astype(np.uint8)
    alive[-1] = 0
    search = Search(starts[alive[starts[:, :-1]].sum(axis=1, dtype=int) >= needed], MOST_COUNTED)
    covering = Covering(goal, alive, needed, stop=stop)
    if search.used:
        cover(RoomSteps(room.near, PUSH, boxes), search, covering, limit, budget.check)
    return search, covering


class Relaxations:
    """The answers to the relaxations of a level.

    asked  the number of searches
    """

    def __init__(self, grid: Grid, objects: Objects, limit: int, budget: Budget) -> None:
        """Relaxations that are answered by searches for at most `limit` positions."""
        self._grid, self._objects, self._limit, self._budget = grid, objects, limit, budget
        self._counted = sum((*objects.box.values(), *objects.goal.values(), *objects.added))
        self.asked = 0
        # By placed and dropped boxes: freed objects of relaxations that answered yes, and no.
        self._yes: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._no: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._open: dict[Relaxation, int] = {}

    def needed(self, relaxed: Relaxation) -> int:
        """The number of boxes that must be on kept goals."""
        counted = relaxed.freed & self._counted & ~relaxed.placed & ~relaxed.dropped
        return len(self._objects.goal) - counted.bit_count()

    def solvable(self, relaxed: Relaxation, limit: int | None = None) -> bool | None:
        """The answer to a relaxation; None if it takes more positions than `limit`. Raises LimitReached."""
        limit = self._limit if limit is None else min(limit, self._limit)
        freed = relaxed.freed
        kind = (relaxed.placed, relaxed.dropped)
        if any(not known & ~freed for known in self._yes[kind]):
            return True
        if any(not freed & ~known for known in self._no[kind]):
            return False
        if self._open.get(relaxed, -1) >= limit:
            return None
        answer = self._ask(relaxed, limit)
        if answer is None:
            self._open[relaxed] = limit
        else:
            (self._yes if answer else self._no)[kind].append(freed)
        return answer

    def _ask(self, relaxed: Relaxation, limit: int) -> bool | None:
        if self.needed(relaxed) <= 0:
            return True
        found = self._positions(relaxed, limit, stop=True)
        if found is None:
            return False
        search, covering = found
        if covering.met >= 0:
            return True
        return False if search.complete or not search.used else None

    def closed(self, relaxed: Relaxation) -> Cells:
        """The packed positions that the search of a relaxation finds, which answers no. Raises LimitReached."""
        boxes = (sum(self._objects.box.values()) & (~relaxed.freed | relaxed.placed)).bit_count()
        found = self._positions(relaxed, self._limit, stop=True)
        if found is None:
            return np.zeros((0, boxes + 1), np.int16)
        search, covering = found
        if covering.met >= 0:
            raise Refuted("a relaxation has a solution, which contradicts an earlier answer")
        if search.used and not search.complete:
            raise LimitReached("memory")
        return packed_in(search, boxes)

    def _positions(self, relaxed: Relaxation, limit: int, *, stop: bool) -> tuple[Search, Covering] | None:
        """The search for enough boxes on goals, None if there are too few boxes. Raises LimitReached."""
        it, freed = self._objects, relaxed.freed
        kept = [cell for cell, bit in it.box.items() if not freed & bit]
        placed, needed = relaxed.placed.bit_count(), self.needed(relaxed)
        if needed > len(kept) + placed:
            return None
        room = self._grid.room(frozenset(cell for cell, bit in it.wall.items() if freed & bit))
        goals = frozenset(cell for cell, bit in it.goal.items() if not freed & bit)
        player = None if freed & it.player else room.number[self._grid.start.player]
        starts = list(_starts(room, [room.number[cell] for cell in kept], placed, player))
        self.asked += 1
        packed = np.array(starts, np.int16).reshape(-1, len(kept) + placed + 1)
        return pushed(room, packed, goals, needed, limit, self._budget, stop=stop)


def _starts(room: Room, kept: Sequence[int], placed: int, player: int | None) -> Iterator[list[int]]:
    """The packed positions of kept boxes and others on any cells, with the player on a cell, or anywhere."""
    free = [cell for cell in range(len(room.cells)) if cell not in kept and cell != player]
    for cells in combinations(free, placed):
        boxes = sorted((*kept, *cells))
        if player is None:
            yield from ([*boxes, least] for least in starts_anywhere(room, boxes))
        else:
            yield [*boxes, reachable_cells(room.near, boxes, player)[0]]


def packed_in(search: Search, boxes: int) -> npt.NDArray[np.int16]:
    """The packed positions of a search, as an array of numbers."""
    return np.asarray(search.packed)[: search.used, : boxes + 1]
