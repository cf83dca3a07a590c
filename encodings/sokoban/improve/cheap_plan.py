"""Runs that cost little, if any: each setting of the search for runs makes its own, and all are improved.

What they cost differs by a factor of two and more, and no setting has the cheapest on most levels.
"""

from collections.abc import Callable, Iterator, Sequence

from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import ALL, guess
from puzzlemc.encodings.sokoban.improve import improvement as improve
from puzzlemc.mc.jit import ready
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

IMPROVED = 1 << 14  # positions that are expanded to improve each run: nothing looks at the clock meanwhile
MOST_IMPROVED = 1 << 16  # likewise for the cheapest of them, all at once: a fourth of it four times finds less
PER_POSITION = 1 << 12  # work for each of those
COSTS: dict[str, Callable[[Sequence[str]], tuple[int, int]]] = {
    "pushes": lambda letters: (_pushes(letters), len(letters)),
    "moves": lambda letters: (len(letters), _pushes(letters)),
}


def cheap_runs(level: Level, metric: str, budget: Budget, work: int | None) -> Iterator[list[str]]:
    """Yield the letters of solutions found within this much work, each cheaper than the one before.

    There is one at most where the metric has no costs, or where the work has no limit. Raises LimitReached,
    MemoryError.
    """
    if metric not in COSTS or work is None:
        if (found := guess(level, budget, work)) is not None:
            yield found
        return
    ready(improve.warm_up, *improve.MODULES)
    cost, best = COSTS[metric], None
    for setting in ALL:
        found = guess(level, budget, work // len(ALL), (setting,))
        if found is None:
            continue
        if best is None or cost(found) < cost(best):
            yield (best := found)
        budget.check()
        better = improve.improve(level, found, metric, IMPROVED)
        if cost(better) < cost(best):
            yield (best := better)
    if best is not None:
        budget.check()
        expansions = min(max(IMPROVED, work // PER_POSITION), MOST_IMPROVED)
        better = improve.improve(level, best, metric, expansions)
        if cost(better) < cost(best):
            yield better


def _pushes(letters: Sequence[str]) -> int:
    return sum(letter.isupper() for letter in letters)
