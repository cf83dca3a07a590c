"""Bidirectional search if walks cost something: one row for each region, with waves of locations through it.

The algorithm is in `mc/astar/waves.py`.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from puzzlemc.mc.astar import space, waves
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.search import MET
from puzzlemc.mc.astar.space import is_going_on
from puzzlemc.mc.astar.wave_sides import wave_sides
from puzzlemc.mc.engines.plan_finder import PlanFinder
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.packed.costs import NEVER
from puzzlemc.mc.search.state_table import PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict

PLANS_FROM = 1 << 22  # states that a search sees before it calls the plan finder; plans prune little here


def by_waves(
    problem: Problem, metric: str, budget: Budget, most_states: int | None, plans: PlanFinder
) -> Verdict | None:
    """The verdict on a problem for which `can_use_waves` is true; None if the search ends without a plan.

    Then a search without costs must decide reachability. Stops with *unknown*, reason `bound`, past `most_states`.
    """

    ahead, behind = both = wave_sides(problem)
    progress = waves.WaveProgress()
    capacity = budget.limits.memory // ahead.bytes_per_row
    most = capacity if most_states is None else min(capacity, most_states)
    if (at := behind.waves.number_of(np.asarray(ahead.waves.rows)[0])) >= 0:
        progress.best, progress.row, progress.opposite = 0, 0, at
        progress.code = int(problem.start[0]) & problem.layout.key

    def follow(most_steps: int) -> int:
        status = waves.meet(ahead, behind, progress, most_steps)
        budget.prove(min(progress.limit, progress.best))
        if progress.best < NEVER and is_going_on(status):
            budget.find(progress.best, partial(best_run, optimal=False))
        return status

    def best_run(*, optimal: bool) -> Reachable:
        statistics = Statistics(progress.limit + 1, sum(side.size for side in both))
        if progress.row >= 0:
            before = ahead.actions_to(progress.row, progress.code)
            after = behind.actions_to(progress.opposite, progress.code)
            return replace(problem.reachable(before[::-1] + after, metric, optimal=optimal), statistics=statistics)
        # At a limit, the plan finder may have a cheaper plan than the one that gave `progress.best`.
        assert plans.best is not None
        return replace(plans.best, optimal=optimal, statistics=statistics)

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if progress.best < NEVER else None
        statistics = Statistics(progress.limit + 1, sum(side.size for side in both))
        return Unknown(reason, budget.bound, statistics, best=found)

    turns, status = Turns(budget), PAUSED
    try:
        while is_going_on(status):
            size = sum(side.size for side in both)
            plans.search_if_due(size, PLANS_FROM)
            if plans.best is not None and plans.best.cost < progress.best:
                progress.best, progress.row, progress.opposite = plans.best.cost, -1, -1
            if size >= most:
                return unknown("bound")
            for side in both:
                side.grow()
            status = turns.run(follow, space.STEPS)
    except LimitReached as reached:
        return unknown(reached.reason)
    return best_run(optimal=metric != ANY) if status == MET else None
