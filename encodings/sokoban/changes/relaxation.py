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

*Monotonicity.* If U is part of V and Q(V) answers no, so does Q(U): edits play no part in it. From a path of
Q(U) remove the boxes of V; of the boxes of K on goals of H at its end, at most as many are lost as boxes and
goals are in V and not in U.

A level may have more boxes than goals: the proof does not use their number. With fewer, Q(U) answers no while U
has fewer than |G| - |B| goals and added boxes.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PUSH
from puzzlemc.encodings.sokoban.board.lone_box import LoneBox, distances
from puzzlemc.encodings.sokoban.changes.covering import Covering, cover
from puzzlemc.encodings.sokoban.changes.grid import Grid, Room
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.encodings.sokoban.generate.positions import MOST_COUNTED, Cells
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
    """The relaxations Q(U) of a level. A set of objects is a number, with a bit for each object.

    names   the objects by name, in the order of their bits
    asked   the number of searches
    """

    def __init__(self, grid: Grid, added: int, limit: int, budget: Budget) -> None:
        """The relaxations with this number of added boxes, by searches for at most `limit` positions."""
        self._grid, self._limit, self._budget = grid, limit, budget
        self._boxes, self._goals = sorted(grid.start.boxes), sorted(grid.start.goals)
        self.names = (
            *(f"box {_place(cell)}" for cell in self._boxes),
            *(f"goal {_place(cell)}" for cell in self._goals),
            *(f"wall {_place(cell)}" for cell in grid.inner_walls),
            "player",
            *(f"added {number}" for number in range(1, added + 1)),
        )
        bits = {name: 1 << number for number, name in enumerate(self.names)}
        self.box = {cell: bits[f"box {_place(cell)}"] for cell in self._boxes}
        self.goal = {cell: bits[f"goal {_place(cell)}"] for cell in self._goals}
        self.wall = {cell: bits[f"wall {_place(cell)}"] for cell in grid.inner_walls}
        self.player = bits["player"]
        self.added = tuple(bits[f"added {number}"] for number in range(1, added + 1))
        self.asked = 0
        self._answers: dict[int, bool] = {}
        self._open: dict[int, int] = {}

    def needed(self, freed: int) -> int:
        """The number of kept boxes that must be on kept goals."""
        counted = sum((*self.box.values(), *self.goal.values(), *self.added))
        return len(self._goals) - (freed & counted).bit_count()

    def solvable(self, freed: int, limit: int | None = None) -> bool | None:
        """The answer to Q(freed); None if it takes more positions than `limit`. Raises LimitReached."""
        limit = self._limit if limit is None else min(limit, self._limit)
        if freed not in self._answers and self._open.get(freed, -1) < limit:
            answer = self._ask(freed, limit)
            if answer is None:
                self._open[freed] = limit
            else:
                self._answers[freed] = answer
        return self._answers.get(freed)

    def _ask(self, freed: int, limit: int) -> bool | None:
        needed = self.needed(freed)
        kept = [cell for cell in self._boxes if not freed & self.box[cell]]
        if needed <= 0 or needed > len(kept):
            return needed <= 0
        room = self._grid.room(frozenset(cell for cell, bit in self.wall.items() if freed & bit))
        goals = frozenset(cell for cell in self._goals if not freed & self.goal[cell])
        boxes = [room.number[cell] for cell in kept]
        if freed & self.player:
            players = starts_anywhere(room, boxes)
        else:
            players = [reachable_cells(room.near, boxes, room.number[self._grid.start.player])[0]]
        starts = np.array([[*boxes, player] for player in players], np.int16)
        self.asked += 1
        search, covering = pushed(room, starts, goals, needed, limit, self._budget, stop=True)
        if covering.met >= 0:
            return True
        return False if search.complete or not search.used else None


def _place(cell: Cell) -> str:
    return f"{cell[0] + 1},{cell[1] + 1}"


def packed_in(search: Search, boxes: int) -> npt.NDArray[np.int16]:
    """The packed positions of a search, as an array of numbers."""
    return np.asarray(search.packed)[: search.used, : boxes + 1]
