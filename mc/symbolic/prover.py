"""Proofs from decision diagrams: the reached states of a search, or the layers of a bidirectional search.

The proof does not depend on the engine of the verdict: a new symbolic search runs forward from the start, without
states that have a dead pattern, and backward from the goal. The proof has only those dead patterns that the search
reached, with all patterns reachable from them.
"""

from collections.abc import Iterator
from itertools import combinations

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import FALSE, TRUE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof, kept_counts
from puzzlemc.mc.symbolic.capacity import with_capacity
from puzzlemc.mc.symbolic.dead_patterns import DeadPatterns, dead_patterns
from puzzlemc.mc.symbolic.side import Side
from puzzlemc.mc.symbolic.system import Split, compile_system
from puzzlemc.mc.symbolic.zdd import Known, SetOfStates, Zdd


def prove_unreachable(model: Model, budget: Budget) -> LayeredProof:
    """An inductive invariant of a model whose goal is unreachable. If it is reachable, the checker rejects the
    proof.

    Raises LimitReached.
    """
    if not model.actions:
        circuit = _circuit(model)
        return LayeredProof(circuit, (circuit.formula(model.init),))

    def attempt(capacity: int) -> LayeredProof:
        prover = _Prover(model, None, capacity, budget)
        for _ in prover.forward.steps():
            pass
        return prover.invariant()

    return with_capacity("zdd", budget, attempt)


def prove_bound(model: Model, metric: str, cost: int, budget: Budget) -> LayeredProof:
    """The layered proof that no plan costs less than `cost`. If one does, the checker rejects the proof.

    Raises LimitReached.
    """
    if cost == 0:
        return LayeredProof(_circuit(model), (), (), metric, cost)

    def attempt(capacity: int) -> LayeredProof:
        prover = _Prover(model, metric, capacity, budget)
        return prover.chain(cost, prover.search(cost))

    return with_capacity("zdd", budget, attempt)


def _circuit(model: Model) -> Circuit:
    return Circuit([str(b) for b in model.bits])


