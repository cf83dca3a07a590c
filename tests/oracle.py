"""Plain oracles for the engines, written without any of their code."""

import heapq
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model

# This suffices for small models. At its start CUDD sets aside a share of its memory limit: with the default limit,
# that takes longer than the tests.
SMALL = Limits(memory=128 << 20)


def dijkstra(
    starts: Iterable[Hashable],
    successors: Callable[[Hashable], Iterable[tuple[Hashable, int]]],
    is_last: Callable[[Any], bool] = lambda _: False,
) -> dict[Hashable, int]:
    """The least cost of every reachable node, up to the first one that is last."""
    best: dict[Hashable, int] = {}
    queue = [(0, number, node) for number, node in enumerate(starts)]
    number = len(queue)
    while queue:
        cost, _, node = heapq.heappop(queue)
        if node in best:
            continue
        best[node] = cost
        if is_last(node):
            break
        for after, price in successors(node):
            number += 1
            heapq.heappush(queue, (cost + price, number, after))
    return best


def costs_by_rules(rules: Puzzle, level: object, metric: str) -> tuple[dict[Any, int], dict[Any, int]]:
    """By position: the least cost to reach it, and the least cost from it to a solved one, where there are any."""
    backward: dict[Hashable, list[tuple[Hashable, int]]] = {}

    def followed(position: Hashable) -> list[tuple[Hashable, int]]:
        steps = [(step.position, step.costs[metric]) for step in rules.rules.steps(level, position)]
        for after, cost in steps:
            backward.setdefault(after, []).append((position, cost))
        return steps

    reached = dijkstra([rules.rules.start(level)], followed)
    solved = [position for position in reached if rules.rules.solved(level, position)]
    return reached, dijkstra(solved, lambda position: backward.get(position, ()))


def all_states(model: Model) -> list[State]:
    """Every assignment to the bits of a small model."""
    return [frozenset(held) for size in range(len(model.bits) + 1) for held in combinations(model.bits, size)]


def least_cost(model: Model, metric: str) -> int | None:
    """The least cost of a goal state of a small model; None if no goal is reachable."""

    def successors(state: State) -> Iterable[tuple[State, int]]:
        for action in model.actions:
            if action.enabled(state):
                yield action.fire(state), action.costs[metric]

    def is_goal(state: State) -> bool:
        return holds(model.goal, state)

    best = dijkstra([s for s in all_states(model) if holds(model.init, s)], successors, is_goal)
    return _of_last(best, is_goal)


def least_cost_by_rules(rules: Puzzle, level: object, metric: str) -> int | None:
    """The least cost of a solution by the plain rules; None if there is none."""

    def successors(position: Hashable) -> Iterable[tuple[Hashable, int]]:
        for step in rules.rules.steps(level, position):
            yield step.position, step.costs[metric]

    def is_solved(position: Hashable) -> bool:
        return rules.rules.solved(level, position)

    best = dijkstra([rules.rules.start(level)], successors, is_solved)
    return _of_last(best, is_solved)


def _of_last(best: dict[Any, int], is_last: Callable[[Any], bool]) -> int | None:
    """The cost of the node that a search has ended with; None if there is none."""
    for node in reversed(best):
        return best[node] if is_last(node) else None
    return None
