"""Lazy greedy search in turns, with arrays within the memory limit."""

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.satisficing.lazy_search import LISTS, LazySearch, advance
from puzzlemc.mc.planning.turns import GROWTH, MOST_STATES, Turns, larger
from puzzlemc.mc.words import view


class RunningLazySearch(Turns):
    """A search that goes on, turn by turn; its steps are evaluations. `memory` is for its arrays, in bytes."""

    def __init__(self, search: LazySearch, budget: Budget, memory: int) -> None:
        super().__init__(budget)
        self._memory, self.search = memory, search

    def _advance(self, steps: int) -> tuple[int, int]:
        before = self.search.evaluated
        return advance(self.search, steps), self.search.evaluated - before

    def plan(self) -> list[int]:
        """The operators on the way to the goal state that was found."""
        parents, number, plan = self.search.parents, self.search.goal, []
        while parents[number, 0] >= 0:
            plan.append(parents[number, 1])
            number = parents[number, 0]
        return plan[::-1]

    def _enlarge(self) -> None:
        """Make room for a state and its successors, and more. Raises LimitReached if they do not fit."""
        search, lists = self.search, self.search.lists
        capacity, slots, entries = search.rows.shape[0], search.slots.shape[0], lists.entries.shape[0]
        if search.used >= capacity:
            capacity = int(GROWTH * capacity)
        if 2 * (search.used + 1) > slots:
            slots *= 2
        more = LISTS * search.task.applicable.shape[0]
        if lists.entry_count + more > entries:
            entries = int(GROWTH * entries) + more
        state = 8 * search.rows.shape[1] + 8 * search.reached.shape[1] + 8
        # While an array is copied, the old one is still there.
        if max(capacity, entries) > MOST_STATES or 2 * state * capacity + 4 * slots + 24 * entries > self._memory:
            raise LimitReached("memory")
        if capacity != search.rows.shape[0]:
            search.rows, search.parents = larger(search.rows, capacity), larger(search.parents, capacity)
            search.reached = larger(search.reached, capacity)
        if slots != search.slots.shape[0]:
            search.slots = view(np.empty(1, np.int32))  # the old table goes before the new one comes
            search.resize(slots)
        if entries != lists.entries.shape[0]:
            lists.entries = larger(lists.entries, entries)
