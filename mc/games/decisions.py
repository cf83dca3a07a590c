"""The graph of all nodes of a decision process that can be reached, and those from which a goal is reached surely.

A strategy wins with probability 1 if it stays among nodes from each of which it can still win. The largest set of
such nodes is a greatest fixed point of least ones (de Alfaro and Henzinger, LICS 2000; Chatterjee, Jurdzinski and
Henzinger, SODA 2004): leave out all nodes from which no way within the set leads to a win, until none is left out.
Only what may follow matters, not how probable it is.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.decisions import DecisionProcess

CERTAIN = (1,)  # the shares of a way with a single outcome


class Way(NamedTuple):
    """An input in a node: its name, and the numbers of the nodes that may follow.

    The probability of each of them is its share, divided by the sum of the shares.
    """

    name: str
    after: tuple[int, ...]
    shares: tuple[int, ...]


@dataclass
class Graph:
    """The nodes that can be reached; node 0 is the start.

    nodes   by number
    ways    by number of a node: the known ways from it; none from a solved node
    solved  the numbers of the solved nodes
    open    the numbers of the nodes with an input of which it is not known what follows
    words   why it is not known
    """

    nodes: list[Hashable] = field(default_factory=list)
    ways: list[list[Way]] = field(default_factory=list)
    solved: set[int] = field(default_factory=set)
    open: set[int] = field(default_factory=set)
    words: str = ""


def explore(process: DecisionProcess, level: Any, budget: Budget, graph: Graph, most: int | None = None) -> None:
    """Fill an empty graph with all nodes that can be reached. Raises LimitReached beyond `most` nodes."""
    numbers = {process.start(level): 0}
    graph.nodes += numbers
    for number, node in enumerate(graph.nodes):
        graph.ways.append([])
        if process.solved(level, node):
            graph.solved.add(number)
            continue
        for name in process.inputs(level, node):
            budget.check()
            try:
                following = process.after(level, node, name)
            except LimitReached as limit:
                if limit.reason != "bound":
                    raise
                graph.open.add(number)
                graph.words = str(limit)
                continue
            for each in following:
                if each not in numbers:
                    numbers[each] = len(graph.nodes)
                    graph.nodes.append(each)
            if most is not None and len(numbers) > most:
                raise LimitReached("bound", f"the level has more than {most:,} positions")
            after = tuple(map(numbers.__getitem__, following))
            if after != (number,):  # what changes nothing is of no use
                graph.ways[number].append(Way(name, after, _shares(tuple(following.values()))))


def _shares(weights: Sequence[Fraction | int]) -> tuple[int, ...]:
    if len(weights) == 1:
        return CERTAIN
    total = lcm(*(weight.denominator for weight in weights))
    return tuple(int(weight * total) for weight in weights)


class Predecessors:
    """The ways into each node of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._into = list[list[tuple[int, Way]]]([] for _ in graph.nodes)
        for number, ways in enumerate(graph.ways):
            for way in ways:
                for after in way.after:
                    self._into[after].append((number, way))

    def attracted(
        self, goal: Iterable[int], may: Callable[[int, Way], bool] = lambda *_: True
    ) -> dict[int, Way | None]:
        """The nodes from which ways that `may` be taken lead to the goal if one is lucky; None in the goal.

        For each other node, the way after which one may be nearest to the goal.
        """
        chosen: dict[int, Way | None] = dict.fromkeys(goal)
        waiting = list(chosen)
        for number in waiting:
            for source, way in self._into[number]:
                if source not in chosen and may(source, way):
                    chosen[source] = way
                    waiting.append(source)
        return chosen

    def almost_sure(self, goal: Collection[int]) -> dict[int, Way | None]:
        """The nodes from which a strategy comes to the goal with probability 1, with its ways; None in the goal.

        All that may follow a way of the strategy are such nodes, too, and one of them is nearer to the goal.
        """
        kept, leaving = len(self._into), set[int]()  # ids of ways that may leave the nodes that are kept
        while True:
            chosen = self.attracted(goal, lambda _, way: id(way) not in leaving)
            if len(chosen) == kept:
                return chosen
            kept = len(chosen)
            leaving.update(
                id(way) for number, ways in enumerate(self._into) if number not in chosen for _, way in ways
            )
