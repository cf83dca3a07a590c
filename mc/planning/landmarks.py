"""A cheapest plan of a finite-domain task, by A* with landmark cut, in turns of counted work."""

import math
from collections.abc import Iterator

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.estimate import bound_of
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.landmark_cut import LandmarkCut
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.running import RunningSearch
from puzzlemc.mc.planning.search import FOUND, PAUSED
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.verdict import Statistics

FIRST_WORK = 10_000_000  # relaxed operators in the first turn; each later one has twice as many
EXPANSIONS = 16  # between two looks at the work


class LandmarkSearch:
    """A* with landmark cut, in turns. `first_bound` is the bound of the initial state."""

    def __init__(self, task: Task, budget: Budget) -> None:
        """Raises Unsuitable if the task has axioms or if a cost is too large."""
        if task.axioms:
            raise Unsuitable("it has axioms")
        self._divisor = math.gcd(*(operator.cost for operator in task.operators)) or 1
        if max((operator.cost for operator in task.operators), default=0) // self._divisor >= INFINITE:
            raise Unsuitable(f"an operator costs {INFINITE * self._divisor} or more")
        operators, initial = Operators(task, self._divisor), initial_state(task)
        self._cut = LandmarkCut(relaxation(task), operators)
        self.first_bound = self._divisor * bound_of(self._cut, initial)
        packed = PackedTask(task, operators)
        self._running = RunningSearch(packed, self._cut, initial, budget, budget.limits.memory, self._divisor)
        self._status = PAUSED

    def turns(self) -> Iterator[None]:
        """Search until a cheapest plan is found, or no state is open. Raises LimitReached."""
        most = FIRST_WORK
        while True:
            while self._status == PAUSED and self._cut.work < most:
                self._status = self._running.run(EXPANSIONS)
            if self._status != PAUSED:
                return
            yield
            most = 2 * most + FIRST_WORK

    def plan(self) -> tuple[int, ...] | None:
        """The plan, by the numbers of its operators; None: there is none so far."""
        return tuple(self._running.plan()) if self._status == FOUND else None

    def statistics(self) -> Statistics:
        """The size of the search."""
        first = self.first_bound
        words = (
            f"landmark cut: the start is {'dead' if self._is_first_dead else f'at least {first} from the goal'}"
        )
        return Statistics(states=self._running.search.used, found=(words,))

    @property
    def _is_first_dead(self) -> bool:
        return self.first_bound >= INFINITE * self._divisor

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? A dead state has dead successors."""
        return self._running.holds(state) or bound_of(self._cut, state) >= INFINITE
