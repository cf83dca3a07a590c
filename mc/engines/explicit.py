"""Explicit search in compiled code, with dead patterns: what is quickest where states are few.

Where the goal states can be listed, it searches from both ends, by the stopping rule of `bidirectional`; else
from the start alone. Actions that only change the location, and can be taken back, are no steps of the search:
the trace gets them afterwards.
"""

import numpy as np

from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.engines.warm_up import need_searches
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model, cost_of
from puzzlemc.mc.rows import buckets, search
from puzzlemc.mc.rows.layout import Layout, Numbers
from puzzlemc.mc.rows.problem import Problem, moves_object, prepare
from puzzlemc.mc.rows.space import Chunks, bytes_per_state, is_going_on, number_of
from puzzlemc.mc.rows.tables import NEVER
from puzzlemc.mc.verdict import Unknown, Unreachable, Verdict, within_limits

# Number of objects in a dead pattern -> states that a search sees before it begins again with larger patterns.
PATTERNS = {1: 1 << 14, 2: 1 << 18}


def explicit(
    model: Model, metric: str, watch: Watch, *, most_states: int | None = None, compiled_only: bool = False
) -> Verdict:
    """Decide by `astar` where the model is of the kind for it, else by `uniform_cost`.

    Raises Unsuitable with `compiled_only` where it is not.
    """
    try:
        return astar(model, metric, watch, most_states)
    except Unsuitable:
        if compiled_only:
            raise
        return uniform_cost(model, metric, watch)


def astar(model: Model, metric: str, watch: Watch, most_states: int | None = None) -> Verdict:
    """Decide reachability of the goal state by state, in order of cost and bound, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises Unsuitable where the model has formulas that
    are no cubes or more than one initial state, ModelError where it has no cost for the metric.
    """
    if metric == ANY and model.hints.objects:  # any solution will do, and walks are many
        prices = [int(moves_object(model, action)) for action in model.actions]
    else:
        prices = [cost_of(action, metric) for action in model.actions]

    need_searches()

    def attempt() -> Verdict:
        capacity = watch.limits.memory // bytes_per_state(Layout(model).words)
        most = capacity if most_states is None else min(capacity, most_states)
        for patterns, states in (*PATTERNS.items(), (max(PATTERNS) + 1, most)):
            verdict = _search(prepare(model, prices, watch, patterns=patterns), metric, watch, min(states, most))
            if not (isinstance(verdict, Unknown) and verdict.reason == "bound") or states >= most:
                break
        if isinstance(verdict, Unknown) and verdict.reason == "bound" and most == capacity:
            return Unknown("memory", watch.bound, verdict.statistics)
        return verdict

    return within_limits(watch, attempt)


def _search(problem: Problem, metric: str, watch: Watch, most: int) -> Verdict:
    forward, backward = problem.forward, problem.backward
    best = np.array([NEVER, -1, -1], np.int64)  # cost, row of the forward side, row of the backward side
    if backward is not None and (at := number_of(backward.space, forward.space.rows[0])) >= 0:
        best[:] = 0, 0, at
    limit, hit = 0, -1
    split = np.zeros(3, np.int64)

    def close(most_steps: int) -> int:
        nonlocal limit, hit
        if backward is None:
            mask, value = problem.goal_mask, problem.goal_value
            status, hit, limit = search.search(
                forward.tables, mask, value, forward.space, limit, most_steps, False
            )
        else:
            tables, spaces = (forward.tables, backward.tables), (forward.space, backward.space)
            status, limit = search.meet(*tables, *spaces, best, limit, split, problem.least_price, most_steps)
        watch.prove(min(limit, int(best[0])))
        return int(status)

    chunks, status = Chunks(watch), search.PAUSED
    while is_going_on(status):
        if sum(side.size for side in problem.sides) >= most:
            return Unknown("bound", watch.bound, problem.statistics(limit))
        for side in problem.sides:
            side.grow()
        status = chunks.run(close)
    if status == search.FOUND:
        return problem.reachable(forward.actions_to(hit)[::-1], metric, optimal=metric != ANY)
    if status == search.MET:
        return problem.reachable(_actions_met(problem, best), metric, optimal=metric != ANY)
    if forward.tables.pace:  # rows are not all states that a run enters: without costs they tell of all
        return _search(prepare(problem.model, [0] * len(problem.model.actions), watch), metric, watch, most)
    over = forward if backward is None or buckets.is_over(forward.space) else backward
    invariant = problem.dead.invariant(over.space, over.tables, backward=over is backward)
    return Unreachable(invariant, problem.statistics(limit))


def _actions_met(problem: Problem, best: Numbers) -> list[int]:
    """The actions of the run through the rows where the sides met."""
    assert problem.backward is not None
    before = problem.forward.actions_to(int(best[1]))
    return before[::-1] + problem.backward.actions_to(int(best[2]))
