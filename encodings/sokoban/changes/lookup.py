"""The repairs that a few searches answer together.

The positions from which the goals can be covered, by pulls from all solved positions, contain every solvable
way to place boxes and player: a look-up finds those that differ from the level in few boxes. The positions that
are reachable by pushes contain every set of cells that the goals could have.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH
from puzzlemc.encodings.sokoban.changes.covering import Covering, cover, least_cells
from puzzlemc.encodings.sokoban.changes.edits import nearest, player_cells
from puzzlemc.encodings.sokoban.changes.grid import Arrangement, Grid, Room
from puzzlemc.encodings.sokoban.changes.relaxation import packed_in, pushed, starts_anywhere
from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.encodings.sokoban.generate.positions import MOST_COUNTED
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Cell


class Group(NamedTuple):
    """Sets of edits that the same searches answer.

    opened   the walls that are taken away
    player   does the player go elsewhere?
    dropped  the boxes that vanish
    moved    how many other boxes go elsewhere
    added    how many boxes are added
    without  the goals that vanish or go elsewhere
    gained   how many goals are added or go elsewhere
    """

    opened: frozenset[Cell]
    player: bool
    dropped: frozenset[Cell]
    moved: int
    added: int
    without: frozenset[Cell]
    gained: int

    @property
    def is_placed(self) -> bool:
        """Do boxes stand where none stood?"""
        return self.moved + self.added > 0


class Lookup:
    """Finds the repairs of groups, by searches for at most `limit` positions.

    asked  the number of searches
    """

    def __init__(self, grid: Grid, keep: frozenset[Cell], limit: int, budget: Budget) -> None:
        self._grid, self._keep, self._limit, self._budget = grid, keep, limit, budget
        self.asked = 0
        self._too_large = set[int]()  # kinds of searches that reached the limit: others would, too

    @property
    def is_too_large(self) -> bool:
        """Did a search reach the limit?"""
        return bool(self._too_large)

    def repairs(self, group: Group) -> Iterator[Arrangement]:
        """The solvable arrangements of a group, or of fewer edits. Raises LimitReached."""
        room = self._grid.room(group.opened)
        if not group.is_placed:
            yield from self._by_pushes(group, room)
            return
        kept = self._grid.start.goals - group.without
        cells = [cell for cell in room.cells if cell not in self._grid.start.goals and cell not in self._keep]
        for gained in combinations(cells, group.gained):
            yield from self._by_pulls(group, room, kept.union(gained))

    # Boxes stay: which cells do they reach together?

    def _by_pushes(self, group: Group, room: Room) -> Iterator[Arrangement]:
        start = self._grid.start
        boxes = start.boxes - group.dropped
        base = start._replace(boxes=boxes, opened=group.opened)
        players = player_cells(self._grid, base, self._keep) if group.player else [start.player]
        for player in players:
            if group.player and player == start.player:
                continue
            for goals in self._covered(room, boxes, player, group):
                yield base._replace(player=player, goals=goals)

    def _covered(
        self, room: Room, boxes: frozenset[Cell], player: Cell, group: Group
    ) -> Iterator[frozenset[Cell]]:
        """The goals that a group can have, which these boxes can cover."""
        goals = self._grid.start.goals
        kept = goals - group.without
        if not kept <= room.number.keys() or len(boxes) < len(kept) + group.gained or not boxes:
            return
        numbers = sorted(room.number[box] for box in boxes)
        least = reachable_cells(room.near, numbers, room.number[player])[0]
        starts = np.array([[*numbers, least]], np.int16)
        if PUSH in self._too_large:
            raise LimitReached("memory")
        self.asked += 1
        search, covering = pushed(room, starts, kept, len(kept), self._limit, self._budget, stop=not group.gained)
        if covering.met >= 0:
            yield kept
            return
        if search.used and not search.complete:
            self._too_large.add(PUSH)
            raise LimitReached("memory")
        if not group.gained:
            return
        packed = packed_in(search, len(numbers))[:, :-1]
        on = _marked(room, kept)[packed]
        full = on.sum(axis=1) == len(kept)
        others = np.unique(packed[full][~on[full]].reshape(full.sum(), len(numbers) - len(kept)), axis=0)
        known = set()
        for row in others.tolist():
            cells = [room.cells[number] for number in row]
            able = [cell for cell in cells if cell not in goals and cell not in self._keep]
            for gained in combinations(able, group.gained):
                if gained not in known:
                    known.add(gained)
                    yield kept.union(gained)

    # Boxes go elsewhere: from which positions are the goals covered?

    def _by_pulls(self, group: Group, room: Room, goals: frozenset[Cell]) -> Iterator[Arrangement]:
        start = self._grid.start
        boxes = len(start.boxes) - len(group.dropped) + group.added
        if not goals or not goals <= room.number.keys() or boxes < len(goals):
            return
        packed = self._solvable(room, goals, boxes)
        stay = len(start.boxes) - len(group.dropped) - group.moved
        packed = packed[_marked(room, start.boxes)[packed[:, :-1]].sum(axis=1) >= stay]
        players = np.full(len(packed), room.number[start.player], np.int16)
        here = least_cells(RoomSteps(room.near, PUSH, boxes), packed, players) == packed[:, -1]
        for row in packed[here != group.player].tolist():
            placed = frozenset(room.cells[number] for number in row[:-1])
            player = start.player
            if group.player:
                region = [room.cells[number] for number in reachable_cells(room.near, row[:-1], row[-1])]
                cell = nearest(region, player, self._keep)
                if cell is None:
                    continue
                player = cell
            yield Arrangement(placed, goals, player, group.opened)

    def _solvable(self, room: Room, goals: frozenset[Cell], boxes: int) -> npt.NDArray[np.int16]:
        """The packed positions with this number of boxes, all solvable ones. Raises LimitReached."""
        covered = [room.number[cell] for cell in goals]
        others = [number for number in range(len(room.cells)) if room.cells[number] not in goals]
        spare = boxes - len(goals)
        if PULL in self._too_large or comb(len(others), spare) > self._limit:
            raise LimitReached("memory")
        starts = []
        for count, more in enumerate(combinations(others, spare)):
            if count % 256 == 0:
                self._budget.check()
            numbers = sorted((*covered, *more))
            starts += [[*numbers, least] for least in starts_anywhere(room, numbers)]
        self.asked += 1
        search = Search(np.array(starts, np.int16).reshape(-1, boxes + 1), MOST_COUNTED)
        nothing = np.zeros(len(room.near), np.uint8)
        all_positions = Covering(nothing, nothing, 0, stop=False)
        cover(RoomSteps(room.near, PULL, boxes), search, all_positions, self._limit, self._budget.check)
        if not search.complete:
            self._too_large.add(PULL)
            raise LimitReached("memory")
        return packed_in(search, boxes)


def _marked(room: Room, cells: frozenset[Cell]) -> npt.NDArray[np.bool_]:
    """By cell of the room: is it one of these?"""
    return np.array([*(cell in cells for cell in room.cells), False])
