"""Plans that become cheaper: a first one by the searches for any plan, then weighted A* with falling weights.

If they take long, operators that are in no plan are left out. All plans are kept, so what follows is the same. A
first plan is worth more than a proof that is a little earlier: its search does not pause at first, and has fewer
turns later for that.

Each plan is made shorter. The searches go on until no plan is cheaper, which they find out at the latest when they
have seen all states that cost less. All is counted work: no decision depends on a clock.
"""

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial

from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.reduction import Reduction, reduction
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing.finders import MEMBERS, finders
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.planning.satisficing.shortening import shortened
from puzzlemc.mc.planning.satisficing.weighted_search import WeightedSearch, advance, restart
from puzzlemc.mc.search.growing import UNLIMITED
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Task

FIRST_ROUND = 1 << 26  # work for a first plan before operators are left out, and as much after that, without pause
WEIGHTS = (5, 3, 2, 1)  # with the last one, search goes on until no state is open
LEAST_SHORTENING = 10_000_000  # work for a shorter plan, beside half as much as the search took for it
MOST_COST = 1000  # of an operator, for the order of states
NO_PLAN = 1 << 200  # more than any plan costs


class Improvement:
    """Ever cheaper plans of a task.

    plan      the cheapest plan so far, None before there is one
    cost      its cost, NO_PLAN before there is one
    is_least  has the search ended? Then no plan costs less, and without a plan there is none
    """

    plan: tuple[int, ...] | None = None
    cost = NO_PLAN
    is_least = False

    def __init__(self, task: Task, budget: Budget) -> None:
        self._task, self._budget = task, budget
        self._searched = Reduction.whole(task)
        self._first: tuple[int, ...] | None = None  # a plan of the task that is searched

    def turns(self, work: int, growth: int) -> Iterator[None]:
        """Search until no plan is cheaper. Raises LimitReached.

        The first turn has about `work`, in units of two nanoseconds, each later one `growth` times as much. Before
        there is a plan, the first one has what later ones are short of.
        """
        left, ahead = work, 2 * FIRST_ROUND
        for spent in self._first_plan(work):
            left, ahead = left - spent, ahead - spent
            while left <= 0 and ahead <= 0:
                yield
                work *= growth
                left += work
        if self._first is not None:
            if self.cost >= UNLIMITED:
                raise LimitReached("bound")  # compiled code has no room for such a sum
            yield from self._cheaper(self._first, left, work, growth)
        self.is_least = True

    def _first_plan(self, work: int) -> Iterator[int]:
        """Search for a plan; yield the work of each round. The first round has `work`. Raises LimitReached."""
        limits = self._budget.limits
        part = self._budget.part(replace(limits, seconds=self._budget.left, memory=limits.memory // len(MEMBERS)))
        rounds, done = self._rounds(part, work), 0
        for spent in rounds:
            yield spent
            done += spent
            if done >= FIRST_ROUND:
                break
        else:
            return
        smaller = None
        try:
            smaller = reduction(self._task, part)
        except LIMITS as limit:
            if reason_of(limit) in TIME:
                raise
        if smaller is not None and smaller.is_smaller:
            rounds.close()  # the smaller task is searched in its memory
            self._searched = smaller
            rounds = self._rounds(part, work)
        yield from rounds

    def _rounds(self, budget: Budget, work: int) -> Generator[int, None, None]:
        """Search for a plan of the searched task; yield the work of each round that leaves it open."""
        for number, found in enumerate(finders(self._searched.task, budget, work, improving=False)):
            if found is None:
                yield work << max(0, number - 1)
            elif found.plan is not None:
                self._first = found.plan
                self._record(found.plan)

    def _cheaper(self, plan: Sequence[int], left: int, work: int, growth: int) -> Iterator[None]:
        """Make the plan shorter and search by weighted A* for a cheaper one, until there is none."""
        task, budget = self._searched.task, self._budget
        initial = initial_state(task)
        order = ordering(task.arrays.costs.tolist())
        packed = PackedTask(task, Operators(task))
        search = WeightedSearch(packed, RelaxedPlan(relaxation(task), order), order, initial)
        turns, run = Turns(budget), partial(advance, search, budget.limits.memory)
        weights, since, status = iter(WEIGHTS), 0, FOUND
        while status in (FOUND, PAUSED):
            if status == FOUND:
                allowance = LEAST_SHORTENING + (search.work - since) // 2
                self._record(shortened(packed, initial, plan, budget, allowance))
                left, since, search.best = left - allowance, search.work, self.cost
                if (weight := next(weights, None)) is not None:
                    restart(search, weight)
            while left <= 0:
                yield
                work *= growth
                left += work
            spent = search.work
            status = turns.run_counted(run, lambda: search.work, left)
            left -= search.work - spent
            if status == FOUND:
                plan = search.path(search.goal)

    def _record(self, plan: Sequence[int]) -> None:
        """Note a plan of the searched task that costs at most as much as each one before it."""
        self.plan = self._searched.plan(plan)
        self.cost = sum(self._task.arrays.costs[[*self.plan]].tolist())


def ordering(costs: Sequence[int]) -> list[int]:
    """The costs that order a search: at least 1 each, at most MOST_COST + 1.

    Without the 1, operators that cost nothing would be free to go on for ever.
    """
    unit, most = math.gcd(*costs) or 1, max(costs, default=0)
    if most == min(costs, default=0):
        return [1] * len(costs)
    scale = max(1, -(-most // (unit * MOST_COST)))
    return [1 + cost // (unit * scale) for cost in costs]
