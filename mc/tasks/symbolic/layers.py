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
from puzzlemc.mc.tasks.symbolic.relations import Relation, Step

Relations: TypeAlias = Mapping[int, Sequence[Relation]]  # by cost


@dataclass(frozen=True)
class Layer:
    """The states with least cost `cost`: `states` is the union of `rings`, which are disjoint."""

    cost: int
    states: StateSet
    rings: tuple[StateSet, ...]


class Layers:
    """A search: its layers so far, their union `closed`, the open sets by cost. The last layer is not expanded.

    nodes  of the last layer
    work   nodes of all images since the last layer was expanded, which had `worked` nodes
    """

    def __init__(self, coding: Coding, relations: Relations, step: Step) -> None:
        """`step` leads away from the start."""
        self.coding = coding
        self.relations = relations
        self.step = step
        self.layers: list[Layer] = []
        self.closed = coding.empty
        self.nodes = self.work = self.worked = 0
        self._open: dict[int, StateSet] = {}
        self._least = min((cost for cost in relations if cost), default=inf)
        self._expanded = True  # there is no layer to expand

    def start(self, states: StateSet, budget: Budget) -> None:
        """Enter layer 0, which has these states. Raises LimitReached."""
        self._open[0] = states
        self.enter(budget)

    @property
    def cost(self) -> float:
        """All states with a smaller cost were expanded: the cost of the last layer, infinite if none is open."""
        return inf if self._expanded else self.layers[-1].cost

    @property
    def next_cost(self) -> float:
        """All states with a smaller cost are closed."""
        return min([*self._open, self.cost + self._least])

    @property
    def promised_work(self) -> float:
        """The work of the next expansion, if it grows as the layer does."""
        return self.work * self.nodes / self.worked if self.worked else self.nodes

    def expand(self, budget: Budget) -> Iterator[tuple[int, StateSet]]:
        """Expand the last layer; yield new sets of states with their costs. Raises LimitReached."""
        last = self.layers[-1]
        self._expanded = True
        self.work, self.worked = 0, self.nodes
        for cost in self.relations:
            if cost:
                states = self._successors(cost, last.states, budget) & ~self.closed
                if states != self.coding.empty:
                    self._open[last.cost + cost] = states | self._open.get(last.cost + cost, self.coding.empty)
                    yield last.cost + cost, states

    def enter(self, budget: Budget) -> Layer | None:
        """Close the next layer: the open states of least cost, and those that need no cost from there.

        None: no state is open. Raises LimitReached.
        """
        while self._open:
            cost = min(self._open)
            ring = self._open.pop(cost) & ~self.closed
            rings = []
            states = self.coding.empty
            while ring != self.coding.empty:
                rings.append(ring)
                states |= ring
                self.closed |= ring
                ring = self._successors(0, ring, budget) & ~self.closed
            if rings:
                self.nodes = len(states)
                self.layers.append(Layer(cost, states, tuple(rings)))
                self._expanded = False
                return self.layers[-1]
        return None

    def _successors(self, cost: int, states: StateSet, budget: Budget) -> StateSet:
        """The states that operators of this cost lead to."""
        parts = []
        for relation in self.relations.get(cost, ()):
            part = self.step(relation, states)
            self.work += len(part)
            parts.append(part)
            budget.check()
            self.coding.check_nodes()
        return self.coding.union(parts)
