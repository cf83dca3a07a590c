"""Explicit search in compiled code, with dead patterns: what is quickest where states are few.

Where the goal states can be listed, it searches from both ends, by the stopping rule of `bidirectional`; else
from the start alone. Actions that only change the location, and can be taken back, are no steps of the search:
the trace gets them afterwards.
"""

from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from puzzlemc.mc.ends import Form
from puzzlemc.mc.engines.guess import guess
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.engines.warm_up import need_searches
from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model, cost_of
from puzzlemc.mc.rows import buckets, search, waves
from puzzlemc.mc.rows.dives import Dive
from puzzlemc.mc.rows.layout import Layout, Numbers
from puzzlemc.mc.rows.problem import Problem, moves_object, prepare
from puzzlemc.mc.rows.proved import proof_of
from puzzlemc.mc.rows.space import Chunks, bytes_per_state, is_going_on, no_run, number_of
from puzzlemc.mc.rows.tables import NEVER
from puzzlemc.mc.rows.wave_sides import no_meeting, suits, waves_of
from puzzlemc.mc.verdict import (
    Proving,
    Reachable,
    Statistics,
    Unknown,
    Unreachable,
    Verdict,
    cheapest,
    known,
    no_proof,
    within_limits,
)

# Number of objects in a dead pattern -> states that a search sees before it begins again with larger patterns.
PATTERNS = {1: 1 << 14, 2: 1 << 18}
# Where walks cost, pairs are worth their time at once, and more never is: nearly all that is within half the cost is
# alive, whatever is left out. Nor do dives find anything.
BESIDE_WALKS = 2
EIGHTHS = 4  # of the cost so far that count in a dive for any better run
SHARE = 32  # a dive has one row in so many of the search
DIVES = 1 << 20  # states that a search sees before it is worth a dive
GUESSED = 1 << 18  # states that a search sees before it is worth a guess of a run
GUESSED_BESIDE_WALKS = 1 << 22  # likewise where walks cost: a run that is known leaves out little there
WORK = 1 << 26  # of the guess
GUESSING = 8  # it gets one part in so many of the memory
PROVING = {1: 1 << 25}  # likewise, where a proof is wanted: it knows no dead patterns but single objects


def explicit(
    model: Model,
    metric: str,
    watch: Watch,
    *,
    most_states: int | None = None,
    compiled_only: bool = False,
    proving: Form | None = None,
) -> Verdict:
    """Decide by `astar` where the model is of the kind for it, else by `uniform_cost`.

    Raises Unsuitable with `compiled_only` where it is not.
    """
    try:
        return astar(model, metric, watch, most_states, proving=proving)
    except Unsuitable:
        if compiled_only:
            raise
        return uniform_cost(model, metric, watch)


def astar(
    model: Model, metric: str, watch: Watch, most_states: int | None = None, *, proving: Form | None = None
) -> Verdict:
    """Decide reachability of the goal state by state, in order of cost and bound, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. With `proving` verdicts come with a proof that lists
    states of this form, where the model allows it: then there are no dead patterns up to so many states. Raises
    Unsuitable where the model has formulas that are no cubes or more than one initial state, ModelError where it
    has no cost for the metric.
    """
    if metric == ANY and model.hints.objects:  # any solution will do, and walks are many
        prices = [int(moves_object(model, action)) for action in model.actions]
    else:
        prices = [cost_of(action, metric) for action in model.actions]

    need_searches()
    guessed = _Guess(model, metric, watch)

    def attempt() -> Verdict:
        capacity = watch.limits.memory // bytes_per_state(Layout(model).words)
        most = capacity if most_states is None else min(capacity, most_states)
        tries, last, ends = PROVING if proving else PATTERNS, max(PATTERNS) + 1, no_proof
        if not proving and any(price and not moves_object(model, model.actions[n]) for n, price in enumerate(prices)):
            tries, last = {}, BESIDE_WALKS
        for patterns, states in (*tries.items(), (last, most)):
            problem = prepare(model, prices, watch, patterns=patterns)
            form = proving if patterns == 1 else None
            if suits(problem) and not proving:
                verdict = _waves(problem, metric, watch, most_states, guessed)
            else:
                verdict = _search(problem, metric, watch, min(states, most), guessed, proving=form)
            if not (isinstance(verdict, Unknown) and verdict.reason == "bound") or states >= most:
                break
            if proving:  # what follows may end unknown, too, and takes the place of this search
                ends = known(verdict.ends())
        if isinstance(verdict, Unknown) and verdict.reason == "bound" and most == capacity:
            verdict = replace(verdict, reason="memory", bound=watch.bound)
        if isinstance(verdict, Unknown) and verdict.ends is no_proof:
            verdict = replace(verdict, ends=ends)
        return verdict

    verdict = within_limits(watch, attempt)
    if isinstance(verdict, Unknown):
        verdict = replace(verdict, best=cheapest(verdict.best, guessed.run))
    return verdict


