"""Cores: relaxations that answer no, grown until they cover many sets of edits, and the lists that prove them."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import comb

import numpy as np

from puzzlemc.encodings.puzzle.design.changes import Core
from puzzlemc.encodings.sokoban.changes.grid import Grid
from puzzlemc.encodings.sokoban.changes.objects import Objects, Relaxation
from puzzlemc.encodings.sokoban.changes.relaxation import Relaxations
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.closed import ClosedPositions, closed_positions
from puzzlemc.screens.sokoban import Level

GROWING = 1 << 11  # positions of a search by which a core grows

MOST_SMALL = 2_000  # sets of few boxes


class Cores:
    """The known cores of a level.

    covering  for each core, what edits may touch and what they must touch so that the core covers them
    """

    def __init__(self, objects: Objects, relaxations: Relaxations) -> None:
        self._objects, self._relaxations = objects, relaxations
        self._relaxed: list[Relaxation] = []
        self.covering: list[tuple[int, int]] = []

    def covers(self, touched: int) -> bool:
        """Does a core cover the edits that touch these objects?"""
        return any(not touched & ~may and not must & ~touched for may, must in self.covering)

    def add(self, relaxed: Relaxation) -> None:
        """Add a relaxation that answers no, after it has grown. Raises LimitReached."""
        grown = self._grown(relaxed)
        it, may, must = self._objects, grown.freed & ~grown.dropped, 0
        for box, bit in it.box.items():
            if bit & grown.freed & ~grown.placed:
                may |= it.vanished[box]
            if bit & grown.dropped:
                must |= it.vanished[box]
        self._relaxed.append(grown)
        self.covering.append((may, must))

    def find_small(self, spare: int) -> None:
        """Add cores that keep few boxes of a level with this number of spare boxes. Raises LimitReached."""
        if spare < 0:
            return
        boxes = list(self._objects.box.values())
        for count in (spare + 1, spare + 2):
            if count > len(boxes) or comb(len(boxes), count) > MOST_SMALL:
                return
            for kept in combinations(boxes, count):
                relaxed = Relaxation(sum(boxes) - sum(kept))
                are_covered = self.covers(relaxed.freed)
                if not are_covered and self._relaxations.solvable(relaxed, GROWING) is False:
                    self.add(relaxed)

    def listed(self, level: Level, limit: int) -> tuple[Core, ...]:
        """The cores as values, whose proofs are made when they are asked for."""
        every = (1 << len(self._objects.names)) - 1
        name = self._objects.named
        return tuple(
            Core(
                kept=name(every & ~relaxed.freed),
                freed=name(relaxed.freed),
                needed=self._relaxations.needed(relaxed),
                proof=partial(closed, level, len(self._objects.added), relaxed, limit),
                placed=name(relaxed.placed),
                removed=name(relaxed.dropped),
            )
            for relaxed in self._relaxed
        )

    def _grown(self, relaxed: Relaxation) -> Relaxation:
        """The relaxation with more freed objects; nearly all others would give another answer."""
        it = self._objects
        for bit in (*it.box.values(), *it.added):
            relaxed = self._with(relaxed, [bit])
        relaxed = self._with(relaxed, list(it.wall.values()))
        for bit in (it.player, *it.goal.values()):
            relaxed = self._with(relaxed, [bit])
        return relaxed

    def _with(self, relaxed: Relaxation, objects: Sequence[int]) -> Relaxation:
        """The relaxation with those of these objects freed, too, that can be while it answers no."""
        more = relaxed._replace(freed=relaxed.freed | sum(bit for bit in objects if not bit & relaxed.freed))
        if more == relaxed or self._relaxations.solvable(more, GROWING) is False:
            return more
        if len(objects) == 1:
            return relaxed
        half = len(objects) // 2
        return self._with(self._with(relaxed, objects[:half]), objects[half:])


def closed(level: Level, added: int, relaxed: Relaxation, limit: int) -> ClosedPositions:
    """The positions that prove a core, by a search for at most `limit` positions. Raises LimitReached."""
    grid, budget = Grid(level), Budget()
    found = Relaxations(grid, Objects(grid, added), limit, budget).closed(relaxed)
    return closed_positions(np.roll(found, 1, axis=1).astype(np.uint16))
