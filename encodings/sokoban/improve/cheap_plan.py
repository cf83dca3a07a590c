"""Cheap plans: the plan finder finds a plan, and the searches of this folder improve it.

Under `moves`, each setting of the plan finder finds a plan, the window search improves each, and the cheapest
wins: the costs of the plans differ by a factor of two and more, and no setting finds the cheapest plan on most
levels. Under `pushes`, local searches start from one plan and then from others. The plan finder leaves out no
pushes then: barriers find a plan sooner, but some levels need longer from that plan to the best one.
"""

from collections.abc import Callable, Iterator, Sequence

from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import ALL, find_plan
from puzzlemc.encodings.sokoban.improve import improvement
from puzzlemc.encodings.sokoban.improve.multi_start import push_less
from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

EXPANSIONS = 1 << 14  # of positions, at most, to improve one plan; the window search does not check the time limit
MOST_EXPANSIONS = 1 << 16  # for the cheapest plan, in one call: four calls with a quarter of it improve less
WORK_PER_EXPANSION = 1 << 12  # the plan finder's work for which an improvement gets one expansion
COSTS: dict[str, Callable[[Sequence[str]], tuple[int, int]]] = {
    "pushes": lambda letters: (_pushes(letters), len(letters)),
    "moves": lambda letters: (len(letters), _pushes(letters)),
}


def cheap_plans(level: Level, metric: str, budget: Budget, work: int | None) -> Iterator[list[str]]:
    """Yield solutions (letters in LURD) found with at most `work` units of work, each cheaper than the one before.

    Yield at most one solution if the metric has no costs (`any`), or if work is None, which means no limit on the
    work. Raises LimitReached, MemoryError.
    """
    if metric != "moves" or work is None:
        is_start = metric == "pushes" and work is not None
        if (found := find_plan(level, budget, work, barriers=not is_start)) is not None:
            yield found
            if is_start and work is not None:
                yield from _with_fewer_pushes(level, found, budget, work)
        return
    cost, best = COSTS[metric], None
    for setting in ALL:
        found = find_plan(level, budget, work // len(ALL), ((setting,),), barriers=False)
        if found is None:
            continue
        if best is None or cost(found) < cost(best):
            yield (best := found)
        budget.check()
        expansions = min(work // len(ALL) // WORK_PER_EXPANSION, EXPANSIONS)
        better = improvement.improve(level, found, metric, expansions)
        if cost(better) < cost(best):
            yield (best := better)
    if best is not None:
        budget.check()
        expansions = min(work // WORK_PER_EXPANSION, MOST_EXPANSIONS)
        better = improvement.improve(level, best, metric, expansions)
        if cost(better) < cost(best):
            yield better


def cheaper_plans(level: Level, known: list[str], metric: str, budget: Budget, work: int) -> Iterator[list[str]]:
    """Yield ever cheaper plans from a known solution: under `pushes`, the first local search starts from it."""
    if metric != "pushes":
        yield from cheap_plans(level, metric, budget, work)
        return
    yield from _with_fewer_pushes(level, known, budget, work)


def _with_fewer_pushes(level: Level, known: list[str], budget: Budget, work: int) -> Iterator[list[str]]:
    """Yield the solution with the fewest pushes that local searches find, if they find a cheaper one."""
    best: list[str] | None = None  # the only one that is yielded, since each takes time to replay
    try:
        for better in push_less(level, known, budget, work):
            best = better
    except LIMITS:
        if best is not None:
            yield best
        raise
    if best is not None:
        yield best


def _pushes(letters: Sequence[str]) -> int:
    return sum(letter.isupper() for letter in letters)
