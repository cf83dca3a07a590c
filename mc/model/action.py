"""Actions: guarded updates of boolean state, all bits at once, with a cost for each metric."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.formula import Bit, Cube, Formula, State, holds, literals, support

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
        """The guard as literals, if that is what it is."""
        return self.guard if type(self.guard) is dict else self._cube  # most are dicts: no need to look for it

    @cached_property
    def _cube(self) -> Cube | None:
        return literals(self.guard)

    @cached_property
    def constants(self) -> Cube:
        """The bits that it sets to constants."""
        return {b: new for b, new in self.update.items() if isinstance(new, bool)}

    @cached_property
    def formulas(self) -> Mapping[Bit, Formula]:
        """The bits that it sets to the values of formulas."""
        return {b: new for b, new in self.update.items() if not isinstance(new, bool)}

    @property
    def is_plain(self) -> bool:
        """Has it a literal guard and constant updates?"""
        return self.cube is not None and not self.formulas

    @cached_property
    def reads(self) -> frozenset[Bit]:
        """The bits that its guard and its updates speak of."""
        return support([self.guard, *self.formulas.values()])

    def enabled(self, state: State) -> bool:
        """May this action happen in the state?"""
        return holds(self.guard if self.cube is None else self.cube, state)

    def fire(self, state: State) -> State:
        """The state after the action, whose guard must hold."""
        held = [b for b, new in self.update.items() if new is True or (new is not False and holds(new, state))]
        return state.difference(self.update).union(held)


def cost_of(action: Action, metric: str) -> int:
    """What the action costs under the metric; under `any` every action costs 1. Raises ModelError."""
    if metric == ANY:
        return 1
    try:
        return action.costs[metric]
    except KeyError:
        raise ModelError(f"action {action.name} has no cost for metric {metric!r}") from None
