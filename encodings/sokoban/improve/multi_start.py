"""Multi-start local search: several plans of a level of Sokoban, each improved, and the best one most.

A local search ends in a local optimum, and from other plans it ends in other ones: their costs differ by a factor
of two. No setting of the plan finder leads to the best one on most levels, nor does a cheap plan lead to a better
one than a dear plan. So each setting finds a plan, and all plans are improved by small neighbourhoods and then by
larger ones; the best half of them by still larger ones, and so on (successive halving: Jamieson and Talwalkar
2016). The work is counted, so without a limit of time the solutions are the same in each run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import ALL, EXACT, Pair, find_plan
from puzzlemc.encodings.sokoban.improve.improvement import can_improve
from puzzlemc.encodings.sokoban.improve.local_search import LocalSearch
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

STARTS = (EXACT, ALL[2], ALL[0], ALL[1], ALL[3])
FIRST_SIZE = 1 << 10  # expansions of the largest neighbourhoods in the first round
FIRST_WORK = 1 << 25  # the plan finder's work for one of the first plans
GROWTH = 4  # of both in each further round
MEMORY_SHARE = 8


def improvements(level: Level, moves: Sequence[str], metric: str, budget: Budget) -> Iterator[list[str]]:
    """Yield solutions in LURD letters, each better than the one before, as long as the search finds any.

    Solutions are compared by the metric, and then by the other one of `pushes` and `moves`. The moves must be a
    solution of the level. Raises LimitReached.
    """
    if can_improve(level, moves):
        yield from MultiStart(level, moves, metric, budget).solutions()


def push_less(level: Level, moves: Sequence[str], budget: Budget, work: int) -> Iterator[list[str]]:
    """Yield plans with ever fewer pushes, with about `work` expansions; none of the work is for fewer moves."""
    if can_improve(level, moves):
        yield from MultiStart(level, moves, "pushes", budget, work, both=False).solutions()


class MultiStart:
    """Local searches from several plans, and the work so far."""

    def __init__(
        self,
        level: Level,
        moves: Sequence[str],
        metric: str,
        budget: Budget,
        work: float = inf,
        *,
        both: bool = True,
    ) -> None:
        """The first search starts from the moves, a solution. `both` improves the other metric, too."""
        self._level, self._metric, self._budget = level, metric, budget
        self._left, self._both = work, both
        self._searches = [LocalSearch(level, moves, metric)]
        self._best = self._searches[0].costs
        self._waiting = list(range(len(STARTS)))  # the settings that have found no plan yet

    def solutions(self) -> Iterator[list[str]]:
        """Yield solutions, each better than the one before. Raises LimitReached."""
        size, work = FIRST_SIZE, FIRST_WORK
        memory = self._budget.limits.memory // MEMORY_SHARE
        while self._left > 0 and self._searches[0].bytes_for(size) <= memory:
            for search in self._running(work):
                yield from self._run(search, search.improve(size))
            best, *others = sorted(self._searches, key=lambda search: search.costs)
            if size > FIRST_SIZE:
                self._searches = [best, *others[: len(others) // 2]]
            if self._both and self._metric != "moves":
                yield from self._run(best, best.slide(size))
            if best.is_optimal or (best.is_least and not self._both):
                return
            size *= GROWTH
            work *= GROWTH

    def _running(self, work: int) -> Iterator[LocalSearch]:
        """The searches, then new ones from other plans, until the work is done or a plan has the least cost."""
        for search in self._searches.copy():
            yield search
            if self._is_over:
                return
        for number in self._waiting.copy():
            if (started := self._start(number, work)) is not None:
                yield started
            if self._is_over:
                return

    @property
    def _is_over(self) -> bool:
        return self._left <= 0 or any(search.is_least for search in self._searches)

    def _run(self, search: LocalSearch, steps: Iterator[int]) -> Iterator[list[str]]:
        """Run a search, and yield its plan whenever that is the best one so far."""
        for used in steps:
            self._budget.check()
            self._left -= used
            if search.costs < self._best:
                self._best = search.costs
                yield search.letters()
            if self._left <= 0:
                return

    def _start(self, number: int, work: int) -> LocalSearch | None:
        """Add a search from a plan that the plan finder finds with these settings; None if it finds none."""
        limits = self._budget.limits
        budget = self._budget.part(
            replace(limits, seconds=self._budget.left, memory=limits.memory // MEMORY_SHARE)
        )
        most = int(min(work, self._left / 2))
        found = find_plan(self._level, budget, most, ((STARTS[number],),), self._count, barriers=False)
        if found is None:
            return None
        self._waiting.remove(number)
        self._searches.append(LocalSearch(self._level, found, self._metric))
        return self._searches[-1]

    def _count(self, pair: Pair) -> None:
        self._left -= pair.work
