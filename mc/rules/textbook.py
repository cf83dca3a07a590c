"""The searches of textbooks over the plain rules of a puzzle, to compare engines with. They are no engines.

A *weight* is a heuristic as a function: given a level, a position and the steps out of it, a number for each step,
the less the better. Notation: a *method* searches a level and returns what it Found; a position is *visited* when
its steps are made. Each method but iterative deepening visits no position twice.

Breadth-first, depth-first, iterative deepening (Korf 1985), greedy search, uniform cost (Dijkstra 1959) and A*
(Hart, Nilsson, Raphael 1968). Breadth-first search and iterative deepening find a shortest solution. The others
take the first one that their order meets.
"""

import heapq
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import Step, Transition

Weight: TypeAlias = Callable[[Any, Any, Sequence[Step]], Sequence[int]]
Order: TypeAlias = Callable[[Any, Any, Sequence[Step]], Sequence[Any]]  # to be sorted by

WAITING = 4_000_000  # positions kept, at most: a few GiB of Python's objects


@dataclass(frozen=True)
class Found:
    """What a method found: the moves (None: no solution, or none within the limits), and positions visited.

    `limit` names the limit that stopped it; without one, no moves means that there are none.
    """

    moves: tuple[str, ...] | None
    visited: int
    limit: str | None = None


Method: TypeAlias = Callable[[Transition, Any, Budget], Found]


class _Way:
    """A position with the way to it: chains share their beginnings."""

    __slots__ = ("before", "move", "position")

    def __init__(self, position: Hashable, before: "_Way | None" = None, move: str = "") -> None:
        self.position, self.before, self.move = position, before, move

    def moves(self) -> tuple[str, ...]:
        """The moves from the start."""
        moves = []
        way = self
        while way.before is not None:
            moves.append(way.move)
            way = way.before
        return tuple(reversed(moves))


def breadth_first(rules: Transition, level: Any, budget: Budget) -> Found:
    """The first solved position, nearest to the start first."""
    return best_first(rules, level, budget)


def best_first(
    rules: Transition, level: Any, budget: Budget, weigh: Weight | None = None, estimate: Weight | None = None
) -> Found:
    """The first solved position by least sum of weights (each step 1 without `weigh`) plus last estimate.

    With `weigh` alone this is uniform-cost search, with both it is A*. Of ties, what was found first is visited.
    """
    first = _Way(rules.start(level))
    heap: list[tuple[int, int, int, _Way]] = [(0, 0, 0, first)]
    closed: set[Hashable] = set()
    found = 0
    try:
        while heap:
            _, _, cost, way = heapq.heappop(heap)
            if way.position in closed:
                continue
            if rules.solved(level, way.position):
                return Found(way.moves(), len(closed))
            _check(budget, len(closed) + len(heap))
            closed.add(way.position)
            steps = [s for s in rules.steps(level, way.position) if s.position not in closed]
            weights = weigh(level, way.position, steps) if weigh else [1] * len(steps)
            beyond = estimate(level, way.position, steps) if estimate else [0] * len(steps)
            for step, weight, rest in zip(steps, weights, beyond, strict=True):
                found += 1
                total = cost + weight
                heapq.heappush(heap, (total + rest, found, total, _Way(step.position, way, step.name)))
    except LIMITS as limit:
        return Found(None, len(closed), reason_of(limit))
    return Found(None, len(closed))


def depth_first(rules: Transition, level: Any, budget: Budget, order: Order | None = None) -> Found:
    """The first solved position depth first; with `order`, greedily: of a position's steps the least first."""
    stack = [_Way(rules.start(level))]
    closed: set[Hashable] = set()
    try:
        while stack:
            way = stack.pop()
            if way.position in closed:
                continue
            if rules.solved(level, way.position):
                return Found(way.moves(), len(closed))
            _check(budget, len(closed) + len(stack))
            closed.add(way.position)
            steps = [s for s in rules.steps(level, way.position) if s.position not in closed]
            if order:
                keys = order(level, way.position, steps)
                steps = [steps[index] for index in sorted(range(len(steps)), key=keys.__getitem__)]
            stack += [_Way(step.position, way, step.name) for step in reversed(steps)]
    except LIMITS as limit:
        return Found(None, len(closed), reason_of(limit))
    return Found(None, len(closed))


def iterative_deepening(rules: Transition, level: Any, budget: Budget) -> Found:
    """Depth first with a limit of depth that grows by one; only the positions on the way are kept."""
    visited = 0
    limit, cut = 0, True
    try:
        while cut:
            cut = False
            moves: list[str] = []
            way = [rules.start(level)]
            if rules.solved(level, way[0]):
                return Found((), visited)
            branches = []
            if limit:
                visited += 1
                branches.append(iter(list(rules.steps(level, way[0]))))
            else:
                cut = True
            while branches:
                budget.check()
                step = next(branches[-1], None)
                if step is None:
                    branches.pop()
                    way.pop()
                    moves = moves[:-1]
                elif step.position not in way:
                    if rules.solved(level, step.position):
                        return Found((*moves, step.name), visited)
                    if len(branches) < limit:
                        visited += 1
                        way.append(step.position)
                        moves.append(step.name)
                        branches.append(iter(list(rules.steps(level, step.position))))
                    else:
                        cut = True
            limit += 1
    except LIMITS as reached:
        return Found(None, visited, reason_of(reached))
    return Found(None, visited)


def _check(budget: Budget, kept: int) -> None:
    """Raise LimitReached where time is up or too many positions are kept."""
    budget.check()
    if kept > WAITING:
        raise LimitReached("memory")


# Of any puzzle, by name. A puzzle may have more.
METHODS: dict[str, Method] = {
    "breadth-first": breadth_first,
    "iterative deepening": iterative_deepening,
    "depth-first": depth_first,
}
