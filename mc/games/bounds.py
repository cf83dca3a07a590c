"""Bounds of the best probability of winning in a graph, and their checks: Bellman inequalities, in whole numbers.

Values of nodes are multiples of a unit. They are upper bounds if they are not negative, at least 1 in solved
nodes, and in each node at least the expected value after each way: the best probabilities are the least such
values. They are lower bounds if a strategy has, in each unsolved node with a positive value, a way whose expected
value is not less, and if it cannot stay for ever among such nodes.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from puzzlemc.mc.games.decisions import Graph, Way
from puzzlemc.mc.limits import Budget

Value: TypeAlias = int | Fraction
Strategy: TypeAlias = Mapping[int, Way | None]  # by node its way, None in solved nodes

UNIT = 1 << 60  # what stands for the probability 1, of values in whole numbers
MOST_SWEEPS = 2_000


def total(way: Way, values: Sequence[Value]) -> Value:
    """The expected value after a way, times the sum of its shares."""
    return sum(share * values[node] for share, node in zip(way.shares, way.after, strict=True))


def are_upper_bounds(graph: Graph, values: Sequence[Value], one: int) -> bool:
    """Is no node's best probability, times `one`, greater than its value?"""
    return not graph.open and all(
        values[number] >= (one if number in graph.solved else 0)
        and all(values[number] * sum(way.shares) >= total(way, values) for way in ways)
        for number, ways in enumerate(graph.ways)
    )


def are_lower_bounds(graph: Graph, strategy: Strategy, values: Sequence[Value], one: int) -> bool:
    """Does a strategy win from each node with at least the probability value / `one`?"""
    positive = [number for number, value in enumerate(values) if value > 0 and number not in graph.solved]
    if any(values[number] > one for number in graph.solved):
        return False
    before: dict[int, list[int]] = {}  # by node: the positive ones from which the strategy may enter it
    for number in positive:
        way = strategy.get(number)
        if way is None or way not in graph.ways[number] or values[number] * sum(way.shares) > total(way, values):
            return False
        for after in way.after:
            before.setdefault(after, []).append(number)
    leaving = set(before).difference(positive)
    waiting = list(leaving)
    for number in waiting:
        new = set(before.get(number, ())) - leaving
        leaving |= new
        waiting += new
    return leaving.issuperset(positive)


def raised(graph: Graph, values: list[int], budget: Budget) -> bool:
    """Raise values in unsolved nodes until they are upper bounds. Returns whether few sweeps are enough."""

    def wanted(number: int) -> int:
        return max((-(-total(way, values) // sum(way.shares)) for way in graph.ways[number]), default=0)

    return _swept(range(len(values)), values, lambda number: max(values[number], wanted(number)), budget)


def lowered(strategy: Strategy, values: list[int], budget: Budget) -> bool:
    """Lower values until they are lower bounds for a strategy. Returns whether few sweeps are enough."""

    def wanted(number: int) -> int:
        way = strategy[number]
        assert way is not None
        return min(values[number], total(way, values) // sum(way.shares))

    nodes = [number for number, way in strategy.items() if way is not None]
    return _swept(nodes, values, wanted, budget)


def _swept(nodes: Sequence[int], values: list[int], wanted: Callable[[int], int], budget: Budget) -> bool:
    """Give nodes the wanted values, in turn from both ends, until none changes. Returns whether that was soon."""
    for _ in range(MOST_SWEEPS):
        nodes, is_same = nodes[::-1], True
        for number in nodes:
            budget.check()
            value = wanted(number)
            if value != values[number]:
                values[number], is_same = value, False
        if is_same:
            return True
    return False
