"""Plain actions as arrays: guards are cubes, updates are constants. An `Action` is made when it is asked for.

Compiled search reads the arrays of all actions, and then needs the few actions of a trace. Other engines read the
actions one by one, as those of any model.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.model.action import Action, LazyActions
from puzzlemc.mc.model.formula import Bit

Numbers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cubes:
    """One cube for each action.

    bit    (actions, most literals): the number of the bit of each literal, -1 for no literal
    value  (actions, most literals): the value that it requires
    """

    bit: Numbers
    value: Truths

    @cached_property
    def _lists(self) -> tuple[list[list[int]], list[list[bool]]]:
        return self.bit.tolist(), self.value.tolist()

    def cube(self, number: int, bits: Sequence[Bit]) -> dict[Bit, bool]:
        """The cube of an action. `bits` are the bits that the literals number."""
        bit, value = self._lists
        return {bits[b]: held for b, held in zip(bit[number], value[number], strict=True) if b >= 0}


class PlainActions(LazyActions):
    """Actions whose guards are cubes, and whose updates are constants.

    bits     the bits that the literals number
    guards   the guard of each action
    updates  the update of each action
    """

    def __init__(
        self,
        bits: Sequence[Bit],
        guards: Cubes,
        updates: Cubes,
        costs: Sequence[Mapping[str, int]],
        kind: Numbers,
        name: Callable[[int], str],
    ) -> None:
        """Make no action yet.

        costs  the different costs of actions, by metric
        kind   (actions,): the number of the costs of each action
        name   from the number of an action to its name
        """
        self.bits, self.guards, self.updates = bits, guards, updates
        self._costs, self._name = costs, name
        self._kind: list[int] = kind.tolist()
        self._made: dict[int, Action] = {}

    def name(self, at: int) -> str:
        """The name of an action."""
        return self._name(at)

    def costs(self, at: int) -> Mapping[str, int]:
        """The costs of an action by metric."""
        return self._costs[self._kind[at]]

    def step_costs(self, metric: str) -> list[int]:
        """The cost of each action under the metric. Raises KeyError if an action has none."""
        cost = {kind: self._costs[kind][metric] for kind in {*self._kind}}
        return [cost[kind] for kind in self._kind]

    def __len__(self) -> int:
        return len(self.guards.bit)

    @overload
    def __getitem__(self, at: int) -> Action: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Action]: ...

    def __getitem__(self, at: int | slice) -> Action | Sequence[Action]:
        """The action of a number; each is made once."""
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        number = range(len(self))[at]
        if number not in self._made:
            guard, update = self.guards.cube(number, self.bits), self.updates.cube(number, self.bits)
            self._made[number] = Action(self.name(number), guard, update, self.costs(number))
        return self._made[number]

    def made(self) -> Iterable[Action]:
        """The actions that have been made; no other object is one of these actions."""
        return self._made.values()

    def changing(self, bits: Collection[Bit]) -> Truths:
        """Which actions set one of these bits?"""
        chosen = np.array([*(b in bits for b in self.bits), False], np.bool_)  # -1 is the number of no literal
        found: Truths = np.logical_or.reduce(chosen.take(self.updates.bit), axis=1)
        return found


def changing(actions: Sequence[Action], bits: Collection[Bit]) -> Truths:
    """Which actions change any of these bits?"""
    if isinstance(actions, PlainActions):
        return actions.changing(bits)
    return np.array([not action.update.keys().isdisjoint(bits) for action in actions], np.bool_)
