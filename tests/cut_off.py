"""Searches that a limit ends at a chosen check of their budget, rather than by the clock.

What a search leaves at a limit is read after it: the cheapest plan so far, the bound, a proof of the bound. All
that is judged here.
"""

import random
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

from puzzlemc.mc.engines.portfolio import Decision
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict, resolved

Search = Callable[[Model, str, Budget], Verdict | Decision]


class Checks(Event):
    """Counts the checks of a budget and of all its parts; the time is up at check number `last`."""

    def __init__(self, last: int | None = None) -> None:
        super().__init__()
        self.count, self._last = 0, last

    def is_set(self) -> bool:
        """Raise LimitReached from the last check on."""
        self.count += 1
        if self._last is not None and self.count >= self._last:
            raise LimitReached("timeout")
        return False


def moments(search: Callable[[Checks], Any], seed: int, most: int) -> Iterator[Checks]:
    """Yield limits at random checks of a search, at most that many; at all its checks if it has fewer."""
    whole = Checks()
    search(whole)
    numbers = range(1, whole.count + 1)
    for last in random.Random(seed).sample(numbers, min(most, len(numbers))):
        yield Checks(last)


def judge_cut_offs(
    search: Search,
    model: Model,
    metric: str,
    least: int | None,
    seed: int,
    most: int = 50,
    check: Callable[[Any], object] | None = None,
    replay: Callable[[Trace], object] | None = None,
) -> int:
    """Cut a search off at random checks, and judge what it leaves; return the number of plans left at a limit.

    `least` is the least cost of a plan, None if there is none; `check` checks a proof. `replay` checks a trace; if
    it is None, the actions of the model do.
    """

    def decide(budget: Budget) -> Verdict:
        found = search(model, metric, budget)
        return found.verdict if isinstance(found, Decision) else found

    plans = 0
    for checks in moments(lambda checks: decide(Budget(Limits(), None, 0, checks)), seed, most):
        bounds: list[int] = []
        found: list[Reachable] = []
        budget = Budget(Limits(), bounds.append, 0, checks, found.append)
        verdict = decide(budget)
        bounds.append(budget.bound)
        if check is not None and (proof := resolved(verdict.proof)) is not None:
            check(proof)
            assert least is None or proof.below <= least
        if isinstance(verdict, Unreachable):
            assert least is None
        elif isinstance(verdict, Unknown):
            assert verdict.reason == "timeout"
            bounds.append(verdict.bound)
            if verdict.best is not None:
                plans += 1
                found.append(verdict.best)
            if found:
                assert budget.best is None or verdict.best is None or verdict.best.cost <= budget.best
        else:
            found.append(verdict)
            assert not verdict.optimal or verdict.cost == least
        for run in found:
            run.trace.check(model) if replay is None else replay(run.trace)
            assert least is not None
            assert run.cost == run.trace.cost(metric) >= least
        if least is not None:
            assert max(bounds) <= least
    return plans
