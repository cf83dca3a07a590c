"""Dead patterns: a few objects whose places already exclude the goal, found in a relaxation.

With only `keep` of its objects a system is small. Search it backward from its goal, every action taken as
free: what is not met is dead there, and a state of the full system that contains it is dead too. Pruning
is for searches that decide reachability; a full reachable set is computed without it.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.relaxations import patterns, placed, relaxed_objects
from puzzlemc.mc.symbolic.search import closure
from puzzlemc.mc.symbolic.system import Arc, Split, System

S = TypeVar("S")

PAIR = 2  # larger patterns cost more than they save here


@dataclass(frozen=True)
class Dead(Generic[S]):
    """What is dead: `alive` holds, by the number of objects kept, the states of the relaxation that are not."""

    system: System[S]
    objects: Mapping[Bit, Hashable]
    alive: Mapping[int, Split[S]]

    def prune(self) -> System[S]:
        """The system that does not enter a state with a dead pattern of which it has just placed an object."""
        return self.system.pruned(self.enters_dead, self.within)

    def covers(self, state: State) -> bool:
        """Does the state hold a dead pattern? Asked of possible states only: the location is on no object."""
        location = self.system.location
        assert location is not None
        at = location.values.index(location.read(state))
        return any(not self.is_alive(at, kept) for kept in patterns(state, self.objects, self.alive))

    def is_alive(self, at: int, kept: State) -> bool:
        """Can the objects of the set, with the location of that number, reach enough targets?"""
        alive = self.alive[len(kept)]
        return at in alive and self.system.diagrams.contains(alive[at], kept)

    def enters_dead(self, arc: Arc) -> bool:
        """Does the arc place an object where it is dead by itself?"""
        if 1 not in self.alive:
            return False
        return any(not self.is_alive(arc.target, frozenset([b])) for b in placed(arc.constants, self.objects))

    def within(self, arc: Arc) -> S | None:
        """The states in which no object makes a dead pair with one that the arc places; None: all states."""
        if 2 not in self.alive:
            return None
        diagrams = self.system.diagrams
        allowed = None
        for b in placed(arc.constants, self.objects):
            pairs = diagrams.selector(b)(self.alive[2].get(arc.target, diagrams.empty))
            partners = diagrams.held(pairs) | {b}
            if len(partners) < len(self.objects):
                found = diagrams.subsets(partners)
                allowed = found if allowed is None else diagrams.intersection(allowed, found)
        return allowed


def dead_patterns(model: Model, system: System[Any], budget: Budget) -> Dead[Any] | None:
    """The dead patterns of a model by its relaxations, None where it has none or no location.

    Raises ModelError where the objects are not all the bits outside the location, LimitReached as searches do.
    """
    objects = relaxed_objects(model, kept=model.keeps_objects)
    if system.location is None or not objects:
        return None
    dead: Dead[Any] = Dead(system, objects, {})
    for relaxation in model.hints.relaxations:
        if relaxation.keep > PAIR:
            continue
        goal = system.end(relaxation.goal, [(tuple(objects), relaxation.keep)])
        alive: Split[Any] = {}
        closure(dead.prune().free(goal).reverse(), dict(goal.states), alive, budget)
        dead = replace(dead, alive={**dead.alive, relaxation.keep: alive})
    return dead
