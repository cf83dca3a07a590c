"""Transition systems over boolean state: the one thing that engines know.

A model has finite-domain variables encoded in bits, an initial condition, guarded actions with costs, and
a goal. An action is enabled where its guard holds; it sets the bits of its update all at once, to
constants or to the values of formulas over the old state, and every other bit keeps its value.

Costs are non-negative integers by metric, so that one model serves all metrics: an action may cost something under
one and nothing under another. Hints make engines faster and never change an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import Bit, Cube, Formula, State, holds, literals, support
from puzzlemc.mc.hints import Hints
from puzzlemc.mc.variables import Variable


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


@dataclass(frozen=True)
class Model:
    """A transition system with a goal.

    Properties speak of `atoms`, which are named formulas, and of `counts`, which are named numbers: how many of
    these formulas hold.
    """

    variables: tuple[Variable, ...]
    init: Formula
    actions: tuple[Action, ...]
    goal: Formula
    atoms: Mapping[str, Formula] = field(default_factory=dict)
    hints: Hints = field(default_factory=Hints)
    counts: Mapping[str, Sequence[Formula]] = field(default_factory=dict)

    @cached_property
    def bits(self) -> tuple[Bit, ...]:
        """All bits, in the order of the variables."""
        return tuple(b for variable in self.variables for b in variable.bits)

    @cached_property
    def keeps_objects(self) -> bool:
        """Are there objects, always as many of them, and does each action tell which of them it moves where?

        Without that, what relaxations tell is no evidence.
        """
        objects = self.hints.objects.keys()
        if not objects or not any(objects == frozenset(formulas) for formulas, _ in self.hints.conserved):
            return False
        for action in self.actions:
            cube, update = action.cube, action.update
            if objects.isdisjoint(update):
                continue
            moved = objects & update.keys()
            if cube is None or any(update[b] is not True and update[b] is not False for b in moved):
                return False
            if any(cube.get(b) is not (not update[b]) for b in moved):
                return False
            if 2 * sum(update[b] is True for b in moved) != len(moved):
                return False
        return True

    def validate(self) -> None:
        """Raise ModelError where a formula or an update names a foreign bit, or a cost is negative."""
        bits = set(self.bits)
        if len(bits) < len(self.bits):
            raise ModelError("two variables share a bit")
        counted = [(name, formula) for name, formulas in self.counts.items() for formula in formulas]
        for what, formula in [("init", self.init), ("goal", self.goal), *self.atoms.items(), *counted]:
            if foreign := support([formula]) - bits:
                raise ModelError(f"{what} speaks of bits of no variable: {sorted(map(str, foreign))}")
        sizes = [relaxation.keep for relaxation in self.hints.relaxations]
        if len(set(sizes)) < len(sizes):
            raise ModelError("two relaxations keep the same number of objects")
        for action in self.actions:
            if foreign := (action.reads | action.update.keys()) - bits:
                raise ModelError(f"action {action.name}: bits of no variable: {sorted(map(str, foreign))}")
            for metric, cost in action.costs.items():
                if cost < 0:
                    raise ModelError(f"action {action.name}: cost {cost} of {metric} is negative")


ANY = "any"


def cost_of(action: Action, metric: str) -> int:
    """What the action costs under the metric; under `any` every action costs 1. Raises ModelError."""
    if metric == ANY:
        return 1
    try:
        return action.costs[metric]
    except KeyError:
        raise ModelError(f"action {action.name} has no cost for metric {metric!r}") from None
