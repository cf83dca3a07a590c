"""A cheapest plan by two searches that complement each other: A* with patterns, and decision diagrams.

They take turns, and the first that ends has the answer. Each turn is longer than the one before: A* has its
stages, and then twice the expansions each time; the search from both ends makes images while the nodes that the
next one promises fit into its room, which grows likewise. All is counted work: no decision depends on a clock.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING, TypeAlias

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.verdict import Statistics

if TYPE_CHECKING:  # its import takes longer than an easy search
    from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch

# Nodes of all images up to the end of a turn with diagrams: beside the stages of A*, and the factor after them.
ROOMS = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
GROWTH = 2
SHARE = 1 / 2  # of the memory, for each search

Member: TypeAlias = "PatternSearch | SymbolicSearch"


class Portfolio:
    """The searches in turns. `ended` is the one that has ended, None before."""

    ended: "Member | None" = None
    _patterns: PatternSearch | None = None
    _symbolic: "SymbolicSearch | None" = None

    def __init__(self, task: Task, budget: Budget) -> None:
        self._task, self._budget = task, budget

    def turns(self) -> Iterator[None]:
        """Search until one of the searches has ended. Raises LimitReached, Unsuitable."""
        waiting = [self._with_patterns(), self._with_diagrams()]
        reason: Exception = LimitReached("bound")
        while waiting:
            for turns in list(waiting):
                try:
                    next(turns)
                except StopIteration:
                    return
                except LIMITS as limit:
                    if reason_of(limit) in TIME:
                        raise
                    reason = limit
                    waiting.remove(turns)
                except Unsuitable as unsuitable:
                    reason = unsuitable
                    waiting.remove(turns)
                yield
        try:
            raise reason
        finally:
            del reason  # a cycle with its own traceback would keep diagrams alive

    def plan(self) -> tuple[int, ...] | None:
        """The plan of the search that has ended, or else the cheapest so far. Raises LimitReached."""
        search = self.ended or self._symbolic
        return None if search is None else search.plan()

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? The state must respect all mutex groups."""
        assert self.ended is not None
        return self.ended.is_closed(state)

    def statistics(self) -> Statistics:
        """The size of the search that has ended, or else of the one with diagrams."""
        search = self.ended or self._symbolic or self._patterns
        return Statistics() if search is None else search.statistics()

    def _part(self) -> Budget:
        """A budget with a part of the memory, whose bounds are those of this one."""
        limits = self._budget.limits
        part = self._budget.part(replace(limits, seconds=self._budget.left, memory=int(SHARE * limits.memory)))
        part.report = self._budget.record_bound
        return part

    def _with_patterns(self) -> Iterator[None]:
        search = PatternSearch(self._task, self._part())
        self._patterns = search
        try:
            yield from search.turns()
        except LIMITS:
            self._patterns = None
            raise
        self.ended = search

    def _with_diagrams(self) -> Iterator[None]:
        """An image that promises more nodes than fit waits for the next turn."""
        yield  # one image may take any time: the others have a second turn before the first one
        from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch

        self._symbolic = SymbolicSearch(self._task, self._part())
        rooms = chain(ROOMS, (ROOMS[-1] * GROWTH**number for number in count(1)))
        room = next(rooms)
        for promised in self._symbolic.turns():
            while self._symbolic.work + promised > room:
                yield
                room = next(rooms)
        self.ended = self._symbolic
