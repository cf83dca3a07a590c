"""Lexicographic least costs by two metrics, by plain search."""

from collections.abc import Hashable, Iterable

from oracle import dijkstra

from puzzlemc.encodings.sokoban.puzzle import PUZZLE as SOKOBAN
from puzzlemc.mc.lexicographic import first, second
from puzzlemc.screens.sokoban import Level

LARGE = 1 << 20  # greater than any cost of a small level by the second metric


def least(level: Level, metric: str) -> tuple[int, int] | None:
    """The lexicographic least costs by two metrics, by the plain rules; None if there is no solution."""

    def successors(position: Hashable) -> Iterable[tuple[Hashable, int]]:
        for step in SOKOBAN.rules.steps(level, position):
            yield step.position, LARGE * step.costs[first(metric)] + step.costs[second(metric)]

    best = dijkstra([SOKOBAN.rules.start(level)], successors)
    cost = min((cost for position, cost in best.items() if SOKOBAN.rules.solved(level, position)), default=None)
    return None if cost is None else divmod(cost, LARGE)
