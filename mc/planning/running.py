"""A* in turns, with arrays within the memory limit."""

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.estimate import Estimate
from puzzlemc.mc.planning import search as compiled
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.search import Search, advance
from puzzlemc.mc.planning.turns import CAPACITY, GROWTH, MOST_STATES, Turns, larger
from puzzlemc.mc.tasks.task import State
from puzzlemc.mc.words import view


class RunningSearch(Turns):
    """A search that goes on, turn by turn; its steps are expansions.

    `memory` is what its arrays may take, in bytes. Costs in the search, times `unit`, are those of the task.
    """

    def __init__(
        self, task: PackedTask, estimate: Estimate, initial: State, budget: Budget, memory: int, unit: int = 1
    ) -> None:
        super().__init__(budget)
        self._memory, self._unit = memory, unit
        self.search = Search(task, estimate, initial, CAPACITY)

    def _advance(self, steps: int) -> tuple[int, int]:
        before = self.search.expanded
        status = advance(self.search, steps)
        self._budget.prove(self._unit * self.search.bound)
        return status, self.search.expanded - before

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
        chosen = dict.fromkeys(np.linspace(0, search.used - 1, count).astype(np.int64).tolist())
        rows = np.asarray(search.rows)
        return [search.task.unpack(rows[number]) for number in chosen]

    @property
    def first_bound(self) -> int:
        """The bound of the initial state."""
        bound: int = self.search.node_info[0, compiled.BOUND]
        return bound if bound >= 0 else -1 - bound

    def holds(self, state: State) -> bool:
        """Has the search seen the state? Looks at each of its states."""
        rows = np.asarray(self.search.rows)[: self.search.used]
        return bool((rows == self.search.task.pack(state)).all(axis=1).any())

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
            search.rows, search.node_info = larger(search.rows, capacity), larger(search.node_info, capacity)
        if slots != search.slots.shape[0]:
            search.slots = view(np.empty(1, np.int32))  # the old table goes before the new one comes
            search.resize(slots)
        search.queue.enlarge(more)
