"""A compiled search in turns: its arrays grow, and the budget is checked many times a second."""

import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.search import FULL, PAUSED, TOO_LARGE
from puzzlemc.mc.words import view

CAPACITY = 1 << 10  # states at the beginning; a power of two
GROWTH = 1.5
MOST_STATES = 2**31 - 2  # states have numbers of 32 bits
CHUNK_SECONDS = 0.03  # time between two checks of the budget


class Turns(ABC):
    """A search that goes on, turn by turn."""

    def __init__(self, budget: Budget) -> None:
        self._budget, self._size = budget, 16

    def run(self, steps: int | None) -> int:
        """Make at most that many steps, any number with None. Returns ENDED, FOUND or PAUSED.

        Raises LimitReached.
        """
        left = steps
        while True:
            self._budget.check()
            size = self._size if left is None else min(self._size, left)
            started = time.perf_counter()
            status, done = self._advance(size)
            seconds = time.perf_counter() - started
            if left is not None:
                left -= done
            if status == FULL:
                self._enlarge()
            elif status == TOO_LARGE:
                raise LimitReached("bound")
            elif status != PAUSED or left == 0:
                return status
            # The clock determines the size of a chunk, which does not change the order of steps.
            elif seconds < CHUNK_SECONDS / 2:
                self._size *= 2
            elif seconds > CHUNK_SECONDS:
                self._size = max(1, self._size // 2)

    @abstractmethod
    def _advance(self, steps: int) -> tuple[int, int]:
        """Make at most that many steps; return the status, which may be FULL, and the number of steps."""

    @abstractmethod
    def _enlarge(self) -> None:
        """Make room for at least one more step. Raises LimitReached."""


def larger(array: Any, length: int) -> Any:
    """A copy of an array of compiled code in one of that length."""
    old = np.asarray(array)
    new = np.empty((length, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return view(new)
