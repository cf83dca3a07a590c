"""Symbolic search in layers of equal cost, from the start of a system to its finish.

Dijkstra's algorithm over sets of states: a layer is the set of all states with least cost g. It is closed under
actions without cost; an action of cost c leads from layer g to layer g + c. All layers are stored, and a trace is
constructed from them backward.
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
    """The states with least cost `cost`: `states` is all of them, `entry` those reached by a step with a cost."""

    cost: int
    entry: Split[S]
    states: Split[S]


class Search(Generic[S]):
    """The state of a search: its layers so far, the reached states, and the open sets by cost."""

    def __init__(self, system: System[S]) -> None:
        self.system = system
        self.layers: list[Layer[S]] = []
        self.reached: Split[S] = {}
        self.open_sets: dict[int, Split[S]] = {0: dict(system.start.states)}

    @property
    def cost(self) -> int | None:
        """The least cost of an open set, None if there is none."""
        return min(self.open_sets, default=None)

    def enter(self, budget: Budget) -> Split[S]:
        """Compute the next layer: the new states of the least open cost, and their closure under free actions.

        Returns its states; the empty set if all open states of that cost were reached at less cost. Raises
        LimitReached.
        """
        cost = min(self.open_sets)
        entry = self.system.difference(self.open_sets.pop(cost), self.reached)
        if not entry:
            return {}
        states = closure(self.system, entry, self.reached, budget)
        self.layers.append(Layer(cost, entry, states))
        return states

    def expand(self, budget: Budget) -> None:
        """Add the successors of the last layer, by actions with a cost, to the open sets. Raises LimitReached."""
        diagrams = self.system.diagrams
        cost, _, states = self.layers[-1]
        for at, here in states.items():
            for target, apply, step_cost, _ in self.system.forth[at]:
                if step_cost:
                    budget.check()
                    there = apply(here)
                    if not diagrams.is_empty(there):
                        self.system.add(self.open_sets.setdefault(cost + step_cost, {}), {target: there})
            pause(diagrams, budget)


def search(system: System[S], budget: Budget) -> tuple[Search[S], Split[S]]:
    """Search from the start until a finish state is reached, or no state is open. Raises LimitReached.

    Returns the search and the finish states in its last layer; the empty set if the finish is unreachable.
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
    """The closure of `entry` under actions without cost, minus `reached`. Adds the closure to `reached`.

    `entry` and `reached` must be disjoint. Locations are in a queue; the states that arrive at a location while it
    is in the queue are expanded together. Raises LimitReached.
    """
    diagrams = system.diagrams
    union, difference, is_empty = diagrams.union, diagrams.difference, diagrams.is_empty
    system.add(reached, entry)
    states = dict(entry)
    queue = dict(entry)
    while queue:
        at = next(iter(queue))
        here = queue.pop(at)
        for target, apply, step_cost, _ in system.forth[at]:
            if step_cost:
                continue
            budget.check()
            there = apply(here)
            old = reached.get(target)
            if old is not None:
                there = difference(there, old)
            if is_empty(there):
                continue
            reached[target] = there if old is None else union(old, there)
            states[target] = union(states[target], there) if target in states else there
            queue[target] = union(queue[target], there) if target in queue else there
        pause(diagrams, budget)
    return states


def pause(diagrams: Diagrams[S], budget: Budget) -> None:
    """Check the budget and the free nodes of the manager between two operations. Raises LimitReached."""
    budget.check()
    diagrams.tidy()


def path(found: Search[S], last: State, cost: int) -> tuple[list[State], list[Action]]:
    """The states and actions of a path from the start to the state `last` in the layer of that cost."""
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
        state, action, step_cost = _predecessor(system, layers, cost, states[0])
        prepend(state, action)
        cost -= step_cost


def free_path(system: System[S], layer: Layer[S], last: State) -> list[tuple[State, Action]]:
    """A shortest path of free actions from the layer's entry to `last`: its states and actions, from the end."""
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
    """A state in a cheaper layer with an action to `state`, whose cost is the difference of the layers."""
    for step_cost in sorted({cost - other for other in layers if other < cost}):
        try:
            return _step(system, system.back, state, layers[cost - step_cost].states, step_cost)
        except LookupError:
            continue
    raise LookupError("no layer holds a predecessor")


def _step(
    system: System[S], edges: CompiledEdges, state: State, goal: Split[S], step_cost: int
) -> tuple[State, Action, int]:
    """One step of that cost from a state into a set: the successor, the action and its cost."""

    ((at, here),) = system.single(state).items()
    edge: Edge
    for edge in edges[at]:
        if edge.cost == step_cost:
            met = system.intersection({edge.target: edge.apply(here)}, goal)
            if met:
                return system.pick(met), edge.action, edge.cost
    raise LookupError("no edge leads from the state into the set")
