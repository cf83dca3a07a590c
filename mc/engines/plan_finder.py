"""The guess of a run: a search that an encoding brings along, which knows the puzzle.

What it finds is replayed on the model. A wrong guess, or none, changes nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from puzzlemc.mc.errors import LIMITS, Refuted, Unsuitable, reason_of
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict, cheapest

WORK = 1 << 26  # of the guess beside another search
AGAIN = 4  # with so many times the states it is asked again, for so many times the work
GUESSING = 8  # it gets one part in so many of the memory


def guess(model: Model, metric: str, budget: Budget, *, work: int | None = None) -> Verdict:
    """The run that the model's hint finds, without a claim that it is a cheapest one; unknown where it finds none.

    Stops with *unknown*, reason `bound`, after so much work, which the hint counts. Raises Unsuitable where the
    model has no such hint.
    """
    search = model.hints.run
    if search is None:
        raise Unsuitable("it has no guess of a run")

    best: Reachable | None = None
    try:
        for actions in search(metric, budget, work):
            found = _run(model, actions, metric)
            best = cheapest(best, found)
            if found is not None and found is best:
                budget.find(found.cost, partial(_itself, found))
    except LIMITS as limit:
        return best or Unknown(reason_of(limit), budget.bound)
    return best or Unknown("bound", budget.bound)


def _run(model: Model, actions: Sequence[Action], metric: str) -> Reachable | None:
    """The run of these actions, None where they are none of the model's, or do not lead to a goal."""
    own = set(map(id, model.actions))  # a hint may know a model from which others have taken actions away
    trace = run_of(model, actions)
    try:
        trace.check(model)
    except Refuted:
        return None
    if not all(id(action) in own for action in actions):
        return None
    return Reachable(trace, trace.cost(metric), False, Statistics())


def _itself(run: Reachable) -> Reachable:
    return run


class PlanFinder:
    """The run that the model's hint finds, asked for by a search that has become large, and again as it grows.

    run  that run, if there is any
    """

    def __init__(self, model: Model, metric: str, budget: Budget) -> None:
        self._model = model
        self._metric = metric
        self._watch = budget
        # Under `any` it is an engine of its own; of two metrics in order the first search has asked.
        self._is_never = metric == ANY or COMMA in metric or model.hints.run is None
        self._times = 1
        self.run: Reachable | None = None

    def ask(self, size: int, first: int) -> None:
        """Ask the hint, where a search has seen that many times as many states as `first`. Raises LimitReached."""
        if self._is_never or size < self._times * first:
            return
        work = WORK * self._times
        self._times *= AGAIN
        limits, budget = self._watch.limits, self._watch
        part = budget.part(replace(limits, seconds=budget.left, memory=limits.memory // GUESSING))
        verdict = guess(self._model, self._metric, part, work=work)
        if isinstance(verdict, Reachable) and (self.run is None or verdict.cost < self.run.cost):
            self.run = verdict
            budget.find(verdict.cost, partial(_itself, verdict))
        budget.check()
