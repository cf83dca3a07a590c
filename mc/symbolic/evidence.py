"""The evidence of a symbolic search without a plan: the set of states that it reached."""

from collections.abc import Callable
from typing import Any

from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.symbolic.dead_patterns import DeadPatterns
from puzzlemc.mc.symbolic.search import Search
from puzzlemc.mc.verdict import Statistics


def statistics(found: Search[Any]) -> Statistics:
    """Layers and nodes of a search, and the exact number of states that it visited.

    If there is more than one start state, the start states are not counted: they are given by a formula, not
    visited.
    """
    system = found.system
    states = None
    if system.arcs:
        states, starts = system.count(found.reached), system.count(system.start.states)
        states -= starts if starts > 1 else 0
    return Statistics(len(found.layers), states, system.diagrams.tidy())


def reached_or_dead(model: Model, found: Search[Any], dead: DeadPatterns[Any] | None) -> Callable[[State], bool]:
    """The invariant of a forward search that reached no goal state."""

    def invariant(state: State) -> bool:
        if not model.hints.allow(state):
            return False
        return found.system.contains(found.reached, state) or (dead is not None and dead.covers(state))

    return invariant


def never_reaches(model: Model, found: Search[Any]) -> Callable[[State], bool]:
    """The invariant of a backward search that reached no initial state."""

    return lambda state: model.hints.allow(state) and not found.system.contains(found.reached, state)