def _search(
    problem: Problem, metric: str, watch: Watch, most: int, guessed: "_Guess", *, proving: Form | None = None
) -> Verdict:
    forward, backward = problem.forward, problem.backward
    best = no_run()
    if backward is not None and (at := number_of(backward.space, forward.space.rows[0])) >= 0:
        best[:] = 0, 0, at
    dives = _Dives(problem, watch)
    limit, hit = 0, -1
    walks_cost = forward.tables.pace > 0
    split = np.zeros(3, np.int64)
    waiting = np.zeros((len(problem.sides), 3), np.int64)

    def close(most_steps: int) -> int:
        nonlocal limit, hit
        if backward is None:
            mask, value = problem.goal_mask, problem.goal_value
            status, hit, limit = search.search(
                forward.tables, forward.frozen, mask, value, forward.space, best, limit, most_steps, False
            )
            waiting[0] = NEVER, limit if status != search.ENDED else NEVER, limit
        else:
            tables, frozen = (forward.tables, backward.tables), (forward.frozen, backward.frozen)
            spaces = forward.space, backward.space
            status, limit = search.meet(
                tables, frozen, *spaces, best, limit, split, waiting, problem.least_price, most_steps
            )
        watch.prove(min(limit, int(best[0])))
        return int(status)

    def proof(cost: int | None) -> Proving:
        if proving is None or (cost is not None and metric == ANY):
            return no_proof
        return partial(proof_of, problem, proving, metric, cost, waiting)

    def best_run(*, optimal: bool) -> Reachable:
        if best[1] < 0 and guessed.run is not None and guessed.run.cost == best[0]:
            return replace(guessed.run, optimal=optimal, statistics=problem.statistics())
        actions = dives.actions if best[1] < 0 else _actions_met(problem, best)
        return problem.reachable(actions, metric, optimal=optimal)

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if best[0] < NEVER else None
        return Unknown(reason, watch.bound, problem.statistics(limit), proof(min(limit, int(best[0]))), best=found)

    chunks, status = Chunks(watch), search.PAUSED
    try:
        while is_going_on(status):
            size = sum(side.size for side in problem.sides)
            if size >= (GUESSED_BESIDE_WALKS if walks_cost else GUESSED):
                guessed.ask()
            if guessed.run is not None and guessed.run.cost < best[0] and not proving:
                best[:] = guessed.run.cost, -1, -1
            if size >= most:
                return unknown("bound")
            for side in problem.sides:
                side.grow()
            status = chunks.run(close)
            is_diving = backward is not None and size >= DIVES and not (proving or walks_cost)
            if is_diving and status == search.PAUSED:
                dives.improve(best, limit, size)
            if metric == ANY and best[0] < NEVER:
                status = search.MET
    except LimitReached as reached:
        return unknown(reached.reason)
    if status in (search.FOUND, search.MET):
        if status == search.FOUND:
            verdict = problem.reachable(forward.actions_to(hit)[::-1], metric, optimal=metric != ANY)
        else:
            verdict = best_run(optimal=metric != ANY)
        return replace(verdict, ends=proof(verdict.cost)) if verdict.optimal else verdict
    if forward.tables.pace:  # rows are not all states that a run enters: without costs they tell of all
        free = prepare(problem.model, [0] * len(problem.model.actions), watch)
        return _search(free, metric, watch, most, guessed, proving=proving)
    over = forward if backward is None or buckets.is_over(forward.space) else backward
    invariant = problem.dead.invariant(over.space, over.tables, backward=over is backward)
    return Unreachable(invariant, problem.statistics(limit), ends=proof(None))


