"""`EX`, `EU` and `EG` over an explicit state graph, in time linear in its edges.

A set is an array with a truth value for each state. The algorithms are those of Clarke, Emerson and Sistla (1986),
except for `EG`: it removes states without a successor in the set, instead of computing components.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from puzzlemc.mc.graph import fixpoints
from puzzlemc.mc.graph.paths import shortest_path
from puzzlemc.mc.graph.state_graph import StateGraph
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Formula, State
from puzzlemc.mc.packed.layout import Truths

Number: TypeAlias = int


class ExplicitStructure:
    """The protocol `check.Structure` over a complete state graph; a state is given by its number."""

    def __init__(self, graph: StateGraph, budget: Budget) -> None:
        self._graph = graph
        self._budget = budget
        self.everything: Truths = np.ones(len(graph), np.bool_)
        self.initial: Truths = np.arange(len(graph)) < graph.initial
        self.stuck: Truths = graph.stuck

    def where(self, formula: Formula, /) -> Truths:
        """The states in which the formula holds."""
        return self._graph.holds(formula)

    def counting(self, formulas: Sequence[Formula], numbers: Collection[int], /) -> Truths:
        """The states in which the number of true formulas is one of `numbers`."""
        count = np.zeros(len(self._graph), np.int32)
        for formula in formulas:
            self._budget.check()
            count += self._graph.holds(formula)
        return np.isin(count, list(numbers))

    def union(self, f: Truths, g: Truths, /) -> Truths:
        """States in f or g."""
        return f | g

    def intersection(self, f: Truths, g: Truths, /) -> Truths:
        """States in f and g."""
        return f & g

    def difference(self, f: Truths, g: Truths, /) -> Truths:
        """States in f but not in g."""
        return f & ~g

    def is_empty(self, f: Truths, /) -> bool:
        """Is the set empty?"""
        return not f.any()

    def contains(self, f: Truths, state: Number, /) -> bool:
        """Is the state in the set?"""
        return bool(f[state])

    def count(self, f: Truths, /) -> int:
        """The number of states."""
        return int(f.sum())

    def pick(self, f: Truths, /) -> Number:
        """The first state of a set that is not empty."""
        return int(f.argmax())

    def before(self, f: Truths, /) -> Truths:
        """The states with a successor in f; a stuck state is its own successor."""
        return self.stuck & f | fixpoints.neighbours(self._graph.back.adjacency, f)

    def until(self, p: Truths, q: Truths, /) -> Truths:
        """The states from which a path through p leads to q. Raises LimitReached."""
        self._budget.check()
        return fixpoints.until(self._graph.back.adjacency, p, q)

    def always(self, p: Truths, /) -> Truths:
        """The states from which an infinite path stays in p. Raises LimitReached."""
        self._budget.check()
        return fixpoints.always(self._graph.forth.adjacency, self._graph.back.adjacency, p)

    def successors(self, state: Number, /) -> Iterator[tuple[Action, Number]]:
        """The enabled actions of a state with their successors."""
        forth = self._graph.forth
        for edge in range(int(forth.first[state]), int(forth.first[state + 1])):
            yield self._graph.model.actions[int(forth.action[edge])], int(forth.other[edge])

    def shortest_path(self, start: Number, within: Truths, to: Truths, /) -> list[Number]:
        """A shortest path through `within` to a state of `to`. Raises LookupError without a path, LimitReached."""

        self._budget.check()
        states = shortest_path(self._graph.forth.adjacency, start, within, to)
        if not states:
            raise LookupError("no run leads from the state into the set")
        return states

    def state(self, state: Number, /) -> State:
        """The state as the set of its bits."""
        return self._graph.state(state)
