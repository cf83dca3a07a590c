"""Dijkstra's algorithm over sets of states, from one side: the layers of equal cost.

A layer is the set of all states with least cost g from the start. It is closed under operators without cost; an
operator of cost c leads from layer g to cost g + c. A layer consists of *rings*: an operator without cost leads
from a ring to the next one. All layers are stored, so that a path is constructed from them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.symbolic.mutexes import Exclusions
from puzzlemc.mc.tasks.symbolic.relations import Relation, Step

RelationsByCost: TypeAlias = Mapping[int, Sequence[Relation]]


@dataclass(frozen=True)
class Layer:
    """The states with least cost `cost`: `states` is the union of `rings`, which are disjoint."""

    cost: int
    states: StateSet
    rings: tuple[StateSet, ...]


class Layers:
    """A search from one side, in steps of one image each.

    layers     the layers so far; the last one may be incomplete
    closed     their union
    cost       all states with a smaller cost are expanded
    next_cost  all states with a smaller cost are closed
    nodes      of the set whose image is next
    work       the nodes of all images so far
    """

    def __init__(
        self, coding: Coding, relations: RelationsByCost, step: Step, cut: Exclusions | None = None
    ) -> None:
        """`step` leads away from the start. With `cut`, states that violate a mutex group are left out."""
        self.coding = coding
        self.relations = relations
        self.layers: list[Layer] = []
        self.closed = coding.empty
        self.cost = self.next_cost = inf
        self.nodes = self.work = self._work = self._worked = 0
        self._step = step
        self._cut = cut
        self._open: dict[int, StateSet] = {}
        self._least = min((cost for cost in relations if cost), default=inf)

    @property
    def is_over(self) -> bool:
        """Are all states closed that the start leads to?"""
        return self.cost == inf and bool(self.layers)

    @property
    def promised_work(self) -> float:
        """The nodes that the next step makes, if they grow as the set does whose image it is."""
        return self._work * self.nodes / self._worked if self._worked else self.nodes

    def steps(self, start: StateSet, budget: Budget) -> Iterator[Sequence[tuple[int, StateSet]]]:
        """Yield the sets of states that each step finds or closes, with their costs. Raises LimitReached.

        The first step closes the start, the last one ends the search.
        """
        self._open[0] = start
        found: list[tuple[int, StateSet]] = []
        while self._open:
            cost = min(self._open)
            self.cost = self.next_cost = cost
            ring = self._open.pop(cost) & ~self.closed
            if ring == self.coding.empty:
                continue
            self.layers.append(Layer(cost, self.coding.empty, ()))
            while ring != self.coding.empty:
                self._close(ring)
                if 0 not in self.relations:
                    break
                yield [*found, (cost, ring)]
                found = []
                ring = self._successors(0, ring, budget) & ~self.closed
            states = self.layers[-1].states
            self.next_cost = min([*self._open, cost + self._least])
            self.nodes = len(states)
            yield [*found, (cost, states)]
            found = list(self._expand(cost, states, budget))
        self.cost = self.next_cost = inf
        yield found

    def _close(self, ring: StateSet) -> None:
        """Add a ring to the last layer."""
        last = self.layers[-1]
        self.layers[-1] = Layer(last.cost, last.states | ring, (*last.rings, ring))
        self.closed |= ring
        self.nodes = len(ring)

    def _expand(self, cost: int, states: StateSet, budget: Budget) -> Iterator[tuple[int, StateSet]]:
        """Yield the states that operators with a cost lead to from a layer; they are open now."""
        self._work, self._worked = 0, self.nodes
        for step in self.relations:
            if step:
                found = self._images(step, states, budget) & ~self.closed
                if found != self.coding.empty:
                    self._open[cost + step] = found | self._open.get(cost + step, self.coding.empty)
                    yield cost + step, found

    def _successors(self, cost: int, states: StateSet, budget: Budget) -> StateSet:
        """The states that operators of this cost lead to, as a step of its own."""
        self._work, self._worked = 0, self.nodes
        return self._images(cost, states, budget)

    def _images(self, cost: int, states: StateSet, budget: Budget) -> StateSet:
        parts = []
        for relation in self.relations[cost]:
            part = self._step(relation, states)
            self._work += len(part)
            self.work += len(part)
            parts.append(part)
            budget.check()
            self.coding.check_nodes()
        union = self.coding.union(parts)
        if self._cut is None:
            return union
        allowed = []
        for part in self.coding.parts(union):
            budget.check()
            allowed.append(self._cut.within(part))
        return self.coding.union(allowed)
