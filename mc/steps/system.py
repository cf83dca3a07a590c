"""A step system: a model whose successors are a compiled function, not guarded actions.

It is a `Model`, so that all that reads states works on it: layouts, atoms, counts, state graphs. Its actions have
names and costs, and neither guards nor updates: reading these is an error, since any value would be a wrong one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Formula, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.bounds import CountBounds
from puzzlemc.mc.steps.frozen import FrozenBits
from puzzlemc.mc.steps.guide import Guide
from puzzlemc.mc.steps.steps import Steps, Successors, expand
from puzzlemc.mc.words import view


class StepAction(Action):
    """An action of a step system: a name and costs. Reading its guard or its update is an error."""

    def __init__(self, name: str, costs: Mapping[str, int]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "costs", costs)

    @property
    def guard(self) -> Formula:
        """There is none. Raises Unsuitable."""
        raise Unsuitable(f"the action {self.name} is a function of a state, and has no formulas")

    @property
    def update(self) -> Mapping[Bit, bool | Formula]:
        """There is none. Raises Unsuitable."""
        raise Unsuitable(f"the action {self.name} is a function of a state, and has no formulas")

    def __repr__(self) -> str:
        return f"StepAction({self.name!r}, {self.costs!r})"

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Formulas(Protocol):
    """Makes a model with formulas."""

    def __call__(self, most_gates: int | None = None) -> Model:
        """The model. Raises Unsuitable if there is none, or only one that takes more gates."""


@dataclass(frozen=True)
class StepSystem(Model):
    """A transition system whose successors are a function of a packed state.

    Bit k of a packed state is bit k of `bits`. `init` is a cube of all bits, and no hint names a location. The
    goal holds exactly in the states that a step with the code WON leads to; these have no successors.

    steps      the successors: action k of it is `actions[k]`
    bounds     no goal is reachable from a state that breaks one of them; all that comes after it breaks one, too
    frozen     what is known of bits that no step makes false any more, and of states lost by them: likewise
    guide      what a search for some solution goes by; None: it knows nothing of the states
    unsettled  what it means that a successor cannot be computed, in words
    formulas   makes a model with formulas that has a goal state in reach if this one has; it may have more bits.
               Bits with the same name have the same values on runs with the same actions. None: there is none
    """

    actions: tuple[StepAction, ...]
    steps: Steps = field(kw_only=True)
    bounds: CountBounds = field(kw_only=True, default_factory=CountBounds)
    frozen: FrozenBits | None = field(kw_only=True, default=None)
    guide: Guide | None = field(kw_only=True, default=None)
    unsettled: str = field(default="a step could not be computed", kw_only=True)
    formulas: Formulas | None = field(default=None, kw_only=True)

    @property
    def has_formulas(self) -> bool:
        """No: the successors are a function."""
        return False

    @property
    def in_formulas(self) -> Model:
        """The model that `formulas` makes. Raises Unsuitable."""
        return self if self.formulas is None else self.formulas()

    def successors(self, state: State) -> list[tuple[Action, State]]:
        """The actions that do something in a state, with the states that they lead to. Raises LimitReached."""
        after, _, actions = self.expand(self._layout.pack(state)[None, :])
        return [(self.actions[k], self._layout.read(row)) for k, row in zip(actions, after, strict=True)]

    def expand(self, rows: PackedStates) -> tuple[PackedStates, Numbers, Numbers]:
        """The successors of packed states: packed states, places of predecessors in order, numbers of actions.

        Raises LimitReached if a step cannot be computed.
        """
        states = StateTable(0, rows.shape[1], 1)
        states.rows = view(np.ascontiguousarray(rows))
        found = Successors(max(1, len(rows) * len(self.actions)), rows.shape[1])
        count = expand(self.steps, states, 0, len(rows), found)
        if found.unsettled:
            raise LimitReached("bound", self.unsettled)
        return found.arrays(count)

    @cached_property
    def _layout(self) -> Layout:
        return Layout(self)
