"""Textbook searches over the plain rules of a puzzle, for comparison with the engines. They are not engines.

A *weight* is a function of a level, a position and the steps from it; it returns a number for each step, and small
numbers are good. Notation: a *method* searches a level and returns a `Found`; a position is *visited* when its
steps are computed. No method but iterative deepening visits a position twice.

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

MOST_STORED = 4_000_000  # positions in memory: a few GiB of Python objects


@dataclass(frozen=True)
class Found:
    """The result of a method: the moves of a solution, or None, and the number of visited positions.

    `limit` is the limit that stopped it. No moves and no limit mean that there is no solution.
    """

    moves: tuple[str, ...] | None
    visited: int
    limit: str | None = None


Method: TypeAlias = Callable[[Transition, Any, Budget], Found]


class _Node:
    """A node of the search tree: a position, the parent node, and the move between them."""

    __slots__ = ("before", "move", "position")

    def __init__(self, position: Hashable, before: "_Node | None" = None, move: str = "") -> None:
        self.position, self.before, self.move = position, before, move

    def moves(self) -> tuple[str, ...]:
        """The moves from the start."""
        moves = []
        node = self
        while node.before is not None:
            moves.append(node.move)
            node = node.before
        return tuple(reversed(moves))


def breadth_first(rules: Transition, level: Any, budget: Budget) -> Found:
    """The first solved position, nearest to the start first."""
    return best_first(rules, level, budget)


def best_first(
    rules: Transition, level: Any, budget: Budget, weigh: Weight | None = None, estimate: Weight | None = None
) -> Found:
    """Best-first search in the order of g + h: return the first solved position.

    g is the sum of the weights, each 1 without `weigh`; h is 0 without `estimate`. So `weigh` alone gives
    uniform-cost search, and both give A*. Ties are broken by first in, first out.
    """
    first = _Node(rules.start(level))
    heap: list[tuple[int, int, int, _Node]] = [(0, 0, 0, first)]
    closed: set[Hashable] = set()
    found = 0
    try:
        while heap:
            _, _, cost, node = heapq.heappop(heap)
            if node.position in closed:
                continue
            if rules.solved(level, node.position):
                return Found(node.moves(), len(closed))
            _check(budget, len(closed) + len(heap))
            closed.add(node.position)
            steps = [s for s in rules.steps(level, node.position) if s.position not in closed]
            weights = weigh(level, node.position, steps) if weigh else [1] * len(steps)
            beyond = estimate(level, node.position, steps) if estimate else [0] * len(steps)
            for step, weight, rest in zip(steps, weights, beyond, strict=True):
                found += 1
                total = cost + weight
                heapq.heappush(heap, (total + rest, found, total, _Node(step.position, node, step.name)))
    except LIMITS as limit:
        return Found(None, len(closed), reason_of(limit))
    return Found(None, len(closed))


def depth_first(rules: Transition, level: Any, budget: Budget, order: Order | None = None) -> Found:
    """The first solved position in depth-first order; with `order`, the steps of a position are sorted by it."""
    stack = [_Node(rules.start(level))]
    closed: set[Hashable] = set()
    try:
        while stack:
            node = stack.pop()
            if node.position in closed:
                continue
            if rules.solved(level, node.position):
                return Found(node.moves(), len(closed))
            _check(budget, len(closed) + len(stack))
            closed.add(node.position)
            steps = [s for s in rules.steps(level, node.position) if s.position not in closed]
            if order:
                keys = order(level, node.position, steps)
                steps = [steps[index] for index in sorted(range(len(steps)), key=keys.__getitem__)]
            stack += [_Node(step.position, node, step.name) for step in reversed(steps)]
    except LIMITS as limit:
        return Found(None, len(closed), reason_of(limit))
    return Found(None, len(closed))


def iterative_deepening(rules: Transition, level: Any, budget: Budget) -> Found:
    """Depth-first search with a depth limit that grows by one; stores only the positions on the current path."""
    visited = 0
    limit, cut = 0, True
    try:
        while cut:
            cut = False
            moves: list[str] = []
            path = [rules.start(level)]
            if rules.solved(level, path[0]):
                return Found((), visited)
            branches = []
            if limit:
                visited += 1
                branches.append(iter(list(rules.steps(level, path[0]))))
            else:
                cut = True
            while branches:
                budget.check()
                step = next(branches[-1], None)
                if step is None:
                    branches.pop()
                    path.pop()
                    moves = moves[:-1]
                elif step.position not in path:
                    if rules.solved(level, step.position):
                        return Found((*moves, step.name), visited)
                    if len(branches) < limit:
                        visited += 1
                        path.append(step.position)
                        moves.append(step.name)
                        branches.append(iter(list(rules.steps(level, step.position))))
                    else:
                        cut = True
            limit += 1
    except LIMITS as reached:
        return Found(None, visited, reason_of(reached))
    return Found(None, visited)


def _check(budget: Budget, kept: int) -> None:
    """Raise LimitReached if the time is up or too many positions are stored."""
    budget.check()
    if kept > MOST_STORED:
        raise LimitReached("memory")


# The methods for every puzzle, by name. A puzzle may have more.

METHODS: dict[str, Method] = {
    "breadth-first": breadth_first,
    "iterative deepening": iterative_deepening,
    "depth-first": depth_first,
}
