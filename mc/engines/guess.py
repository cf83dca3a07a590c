"""The guess of a run: a search that an encoding brings along, which knows the puzzle.

What it finds is replayed on the model. A wrong guess, or none, changes nothing.
"""

from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict, run_of, within_limits


def guess(model: Model, metric: str, watch: Watch, *, work: int | None = None) -> Verdict:
    """The run that the model's hint finds, without a claim that it is a cheapest one; unknown where it finds none.

    Stops with *unknown*, reason `bound`, after so much work, which the hint counts. Raises Unsuitable where the
    model
    has no such hint.
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
