"""Dead patterns: a few objects whose places already exclude the goal, found in a relaxation.

With only `keep` of its objects a system is small. Search it backward from its goal, every action taken as
free: what is not met is dead there, and a state of the full system that contains it is dead too. Pruning
is for searches that decide reachability; a full reachable set is computed without it.
"""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import Bit, State
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model, Relaxation
from puzzlemc.mc.search import closure
from puzzlemc.mc.system import Arc, Split, System

S = TypeVar("S")


@dataclass(frozen=True)
class Dead(Generic[S]):
    """Which single objects are dead at a location: all those that are not in `alive`."""

    system: System[S]
    relaxation: Relaxation
    alive: Split[S]

    def entered_by(self, arc: Arc) -> bool:
        """Does the arc put an object where, from its target location, the goal is out of reach?"""
        placed = [b for b, new in arc.update.items() if new is True and b in self.relaxation.objects]
        return any(self._dead(arc.target, b) for b in placed)

    def covers(self, state: State) -> bool:
        """Does the state hold a dead object, with the location on none of its objects?"""
        location = self.system.location
        assert location is not None
        here = location.read(state)
        held = [b for b in self.relaxation.objects if b in state]
        if any(self.relaxation.objects[b] == here for b in held):
            return False
        return any(self._dead(location.values.index(here), b) for b in held)

    def _dead(self, at: int, b: Bit) -> bool:
        return at not in self.alive or not self.system.diagrams.contains(self.alive[at], frozenset([b]))


def dead_patterns(model: Model, system: System[Any], watch: Watch) -> Dead[Any] | None:
    """The dead single objects of a model, None where it has no relaxation to one object or no location.

    Raises ModelError where the objects are not all the bits outside the location, LimitReached as searches do.
    """
    location = system.location
    singles = [relaxation for relaxation in model.hints.relaxations if relaxation.keep == 1]
    if location is None or not singles:
        return None
    relaxation = singles[0]
    if set(relaxation.objects) != set(model.bits).difference(location.bits):
        raise ModelError("the objects of a relaxation must be all the bits outside the location")
    goal = system.end(relaxation.goal, [(tuple(relaxation.objects), 1)])
    backward = system.free(goal).reverse()
    alive: Split[Any] = {}
    closure(backward, dict(goal.states), alive, watch)
    return Dead(system, relaxation, alive)
