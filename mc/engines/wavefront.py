"""Bidirectional search if walks cost something: one row for each region, with waves of locations through it.

The algorithm is in `mc/astar/waves.py`.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from puzzlemc.mc.astar import search, waves
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.space import Chunks, is_going_on
from puzzlemc.mc.astar.wave_sides import no_meeting, wave_sides
from puzzlemc.mc.engines.plan_finder import PlanFinder
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.tables import NEVER
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict

PLANS_FROM = 1 << 22  # states that a search sees before it calls the plan finder; plans prune little here


def by_waves(
    problem: Problem, metric: str, budget: Budget, most_states: int | None, plans: PlanFinder
) -> Verdict | None:
    """The verdict on a problem for which `can_use_waves` is true; None if the search ends without a plan.

    Then a search without costs must decide reachability. Stops with *unknown*, reason `bound`, past `most_states`.
    """

    ahead, behind = both = wave_sides(problem)
    best, split, limit = no_meeting(), np.zeros(3, np.int64), 0
    capacity = budget.limits.memory // ahead.bytes_per_row
    most = capacity if most_states is None else min(capacity, most_states)
    if (at := behind.number_of(ahead.waves.rows[0])) >= 0:
        best[:] = 0, 0, at, int(problem.start[0]) & problem.layout.key

    def follow(most_steps: int) -> int:
        nonlocal limit
        tables, sides = (ahead.tables, behind.tables), (ahead.waves, behind.waves)
        status, limit = waves.meet(tables, *sides, best, limit, split, most_steps)
        budget.prove(min(limit, int(best[0])))
        if best[0] < NEVER and is_going_on(int(status)):
            budget.find(int(best[0]), partial(best_run, optimal=False))
        return int(status)

    def best_run(*, optimal: bool) -> Reachable:
        statistics = Statistics(limit + 1, sum(side.size for side in both))
        if best[1] < 0 and plans.best is not None:
            return replace(plans.best, optimal=optimal, statistics=statistics)
        before, after = ahead.actions_to(int(best[1]), int(best[3])), behind.actions_to(int(best[2]), int(best[3]))
        return replace(problem.reachable(before[::-1] + after, metric, optimal=optimal), statistics=statistics)

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if best[0] < NEVER else None
        return Unknown(reason, budget.bound, Statistics(limit + 1, sum(side.size for side in both)), best=found)

    chunks, status = Chunks(budget), search.PAUSED
    try:
        while is_going_on(status):
            size = sum(side.size for side in both)
            plans.search_if_due(size, PLANS_FROM)
            if plans.best is not None and plans.best.cost < best[0]:
                best[:] = plans.best.cost, -1, -1, -1
            if size >= most:
                return unknown("bound")
            for side in both:
                side.grow()
            status = chunks.run(follow)
    except LimitReached as reached:
        return unknown(reached.reason)
    return best_run(optimal=True) if status == search.MET else None
