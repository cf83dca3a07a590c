"""Symbolic search in layers of equal cost, from the start of a system to its finish.

Dijkstra's algorithm over sets of states: a layer is all states at least cost g. Actions that cost nothing
are closed over inside a layer; an action of cost c leads from layer g to layer g + c. The layers are kept: a
trace is read off them backward.
"""

from collections import deque
from typing import Generic, NamedTuple, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.symbolic.diagrams import Diagrams
from puzzlemc.mc.symbolic.system import CompiledEdges, Edge, Split, System

S = TypeVar("S")


class Layer(NamedTuple, Generic[S]):
    """All states at least cost `cost`: `entry` those reached by an action that costs, `states` all."""

    cost: int
    entry: Split[S]
    states: Split[S]


class Search(Generic[S]):
    """A search under way: its layers so far, all that was reached, and what waits to be entered, by cost."""

    def __init__(self, system: System[S]) -> None:
        self.system = system
        self.layers: list[Layer[S]] = []
        self.reached: Split[S] = {}
        self.waiting: dict[int, Split[S]] = {0: dict(system.start.states)}

    @property
    def cost(self) -> int | None:
        """The least cost of what is not entered yet, None where nothing waits."""
        return min(self.waiting, default=None)

    def enter(self, budget: Budget) -> Split[S]:
        """Enter the next layer: all new states of the least waiting cost. Raises LimitReached.

        Returns them; they are none where all that waited had been reached at less cost.
        """
        cost = min(self.waiting)
        entry = self.system.difference(self.waiting.pop(cost), self.reached)
        if not entry:
            return {}
        states = closure(self.system, entry, self.reached, budget)
        self.layers.append(Layer(cost, entry, states))
        return states

    def expand(self, budget: Budget) -> None:
        """Let what the last layer leads to, by actions that cost something, wait. Raises LimitReached."""
        diagrams = self.system.diagrams
        cost, _, states = self.layers[-1]
        for at, here in states.items():
            for target, apply, price, _ in self.system.forth[at]:
                if price:
                    there = apply(here)
                    if not diagrams.is_empty(there):
                        self.system.add(self.waiting.setdefault(cost + price, {}), {target: there})
            pause(diagrams, budget)


def search(system: System[S], budget: Budget) -> tuple[Search[S], Split[S]]:
    """Search from the start until the finish is met or nothing new is reached. Raises LimitReached.

    Returns the search and the finish states in its last layer, none where the finish cannot be reached.
    """
    found = Search(system)
    while found.cost is not None:
        budget.prove(found.cost)
        states = found.enter(budget)
        hit = system.finish.meet(states)
        if hit:
            return found, hit
        if states:
            found.expand(budget)
    return found, {}


def closure(system: System[S], entry: Split[S], reached: Split[S], budget: Budget) -> Split[S]:
    """All states that free actions lead to from `entry`, itself included, and that are not yet reached.

    `entry` must not meet `reached`; `reached` grows by what is returned. Locations wait in a queue, and
    what arrives at one meanwhile is expanded together.
    """
    diagrams = system.diagrams
    union, difference, is_empty = diagrams.union, diagrams.difference, diagrams.is_empty
    system.add(reached, entry)
    states = dict(entry)
    waiting = dict(entry)
    while waiting:
        at = next(iter(waiting))
        here = waiting.pop(at)
        for target, apply, price, _ in system.forth[at]:
            if price:
                continue
            there = apply(here)
            old = reached.get(target)
            if old is not None:
                there = difference(there, old)
            if is_empty(there):
                continue
            reached[target] = there if old is None else union(old, there)
            states[target] = union(states[target], there) if target in states else there
            waiting[target] = union(waiting[target], there) if target in waiting else there
        pause(diagrams, budget)
    return states


def pause(diagrams: Diagrams[S], budget: Budget) -> None:
    """Between two operations: look at the clock and at the room. Raises LimitReached."""
    budget.check()
    diagrams.tidy()


def path(found: Search[S], last: State, cost: int) -> tuple[list[State], list[Action]]:
    """A run from the start to the state `last` of the layer of that cost."""
    system = found.system
    layers = {layer.cost: layer for layer in found.layers}
    states: deque[State] = deque([last])
    actions: deque[Action] = deque()

    def prepend(state: State, action: Action) -> None:
        states.appendleft(state)
        actions.appendleft(action)

    while True:
        for state, action in free_path(system, layers[cost], states[0]):
            prepend(state, action)
        if cost == 0:
            return list(states), list(actions)
        state, action, price = _predecessor(system, layers, cost, states[0])
        prepend(state, action)
        cost -= price


def free_path(system: System[S], layer: Layer[S], last: State) -> list[tuple[State, Action]]:
    """States and actions, from the end, of a shortest run of free actions from the layer's entry to `last`."""
    if system.contains(layer.entry, last):
        return []
    reverse = system.reverse()
    rings = [system.single(last)]
    near: Split[S] = dict(rings[0])
    while not (met := system.intersection(rings[-1], layer.entry)):
        ring: Split[S] = {}
        for at, here in rings[-1].items():
            for edge in reverse.forth[at]:
                if not edge.cost:
                    system.add(ring, {edge.target: edge.apply(here)})
        ring = system.difference(system.intersection(ring, layer.states), near)
        if not ring:
            raise LookupError("no free run leads from the entry to the state")
        system.add(near, ring)
        rings.append(ring)
    state = system.pick(met)
    forward: list[tuple[State, Action]] = []
    for ring in reversed(rings[:-1]):
        after, action, _ = _step(system, system.forth, state, ring, 0)
        forward.append((state, action))
        state = after
    return forward[::-1]


def _predecessor(
    system: System[S], layers: dict[int, Layer[S]], cost: int, state: State
) -> tuple[State, Action, int]:
    """A state in a cheaper layer from which an action leads to `state` at exactly this cost."""
    for price in sorted({cost - other for other in layers if other < cost}):
        try:
            return _step(system, system.back, state, layers[cost - price].states, price)
        except LookupError:
            continue
    raise LookupError("no layer holds a predecessor")


def _step(
    system: System[S], edges: CompiledEdges, state: State, goal: Split[S], price: int
) -> tuple[State, Action, int]:
    """One step of that price from a state into a set: the state there, the action and the price."""
    ((at, here),) = system.single(state).items()
    edge: Edge
    for edge in edges[at]:
        if edge.cost == price:
            met = system.intersection({edge.target: edge.apply(here)}, goal)
            if met:
                return system.pick(met), edge.action, edge.cost
    raise LookupError("no edge leads from the state into the set")
