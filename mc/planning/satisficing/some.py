"""Some plan of a finite-domain task: lazy greedy search and optimal search in turns.

Greedy search finds plans of large tasks fast. On a plateau of its estimates, A* with pattern databases may be
faster. So both have turns, which become longer. All is counted work: no decision depends on a clock. Each operator
counts 1 for the estimates: a first plan is short rather than cheap.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.optimal import in_turns
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.landmark_graph import goals_alone, landmark_graph
from puzzlemc.mc.planning.satisficing.lazy_search import LazySearch, advance
from puzzlemc.mc.planning.satisficing.relaxed_plan import DEAD, RelaxedPlan
from puzzlemc.mc.planning.satisficing.shortening import shortened
from puzzlemc.mc.search.growing import CAPACITY
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Searched, Task

FIRST_TURN = 100_000_000  # work of the first turn, about 2 ns each; each later one has twice as much
OPTIMAL_TURNS = 2  # of optimal search after each turn of greedy search: together about as long
LEAST_SHORTENING = 20_000_000  # work for a shorter plan, beside half as much as the search took
SHARE = 2  # each search may take this part of the memory


def some_plan(task: Task, budget: Budget) -> Searched:
    """A plan of the task, or the proof by exhaustion that it has none. The bound is that of the optimal search."""
    part = budget.part(replace(budget.limits, seconds=budget.left, memory=budget.limits.memory // SHARE))
    searches = [_greedy(task, part), _optimal(task, part)]
    try:
        while True:
            for search in [*searches]:
                try:
                    found = next(search)
                except LIMITS as limit:
                    budget.check()
                    searches.remove(search)
                    if not searches:
                        raise limit
                    continue
                if found is not None:
                    return replace(found, bound=part.bound)
    except LIMITS as limit:
        return Searched(None, 0, part.bound, reason_of(limit))
    finally:
        budget.record_bound(part.bound)


def _greedy(task: Task, budget: Budget) -> Iterator[Searched | None]:
    """Lazy greedy search; after each turn None. Raises LimitReached."""
    relaxed = relaxation(task)
    plan = RelaxedPlan(relaxed, [1] * len(task.operators))
    initial = initial_state(task)
    if plan.estimate(initial) == DEAD:
        yield Searched(None, 0, 0)
        return
    graph = landmark_graph(task, relaxed, plan, initial, budget.check) or goals_alone(task)
    packed = PackedTask(task, Operators(task))
    search = LazySearch(packed, plan, LandmarkCount(task, graph), initial, CAPACITY)
    turns, work, run = Turns(budget), FIRST_TURN, partial(advance, search, budget.limits.memory)
    while (status := turns.run_counted(run, lambda: search.work, work)) == PAUSED:
        yield None
        work *= 2
    found = tuple(search.path(search.goal)) if status == FOUND else None
    if found is not None:
        allowance = LEAST_SHORTENING + search.work // 2
        found = tuple(shortened(packed, initial, found, budget, allowance))
    yield Searched(found, search.evaluated, 0)


def _optimal(task: Task, budget: Budget) -> Iterator[Searched | None]:
    """Optimal search; after OPTIMAL_TURNS of its turns None. Raises LimitReached."""
    try:
        for number, found in enumerate(in_turns(task, budget), 1):
            if found is not None and found.limit is not None:
                raise LimitReached(found.limit)
            if found is not None or number % OPTIMAL_TURNS == 0:
                yield found
    except Unsuitable:
        raise LimitReached("bound") from None
