"""The evidence of a search over sets that met no goal, or no initial state: what it reached."""

from collections.abc import Callable
from typing import Any

from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.symbolic.dead_patterns import Dead
from puzzlemc.mc.symbolic.search import Search
from puzzlemc.mc.verdict import Statistics


def statistics(found: Search[Any]) -> Statistics:
    """Layers and nodes of a search, and the exact number of states that it visited.

    A set of states that it starts from is given as a formula, however large: these it has not visited.
    """
    system = found.system
    states = None
    if system.arcs:
        states, starts = system.count(found.reached), system.count(system.start.states)
        states -= starts if starts > 1 else 0
    return Statistics(len(found.layers), states, system.diagrams.tidy())


def reached_or_dead(model: Model, found: Search[Any], dead: Dead[Any] | None) -> Callable[[State], bool]:
    """The invariant of a forward search that met no goal."""

    def invariant(state: State) -> bool:
        if not model.hints.allow(state):
            return False
        return found.system.contains(found.reached, state) or (dead is not None and dead.covers(state))

    return invariant


def never_reaches(model: Model, found: Search[Any]) -> Callable[[State], bool]:
    """The invariant of a backward search that met no initial state."""
    return lambda state: model.hints.allow(state) and not found.system.contains(found.reached, state)
