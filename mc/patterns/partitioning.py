"""Saturated cost partitioning over pattern databases, in several orders (Seipp, Keller and Helmert 2020).

In one order, each database takes the least costs that keep its distances, and leaves the rest of the costs to the
databases after it. The sum of the distances is a consistent lower bound. An order suits some states: it is greedy
for a sample state, by the distance of the sample divided by the costs that the database would take. An order is
kept if it raises the bound of a sample.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted, Costs, Database, Distances
from puzzlemc.mc.patterns.estimate import Sums, Table
from puzzlemc.mc.patterns.potential import Potential
from puzzlemc.mc.tasks.task import State

Places = npt.NDArray[np.int64]

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

    def diversify(
        self, samples: Sequence[State], most_work: int, most_bytes: int, before: "Partitionings | None" = None
    ) -> None:
        """Add orders for one sample after the other, until they raise no bound, or until that much is used.

        Those of partitionings `before`, whose databases are among these, come first.
        """
        places = self._places(samples)
        best = np.full(len(samples), -1, np.int64)

        def raises(order: dict[int, Distances]) -> bool:
            nonlocal best
            bounds = _sums(order, places)
            if self.orders and not (bounds > best).any():
                return False
            self.orders.append(order)
            best = np.maximum(best, bounds)
            return True

        for known in self._numbered(before):
            raises(known)
        in_vain = 0
        for number in range(len(samples)):
            if in_vain == IN_VAIN or self.work > most_work or self.bytes > most_bytes:
                break
            in_vain = 0 if raises(self._partition(self._greedy(places[:, number]))) else in_vain + 1

    def _numbered(self, before: "Partitionings | None") -> list[dict[int, Distances]]:
        """The orders of other partitionings, by the numbers of the databases here."""
        if before is None:
            return []
        numbers = {each.variables: number for number, each in enumerate(self.databases)}
        return [
            {numbers[before.databases[other].variables]: distances for other, distances in order.items()}
            for order in before.orders
        ]

    @property
    def bytes(self) -> int:
        """The size of the distances of all orders."""
        return sum(distances.nbytes for order in self.orders for distances in order.values())

    def bound(self, state: State) -> int:
        """The bound of a state by the cost partitionings; INFINITE if it is a dead end."""
        return int(self._bounds(self._places([state]))[0])

    def mean(self, samples: Sequence[State]) -> float:
        """The mean bound of samples that are no dead ends."""
        bounds = self._bounds(self._places(samples))
        if self.potential is not None:
            bounds = np.maximum(bounds, [self.potential.bound(state) for state in samples])
        finite = bounds[bounds < INFINITE]
        return float(finite.mean()) if len(finite) else 0.0

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

    def _places(self, samples: Sequence[State]) -> Places:
        """The abstract states of the samples: (databases, samples)."""
        values = np.array(samples, np.int64).reshape(len(samples), -1)
        found = [values[:, each.variables] @ np.array(each.factors, np.int64) for each in self.databases]
        return np.array(found, np.int64).reshape(len(found), len(samples))

    def _bounds(self, places: Places) -> Costs:
        """The bounds of samples in these places, at least 0."""
        bounds = np.zeros(places.shape[1], np.int64)
        for order in self.orders:
            bounds = np.maximum(bounds, _sums(order, places))
        return bounds

    def _greedy(self, places: Costs) -> list[int]:
        """The databases in the order of their distances from a sample, divided by the costs that they take."""
        distances = [each[place] for each, place in zip(self._alone, places, strict=True)]
        value = np.minimum(distances, MOST_VALUE) / self._taken
        order: list[int] = np.argsort(-value, kind="stable").tolist()
        return order

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


def _sums(order: dict[int, Distances], places: Places) -> Costs:
    """The sums of the distances of samples in these places; INFINITE if one of them is."""
    sums = np.zeros(places.shape[1], np.int64)
    is_dead = np.zeros(places.shape[1], np.bool_)
    for number, distances in order.items():
        parts = distances[places[number]]
        is_dead |= parts >= INFINITE
        sums += parts
    found: Costs = np.where(is_dead, INFINITE, np.minimum(sums, MOST_VALUE))
    return found
