"""Actions: guarded updates of boolean state, all bits at once, with a cost for each metric."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.formula import Bit, Cube, Formula, Gates, State, holds, literals, support

ANY = "any"


@dataclass(frozen=True)
class Action:
    """A guarded simultaneous update: `update` maps a bit to a constant or to a formula over the old state."""

    name: str
    guard: Formula
    update: Mapping[Bit, bool | Formula]
    costs: Mapping[str, int]

    @property
    def cube(self) -> Cube | None:
        """The guard as a cube, None if it is no cube."""
        return self.guard if type(self.guard) is dict else self._cube  # most guards are dicts: a fast path

    @cached_property
    def _cube(self) -> Cube | None:
        return literals(self.guard)

    @cached_property
    def constants(self) -> Cube:
        """The part of the update that sets bits to constants."""
        return {b: new for b, new in self.update.items() if isinstance(new, bool)}

    @cached_property
    def formulas(self) -> Mapping[Bit, Formula]:
        """The part of the update that sets bits to the values of formulas."""
        return {b: new for b, new in self.update.items() if not isinstance(new, bool)}

    @property
    def is_plain(self) -> bool:
        """Does it have a cube as guard, and only constant updates?"""
        return self.cube is not None and not self.formulas

    @cached_property
    def reads(self) -> frozenset[Bit]:
        """The bits in its guard and in the formulas of its update."""
        return support([self.guard, *self.formulas.values()])

    def enabled(self, state: State) -> bool:
        """Does the guard hold in the state?"""
        return holds(self.guard if self.cube is None else self.cube, state)

    def fire(self, state: State) -> State:
        """The successor of the state by this action, which must be enabled."""
        known: dict[Gates, dict[int, bool]] = {}
        held = [b for b, new in self.formulas.items() if holds(new, state, known)]
        held += [b for b, new in self.constants.items() if new]
        return state.difference(self.update).union(held)


class LazyActions(Sequence[Action]):
    """Actions that are made when they are asked for; their names and costs are known before.

    Compared with another sequence by their elements.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    @abstractmethod
    def name(self, at: int) -> str:
        """The name of an action."""

    @abstractmethod
    def costs(self, at: int) -> Mapping[str, int]:
        """The costs of an action by metric."""

    def step_costs(self, metric: str) -> list[int]:
        """The cost of each action under the metric. Raises KeyError if an action has none."""
        return [self.costs(at)[metric] for at in range(len(self))]


class ChosenActions(LazyActions):
    """Some of the actions of a sequence, by their numbers, as those of a trace."""

    def __init__(self, among: LazyActions, numbers: Sequence[int]) -> None:
        self._among, self._numbers = among, numbers

    def name(self, at: int) -> str:
        """The name of an action."""
        return self._among.name(self._numbers[at])

    def costs(self, at: int) -> Mapping[str, int]:
        """The costs of an action by metric."""
        return self._among.costs(self._numbers[at])

    def step_costs(self, metric: str) -> list[int]:
        """The cost of each action under the metric. Raises KeyError if an action has none."""
        costs = self._among.costs
        return [costs(number)[metric] for number in self._numbers]

    def numbers(self, among: Sequence[Action]) -> Sequence[int] | None:
        """The numbers of the actions in the sequence `among`; None if they are not of that sequence."""
        return self._numbers if self._among is among else None

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Action: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Action]: ...

    def __getitem__(self, at: int | slice) -> Action | Sequence[Action]:
        chosen = self._numbers[at]
        return self._among[chosen] if isinstance(chosen, int) else [self._among[number] for number in chosen]


def chosen(actions: Sequence[Action], numbers: Sequence[int]) -> Sequence[Action]:
    """The actions with these numbers; lazy ones stay lazy."""
    if isinstance(actions, LazyActions):
        return ChosenActions(actions, numbers)
    return tuple(actions[number] for number in numbers)


def names(actions: Sequence[Action]) -> list[str]:
    """The name of each action."""
    if isinstance(actions, LazyActions):
        return [actions.name(at) for at in range(len(actions))]
    return [action.name for action in actions]


def step_costs(actions: Sequence[Action], metric: str) -> list[int]:
    """The cost of each action, as `cost_of`. Raises ModelError if an action has no cost for the metric."""
    if not isinstance(actions, LazyActions):
        return [cost_of(action, metric) for action in actions]
    if metric == ANY:
        return [1] * len(actions)
    try:
        return actions.step_costs(metric)
    except KeyError:
        at = next(at for at in range(len(actions)) if metric not in actions.costs(at))
        raise ModelError(f"action {actions.name(at)} has no cost for metric {metric!r}") from None


def cost_of(action: Action, metric: str) -> int:
    """The cost of the action under the metric; under `any` it is 1. Raises ModelError if it has no cost."""
    if metric == ANY:
        return 1
    try:
        return action.costs[metric]
    except KeyError:
        raise ModelError(f"action {action.name} has no cost for metric {metric!r}") from None
