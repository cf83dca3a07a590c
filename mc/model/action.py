"""Actions: guarded updates of boolean state, all bits at once, with a cost for each metric."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

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


def cost_of(action: Action, metric: str) -> int:
    """The cost of the action under the metric; under `any` it is 1. Raises ModelError if it has no cost."""
    if metric == ANY:
        return 1
    try:
        return action.costs[metric]
    except KeyError:
        raise ModelError(f"action {action.name} has no cost for metric {metric!r}") from None
