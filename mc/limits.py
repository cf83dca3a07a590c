"""Limits of time, memory and diagram nodes, and the budget that a search checks as it goes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

from puzzlemc.mc.errors import LimitReached

GIB = 2**30
TIME = frozenset(["timeout", "cancelled"])  # reasons for which nothing else need be tried


@dataclass(frozen=True)
class Limits:
    """`seconds` of wall clock, `memory` in bytes, `nodes` of decision diagrams; None: no limit of its own."""

    seconds: float | None = None
    memory: int = 4 * GIB
    nodes: int | None = None


@dataclass
class Budget:
    """Runs while a search runs: raises LimitReached when time is up, and keeps the bound proved so far."""

    limits: Limits = field(default_factory=Limits)
    report: Callable[[int], None] | None = None  # told each new bound, so that a killed search leaves it behind
    bound: int = 0
    _cancelled: Event = field(default_factory=Event)
    found: Callable[[Any], None] | None = None  # gets the verdict of each cheaper run than all before
    best: int | None = None

    def __post_init__(self) -> None:
        seconds = self.limits.seconds
        self._deadline = float("inf") if seconds is None else time.perf_counter() + seconds

    def check(self) -> None:
        """Raise LimitReached once the time is up or the search is cancelled. Cheap enough for inner loops."""
        if self._cancelled.is_set():
            raise LimitReached("cancelled")
        if time.perf_counter() > self._deadline:
            raise LimitReached("timeout")

    def cancel(self) -> None:
        """End the search, and every part of it, as soon as it asks: from any thread, for good."""
        self._cancelled.set()

    def part(self, limits: Limits) -> "Budget":
        """A budget for a part of the search, with limits of its own; it is cancelled with the whole."""
        return Budget(limits, self.report, self.bound, self._cancelled, self.found, self.best)

    def rest(self) -> "Budget":
        """A budget for another search in the time left; its bounds are of other costs and are not reported."""
        return Budget(replace(self.limits, seconds=self.left), None, 0, self._cancelled)

    @property
    def left(self) -> float | None:
        """Seconds that are left, None where there is no limit."""
        return None if self.limits.seconds is None else max(0.0, self._deadline - time.perf_counter())

    def prove(self, bound: int) -> None:
        """Note that no solution costs less than `bound`."""
        if bound > self.bound:
            self.bound = bound
            if self.report is not None:
                self.report(bound)

    def find(self, cost: int, run: Callable[[], Any]) -> None:
        """Note that there is a run of this cost; `run` is called for the run itself, where somebody wants it."""
        if self.best is None or cost < self.best:
            self.best = cost
            if self.found is not None:
                self.found(run())
