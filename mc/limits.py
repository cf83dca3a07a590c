"""Limits of time, memory and diagram nodes, and the watch that a search asks as it goes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from puzzlemc.mc.errors import LimitReached

GIB = 2**30


@dataclass(frozen=True)
class Limits:
    """`seconds` of wall clock, `memory` in bytes, `nodes` of decision diagrams; None: no limit of its own."""

    seconds: float | None = None
    memory: int = 4 * GIB
    nodes: int | None = None


@dataclass
class Watch:
    """Runs while a search runs: raises LimitReached when time is up, and keeps the bound proved so far."""

    limits: Limits = field(default_factory=Limits)
    report: Callable[[int], None] | None = None  # told each new bound, so that a killed search leaves it behind
    bound: int = 0

    def __post_init__(self) -> None:
        seconds = self.limits.seconds
        self._deadline = float("inf") if seconds is None else time.perf_counter() + seconds

    def check(self) -> None:
        """Raise LimitReached once the time is up. Cheap enough for inner loops."""
        if time.perf_counter() > self._deadline:
            raise LimitReached("timeout")

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
