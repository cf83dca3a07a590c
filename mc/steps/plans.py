"""A search for some solution that keeps pace with an exact search, in turns of counted work.

The exact search begins: what it decides soon, it decides as soon as alone. Then the width search expands a quarter
as many states, so that what the exact search decides takes little longer than alone. What that has not decided by
a million states, it seldom decides: from then on, the width search expands half as many.
A solution is made shorter while the exact search proves how short it can be.
"""

from functools import partial

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.layout import Layout, PackedStates
from puzzlemc.mc.search.state_table import ENDED, FOUND
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.steps.guide import Guide
from puzzlemc.mc.steps.runs import winning_trace
from puzzlemc.mc.steps.shortening import Shortening
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.steps.width import WidthSearch, advance
from puzzlemc.mc.verdict import Reachable, Statistics

CAPACITY = 1 << 10  # states at the beginning; a power of two
HEAD_START = 1 << 10  # states that the exact search expands first
PACE = 8  # the search goes on each time that the exact search has expanded an eighth more states
FIRST_PACE = 4  # the exact search expands this number of states for each one of the width search
MANY, LATER_PACE = 1 << 20, 2  # and that number after it has expanded MANY
SHORTENING_SHARE = 3  # while a solution is made shorter, each third state is expanded for that
NOTABLE = 1.2  # a solution is returned at the end of a round, or earlier if the last one was this much longer
MEMORY_SHARE = 4  # the search takes at most one fourth of the memory


class PlanSearch:
    """A search for better and better solutions, until there is nothing more to do or no more memory.

    due  the number of states that the exact search expands before this one goes on: counted, so that no clock
         decides which of them wins
    """

    def __init__(self, system: StepSystem, layout: Layout, start: npt.NDArray[np.uint64], budget: Budget) -> None:
        self._system, self._layout, self._start = system, layout, start
        self._memory = budget.limits.memory // MEMORY_SHARE
        self._turns = Turns(budget)
        self._search: WidthSearch | None = None
        self._shortening: Shortening | None = None
        self._is_over = False
        self.due = HEAD_START
        self._cost = 0  # of the last solution

    @property
    def bytes(self) -> int:
        """The memory that the width search takes; other searches take little."""
        return 0 if self._search is None else self._search.size

    def follow(self, expanded: int) -> Reachable | None:
        """Keep pace with an exact search that has expanded some states. Returns a solution if it is better.

        Raises LimitReached at a limit of time.
        """
        self.due += 1 + self.due // PACE
        if self._is_over:
            return None
        try:
            if self._shortening is not None:
                return self._shorter(expanded // SHORTENING_SHARE)
            return self._first(min(expanded, MANY) // FIRST_PACE + max(0, expanded - MANY) // LATER_PACE)
        except LimitReached as reached:
            if reached.reason != "memory":
                raise
        self.stop()
        return None

    def stop(self) -> bool:
        """Give up, and release the memory. Returns whether there was any."""
        had_memory = self._search is not None
        self._is_over, self._search, self._shortening = True, None, None
        return had_memory

    def _first(self, work: int) -> Reachable | None:
        """Search for a first solution, until `work` states are expanded altogether."""
        steps = self._system.steps
        if self._search is None:
            system = self._system
            guide = system.guide or Guide(steps.words)
            self._search = WidthSearch(self._start, CAPACITY, guide, system.bounds, self._memory, system.frozen)
        search = self._search
        if search.expanded >= work:
            return None
        status = self._turns.run(partial(advance, search, steps, self._memory), work - search.expanded)
        if status == ENDED:
            self.stop()
        if status != FOUND:
            return None
        rows = np.asarray(search.rows)[search.way(search.won_from)]
        actions = [*search.path(search.won_from), search.won_by]
        self._shortening, self._search = Shortening(self._system, rows, actions, self._turns.run), None
        return self._solution(rows, actions, search.used)

    def _shorter(self, work: int) -> Reachable | None:
        """Make the solution shorter, until `work` states are expanded for that."""
        plan = self._shortening
        assert plan is not None
        rounds = plan.rounds
        plan.go_on(work, self._memory)
        if plan.is_over:
            self.stop()
        # The plain rules replay each solution, which takes longer than the search for a slightly better one.
        if len(plan.actions) < self._cost and (plan.rounds > rounds or NOTABLE * len(plan.actions) < self._cost):
            return self._solution(plan.rows, plan.actions, plan.work)
        return None

    def _solution(self, rows: PackedStates, actions: list[int], states: int) -> Reachable:
        self._cost = len(actions)
        trace = winning_trace(self._system, self._layout, rows, actions)
        return Reachable(trace, len(actions), optimal=False, statistics=Statistics(len(actions), states))
