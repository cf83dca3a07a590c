"""A search in turns: its arrays grow within the memory limit, and the budget is checked many times a second."""

import time
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.estimate import Estimate
from puzzlemc.mc.planning import search as compiled
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.search import FULL, PAUSED, TOO_LARGE, Search, advance
from puzzlemc.mc.tasks.task import State
from puzzlemc.mc.words import view

CAPACITY = 1 << 10  # states at the beginning; a power of two
GROWTH = 1.5
MOST_STATES = 2**31 - 2  # states have numbers of 32 bits
CHUNK_SECONDS = 0.03  # time between two checks of the budget


class RunningSearch:
    """A search that goes on, turn by turn.

    `memory` is what its arrays may take, in bytes. Costs in the search, times `unit`, are those of the task.
    """

    def __init__(
        self, task: PackedTask, estimate: Estimate, initial: State, budget: Budget, memory: int, unit: int = 1
    ) -> None:
        self._budget, self._memory, self._unit, self._size = budget, memory, unit, 16
        self.search = Search(task, estimate, initial, CAPACITY)

    def run(self, expansions: int | None) -> int:
        """Expand at most that many states, any number with None. Returns ENDED, FOUND or PAUSED.

        Raises LimitReached.
        """
        left = expansions
        while True:
            self._budget.check()
            size = self._size if left is None else min(self._size, left)
            before, started = self.search.expanded, time.perf_counter()
            status = advance(self.search, size)
            seconds = time.perf_counter() - started
            self._budget.prove(self._unit * self.search.bound)
            if left is not None:
                left -= self.search.expanded - before
            if status == FULL:
                self._enlarge()
            elif status == TOO_LARGE:
                raise LimitReached("bound")
            elif status != PAUSED or left == 0:
                return status
            # The clock determines the size of a chunk, which does not change the order of expansions.
            elif seconds < CHUNK_SECONDS / 2:
                self._size *= 2
            elif seconds > CHUNK_SECONDS:
                self._size = max(1, self._size // 2)

    def plan(self) -> list[int]:
        """The operators on the way to the goal state that was found."""
        info, number, plan = self.search.node_info, self.search.goal, []
        while info[number, compiled.PARENT] >= 0:
            plan.append(info[number, compiled.OPERATOR])
            number = info[number, compiled.PARENT]
        return plan[::-1]

    def states(self, count: int) -> list[State]:
        """At most that many of the states, spread over the order of their discovery."""
        search = self.search
        chosen = np.unique(np.linspace(0, search.used - 1, count).astype(np.int64))
        rows = np.asarray(search.rows)
        return [search.task.unpack(rows[number]) for number in chosen]

    def _enlarge(self) -> None:
        """Make room for the successors of a state, and more. Raises LimitReached if they do not fit."""
        search = self.search
        more = search.task.applicable.shape[0]
        capacity, slots = search.rows.shape[0], search.slots.shape[0]
        needed = search.used + more
        if needed > capacity:
            capacity = int(GROWTH * capacity) + more
        while 2 * needed > slots:
            slots *= 2
        state = 8 * search.rows.shape[1] + 4 * search.node_info.shape[1]
        # While an array is copied, the old one is still there.
        if capacity > MOST_STATES or 2 * state * capacity + 4 * slots + 2 * search.queue.bytes > self._memory:
            raise LimitReached("memory")
        if capacity != search.rows.shape[0]:
            search.rows, search.node_info = _larger(search.rows, capacity), _larger(search.node_info, capacity)
        if slots != search.slots.shape[0]:
            search.slots = view(np.empty(1, np.int32))  # the old table goes before the new one comes
            search.resize(slots)
        search.queue.enlarge(more)


def _larger(array: Any, length: int) -> Any:
    """A copy of an array of compiled code in one of that length."""
    old = np.asarray(array)
    new = np.empty((length, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return view(new)
