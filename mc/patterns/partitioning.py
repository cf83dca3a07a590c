"""Saturated cost partitioning over pattern databases, in several orders (Seipp, Keller and Helmert 2020).

In one order, each database takes the least costs that keep its distances, and leaves the rest of the costs to the
databases after it. The sum of the distances is a consistent lower bound. An order suits some states: it is greedy
for a sample state, by the distance of the sample divided by the costs that the database would take. An order is
kept if it raises the bound of a sample.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted, Costs, Database, Distances
from puzzlemc.mc.patterns.estimate import Sums, Table
from puzzlemc.mc.patterns.potential import Potential
from puzzlemc.mc.tasks.task import State

MOST_VALUE = INFINITE - 1
IN_VAIN = 12  # orders one after the other that raise no bound


@dataclass
class Partitionings:
    """Cost partitionings so far, and the bounds of sample states.

    work       the steps of all searches in projections, and those that built them
    potential  one more bound, if there is one
    """

    abstracted: Abstracted
    databases: Sequence[Database]
    check: Callable[[], None]
    work: int = 0
    potential: Potential | None = None
    orders: list[dict[int, Distances]] = field(default_factory=list)

    def __post_init__(self) -> None:
        costs = self.abstracted.costs
        self._alone = [self._distances(each, costs) for each in self.databases]
        self._taken = [
            max(1, int(np.maximum(each.saturated(distances), 0).sum()))
            for each, distances in zip(self.databases, self._alone, strict=True)
        ]
        self._best: dict[State, int] = {}
        self._places: dict[State, list[int]] = {}

    def diversify(self, samples: Sequence[State], most_work: int, most_bytes: int) -> None:
        """Add orders for one sample after the other, until they raise no bound, or until that much is used."""
        for sample in samples:
            self._best.setdefault(sample, max((self._bound(order, sample) for order in self.orders), default=-1))
        in_vain = 0
        for sample in samples:
            if in_vain == IN_VAIN or self.work > most_work or self.bytes > most_bytes:
                break
            order = self._partition(self._greedy(sample))
            bounds = {state: self._bound(order, state) for state in self._best}
            raised = [state for state, bound in bounds.items() if bound > self._best[state]]
            in_vain = 0 if raised else in_vain + 1
            if raised or not self.orders:
                self.orders.append(order)
                self._best.update((state, bounds[state]) for state in raised)

    @property
    def bytes(self) -> int:
        """The size of the distances of all orders."""
        return sum(distances.nbytes for order in self.orders for distances in order.values())

    def bound(self, state: State) -> int:
        """The bound of a state by the cost partitionings; INFINITE if it is a dead end."""
        return max((self._bound(order, state) for order in self.orders), default=0)

    def mean(self, samples: Sequence[State]) -> float:
        """The mean bound of samples that are no dead ends."""
        bounds = [self.bound(sample) for sample in samples]
        if self.potential is not None:
            bounds = [max(b, self.potential.bound(state)) for b, state in zip(bounds, samples, strict=True)]
        finite = [bound for bound in bounds if bound < INFINITE]
        return sum(finite) / max(1, len(finite))

    def tables(self) -> list[Table]:
        """The distances that the bound adds, and those that say where no plan leads to the goal."""
        tables = []
        uncounted = len(self.orders) + (self.potential is not None)
        for number, each in enumerate(self.databases):
            using = [order for order, taken in enumerate(self.orders) if number in taken]
            if using:
                distances = np.stack([self.orders[order][number] for order in using], axis=1)
                tables.append(Table(each.variables, each.factors, distances, tuple(using), each.alive))
            elif each.has_dead_ends(self._alone[number]):
                dead = np.where(self._alone[number] >= INFINITE, INFINITE, 0).astype(np.int32)
                last = (uncounted,)
                tables.append(Table(each.variables, each.factors, dead[:, None], last, each.alive, counts=False))
        return tables

    def estimate(self) -> Sums:
        """The bound as compiled code: the greatest sum over all orders, and the potential."""
        tables, variables, last = self.tables(), len(self.abstracted.task.variables), self.potential
        if last is None:
            return Sums(tables, len(self.orders), variables)
        return Sums([*tables, *last.tables(len(self.orders))], len(self.orders) + 1, variables, last.scale)

    def is_dead(self, state: State) -> bool:
        """Does a database say that no plan leads from the state to the goal?

        If the state respects all mutex groups, so do its successors, and they are dead, too.
        """
        pairs = zip(self.databases, self._alone, strict=True)
        return any(each.is_dead_end(distances, state) for each, distances in pairs)

    def _greedy(self, sample: State) -> list[int]:
        """The databases in the order of their distances from the sample, divided by the costs that they take."""
        value = [
            min(int(distances[each.index(sample)]), MOST_VALUE) / taken
            for each, distances, taken in zip(self.databases, self._alone, self._taken, strict=True)
        ]
        return sorted(range(len(value)), key=lambda number: -value[number])

    def _partition(self, order: Sequence[int]) -> dict[int, Distances]:
        """The distances of the databases that get costs in this order."""
        left = self.abstracted.costs.copy()
        taken: dict[int, Distances] = {}
        for number in order:
            each = self.databases[number]
            if not left[each.relevant].any():
                continue
            distances = self._distances(each, left)
            if each.informs(distances):
                left -= each.saturated(distances)
                taken[number] = distances
        return taken

    def _distances(self, each: Database, costs: Costs) -> Distances:
        self.check()
        self.work += each.work
        return each.distances(costs, self.abstracted.queue)

    def _bound(self, order: dict[int, Distances], state: State) -> int:
        """The sum of the distances of a state; INFINITE if one of them is."""
        places = self._places.get(state)
        if places is None:
            places = self._places[state] = [each.index(state) for each in self.databases]
        parts = [int(distances[places[number]]) for number, distances in order.items()]
        return INFINITE if INFINITE in parts else min(sum(parts), MOST_VALUE)
