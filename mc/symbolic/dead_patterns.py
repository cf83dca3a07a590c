"""Dead patterns for symbolic search: a few objects whose places exclude the goal, found in a relaxation.

The relaxation to `keep` objects has few states. A backward search from its goal, with all costs 0, finds its alive
states; the other ones are dead, and a state of the model that contains a dead one is dead. Searches that decide
reachability prune dead patterns; an analysis of all reachable states does not.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.relaxations import patterns, placed, relaxed_objects
from puzzlemc.mc.symbolic.system import Arc, Split, System

S = TypeVar("S")

PAIR = 2  # the largest patterns used here; larger ones cost more time than they save


@dataclass(frozen=True)
class DeadPatterns(Generic[S]):
    """The dead patterns of a model. `alive` has, by the number of objects, the alive states of the relaxation."""

    system: System[S]
    objects: Mapping[Bit, Hashable]
    alive: Mapping[int, Split[S]]

    def prune(self) -> System[S]:
        """The system without the steps that complete a dead pattern."""
        return self.system.pruned(self.enters_dead, self.within)

    def covers(self, state: State) -> bool:
        """Does the state contain a dead pattern? The state must satisfy `Hints.allow`."""
        location = self.system.location
        assert location is not None
        at = location.values.index(location.read(state))
        return any(not self.is_alive(at, kept) for kept in patterns(state, self.objects, self.alive))

    def is_alive(self, at: int, kept: State) -> bool:
        """Is the pattern of these objects and the location number `at` alive?"""
        alive = self.alive[len(kept)]
        return at in alive and self.system.diagrams.contains(alive[at], kept)

    def enters_dead(self, arc: Arc) -> bool:
        """Does the arc place an object that is dead by itself?"""
        if 1 not in self.alive:
            return False
        return any(not self.is_alive(arc.target, frozenset([b])) for b in placed(arc.constants, self.objects))

    def within(self, arc: Arc) -> S | None:
        """The states in which no object forms a dead pair with one that the arc places; None means all states."""
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


def dead_patterns(model: Model, system: System[Any], budget: Budget) -> DeadPatterns[Any] | None:
    """The dead patterns of a model by its relaxations; None if it has no relaxations or no location.

    Raises ModelError if the objects are not all the bits outside the location, and LimitReached.
    """

    objects = relaxed_objects(model, kept=model.keeps_objects)
    if system.location is None or not objects:
        return None
    dead: DeadPatterns[Any] = DeadPatterns(system, objects, {})
    for relaxation in model.hints.relaxations:
        if relaxation.keep > PAIR:
            continue
        goal = system.end(relaxation.goal, [(tuple(objects), relaxation.keep)])
        alive = dead.prune().free(goal).reverse().closure(goal.states, {}, budget)
        dead = replace(dead, alive={**dead.alive, relaxation.keep: alive})
    return dead
