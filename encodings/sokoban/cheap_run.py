"""A run that costs little, if any: each setting of the search for runs makes its own, and all are improved.

What they cost differs by a factor of two and more, and no setting has the cheapest on most levels.
"""

from collections.abc import Callable, Sequence

from puzzlemc.encodings.sokoban.fess.guess import ALL, guess
from puzzlemc.encodings.sokoban.improve import improve
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.sokoban import Level

IMPROVED = 1 << 14  # positions that are expanded to improve each run
MOST_IMPROVED = 1 << 16  # likewise for the cheapest of them: nothing looks at the clock meanwhile
PER_POSITION = 1 << 12  # work for each of those
PART = 4  # a setting by itself has one part in so many of the work
COSTS: dict[str, Callable[[Sequence[str]], int]] = {
    "pushes": lambda letters: sum(letter.isupper() for letter in letters),
    "moves": len,
}


def cheap_run(level: Level, metric: str, watch: Watch, work: int | None) -> list[str] | None:
    """The letters of a solution, or None where none was found. Under a metric without costs the first one does.

    Each setting has a part of the work for itself. Where none of them finds a run, all have the whole together.
    Raises LimitReached while there is no run yet.
    """
    if metric not in COSTS:
        return guess(level, watch, work)
    runs: list[list[str]] = []
    try:
        for setting in ALL if work else ():
            if letters := guess(level, watch, (work or 0) // PART, (setting,)):
                runs.append(improve(level, letters, metric, IMPROVED))
    except LimitReached:
        if not runs:
            raise
    if not runs:
        letters = guess(level, watch, work)
        if letters is None:
            return None
        runs.append(letters)
    budget = min(max(IMPROVED, (work or 0) // PER_POSITION), MOST_IMPROVED)
    return improve(level, min(runs, key=COSTS[metric]), metric, budget)
