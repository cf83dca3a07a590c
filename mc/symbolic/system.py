"""A model compiled for one diagram package: sets of states partitioned by location, images and preimages.

With a location variable, a set of states is a dict from a location (the number of the variable's value) to a
diagram over the other bits; no diagram in it is empty. An action leads from one location to another and takes a
few small operations. Without a location variable, there is a single location, 0.

A system is the protocol `Images`, with actions as labels. `closure` follows all actions without cost at once,
location by location: ring by ring, it would take more images.

Backward search is forward search in the reversed system: `reverse` swaps the start with the finish, and images
with preimages.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Generic, NamedTuple, TypeVar

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, Cube, Formula, State, constant, literals, negation, support
from puzzlemc.mc.model.hints import Conserved
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.restriction import narrowed, restricted
from puzzlemc.mc.model.variables import Variable
from puzzlemc.mc.symbolic.diagrams import Diagrams, Updates
from puzzlemc.mc.symbolic.packages import diagram_class

S = TypeVar("S")
Split = dict[int, S]


@dataclass(frozen=True)
class Arc:
    """One action from one location to another, without the location's bits.

    `cube` is the guard as literals, and None unless guard and update need no next-state variables.
    """

    source: int
    target: int
    guard: Formula
    cube: Cube | None
    constants: Cube
    formulas: Updates
    cost: int
    action: Action


class Edge(NamedTuple):
    """A compiled arc: its target location and its image or preimage as a function on sets."""

    target: int
    apply: Callable[[Any], Any]
    cost: int
    action: Action


class CompiledEdges:
    """Edges grouped by the location that they leave, compiled on first use."""

    def __init__(self, arcs: Iterable[Arc], compiled: Callable[[Arc], Edge], start: Callable[[Arc], int]) -> None:
        self._arcs: dict[int, list[Arc]] = {}
        for arc in arcs:
            self._arcs.setdefault(start(arc), []).append(arc)
        self._compiled = compiled
        self._edges: dict[int, list[Edge]] = {}

    def arcs(self, location: int) -> list[Arc]:
        """The arcs at a location, in the order of its edges."""
        return self._arcs.get(location, [])

    def __getitem__(self, location: int) -> list[Edge]:
        edges = self._edges.get(location)
        if edges is None:
            edges = self._edges[location] = [self._compiled(arc) for arc in self.arcs(location)]
        return edges


class End(Generic[S]):
    """The start or the finish of a search: the states that satisfy a formula."""

    def __init__(self, diagrams: Diagrams[S], base: Callable[[], S], formulas: list[Formula]) -> None:
        self._diagrams = diagrams
        self._base = base
        self._selectors: list[Callable[[S], S]] = []
        known: dict[int, Callable[[S], S]] = {}
        for formula in formulas:  # often one formula for all locations: compile it once
            if id(formula) not in known:
                known[id(formula)] = diagrams.selector(formula)
            self._selectors.append(known[id(formula)])

    @cached_property
    def states(self) -> Split[S]:
        """All states of the base that satisfy the formula."""
        base = self._base()
        return self.meet(dict.fromkeys(range(len(self._selectors)), base))

    def meet(self, f: Split[S]) -> Split[S]:
        """The states of f that satisfy the formula."""
        found = {at: self._selectors[at](states) for at, states in f.items()}
        return {at: states for at, states in found.items() if not self._diagrams.is_empty(states)}


class System(Generic[S]):
    """A compiled model: start and finish, and the edges out of (`forth`) and into (`back`) each location."""

    def __init__(
        self,
        diagrams: Diagrams[S],
        location: Variable | None,
        arcs: Iterable[Arc],
        start: End[S],
        finish: End[S],
    ) -> None:
        self.diagrams = diagrams
        self.location = location
        self.arcs = tuple(arcs)
        self.first = start
        self.finish = finish
        self.costs = tuple(sorted({arc.cost for arc in self.arcs if arc.cost}))
        self.work = 0  # nodes are not counted: an image consists of many small diagrams
        self.forth = CompiledEdges(self.arcs, partial(_forth, diagrams), lambda arc: arc.source)
        self.back = CompiledEdges(self.arcs, partial(_back, diagrams), lambda arc: arc.target)

    @property
    def start(self) -> Split[S]:
        """The states that the search starts with."""
        return self.first.states

    @property
    def empty(self) -> Split[S]:
        """The empty set."""
        return {}

    def reverse(self) -> "System[S]":
        """The reversed system, which leads from the goal to the initial states."""
        turned = copy(self)
        turned.first, turned.finish, turned.forth, turned.back = (
            self.finish,
            self.first,
            self.back,
            self.forth,
        )
        return turned

    def pruned(self, removed: Callable[[Arc], bool], within: Callable[[Arc], S | None]) -> "System[S]":
        """The system without the arcs that are `removed`. The image of each arc is restricted to `within(arc)`."""
        arcs = [arc for arc in self.arcs if not removed(arc)]
        system = System(self.diagrams, self.location, arcs, self.first, self.finish)

        def forth(arc: Arc) -> Edge:
            edge = _forth(self.diagrams, arc)
            allowed = within(arc)
            if allowed is None:
                return edge
            apply, intersection = edge.apply, self.diagrams.intersection
            return edge._replace(apply=lambda f: intersection(apply(f), allowed))

        system.forth = CompiledEdges(system.arcs, forth, lambda arc: arc.source)
        return system

    def free(self, finish: End[S]) -> "System[S]":
        """The system with cost 0 for every action, and with another finish."""
        arcs = [replace(arc, cost=0) for arc in self.arcs]
        return System(self.diagrams, self.location, arcs, self.first, finish)

    def image(self, states: Split[S], cost: int, budget: Budget) -> Split[S]:
        """The successors by all actions of this cost. Raises LimitReached."""
        found: Split[S] = {}
        for at, here in states.items():
            for edge in self.forth[at]:
                if edge.cost == cost:
                    budget.check()
                    there = edge.apply(here)
                    if not self.diagrams.is_empty(there):
                        self.add(found, {edge.target: there})
            self.pause(budget)
        return found

    def closure(self, states: Split[S], closed: Split[S], budget: Budget) -> Split[S]:
        """The states, and what actions without cost lead to outside `closed`, which has none of them.

        Locations are in a queue; the states that arrive at a location while it is in the queue are expanded
        together. Raises LimitReached.
        """
        union, difference, is_empty = self.diagrams.union, self.diagrams.difference, self.diagrams.is_empty
        found, queue = dict(states), dict(states)
        while queue:
            at = next(iter(queue))
            here = queue.pop(at)
            for target, apply, cost, _ in self.forth[at]:
                if cost:
                    continue
                budget.check()
                there = apply(here)
                for old in (closed, found):
                    if target in old:
                        there = difference(there, old[target])
                if is_empty(there):
                    continue
                found[target] = union(found[target], there) if target in found else there
                queue[target] = union(queue[target], there) if target in queue else there
            self.pause(budget)
        return found

    def pause(self, budget: Budget) -> None:
        """Check the budget and the free nodes of the manager between two operations. Raises LimitReached."""
        budget.check()
        self.diagrams.tidy()

    def before(self, state: State, cost: int, states: Split[S]) -> tuple[State, Action] | None:
        """One of the states from which an action of this cost leads to `state`, and the action."""
        ((at, here),) = self.single(state).items()
        for edge in self.back[at]:
            if edge.cost == cost:
                met = self.intersection({edge.target: edge.apply(here)}, states)
                if met:
                    return self.pick(met), edge.action
        return None

    def is_empty(self, f: Split[S], /) -> bool:
        """Is the set empty?"""
        return not f

    def union(self, f: Split[S], g: Split[S], /) -> Split[S]:
        """States in f or g."""
        both = dict(f)
        self.add(both, g)
        return both

    def intersection(self, f: Split[S], g: Split[S], /) -> Split[S]:
        """States in both."""
        both = {at: self.diagrams.intersection(states, g[at]) for at, states in f.items() if at in g}
        return {at: states for at, states in both.items() if not self.diagrams.is_empty(states)}

    def difference(self, f: Split[S], g: Split[S], /) -> Split[S]:
        """States in f but not in g."""
        rest = {at: self.diagrams.difference(states, g[at]) if at in g else states for at, states in f.items()}
        return {at: states for at, states in rest.items() if not self.diagrams.is_empty(states)}

    def add(self, into: Split[S], f: Split[S]) -> None:
        """Add the states of f to `into`, in place."""
        for at, states in f.items():
            into[at] = self.diagrams.union(into[at], states) if at in into else states

    def count(self, f: Split[S]) -> int:
        """The exact number of states."""
        return sum(self.diagrams.count(states) for states in f.values())

    def size(self, f: Split[S], /) -> int:
        """The nodes of its diagrams."""
        return sum(self.diagrams.size(states) for states in f.values())

    def pick(self, f: Split[S], /) -> State:
        """Some state of a set that is not empty."""
        at, states = next(iter(f.items()))
        return self.diagrams.pick(states) | _on(self.location, at)

    def single(self, state: State, /) -> Split[S]:
        """The set of one state."""
        if self.location is None:
            return {0: self.diagrams.single(state)}
        at = _number(self.location, state)
        return {at: self.diagrams.single(state.difference(self.location.bits))}

    def contains(self, f: Split[S], state: State, /) -> bool:
        """Is the state in the set?"""
        if self.location is None:
            return 0 in f and self.diagrams.contains(f[0], state)
        at = _number(self.location, state)
        return at in f and self.diagrams.contains(f[at], state.difference(self.location.bits))

    def end(self, formula: Formula, conserved: Iterable[Conserved]) -> End[S]:
        """The states in which the formula and the conserved counts hold, as a start or finish."""
        return _end(self.diagrams, self.location, formula, conserved)


def _forth(diagrams: Diagrams[S], arc: Arc) -> Edge:
    if arc.cube is None:
        apply = diagrams.relational_image(arc.guard, arc.constants, arc.formulas)
    else:
        apply = diagrams.image(arc.cube, arc.constants)
    return Edge(arc.target, apply, arc.cost, arc.action)


def _back(diagrams: Diagrams[S], arc: Arc) -> Edge:
    if arc.cube is None:
        apply = diagrams.relational_preimage(arc.guard, arc.constants, arc.formulas)
    else:
        apply = diagrams.preimage(arc.cube, arc.constants)
    return Edge(arc.source, apply, arc.cost, arc.action)


def compile_system(model: Model, metric: str, diagrams: str, capacity: int) -> System[Any]:
    """Compile a model, with its costs under the metric, for a manager of a diagram package.

    `capacity` is the number of nodes of the manager. Raises ModelError if an action has no such cost, or if its
    guard does not determine the location that it leads to.
    """
    location = model.hints.location
    hidden = frozenset(location.bits) if location is not None else frozenset()
    primed = {b for action in model.actions for b in action.formulas} - hidden
    order = [b for b in model.hints.order or model.bits if b not in hidden]
    manager = diagram_class(diagrams)(order, primed, capacity)
    if location is None:
        arcs = [_arc_anywhere(action, cost_of(action, metric)) for action in model.actions]
    else:
        places = _Places(location, model.hints.objects)
        arcs = [arc for action in model.actions for arc in places.arcs(action, cost_of(action, metric))]
    start, finish = (
        _end(manager, location, formula, model.hints.conserved) for formula in (model.init, model.goal)
    )
    return System(manager, location, arcs, start, finish)


def _end(
    diagrams: Diagrams[S],
    location: Variable | None,
    formula: Formula,
    conserved: Iterable[Conserved],
) -> End[S]:
    counts = tuple(conserved)
    return End(diagrams, lambda: _base(diagrams, counts), _by_location(formula, location))


def _arc_anywhere(action: Action, cost: int) -> Arc:
    """The arc of an action in a model without location."""
    cube = action.cube if action.is_plain else None
    return Arc(0, 0, action.guard, cube, action.constants, action.formulas, cost, action)


class _Places:
    """Splits actions by location."""

    def __init__(self, location: Variable, objects: Mapping[Bit, Hashable]) -> None:
        self._location = location
        self._numbers = {code: number for number, code in enumerate(location.codes)}
        # No object is at the location. Every guard gets this condition: it prunes backward searches.
        self._vacant: list[dict[Bit, bool]] = [{} for _ in location.values]
        places = {value: number for number, value in enumerate(location.values)}
        for b, value in objects.items():
            if value in places:
                self._vacant[places[value]] = {b: False}

    def arcs(self, action: Action, cost: int) -> Iterator[Arc]:
        """The arcs of an action: one for each location at which its guard is satisfiable."""
        bits = self._location.bits
        cube = action.cube
        if cube is not None and not action.formulas and all(b in cube and b in action.constants for b in bits):
            # The usual case, a fast path: the guard determines the location, and the update the next one.
            here = tuple(cube[b] for b in bits)
            there = tuple(action.constants[b] for b in bits)
            if here in self._numbers and there in self._numbers:
                source, target = self._numbers[here], self._numbers[there]
                rest = {b: value for b, value in cube.items() if b not in bits} | self._vacant[source]
                constants = {b: new for b, new in action.constants.items() if b not in bits}
                yield Arc(source, target, rest, rest, constants, {}, cost, action)
                return
        for source, code in enumerate(self._location.codes):
            point = dict(zip(bits, code, strict=True))
            guard = narrowed(restricted(action.guard, point), self._vacant[source])
            if constant(guard) is False:
                continue
            constants, formulas = dict(action.constants), {}
            for b, new in action.formulas.items():
                rest_of = restricted(new, point)
                value = constant(rest_of)
                if value is None:
                    formulas[b] = rest_of
                else:
                    constants[b] = value
            there = tuple(constants.pop(b, point[b]) for b in bits)
            if there not in self._numbers or not formulas.keys().isdisjoint(bits):
                raise ModelError(f"action {action.name} does not lead to one known value of {self._location.name}")
            plain = literals(guard) if not formulas else None
            yield Arc(source, self._numbers[there], guard, plain, constants, formulas, cost, action)


def _by_location(formula: Formula, location: Variable | None) -> list[Formula]:
    if location is None:
        return [formula]
    if support([formula]).isdisjoint(location.bits):
        return [formula] * len(location.values)
    return [restricted(formula, dict(zip(location.bits, code, strict=True))) for code in location.codes]


def _base(diagrams: Diagrams[S], conserved: Iterable[Conserved]) -> S:
    """All states in which, for each (formulas, n), exactly n of the formulas hold."""
    base = diagrams.universe
    for formulas, total in conserved:
        exactly = [base] + [diagrams.empty] * total  # exactly[j]: j of the formulas so far hold
        for formula in formulas:
            on, off = diagrams.selector(formula), diagrams.selector(negation(formula))
            exactly = [off(exactly[0])] + [
                diagrams.union(off(exactly[j]), on(exactly[j - 1])) for j in range(1, total + 1)
            ]
        base = exactly[total]
    return base


def _on(location: Variable | None, at: int) -> State:
    if location is None:
        return frozenset()
    return frozenset(b for b, value in zip(location.bits, location.codes[at], strict=True) if value)


def _number(location: Variable, state: State) -> int:
    """The number of the location's value in a state; -1 if its bits encode no value."""

    code = tuple(b in state for b in location.bits)
    return location.codes.index(code) if code in location.codes else -1
