"""Fewer pushes: searches neighbourhoods of a plan, one after the other, until none of them has a cheaper plan.

First come windows of the plan in which all boxes are free, then neighbourhoods of the whole plan in which one, two
or more boxes are free. If most of one kind are too large for the limit on expansions, those of the next kind are,
too, and are left out. The plan is never worse than before. Limits are numbers of expansions, so the result does
not depend on time.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.improve.neighbourhood import NONE, OPEN, Neighbourhood, improve
from puzzlemc.encodings.sokoban.improve.plans import Plan

FIRST_WIDTH = 4  # pushes in the first windows
FREE_BOXES = 3  # in a neighbourhood of the whole plan; more if those with fewer are exhausted
MOST_SETS = 1 << 12  # sets of more boxes than FREE_BOXES


class Searched(NamedTuple):
    """A neighbourhood that was searched."""

    expansions: int
    free: int  # boxes


class FewerPushes:
    """What is known of the neighbourhoods of a plan."""

    def __init__(self, plan: Plan) -> None:
        """Nothing is known of the neighbourhoods."""
        self._plan = plan
        self._boxes = np.asarray(plan.vertices).shape[1] - 1
        # Segments with free boxes that have no cheaper path.
        self._exhausted: set[tuple[int, int, tuple[int, ...]]] = set()
        # Of the neighbourhoods of one kind, how many were searched; of these searches, how many the limit ended.
        self._tried = self._open = 0

    def changed(self) -> None:
        """Forget what is known: the plan was changed elsewhere."""
        self._exhausted.clear()

    @property
    def is_least(self) -> bool:
        """Is it proved that no plan has fewer pushes?"""
        last = self._plan.count - 1
        return last == 0 or (0, last, tuple(range(self._boxes))) in self._exhausted

    def search(self, most: int) -> Iterator[Searched]:
        """Improve the plan by neighbourhoods of at most `most` expansions until none of that size improves it."""
        area = Neighbourhood(self._plan, most)
        count = -1
        while self._plan.count != count and not self.is_least:
            count = self._plan.count
            yield from self._windows(area, most)
            for free in range(1, self._boxes):
                if free > FREE_BOXES and (self._open or comb(self._boxes, free) > MOST_SETS):
                    break
                self._tried = self._open = 0
                for boxes in combinations(range(self._boxes), free):
                    yield from self._improve(area, 0, self._plan.count - 1, boxes, most)
                if self._most_are_open:
                    break

    def _windows(self, area: Neighbourhood, most: int) -> Iterator[Searched]:
        """Search windows of each width, repeatedly while they improve the plan."""
        boxes, width, plan = tuple(range(self._boxes)), FIRST_WIDTH, self._plan
        while True:
            first, last, before = 0, 0, plan.count
            self._tried = self._open = 0
            while last < plan.count - 1:
                count, last = plan.count, min(first + width, plan.count - 1)
                yield from self._improve(area, first, last, boxes, most)
                last -= count - plan.count
                first += max(1, (last - first) // 2)
            if plan.count == before:
                if width >= plan.count - 1 or self._most_are_open:
                    return
                width *= 2

    @property
    def _most_are_open(self) -> bool:
        """Did the limit end most searches of this kind of neighbourhoods?"""
        return 2 * self._open > self._tried

    def _improve(
        self, area: Neighbourhood, first: int, last: int, boxes: tuple[int, ...], most: int
    ) -> Iterator[Searched]:
        """Search a neighbourhood unless it is exhausted."""
        if (first, last, boxes) in self._exhausted:
            return
        area.set_free(boxes)
        found = improve(self._plan, area, first, last, most)
        self._tried += 1
        self._open += found == OPEN
        if found >= 0:
            self._exhausted.clear()
        elif found == NONE:
            self._exhausted.add((first, last, boxes))
        yield Searched(area.used, len(boxes))
