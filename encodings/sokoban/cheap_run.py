"""A run that costs little, if any: each setting of the search for runs makes its own, and all are improved.

What they cost differs by a factor of two and more, and no setting has the cheapest on most levels.
"""

from collections.abc import Callable, Sequence

from puzzlemc.encodings.sokoban import improve
from puzzlemc.encodings.sokoban.fess.guess import ALL, guess
from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.jit import ready
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.sokoban import Level

IMPROVED = 1 << 14  # positions that are expanded to improve each run: nothing looks at the clock meanwhile
MOST_IMPROVED = 1 << 16  # likewise for the cheapest of them, all at once: a fourth of it four times finds less
PER_POSITION = 1 << 12  # work for each of those
COSTS: dict[str, Callable[[Sequence[str]], tuple[int, int]]] = {
    "pushes": lambda letters: (_pushes(letters), len(letters)),
    "moves": lambda letters: (len(letters), _pushes(letters)),
}


def cheap_run(level: Level, metric: str, watch: Watch, work: int | None) -> list[str] | None:
    """The letters of a solution, or None where none was found within so much work.

    The first one does where the metric has no costs, and where there is no end of the work. Else each setting has
    its part of the work for itself. Raises LimitReached, MemoryError where there is no run yet.
    """
    if metric not in COSTS or work is None:
        return guess(level, watch, work)
    ready(improve.warm_up, *improve.MODULES)
    runs: list[list[str]] = []
    try:
        for setting in ALL:
            found = guess(level, watch, work // len(ALL), (setting,))
            if found is not None:
                runs.append(found)
                watch.check()
                runs.append(improve.improve(level, found, metric, IMPROVED))
        if runs:
            watch.check()
            budget = min(max(IMPROVED, work // PER_POSITION), MOST_IMPROVED)
            runs.append(improve.improve(level, min(runs, key=COSTS[metric]), metric, budget))
    except LIMITS:
        if not runs:
            raise
    return min(runs, key=COSTS[metric], default=None)


def _pushes(letters: Sequence[str]) -> int:
    return sum(letter.isupper() for letter in letters)
