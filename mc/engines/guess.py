"""The guess of a run: a search that an encoding brings along, which knows the puzzle.

What it finds is replayed on the model. A wrong guess, or none, changes nothing.
"""

from dataclasses import replace

from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict, run_of, within_limits

WORK = 1 << 26  # of the guess beside another search
AGAIN = 4  # with so many times the states it is asked again, for so many times the work
GUESSING = 8  # it gets one part in so many of the memory


def guess(model: Model, metric: str, watch: Watch, *, work: int | None = None) -> Verdict:
    """The run that the model's hint finds, without a claim that it is a cheapest one; unknown where it finds none.

    Stops with *unknown*, reason `bound`, after so much work, which the hint counts. Raises Unsuitable where the
    model has no such hint.
    """
    search = model.hints.run
    if search is None:
        raise Unsuitable("it has no guess of a run")

    def attempt() -> Verdict:
        actions = search(metric, watch, work)
        if actions is None:
            return Unknown("bound", watch.bound)
        own = set(map(id, model.actions))  # a hint may know a model from which others have taken actions away
        trace = run_of(model, actions)
        try:
            trace.check(model)
        except Refuted:
            return Unknown("bound", watch.bound)
        if not all(id(action) in own for action in actions):
            return Unknown("bound", watch.bound)
        return Reachable(trace, trace.cost(metric), False, Statistics())

    return within_limits(watch, attempt)


class Guess:
    """The run that the model's hint finds, asked for by a search that has become large, and again as it grows.

    run  that run, if there is any
    """

    def __init__(self, model: Model, metric: str, watch: Watch) -> None:
        self._model = model
        self._metric = metric
        self._watch = watch
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
        limits, watch = self._watch.limits, self._watch
        part = watch.part(replace(limits, seconds=watch.left, memory=limits.memory // GUESSING))
        verdict = guess(self._model, self._metric, part, work=work)
        if isinstance(verdict, Reachable) and (self.run is None or verdict.cost < self.run.cost):
            self.run = verdict
            watch.find(verdict.cost)
        watch.check()
