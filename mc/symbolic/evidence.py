"""The evidence of a symbolic search without a plan: the set of states that it reached."""

from collections.abc import Callable
from typing import Any, TypeAlias

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.symbolic.dead_patterns import DeadPatterns
from puzzlemc.mc.symbolic.side import Side
from puzzlemc.mc.symbolic.system import Split, System
from puzzlemc.mc.verdict import Statistics

SystemSide: TypeAlias = "Side[Split[Any], State, Action]"


def statistics(side: SystemSide) -> Statistics:
    """Layers and nodes of a search, and the exact number of states that it visited.

    If there is more than one start state, the start states are not counted: they are given by a formula, not
    visited.
    """
    system, states = side.images, None
    assert isinstance(system, System)
    if system.arcs:
        states, starts = system.count(side.closed), system.count(system.start)
        states -= starts if starts > 1 else 0
    return Statistics(len(side.layers), states, system.diagrams.tidy())


def reached_or_dead(model: Model, side: SystemSide, dead: DeadPatterns[Any] | None) -> Callable[[State], bool]:
    """The invariant of a forward search that reached no goal state."""

    def invariant(state: State) -> bool:
        if not model.hints.allow(state):
            return False
        return side.images.contains(side.closed, state) or (dead is not None and dead.covers(state))

    return invariant


def never_reaches(model: Model, side: SystemSide) -> Callable[[State], bool]:
    """The invariant of a backward search that reached no initial state."""

    return lambda state: model.hints.allow(state) and not side.images.contains(side.closed, state)
