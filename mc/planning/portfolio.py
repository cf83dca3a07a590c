"""A cheapest plan by two searches that complement each other: A* with patterns, and decision diagrams.

They take turns, and the first that ends has the answer. Each turn is longer than the one before: A* has its
stages, and then twice the expansions each time; the search from both ends makes images while the nodes that the
next one promises fit into its room, which grows likewise. All is counted work: no decision depends on a clock.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.verdict import Statistics

# Nodes of all images up to the end of a turn with diagrams: beside the stages of A*, and the factor after them.
ROOMS = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
GROWTH = 2


class Portfolio:
    """Both searches in turns. `ended` is the one that has ended, None before."""

    ended: PatternSearch | SymbolicSearch | None = None

    def __init__(self, task: Task, budget: Budget) -> None:
        self._task, self._budget = task, budget
        self._symbolic = SymbolicSearch(task, self._half())

    def turns(self) -> Iterator[None]:
        """Search until one of the two has ended. Raises LimitReached, Unsuitable."""
        waiting: list[tuple[PatternSearch | SymbolicSearch, Iterator[None]]] = []
        reason: Exception = LimitReached("bound")
        try:
            patterns = PatternSearch(self._task, self._half())
            waiting.append((patterns, patterns.turns()))
        except Unsuitable as unsuitable:
            reason = unsuitable
        waiting.append((self._symbolic, self._images()))
        while waiting:
            for search, turns in list(waiting):
                try:
                    next(turns)
                except StopIteration:
                    self.ended = search
                    return
                except LIMITS as limit:
                    if reason_of(limit) in TIME:
                        raise
                    reason = limit
                    waiting.remove((search, turns))
                except Unsuitable as unsuitable:
                    reason = unsuitable
                    waiting.remove((search, turns))
                yield
        raise reason

    def plan(self) -> tuple[int, ...] | None:
        """The plan of the search that has ended, or else the cheapest so far. Raises LimitReached."""
        return (self.ended or self._symbolic).plan()

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? The state must respect all mutex groups."""
        assert self.ended is not None
        return self.ended.is_closed(state)

    def statistics(self) -> Statistics:
        """The size of the search that has ended, or else of the one with diagrams."""
        return (self.ended or self._symbolic).statistics()

    def _half(self) -> Budget:
        """A budget with half of the memory, whose bounds are those of this one."""
        limits = self._budget.limits
        part = self._budget.part(replace(limits, seconds=self._budget.left, memory=limits.memory // 2))
        part.report = self._budget.prove
        return part

    def _images(self) -> Iterator[None]:
        """The turns of the search with diagrams: an image that promises more nodes than fit waits for the next."""
        rooms = chain(ROOMS, (ROOMS[-1] * GROWTH**number for number in count(1)))
        room = next(rooms)
        for promised in self._symbolic.turns():
            while self._symbolic.work + promised > room:
                yield
                room = next(rooms)
