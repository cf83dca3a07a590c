"""Some plan of a finite-domain task: searches for any plan, and optimal search beside them.

The searches for any plan are in `finders.py`. Where all of them stand still, A* with pattern databases may be
faster; it begins later. All is counted work: no decision depends on a clock.
"""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.planning.optimal import in_turns
from puzzlemc.mc.planning.satisficing.finders import finders
from puzzlemc.mc.tasks.task import Searched, Task

FIRST_ROUND = 1 << 27  # work of the first round of the finders, in units of about 2 ns
ROUNDS_BEFORE = 2  # rounds of the finders before the optimal search begins
SHARE = 4  # each search may take this part of the memory


def some_plan(task: Task, budget: Budget) -> Searched:
    """A plan of the task, or the proof by exhaustion that it has none. The bound is that of the optimal search."""
    part = budget.part(replace(budget.limits, seconds=budget.left, memory=budget.limits.memory // SHARE))
    searches = [finders(task, part, FIRST_ROUND), _optimal(task, part)]
    try:
        while True:
            for search in [*searches]:
                try:
                    found = next(search)
                except LIMITS as limit:
                    searches.remove(search)
                    if reason_of(limit) in TIME or not searches:
                        raise
                    continue
                if found is not None:
                    return replace(found, bound=part.bound)
    except LIMITS as limit:
        return Searched(None, 0, part.bound, reason_of(limit))
    finally:
        budget.record_bound(part.bound)


def _optimal(task: Task, budget: Budget) -> Iterator[Searched | None]:
    """Optimal search; after each turn None, and ROUNDS_BEFORE times before the first one. Raises LimitReached."""
    for _ in range(ROUNDS_BEFORE):
        yield None
    try:
        for found in in_turns(task, budget):
            if found is not None and found.limit is not None:
                raise LimitReached(found.limit)
            yield found
    except Unsuitable:
        raise LimitReached("bound") from None
