"""`EX`, `EU` and `EG` over decision diagrams, by the fixpoints of McMillan (1993).

All sets are of reachable states. `EU` takes locations from a queue, so that what arrives at one meanwhile is
expanded together. `EG` looks again only at states with a successor that has just been taken away.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Generic, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.formula import Formula, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.symbolic.system import Split, System, compile_system

S = TypeVar("S")


def symbolic_structure(model: Model, diagrams: str, capacity: int, budget: Budget) -> "SymbolicStructure[Any]":
    """The structure of a model, in a manager of a diagram package with that capacity. Raises LimitReached."""
    system = compile_system(model, ANY, diagrams, capacity)
    return SymbolicStructure(system.free(system.finish), budget)


class SymbolicStructure(Generic[S]):
    """The protocol `check.Structure` over sets of states partitioned by location; a state is a set of bits."""

    def __init__(self, system: System[S], budget: Budget) -> None:
        self._system = system
        self._budget = budget
        self.initial: Split[S] = system.start
        self.everything: Split[S] = system.closure(self.initial, {}, budget)
        moving = self._leading_into(self.everything)
        self.stuck: Split[S] = system.difference(self.everything, moving)

    def where(self, formula: Formula, /) -> Split[S]:
        """The reachable states in which the formula holds."""
        return self._system.end(formula, ()).meet(self.everything)

    def counting(self, formulas: Sequence[Formula], numbers: Collection[int], /) -> Split[S]:
        """The states in which the number of true formulas is one of `numbers`. Raises LimitReached."""
        most = max(numbers, default=0) + 1  # larger counts make no difference
        by_count: dict[int, Split[S]] = {0: self.everything}
        for formula in formulas:
            self._system.pause(self._budget)
            here = self.where(formula)
            parts: dict[int, Split[S]] = {}
            for count, states in by_count.items():
                more = self.intersection(states, here)
                for number, part in ((count, self.difference(states, more)), (min(count + 1, most), more)):
                    if part:
                        parts[number] = self.union(parts.get(number, {}), part)
            by_count = parts
        found: Split[S] = {}
        for number in numbers:
            found = self.union(found, by_count.get(number, {}))
        return found

    def union(self, f: Split[S], g: Split[S], /) -> Split[S]:
        """States in f or g."""
        return self._system.union(f, g)

    def intersection(self, f: Split[S], g: Split[S], /) -> Split[S]:
        """States in f and g."""
        return self._system.intersection(f, g)

    def difference(self, f: Split[S], g: Split[S], /) -> Split[S]:
        """States in f but not in g."""
        return self._system.difference(f, g)

    def is_empty(self, f: Split[S], /) -> bool:
        """Is the set empty?"""
        return not f

    def contains(self, f: Split[S], state: State, /) -> bool:
        """Is the state in the set?"""
        return self._system.contains(f, state)

    def count(self, f: Split[S], /) -> int:
        """The exact number of states."""
        return self._system.count(f)

    def pick(self, f: Split[S], /) -> State:
        """Some state of a set that is not empty."""
        return self._system.pick(f)

    def before(self, f: Split[S], /) -> Split[S]:
        """The states with a successor in f; a stuck state is its own successor."""
        return self.union(self._leading_into(f), self.intersection(self.stuck, f))

    def until(self, p: Split[S], q: Split[S], /) -> Split[S]:
        """The states from which a path through p leads to q. Raises LimitReached."""
        diagrams = self._system.diagrams
        satisfying, waiting = dict(q), dict(q)
        while waiting:
            at = next(iter(waiting))
            here = waiting.pop(at)
            for source, apply, _, _ in self._system.back[at]:
                if source not in p:
                    continue
                fresh = diagrams.intersection(apply(here), p[source])
                if source in satisfying:
                    fresh = diagrams.difference(fresh, satisfying[source])
                if not diagrams.is_empty(fresh):
                    self._system.add(satisfying, {source: fresh})
                    self._system.add(waiting, {source: fresh})
            self._system.pause(self._budget)
        return satisfying

    def always(self, p: Split[S], /) -> Split[S]:
        """The states from which an infinite path stays in p. Raises LimitReached."""
        satisfying = self.intersection(p, self.before(p))
        gone = self.difference(p, satisfying)
        while gone:
            self._system.pause(self._budget)
            doubtful = self.intersection(self._leading_into(gone), satisfying)
            kept = self._leading_into(self.intersection(self._after(doubtful), satisfying))
            gone = self.difference(doubtful, kept)
            satisfying = self.difference(satisfying, gone)
        return satisfying

    def successors(self, state: State, /) -> Iterator[tuple[Action, State]]:
        """The enabled actions of a state with their successors."""
        ((at, here),) = self._system.single(state).items()
        for target, apply, _, action in self._system.forth[at]:
            there = apply(here)
            if not self._system.diagrams.is_empty(there):
                yield action, self._system.pick({target: there})

    def shortest_path(self, start: State, within: Split[S], to: Split[S], /) -> list[State]:
        """A shortest path through `within` to a state of `to`. Raises LookupError without a path, LimitReached."""
        rings = [self._system.single(start)]
        seen = dict(rings[0])
        while not (hit := self.intersection(rings[-1], to)):
            self._system.pause(self._budget)
            rings[-1] = self.intersection(rings[-1], within)
            ring = self.difference(self._after(rings[-1]), seen)
            if not ring:
                raise LookupError("no run leads from the state into the set")
            self._system.add(seen, ring)
            rings.append(ring)
        states = [self.pick(hit)]
        for ring in reversed(rings[:-1]):
            states.append(self.pick(self.intersection(self._leading_into(self._system.single(states[-1])), ring)))
        return states[::-1]

    def state(self, state: State, /) -> State:
        """The state itself."""
        return state

    def _leading_into(self, f: Split[S]) -> Split[S]:
        """The reachable states from which an action leads into f."""
        image: Split[S] = {}
        for at, here in f.items():
            for edge in self._system.back[at]:
                self._system.add(image, {edge.target: edge.apply(here)})
            self._system.pause(self._budget)
        return self.intersection(image, self.everything)

    def _after(self, f: Split[S]) -> Split[S]:
        """The successors of the states in f."""
        image: Split[S] = {}
        for at, here in f.items():
            for edge in self._system.forth[at]:
                there = edge.apply(here)
                if not self._system.diagrams.is_empty(there):
                    self._system.add(image, {edge.target: there})
            self._system.pause(self._budget)
        return image
