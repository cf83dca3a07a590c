"""The positions of plain rules as a model: they are numbered when they are met, and a state is such a number.

All that reads states works on it: state graphs, atoms, formulas. What holds in a position is in the state, too: a
bit each for *solved* and for the other atoms. Actions have names and costs only; they are numbered like positions.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates
from puzzlemc.mc.rules.plain import Transition
from puzzlemc.mc.steps.system import StepAction
from puzzlemc.mc.system.memory import own_resident

Held: TypeAlias = Callable[[Any], Iterable[str]]  # the names of the atoms that hold in a position

NUMBER_BITS = 31  # of the number of a position
LOOK = 1 << 10  # positions between two looks at the memory
SOLVED = "solved"


class Positions:
    """The positions of a level that were met, and their steps; both grow.

    actions  the actions that were met: a name with costs each
    """

    def __init__(self, rules: Transition, level: Any, atoms: Sequence[str], held: Held) -> None:
        self.actions: list[StepAction] = []
        self._rules, self._level, self._held = rules, level, held
        self._one = {name: 1 << NUMBER_BITS + 1 + place for place, name in enumerate(atoms)}
        self._met: list[Hashable] = []
        self._states: list[int] = []
        self._numbers: dict[Hashable, int] = {}
        self._actions: dict[tuple[str, tuple[tuple[str, int], ...]], int] = {}
        self._base = own_resident()
        self._looked = 0
        self.start = self._state(rules.start(level))

    def position(self, state: int) -> Hashable:
        """The position of a state, which is given as an integer."""
        return self._met[state & (1 << NUMBER_BITS) - 1]

    def steps(self, state: int) -> list[tuple[int, int]]:
        """The steps from a state: the number of the action, and the state after it."""
        return [
            (self._action(step.name, step.costs), self._state(step.position))
            for step in self._rules.steps(self._level, self.position(state))
        ]

    def check(self, budget: Budget) -> None:
        """Raise LimitReached if the time is up, or the positions take too much memory."""
        budget.check()
        if len(self._met) >= self._looked + LOOK:
            self._looked = len(self._met)
            if own_resident() - self._base > budget.limits.memory or self._looked >> NUMBER_BITS - 1:
                raise LimitReached("memory")

    def _action(self, name: str, costs: Mapping[str, int]) -> int:
        key = name, tuple(costs.items())
        number = self._actions.setdefault(key, len(self.actions))
        if number == len(self.actions):
            self.actions.append(StepAction(name, costs))
        return number

    def _state(self, position: Hashable) -> int:
        number = self._numbers.get(position)
        if number is not None:
            return self._states[number]
        number = len(self._met)
        held = sum(self._one[name] for name in set(self._held(position)))
        held |= int(self._rules.solved(self._level, position)) << NUMBER_BITS
        self._numbers[position] = number
        self._met.append(position)
        self._states.append(number | held)
        return self._states[number]


@dataclass(frozen=True)
class PositionModel(Model):
    """A model whose states are positions that are numbered when they are met."""

    positions: Positions = field(kw_only=True)

    @property
    def has_formulas(self) -> bool:
        """No: the successors are a function."""
        return False

    def position(self, state: State) -> Hashable:
        """The position of a state."""
        return self.positions.position(self._layout.integer(state))

    def successors(self, state: State) -> list[tuple[Action, State]]:
        """The steps from a state: actions, and the states that they lead to."""
        steps = self.positions.steps(self._layout.integer(state))
        return [(self.actions[action], self._layout.state(after)) for action, after in steps]

    def expand(self, rows: PackedStates, budget: Budget) -> tuple[PackedStates, Numbers, Numbers]:
        """The successors of packed states: packed states, places of predecessors in order, numbers of actions.

        Raises LimitReached.
        """
        after: list[int] = []
        source: list[int] = []
        actions: list[int] = []
        for place, number in enumerate((rows[:, 0] & np.uint64((1 << NUMBER_BITS) - 1)).tolist()):
            self.positions.check(budget)
            for action, state in self.positions.steps(number):
                after.append(state)
                source.append(place)
                actions.append(action)
        return self._layout.from_integers(after), np.array(source, np.int64), np.array(actions, np.int64)

    @cached_property
    def _layout(self) -> Layout:
        return Layout(self)


def position_model(
    rules: Transition, level: Any, atoms: Sequence[str] = (), held: Held = lambda position: ()
) -> PositionModel:
    """The positions of a level as a model. `atoms` are the names that `held` may return beside *solved*."""
    positions = Positions(rules, level, atoms, held)
    number = [boolean("position", place) for place in range(NUMBER_BITS)]
    truths = [boolean(name) for name in (SOLVED, *(f"atom {name}" for name in atoms))]
    variables = (*number, *truths)
    bits: list[Bit] = [variable.bits[0] for variable in variables]
    named = {name: {variable.bits[0]: True} for name, variable in zip((SOLVED, *atoms), truths, strict=True)}
    init = {bit: bool(positions.start >> place & 1) for place, bit in enumerate(bits)}
    return PositionModel(variables, init, positions.actions, named[SOLVED], named, positions=positions)
