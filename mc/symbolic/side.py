"""Dijkstra's algorithm over sets of states, from one side, in layers of equal cost.

A layer is the set of all states with least cost g from the start. It is closed under actions without cost; an
action of cost c leads from layer g to cost g + c. All layers are stored, and a path is constructed from them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Generic, NamedTuple, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.symbolic.images import Images

S = TypeVar("S")
P = TypeVar("P")
L = TypeVar("L")


@dataclass
class Layer(Generic[S]):
    """The states with least cost `cost`.

    entry   the states that a step with a cost leads to
    states  the union of `rings`, which are disjoint
    rings   an action without cost leads from the ring before to each state of a ring; a single ring may have all
    """

    cost: int
    entry: S
    states: S
    rings: list[S] = field(default_factory=list)


class Step(NamedTuple, Generic[P, L]):
    """A step of a path: the state before it, counted from the start of the side, its label and its cost."""

    state: P
    label: L
    cost: int


class Side(Generic[S, P, L]):
    """A search from one side.

    layers     the layers so far; the last one may be incomplete
    closed     their union
    cost       all states with a smaller cost are expanded
    next_cost  all states with a smaller cost are closed
    """

    def __init__(self, images: Images[S, P, L], budget: Budget) -> None:
        self.images = images
        self.layers: list[Layer[S]] = []
        self.closed = images.empty
        self.cost: float = 0
        self.next_cost: float = 0
        self._budget = budget
        self._open: dict[int, S] = {0: images.start}
        self._least = min((cost for cost in images.costs if cost), default=inf)
        # The nodes of the set whose image is next; the nodes of the last image, and of the set it is the image of.
        self._nodes = self._work = self._worked = 0

    @property
    def is_over(self) -> bool:
        """Are all states closed that the start leads to?"""
        return self.next_cost == inf

    @property
    def promised_work(self) -> float:
        """The nodes that the next step makes, if they grow as the set does whose image it is."""
        return self._work * self._nodes / self._worked if self._work else self._nodes

    def steps(self) -> Iterator[Sequence[tuple[int, S]]]:
        """Yield the sets of states that each step closes or finds, with their costs. Raises LimitReached.

        The first step closes the start; each other one begins with an image. The last one ends the search.
        """
        images = self.images
        found: list[tuple[int, S]] = []
        while self._open:
            cost = min(self._open)
            self.cost = self.next_cost = cost
            entry = images.difference(self._open.pop(cost), self.closed)
            if images.is_empty(entry):
                continue
            self.layers.append(layer := Layer(cost, entry, images.empty))
            ring = images.closure(entry, self.closed, self._budget)
            while not images.is_empty(ring):
                layer.rings.append(ring)
                layer.states = images.union(layer.states, ring)
                self.closed = images.union(self.closed, ring)
                found = [(cost, ring), *(some for some in found if some[0] > cost)]
                if 0 not in images.costs:
                    break
                self._nodes = images.size(ring)
                yield found
                found = []
                ring = self._successors(ring, [0]).get(0, images.empty)
            self.next_cost = min([*self._open, cost + self._least])
            self._nodes = images.size(layer.states)
            yield found
            found = []
            for step, states in self._successors(layer.states, [step for step in images.costs if step]).items():
                found.append((cost + step, states))
                old = self._open.get(cost + step)
                self._open[cost + step] = states if old is None else images.union(old, states)
        self.cost = self.next_cost = inf
        yield found

    def _successors(self, states: S, costs: Sequence[int]) -> dict[int, S]:
        """The states that are not closed and that actions of these costs lead to, by cost."""
        images, work = self.images, self.images.work
        found = {cost: images.difference(images.image(states, cost, self._budget), self.closed) for cost in costs}
        self._work, self._worked = images.work - work, self._nodes
        return {cost: states for cost, states in found.items() if not images.is_empty(states)}

    def meeting(self, states: S, below: float) -> tuple[int, S] | None:
        """The least cost of a closed state among the states, and those with this cost; None if none is below."""
        images = self.images
        met = images.intersection(states, self.closed)
        for layer in () if images.is_empty(met) else self.layers:
            if layer.cost >= below:
                return None
            common = images.intersection(met, layer.states)
            if not images.is_empty(common):
                return layer.cost, common
        return None

    def path(self, state: P, cost: int) -> list[Step[P, L]]:
        """The steps of a path from the start to a state, the last one first; `cost` is that of a set with it."""
        steps: list[Step[P, L]] = []
        layers = {layer.cost: layer for layer in self.layers}
        while True:
            if cost in layers:
                steps += self._free_steps(layers[cost], state)
            if cost == 0:
                return steps
            state = steps[-1].state if steps else state
            costs = (step for step in self.images.costs if step and cost - step in layers)
            steps.append(
                next(
                    Step(*found, step)
                    for step in costs
                    if (found := self.images.before(state, step, layers[cost - step].states)) is not None
                )
            )
            state, cost = steps[-1].state, cost - steps[-1].cost

    def _free_steps(self, layer: Layer[S], state: P) -> list[Step[P, L]]:
        """The steps of a path without cost from the entry of the layer, the last one first."""
        images, steps = self.images, list[Step[P, L]]()
        number = next((number for number, ring in enumerate(layer.rings) if images.contains(ring, state)), None)
        if number is None:
            return steps
        for ring in reversed(layer.rings[:number]):
            found = images.before(state, 0, ring)
            assert found is not None, "no state of the ring before leads to a state"
            steps.append(Step(*found, 0))
            state = found[0]
        return steps + free_path(images, layer.entry, layer.states, state)


def free_path(images: Images[S, P, L], sources: S, within: S, last: P) -> list[Step[P, L]]:
    """The steps of a shortest path without cost, through states of `within`, from one of the sources.

    The last one comes first. No limit of time ends this: the plan is known. Raises LookupError if there is none.
    """
    back = images.reverse()
    near = images.single(last)
    rings = [near]
    while images.is_empty(met := images.intersection(rings[-1], sources)):
        ring = images.intersection(back.image(rings[-1], 0, Budget()), within)
        rings.append(images.difference(ring, near))
        if images.is_empty(rings[-1]):
            raise LookupError("no actions without cost lead from the sources to the state")
        near = images.union(near, rings[-1])
    state, steps = images.pick(met), list[Step[P, L]]()
    for ring in reversed(rings[:-1]):
        found = back.before(state, 0, ring)
        assert found is not None, "no action leads from a ring to the next one"
        steps.append(Step(state, found[1], 0))
        state = found[0]
    return steps[::-1]
