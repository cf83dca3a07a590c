"""A search for some solution that keeps pace with an exact search, in turns of counted work.

The exact search begins: what it decides soon, it decides as soon as alone. Then both expand as many states, for as
long as a width search takes to find what it finds soon; after that, the exact search goes on three times as fast.
"""

from functools import partial

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.steps.guide import Guide
from puzzlemc.mc.steps.runs import winning_trace
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.steps.width import WidthSearch, advance
from puzzlemc.mc.verdict import Reachable, Statistics

CAPACITY = 1 << 10  # states at the beginning; a power of two
HEAD_START = 1 << 10  # states that the exact search expands first
PACE = 8  # the search goes on each time that the exact search has expanded an eighth more states
EQUAL, LATER_SHARE = 1 << 17, 3  # both expand as many states up to this number; then only each third one of them
MEMORY_SHARE = 4  # the search takes at most one fourth of the memory


class PlanSearch:
    """A width search beside an exact search, until it has found a solution or has no more memory.

    due  the number of states that the exact search expands before this one goes on: counted, so that no clock
         decides which of them wins
    """

    def __init__(self, system: StepSystem, layout: Layout, start: npt.NDArray[np.uint64], budget: Budget) -> None:
        self._system, self._layout, self._start = system, layout, start
        self._memory = budget.limits.memory // MEMORY_SHARE
        self._turns = Turns(budget)
        self._search: WidthSearch | None = None
        self._is_over = False
        self.due = HEAD_START

    @property
    def bytes(self) -> int:
        """The memory that the search takes."""
        return 0 if self._search is None else self._search.size

    def follow(self, expanded: int) -> Reachable | None:
        """Keep pace with an exact search that has expanded some states. Returns a solution, which ends the search.

        Raises LimitReached at a limit of time.
        """
        self.due += 1 + self.due // PACE
        if self._is_over:
            return None
        steps = self._system.steps
        if self._search is None:
            guide = self._system.guide or Guide(steps.words)
            self._search = WidthSearch(self._start, CAPACITY, guide, self._system.bounds, self._memory)
        search = self._search
        due = min(expanded, EQUAL) + max(0, expanded - EQUAL) // LATER_SHARE - search.expanded
        if due <= 0:
            return None
        try:
            status = self._turns.run(partial(advance, search, steps, self._memory), due)
        except LimitReached as reached:
            if reached.reason != "memory":
                raise
            status = None
        if status == PAUSED:
            return None
        self.stop()
        return self._solution(search) if status == FOUND else None

    def stop(self) -> bool:
        """Give up, and release the memory. Returns whether there was any."""
        had_memory = self._search is not None
        self._is_over, self._search = True, None
        return had_memory

    def _solution(self, search: WidthSearch) -> Reachable:
        numbers, actions = search.way(search.won_from), [*search.path(search.won_from), search.won_by]
        trace = winning_trace(self._system, self._layout, search, numbers, actions)
        return Reachable(trace, len(actions), optimal=False, statistics=Statistics(len(actions), search.used))
