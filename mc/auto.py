"""The portfolio `auto`: engines one after the other, the first sound answer wins.

Few states belong to explicit search in compiled code, many to decision diagrams. Loading the compiled code
takes about half a second, and seconds where it has to be compiled first: worth it for a hard level or for many,
not for a single easy one. So a process gives its first levels to diagrams for a short while; what they leave, and
every later level, goes to compiled search up to its share of the memory, and to diagrams for the rest of the time.
"""

import contextlib
import time
from dataclasses import replace
from typing import NamedTuple

from puzzlemc.mc.bidirectional import bidirectional
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Model, boolean
from puzzlemc.mc.verdict import Unknown, Verdict

FIRST_LEVELS = 2  # of a process, before it loads compiled code without being pressed
FIRST_SECONDS = 0.5  # for diagrams on them
SHARE = 2  # compiled search gets one part in so many of the memory

_levels = 0


def load_compiled() -> None:
    """Load the compiled code now, so that no level has to pay for it; nothing where there is no numba."""
    global _levels
    _levels = FIRST_LEVELS
    switch = boolean("switch")
    on = switch.bits[0]
    model = Model((switch,), ~on, (Action("on", ~on, {on: True}, {}),), on)
    with contextlib.suppress(ImportError, RuntimeError):
        from puzzlemc.mc.compiled import compiled

        compiled(model, ANY, Watch())


class Answer(NamedTuple):
    """A verdict with the engine that gave it, and its diagrams if it has any."""

    verdict: Verdict
    engine: str
    diagrams: str | None


def auto(model: Model, metric: str, watch: Watch, diagrams: str) -> Answer:
    """Decide reachability by the engine that suits. Raises ModelError for an unknown metric."""
    global _levels
    _levels += 1
    started = time.perf_counter()
    limits = watch.limits

    def left() -> float | None:
        return None if limits.seconds is None else max(0.0, limits.seconds - (time.perf_counter() - started))

    if _levels <= FIRST_LEVELS:
        seconds = FIRST_SECONDS if limits.seconds is None else min(FIRST_SECONDS, limits.seconds)
        short = Watch(replace(limits, seconds=seconds), watch.report, watch.bound)
        verdict = bidirectional(model, metric, short, diagrams)
        watch.prove(short.bound)
        if not isinstance(verdict, Unknown):
            return Answer(verdict, "bidirectional", diagrams)
    try:
        from puzzlemc.mc.best_first import best_first
        from puzzlemc.mc.compiled import compiled

        part = Watch(replace(limits, seconds=left(), memory=limits.memory // SHARE), watch.report, watch.bound)
        if metric == ANY and model.hints.potential:
            verdict = best_first(model, metric, part)
            if not isinstance(verdict, Unknown):
                return Answer(verdict, "best-first", None)
        verdict = compiled(model, metric, part)
        watch.prove(part.bound)
        if not isinstance(verdict, Unknown) or verdict.reason == "timeout":
            return Answer(verdict, "explicit", None)
    except (ImportError, RuntimeError, ModelError):
        pass  # no numba, no place for its compiled code, or a model of another kind: diagrams take all of them
    rest = Watch(replace(limits, seconds=left(), memory=limits.memory // SHARE), watch.report, watch.bound)
    return Answer(bidirectional(model, metric, rest, diagrams), "bidirectional", diagrams)
