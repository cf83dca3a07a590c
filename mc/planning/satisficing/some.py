"""Some plan of a finite-domain task: searches for any plan, and beside them what shows that there is none.

The searches for any plan are in `finders.py`. Where all of them stand still, A* with pattern databases may be
faster; it begins later, and exhausts the states of a task without a plan. Its caller may know faster ways to show
that there is none. All is counted work: no decision depends on a clock.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.planning.satisficing.finders import finders
from puzzlemc.mc.tasks.task import Searched, Task

if TYPE_CHECKING:
    from puzzlemc.mc.planning.reduction import Reduction

FIRST_ROUND = 1 << 26  # work of the first round of the finders, in units of about 2 ns
ROUNDS_BEFORE = 1  # rounds of the finders after the first one, before the optimal search begins
SMALL = 1 << 14  # facts of operators: a task with more has a round more, and another one each time they double
SHARE = 6  # each search may take this part of the memory


def some_plan(task: Task, budget: Budget, refuting: Iterable[bool] = ()) -> Searched:
    """A plan of the task, or that it has none. The bound is that of the optimal search.

    refuting  after each of its turns, whether it is shown that the task has no plan
    """
    part = budget.part(replace(budget.limits, seconds=budget.left, memory=budget.limits.memory // SHARE))
    finding = [finders(task, part, FIRST_ROUND)]
    smaller: Reduction | None = None
    try:
        found = next(finding[0])  # most tasks have a plan before a smaller task would be made
    except LIMITS as limit:
        if reason_of(limit) in TIME:
            return Searched(None, 0, part.bound, reason_of(limit))
        finding, found = [], None
    if found is not None:
        return found
    from puzzlemc.mc.planning.reduction import reduction  # its import takes as long as many a search

    try:
        smaller = reduction(task, part)
    except LIMITS as limit:
        if reason_of(limit) in TIME:
            return Searched(None, 0, part.bound, reason_of(limit))
    if smaller is None or not smaller.is_smaller:
        return _searched([*finding, _refuted(refuting), _optimal(task, part)], budget, part)
    finding.clear()  # the smaller task is searched in its memory
    task = smaller.task
    found = _searched([finders(task, part, FIRST_ROUND), _refuted(refuting), _optimal(task, part)], budget, part)
    return found if found.plan is None else replace(found, plan=smaller.plan(found.plan))


def _searched(searches: list[Iterator[Searched | None]], budget: Budget, part: Budget) -> Searched:
    """The result of the first search that ends; each has the limits of `part`."""
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


def _refuted(refuting: Iterable[bool]) -> Iterator[Searched | None]:
    """After each turn None; the result, if it is shown that there is no plan. Raises LimitReached."""
    for is_shown in refuting:
        yield Searched(None, 0, 0) if is_shown else None
    raise LimitReached("bound")


def _optimal(task: Task, budget: Budget) -> Iterator[Searched | None]:
    """Yield None for each round, the result last. Raises LimitReached.

    A turn takes longer the more operators there are, so more rounds come before the first one. Turns grow faster
    than rounds do: from the third turn on, only every other round has one.
    """
    facts = len(task.arrays.precondition) + len(task.arrays.effect)
    for _ in range(ROUNDS_BEFORE + (facts // SMALL).bit_length()):
        yield None
    from puzzlemc.mc.planning.optimal import in_turns  # its import takes as long as many a search

    try:
        for number, found in enumerate(in_turns(task, budget)):
            if found is not None and found.limit is not None:
                raise LimitReached(found.limit)
            yield found
            if number > 0:
                yield None
    except Unsuitable:
        raise LimitReached("bound") from None
