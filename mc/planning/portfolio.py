"""A cheapest plan by searches that complement each other: A* with patterns, and decision diagrams.

They take turns, and the first that ends has the answer. Each turn is longer than the one before: A* has its
stages, and then twice the expansions each time; the search from both ends makes images while the nodes that the
next one promises fit into its room, which grows likewise. All is counted work: no decision depends on a clock.

A third search has a small share. It finds plans that become cheaper, so that a limit leaves a plan. The cost of
the best plan prunes A*; once the lower bound reaches it, the plan is a cheapest one.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING, Protocol, TypeAlias

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.planning.optimal import PatternSearch, is_dead
from puzzlemc.mc.planning.reduction import Reduction
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.verdict import Statistics

if TYPE_CHECKING:  # its import takes longer than an easy search
    from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch

# Nodes of all relations and images up to the end of each of the first turns with diagrams, and the factor for the
# later ones. They take as long as half of what A* has had by then.
ROOMS = 3 << 15, 3 << 17, 3 << 19
GROWTH = 2
DIAGRAMS_AFTER = 1  # rounds without a turn with diagrams
SHARE, PLANS_SHARE = 15 / 32, 1 / 16  # of the memory: for each search, and for the one of plans
PLANS_AFTER, PLANS_WORK = 1, 5_000_000  # turns of the others before its first turn; the work of that turn

Member: TypeAlias = "PatternSearch | SymbolicSearch"


class Plans(Protocol):
    """A search of plans that become cheaper: the cheapest so far, its cost, and turns of growing work."""

    plan: tuple[int, ...] | None
    cost: int

    def turns(self, work: int, growth: int) -> Iterator[None]:
        """Search until no plan is cheaper; the first turn has `work`, each later one `growth` times as much."""


class Portfolio:
    """The searches in turns.

    best   the search of plans that become cheaper
    ended  the search that has ended; None before, and where the bound has reached the cost of a known plan
    """

    ended: "Member | None" = None
    _patterns: PatternSearch | None = None
    _symbolic: "SymbolicSearch | None" = None
    _drawn: Reduction  # the task of the diagrams

    def __init__(
        self, task: Task, budget: Budget, plans: Callable[[Task, Budget], Plans], *, folds: bool = True
    ) -> None:
        """`plans` makes the search of plans that become cheaper. With `folds`, A* folds states and leaves
        operators out: no proof can be made from it.
        """
        self._task, self._budget, self._folds = task, budget, folds
        self._reduced = Reduction.whole(task)
        self.best = plans(task, self._part(PLANS_SHARE))

    @property
    def upper(self) -> int:
        """The cost of the cheapest plan so far; more than any cost before there is one."""
        met = None if self._symbolic is None else self._symbolic.cost
        return self.best.cost if met is None else min(met, self.best.cost)

    def turns(self) -> Iterator[None]:
        """Search until the best plan is a cheapest one, or one of the searches has ended.

        Raises LimitReached, Unsuitable.
        """
        plans = self._with_plans()
        waiting = [plans, self._with_patterns(), self._with_diagrams()]
        reason: Exception = LimitReached("bound")
        while waiting not in ([], [plans]):
            for turns in list(waiting):
                if self._patterns is not None:
                    self._patterns.prune(self.upper)
                try:
                    next(turns)
                except StopIteration:
                    waiting.remove(turns)
                except LIMITS as limit:
                    if reason_of(limit) in TIME:
                        raise
                    reason = limit if turns is not plans else reason
                    waiting.remove(turns)
                except Unsuitable as unsuitable:
                    reason = unsuitable
                    waiting.remove(turns)
                if self.ended is not None or self._is_proved:
                    return
                yield
        try:
            raise reason
        finally:
            del reason  # a cycle with its own traceback would keep diagrams alive

    def plan(self) -> tuple[int, ...] | None:
        """The plan of the search that has ended, or else the cheapest so far. Raises LimitReached."""
        found = None if self.ended is None else self._plan_of(self.ended)
        if found is None and self._symbolic is not None and self.upper < self.best.cost:
            found = self._plan_of(self._symbolic)
        return self.best.plan if found is None else found

    def _plan_of(self, search: Member) -> tuple[int, ...] | None:
        plan = search.plan()
        return plan if plan is None or search is not self._symbolic else self._drawn.plan(plan)

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? The state must respect all mutex groups."""
        assert self.ended is not None
        if self.ended is self._symbolic and self._drawn.together is not None:
            return is_dead(self._task, state)
        return self.ended.is_closed(state)

    def statistics(self) -> Statistics:
        """The size of the search that has ended, or else of the one with diagrams."""
        search = self.ended or self._symbolic or self._patterns
        return Statistics() if search is None else search.statistics()

    @property
    def _is_proved(self) -> bool:
        """Does no plan cost less than the cheapest so far?"""
        return self._budget.bound >= self.upper

    def _part(self, share: float) -> Budget:
        """A budget with a part of the memory, whose bounds are those of this one."""
        limits = self._budget.limits
        part = self._budget.part(replace(limits, seconds=self._budget.left, memory=int(share * limits.memory)))
        part.report = self._budget.record_bound
        return part

    def _with_patterns(self) -> Iterator[None]:
        folds = self._folds
        search = PatternSearch(self._task, self._part(SHARE), folds=folds, reduces=folds, prunes=folds)
        self._patterns = search
        search.prune(self.upper)
        try:
            for _ in search.turns():
                self._reduced = search.reduced
                yield
        except LIMITS:
            self._patterns = None
            raise
        self.ended = search

    def _with_diagrams(self) -> Iterator[None]:
        """An image that promises more nodes than fit waits for the next turn."""
        for _ in range(DIAGRAMS_AFTER):
            yield  # one image may take any time: the others come first
        from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch

        self._drawn = self._reduced
        self._symbolic = SymbolicSearch(self._drawn.task, self._part(SHARE), self._drawn.together)
        rooms = chain(ROOMS, (ROOMS[-1] * GROWTH**more for more in count(1)))
        room = next(rooms)
        for promised in self._symbolic.turns():
            while self._symbolic.work + promised > room:
                yield
                room = next(rooms)
            if self._is_proved:
                return
        self.ended = self._symbolic

    def _with_plans(self) -> Iterator[None]:
        for _ in range(PLANS_AFTER):
            yield
        yield from self.best.turns(PLANS_WORK, GROWTH)
        if self.best.plan is not None:
            self._budget.record_bound(self.best.cost)