def _waves(problem: Problem, metric: str, watch: Watch, most_states: int | None, guessed: "_Guess") -> Verdict:
    """As `_search`, by waves."""
    ahead, behind = ends = waves_of(problem)
    best, split, limit = no_meeting(), np.zeros(3, np.int64), 0
    capacity = watch.limits.memory // ahead.bytes_per_row
    most = capacity if most_states is None else min(capacity, most_states)
    if (at := behind.number_of(ahead.waves.rows[0])) >= 0:
        best[:] = 0, 0, at, int(problem.start[0]) & problem.layout.key

    def follow(most_steps: int) -> int:
        nonlocal limit
        tables, sides = (ahead.tables, behind.tables), (ahead.waves, behind.waves)
        status, limit = waves.meet(tables, *sides, best, limit, split, most_steps)
        watch.prove(min(limit, int(best[0])))
        return int(status)

    def best_run(*, optimal: bool) -> Reachable:
        statistics = Statistics(limit + 1, sum(side.size for side in ends))
        if best[1] < 0 and guessed.run is not None:
            return replace(guessed.run, optimal=optimal, statistics=statistics)
        before, after = ahead.actions_to(int(best[1]), int(best[3])), behind.actions_to(int(best[2]), int(best[3]))
        return replace(problem.reachable(before[::-1] + after, metric, optimal=optimal), statistics=statistics)

    def unknown(reason: str) -> Unknown:
        found = best_run(optimal=False) if best[0] < NEVER else None
        return Unknown(reason, watch.bound, Statistics(limit + 1, sum(side.size for side in ends)), best=found)

    chunks, status = Chunks(watch), search.PAUSED
    try:
        while is_going_on(status):
            size = sum(side.size for side in ends)
            if size >= GUESSED_BESIDE_WALKS:
                guessed.ask()
            if guessed.run is not None and guessed.run.cost < best[0]:
                best[:] = guessed.run.cost, -1, -1, -1
            if size >= most:
                return unknown("bound")
            for side in ends:
                side.grow()
            status = chunks.run(follow)
    except LimitReached as reached:
        return unknown(reached.reason)
    if status == search.MET:
        return best_run(optimal=True)
    free = prepare(problem.model, [0] * len(problem.model.actions), watch)
    return _search(free, metric, watch, most, guessed)


class _Guess:
    """The run that the model's hint finds, asked for once by a search that has become large.

    run  that run, if there is any
    """

    def __init__(self, model: Model, metric: str, watch: Watch) -> None:
        self._model = model
        self._metric = metric
        self._watch = watch
        # Under `any` it is an engine of its own; of two metrics in order the first search has asked.
        self._is_asked = metric == ANY or COMMA in metric or model.hints.run is None
        self.run: Reachable | None = None

    def ask(self) -> None:
        """Ask the hint, but for the first time only. Raises LimitReached."""
        if self._is_asked:
            return
        self._is_asked = True
        limits, watch = self._watch.limits, self._watch
        part = watch.part(replace(limits, seconds=watch.left, memory=limits.memory // GUESSING))
        verdict = guess(self._model, self._metric, part, work=WORK)
        self.run = verdict if isinstance(verdict, Reachable) else None
        watch.check()


class _Dives:
    """Dives beside a search from both ends, in turns: for a run of no more than its limit, and for a better one.

    actions  of the best run that was found
    """

    def __init__(self, problem: Problem, watch: Watch) -> None:
        self._problem = problem
        self._watch = watch
        self.actions: list[int] = []

    @cached_property
    def _dives(self) -> tuple[Dive, Dive]:
        goal = self._problem.goal_mask, self._problem.goal_value
        side, watch = self._problem.forward, self._watch
        return Dive(side, *goal, 0, watch), Dive(side, *goal, EIGHTHS, watch)

    def improve(self, best: Numbers, limit: int, size: int) -> None:
        """Look for runs, each dive with at most one row in so many of the search; `best` becomes what is found."""
        cheapest, better = self._dives
        for dive, most in ((cheapest, limit), (better, int(best[0]) - 1)):
            if most < best[0] and (found := dive.run(most, size // SHARE)) is not None:
                cost, actions = found
                best[:] = cost, -1, -1
                self.actions = actions[::-1]


def _actions_met(problem: Problem, best: Numbers) -> list[int]:
    """The actions of the run through the rows where the sides met."""
    assert problem.backward is not None
    before = problem.forward.actions_to(int(best[1]))
    return before[::-1] + problem.backward.actions_to(int(best[2]))
