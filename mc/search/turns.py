"""The turns of a compiled search. Compiled code does not look at the clock: it makes counted steps.

The clock determines the size of a turn, which does not change the order of the steps.
"""

import time
from collections.abc import Callable

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.search.state_table import PAUSED

TURN_SECONDS = 0.03  # time between two checks of the budget


class Turns:
    """Runs a search in turns, between which the budget is checked."""

    def __init__(self, budget: Budget) -> None:
        self._budget, self._size = budget, 1

    def turn(self, advance: Callable[[int], int], most: int | None = None) -> int:
        """Call `advance` for one turn of at most `most` steps; return its status. Raises LimitReached."""
        self._budget.check()
        size = self._size if most is None else min(self._size, most)
        started = time.perf_counter()
        status = advance(size)
        seconds = time.perf_counter() - started
        if seconds > TURN_SECONDS:
            self._size = max(1, self._size // 2)
        elif status == PAUSED and seconds < TURN_SECONDS / 2:
            self._size *= 2
        return status

    def run(self, advance: Callable[[int], int], steps: int) -> int:
        """Make at most `steps` steps; return the last status of `advance`. Raises LimitReached.

        While `advance` returns PAUSED, it has made all the steps of a turn.
        """
        while True:
            size = min(self._size, steps)
            status = self.turn(advance, size)
            steps -= size
            if status != PAUSED or not steps:
                return status

    def run_counted(self, advance: Callable[[int], int], work: Callable[[], int], most: int) -> int:
        """Run until `work()` has grown by `most` or more; return the last status. Raises LimitReached.

        A single step of `advance` may be more work than its turn has. Where the search pauses in the end does not
        depend on the turns, and so not on the clock.
        """
        last = work() + most
        while (left := last - work()) > 0:
            status = self.turn(advance, left)
            if status != PAUSED:
                return status
        return PAUSED
