"""The portfolio `auto`: engines one after the other, the first sound answer wins.

Few states belong to explicit search in compiled code, many to decision diagrams; where any solution will do,
best-first search and search from both ends take turns, each time with room for eight times as many states. Loading
the compiled code takes about half a second, and seconds where it has to be compiled first: worth it for a hard
level or many, not for a few easy ones. So a process solves by diagrams until they have cost it that half second;
from then on levels go to compiled search up to its share of the memory, and to diagrams for the rest of the time.
"""

import contextlib
import time
from dataclasses import replace
from typing import NamedTuple

from puzzlemc.mc import warm_up
from puzzlemc.mc.bidirectional import bidirectional
from puzzlemc.mc.bmc import bmc
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict

LOAD_SECONDS = 0.5  # what loading compiled code costs, and what diagrams may cost a process before it does
BUDGETS = range(14, 27, 3)  # powers of two: the states that each of two engines may see in its next turn
SHARE = 2  # compiled search gets one part in so many of the memory

_spent = 0.0  # seconds of this process in diagrams, before it loads compiled code


def load_compiled() -> None:
    """Load the compiled code now, so that no level has to pay for it; nothing where there is no numba."""
    global _spent
    _spent = LOAD_SECONDS
    with contextlib.suppress(ImportError, OSError, RuntimeError):
        warm_up.searches()


class Answer(NamedTuple):
    """A verdict with the engine that gave it, and its diagrams if it has any."""

    verdict: Verdict
    engine: str
    diagrams: str | None


def auto(model: Model, metric: str, watch: Watch, diagrams: str) -> Answer:
    """Decide reachability by the engine that suits.

    Raises ModelError for an unknown metric, Refuted where engines contradict each other.
    """
    answer = _first_sound(model, metric, watch, diagrams)
    verdict = answer.verdict
    if isinstance(verdict, Reachable) and metric != ANY and verdict.cost < watch.bound:
        raise Refuted(
            f"{answer.engine} has a trace of cost {verdict.cost}, and another engine none below {watch.bound}"
        )
    return answer


def _first_sound(model: Model, metric: str, watch: Watch, diagrams: str) -> Answer:
    global _spent
    started = time.perf_counter()
    limits = watch.limits

    if not model.actions:
        return Answer(bmc(model, metric, watch), "bmc", None)
    if _spent < LOAD_SECONDS:
        seconds = LOAD_SECONDS - _spent
        seconds = seconds if watch.left is None else min(seconds, watch.left)
        short = Watch(replace(limits, seconds=seconds), watch.report, watch.bound)
        verdict = bidirectional(model, metric, short, diagrams)
        watch.prove(short.bound)
        _spent += time.perf_counter() - started
        if not isinstance(verdict, Unknown):
            return Answer(verdict, "bidirectional", diagrams)
    try:
        from puzzlemc.mc.best_first import best_first
        from puzzlemc.mc.compiled import compiled

        part = Watch(replace(limits, seconds=watch.left, memory=limits.memory // SHARE), watch.report, watch.bound)
        budgets: list[int | None] = [None] if metric != ANY else [1 << n for n in BUDGETS] + [None]
        for budget in budgets:
            if metric == ANY and model.hints.potential:
                verdict = best_first(model, metric, part, most_states=budget)
                if not isinstance(verdict, Unknown):
                    return Answer(verdict, "best-first", None)
            verdict = compiled(model, metric, part, budget)
            watch.prove(part.bound)
            if not isinstance(verdict, Unknown) or verdict.reason == "timeout":
                return Answer(verdict, "explicit", None)
    except (ImportError, OSError, RuntimeError, ModelError):
        pass  # no numba, no place for its compiled code, or a model of another kind: diagrams take all of them
    rest = Watch(replace(limits, seconds=watch.left, memory=limits.memory // SHARE), watch.report, watch.bound)
    return Answer(bidirectional(model, metric, rest, diagrams), "bidirectional", diagrams)
