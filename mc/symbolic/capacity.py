"""Diagram managers of a fixed capacity: an attempt that exhausts one restarts in a larger one."""

from collections.abc import Callable
from typing import TypeVar

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.symbolic.packages import diagram_class
from puzzlemc.mc.verdict import Verdict, within_limits

T = TypeVar("T")


def decide_with_capacity(diagrams: str, budget: Budget, attempt: Callable[[int], Verdict]) -> Verdict:
    """The verdict of `attempt`, called with growing capacities until one suffices; *unknown* at a limit."""
    return within_limits(budget, lambda: with_capacity(diagrams, budget, attempt))


def with_capacity(diagrams: str, budget: Budget, attempt: Callable[[int], T]) -> T:
    """The result of `attempt`, called with growing capacities until one suffices. Raises LimitReached."""

    cls = diagram_class(diagrams)
    for capacity in cls.capacities(budget.limits):
        try:
            return attempt(capacity)
        except LimitReached as limit:
            if limit.reason in TIME:
                raise
        except Exception as error:
            if not cls.ran_out(error):
                raise
    raise LimitReached("memory")