class _Prover:
    def __init__(self, model: Model, metric: str | None, capacity: int, budget: Budget) -> None:
        self._model = model
        self._metric = metric
        self._budget = budget
        system = compile_system(model, metric or ANY, "zdd", capacity)
        if metric is None:
            system = system.free(system.finish)
        self._system = system
        assert isinstance(system.diagrams, Zdd)
        self._zdd = system.diagrams
        self._dead: DeadPatterns[SetOfStates] | None = dead_patterns(model, system, budget)
        self.forward = Side(system if self._dead is None else self._dead.prune(), budget)
        self.backward = Side(system.reverse(), budget)
        self._circuit = _circuit(model)
        self._known_sets: Known = {}
        self._known_patterns: Known = {}
        self._counts = kept_counts(model)
        known = {(count.bits, count.total) for count in self._counts}
        self._other_counts = [
            (formulas, total)
            for formulas, total in model.hints.conserved
            if (tuple(map(str, formulas)), total) not in known
        ]

    def search(self, cost: int) -> int:
        """Search from both sides; return the cost below which the forward side has closed all states.

        With that of the backward side, it is at least `cost`. Raises LimitReached.
        """
        sides = (self.forward, self.backward)
        steps = [side.steps() for side in sides]
        while sum(min(side.next_cost, cost) for side in sides) < cost:
            next(steps[min((0, 1), key=lambda number: sides[number].promised_work)])
        return int(min(self.forward.next_cost, cost))

    # Reading it out

    def invariant(self) -> LayeredProof:
        """The invariant: the reached states and the states with a dead pattern."""
        layer = self._circuit.disj([self._states(self.forward.closed), self._dead_states(None)])
        layer = self._circuit.both(layer, self._possible())
        return LayeredProof(self._circuit, (layer,), self._counts)

    def chain(self, cost: int, ahead: int) -> LayeredProof:
        """The layers: below `ahead` the forward layers; at `ahead` all states that are not near the goal; then the
        backward layers.

        The union of the layers up to cost g >= ahead is the set of states whose cost to the goal is at least `cost
        - g`.
        """
        circuit = self._circuit
        forward = {layer.cost: layer.states for layer in self.forward.layers}
        backward = {layer.cost: layer.states for layer in self.backward.layers}
        layers = [self._states(forward.get(g, {})) for g in range(min(ahead, cost))]
        if ahead < cost:
            near: Split[SetOfStates] = {}
            for g in range(cost - ahead):
                self._system.add(near, backward.get(g, {}))
            layers.append(circuit.both(self._possible(), self._states(near) ^ 1))
            layers += [self._states(backward.get(cost - g, {})) for g in range(ahead + 1, cost)]
        if layers:
            layers[0] = circuit.disj([layers[0], self._dead_states(ahead)])
        return LayeredProof(circuit, tuple(layers), self._counts, self._metric, cost)

    def _possible(self) -> int:
        """The formula: the location has a value and is at no object; the counts that the proof lacks hold."""
        circuit = self._circuit
        counts = [
            circuit.exactly([circuit.formula(formula) for formula in formulas], total)
            for formulas, total in self._other_counts
        ]
        location = self._model.hints.location
        if location is None:
            return circuit.conj(counts)
        return circuit.conj([*counts, circuit.disj(self._at(at) for at in range(len(location.values)))])

    def _at(self, at: int) -> int:
        """The formula: the location has the value of this number, and no object is there."""
        location, circuit = self._model.hints.location, self._circuit
        if location is None:
            return TRUE
        value = location.values[at]
        objects = [b for b, place in self._model.hints.objects.items() if place == value]
        return circuit.cube(location.literals(value) | dict.fromkeys(objects, False))

    def _states(self, states: Split[SetOfStates]) -> int:
        circuit = self._circuit
        return circuit.disj(
            circuit.both(self._at(at), self._zdd.read(f, circuit, self._known_sets)) for at, f in states.items()
        )

    # Dead patterns

    def _dead_states(self, ahead: int | None) -> int:
        """The states with one of the dead patterns that are successors of the layers below `ahead`."""
        dead, circuit = self._dead, self._circuit
        if dead is None:
            return FALSE
        free = self._system.free(self._system.finish)
        patterns: Split[SetOfStates] = {}
        for at, escaped in self._escaped(dead, ahead):
            for pattern in self._covering(dead, at, escaped, patterns):
                free.add(patterns, free.closure({at: pattern}, patterns, self._budget))
        return circuit.disj(
            circuit.both(self._at(at), self._zdd.read_patterns(f, circuit, self._known_patterns))
            for at, f in patterns.items()
        )

    def _escaped(self, dead: DeadPatterns[SetOfStates], ahead: int | None) -> Iterator[tuple[int, SetOfStates]]:
        """Yield, by location, the successors of the layers that were pruned because they have a dead pattern."""
        zdd = self._zdd
        reached: Split[SetOfStates] = {}
        for layer in self.forward.layers:
            if ahead is None or layer.cost < ahead:
                self._system.add(reached, layer.states)
        for at, here in reached.items():
            for arc, edge in zip(self._system.forth.arcs(at), self._system.forth[at], strict=True):
                there = edge.apply(here)
                if not dead.enters_dead(arc):
                    within = dead.within(arc)
                    there = zdd.empty if within is None else zdd.difference(there, within)
                if not zdd.is_empty(there):
                    yield edge.target, there

    def _covering(
        self, dead: DeadPatterns[SetOfStates], at: int, escaped: SetOfStates, patterns: Split[SetOfStates]
    ) -> Iterator[SetOfStates]:
        """Yield new dead patterns until each of the states contains one. `patterns` may grow meanwhile."""

        zdd = self._zdd
        while not zdd.is_empty(escaped := zdd.without(escaped, patterns.get(at, zdd.empty))):
            state = zdd.pick(escaped)
            pattern = next(
                frozenset(kept)
                for keep in sorted(dead.alive)
                for kept in combinations([b for b in dead.objects if b in state], keep)
                if not dead.is_alive(at, frozenset(kept))
            )
            yield zdd.single(pattern)
