"""Limits of time, memory and diagram nodes, and the budget that a search checks as it goes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

from puzzlemc.mc.errors import LimitReached

GIB = 2**30
TIME = frozenset(["timeout", "cancelled"])  # reasons after which no other engine is tried


@dataclass(frozen=True)
class Limits:
    """`seconds` of wall clock, `memory` in bytes, `nodes` of decision diagrams; None means no limit.

    An engine estimates its own memory, and raises LimitReached("memory") before it exceeds the limit.
    """

    seconds: float | None = None
    memory: int = 4 * GIB
    nodes: int | None = None

    @classmethod
    def of(cls, timeout: float, memory: float) -> "Limits":
        """The limits in the units of options: seconds, 0 for no limit, and GiB."""
        return cls(timeout or None, int(memory * GIB))


@dataclass
class Budget:
    """The limits of a running search, the best lower bound so far, and the cost of the best plan so far."""

    limits: Limits = field(default_factory=Limits)
    report: Callable[[int], None] | None = None  # is called with each new bound, so that a killed search leaves it
    bound: int = 0
    _cancelled: Event = field(default_factory=Event)
    found: Callable[[Any], None] | None = (
        None  # is called with the verdict of each plan that is the cheapest so far
    )
    best: int | None = None

    def __post_init__(self) -> None:
        seconds = self.limits.seconds
        self._deadline = float("inf") if seconds is None else time.perf_counter() + seconds

    def check(self) -> None:
        """Raise LimitReached if the time is up or the search is cancelled. Cheap enough for inner loops.

        It does not look at the memory.
        """
        if self._cancelled.is_set():
            raise LimitReached("cancelled")
        if time.perf_counter() > self._deadline:
            raise LimitReached("timeout")

    def cancel(self) -> None:
        """Cancel the search and all its parts, from any thread: every later `check` raises LimitReached."""
        self._cancelled.set()

    def part(self, limits: Limits) -> "Budget":
        """A budget with other limits for a part of this search; it is cancelled together with this one."""
        return Budget(limits, self.report, self.bound, self._cancelled, self.found, self.best)

    def rest(self) -> "Budget":
        """A budget for another search in the remaining time; its bounds are of other costs and not reported."""
        return Budget(replace(self.limits, seconds=self.left), None, 0, self._cancelled)

    @property
    def left(self) -> float | None:
        """The remaining seconds, None without a limit."""
        return None if self.limits.seconds is None else max(0.0, self._deadline - time.perf_counter())

    def record_bound(self, bound: int) -> None:
        """Record the lower bound: no solution costs less than `bound`."""
        if bound > self.bound:
            self.bound = bound
            if self.report is not None:
                self.report(bound)

    def record_plan(self, cost: int, run: Callable[[], Any]) -> None:
        """Record a plan of this cost; `run` returns its verdict, and is called only for the cheapest plan."""
        if self.best is None or cost < self.best:
            self.best = cost
            if self.found is not None:
                self.found(run())
