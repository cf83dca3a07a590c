"""Local search from one plan of Sokoban: neighbourhoods of bounded size, then of four times that size, ..."""

from collections.abc import Iterator, Sequence

import numpy as np

from puzzlemc.encodings.sokoban.improve import neighbourhood, window_search
from puzzlemc.encodings.sokoban.improve.fewer_pushes import FewerPushes
from puzzlemc.encodings.sokoban.improve.improvement import FEWEST, GROWTH, plan_of
from puzzlemc.encodings.sokoban.improve.plans import letters_of
from puzzlemc.screens.sokoban import Level

AT_ONCE = 1 << 12  # expansions of windows between two looks at the limits, if no window takes more
# Work in visited cells, the unit of the plan finder. A neighbourhood has a child for each push of a free box.
CELLS_A_CHILD = 1 << 5
CELLS_A_VERTEX = 1 << 8


class LocalSearch:
    """A plan, and what is known of its neighbourhoods."""

    def __init__(self, level: Level, moves: Sequence[str], metric: str) -> None:
        """The moves must be a solution of the level, and at least one; the metric is `pushes` or `moves`."""
        self._metric = metric
        self._plan = plan = plan_of(level, moves, metric)
        self._width = np.asarray(plan.vertices).shape[1]
        self._slide, self._fewer = window_search.Slide(plan), FewerPushes(plan)
        self._next = FEWEST  # the size of the next neighbourhoods, in expansions

    @property
    def costs(self) -> tuple[int, int]:
        """The pushes and the moves of the plan; under `moves`, the moves and the pushes."""
        return self._plan.both_costs

    @property
    def is_least(self) -> bool:
        """Is it proved that no plan costs less by the metric?"""
        return self.is_optimal or (self._metric != "moves" and self._fewer.is_least)

    @property
    def is_optimal(self) -> bool:
        """Is it proved that no plan costs less by the metric, and of those no one less by the other metric?"""
        return self._slide.is_optimal(self._plan)

    def letters(self) -> list[str]:
        """The plan in LURD letters."""
        return letters_of(self._plan)

    def bytes_for(self, size: int) -> int:
        """The memory of neighbourhoods of this size."""
        return max(window_search.bytes_of(self._width, size), neighbourhood.bytes_of(self._width, size))

    def improve(self, size: int) -> Iterator[int]:
        """Improve the plan by the metric until no neighbourhood of at most `size` expansions does.

        Yields the work of each step.
        """
        while self._next <= size and not self.is_least:
            if self._metric == "moves":
                yield from self.slide(self._next)
            else:
                yield from self._push_less(self._next)
            self._next *= GROWTH

    def slide(self, size: int) -> Iterator[int]:
        """Improve the plan by both metrics, until no window of at most `size` expansions does.

        Yields the work of each step.
        """
        before, is_going_on = self._plan.cost, True
        window = window_search.Window(self._plan, window_search.SHARE * size)
        while is_going_on:
            is_going_on = window_search.advance(self._plan, window, self._slide, AT_ONCE, size)
            yield CELLS_A_VERTEX * AT_ONCE
        if self._plan.cost < before:
            self._fewer.changed()
        self._slide.start_again()

    def _push_less(self, size: int) -> Iterator[int]:
        before = self._plan.count
        for searched in self._fewer.search(size):
            yield CELLS_A_CHILD * (1 + searched.expansions) * searched.free
        if self._plan.count < before:
            self._slide = window_search.Slide(self._plan)
