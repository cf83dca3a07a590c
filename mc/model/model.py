"""Transition systems over boolean state: the input of all engines.

A model has finite-domain variables encoded in bits, an initial condition, guarded actions with costs, and
a goal. An action is enabled where its guard holds; it sets the bits of its update all at once, to
constants or to the values of formulas over the old state, and every other bit keeps its value.

Costs are non-negative integers by metric, so that one model serves all metrics: an action may cost something under
one and nothing under another. Hints make engines faster and never change an answer.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Formula, State, is_formula, support
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.lazy import LazyMapping
from puzzlemc.mc.model.variables import Variable


@dataclass(frozen=True)
class Model:
    """A transition system with a goal.

    Properties refer to `atoms`, which are named formulas, and to `counts`: a count is the number of its formulas
    that hold in a state.
    """

    variables: tuple[Variable, ...]
    init: Formula
    actions: Sequence[Action]
    goal: Formula
    atoms: Mapping[str, Formula] = field(default_factory=dict)
    hints: Hints = field(default_factory=Hints)
    counts: Mapping[str, Sequence[Formula]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise TypeError, at the place that makes the model, if a condition or an atom is no formula."""
        atoms = () if isinstance(self.atoms, LazyMapping) else self.atoms.items()
        for what, formula in [("init", self.init), ("goal", self.goal), *atoms]:
            if not is_formula(formula):
                raise TypeError(_no_formula(what, formula))

    @cached_property
    def bits(self) -> tuple[Bit, ...]:
        """All bits, in the order of the variables."""
        return tuple(b for variable in self.variables for b in variable.bits)

    @cached_property
    def remembered(self) -> dict[object, Any]:
        """Values that one search computes from the model and another one uses again, by name."""
        return {}

    @property
    def has_formulas(self) -> bool:
        """Are guards and updates formulas? False for a step system, whose successors are a function of a state."""
        return True

    @property
    def in_formulas(self) -> "Model":
        """A model of the same with formulas, for proofs that need them: this one, unless it is a step system."""
        return self

    def successors(self, state: State) -> list[tuple[Action, State]]:
        """The enabled actions of a state with the states that they lead to."""
        return [(action, action.fire(state)) for action in self.actions if action.enabled(state)]

    @cached_property
    def keeps_objects(self) -> bool:
        """Is the number of objects constant, and does each action determine which objects it moves to which
        places?

        Dead patterns of a relaxation are sound only then.
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
        """Raise ModelError for a part of a wrong type, a bit of no variable or of two, or a negative cost."""
        if wrong := [each for each in self.variables if not isinstance(each, Variable)]:
            raise ModelError(f"variables: found {wrong[0]!r}, expected a variable, as boolean(...) makes")
        bits = set(self.bits)
        if len(bits) < len(self.bits):
            raise ModelError(f"two variables share a bit: {Counter(self.bits).most_common(1)[0][0]}")
        counted = [(name, formula) for name, formulas in self.counts.items() for formula in formulas]
        for what, formula in [("init", self.init), ("goal", self.goal), *self.atoms.items(), *counted]:
            if not is_formula(formula):
                raise ModelError(_no_formula(what, formula))
            if foreign := support([formula]) - bits:
                raise ModelError(f"{what} speaks of bits of no variable: {_named(foreign)}")
        sizes = [relaxation.keep for relaxation in self.hints.relaxations]
        if len(set(sizes)) < len(sizes):
            raise ModelError("two relaxations keep the same number of objects")
        if not isinstance(self.actions, Sequence):
            raise ModelError(f"actions: found {self.actions!r}, expected a tuple of actions")
        for action in self.actions:
            self._validate(action, bits)

    def _validate(self, action: Action, bits: Set[Bit]) -> None:
        """Raise ModelError if an action is not well formed."""
        if not isinstance(action, Action):
            raise ModelError(f"actions: found {action!r}, expected an action")
        what = f"action {action.name}"
        if not is_formula(action.guard):
            raise ModelError(_no_formula(f"{what}: the guard", action.guard))
        for part, found in (("update", action.update), ("costs", action.costs)):
            if not isinstance(found, Mapping):
                raise ModelError(f"{what}: {part}: found {found!r}, expected a mapping")
        for new in action.update.values():
            if not isinstance(new, bool) and not is_formula(new):
                raise ModelError(_no_formula(f"{what}: a new value", new))
        if foreign := (action.reads | action.update.keys()) - bits:
            raise ModelError(f"{what}: bits of no variable: {_named(foreign)}")
        for metric, cost in action.costs.items():
            given: object = cost
            if not isinstance(given, Integral):
                raise ModelError(f"{what}: {metric}: found {given!r}, expected a whole number")
            if cost < 0:
                raise ModelError(f"{what}: cost {cost} of {metric} is negative")


def _no_formula(what: str, found: object) -> str:
    """The message for what is in the place of a formula."""
    kind = type(found).__name__
    return f"{what} is a {kind}, not a formula: a cube {{bit: value}}, Clauses, a Signal or an expression"


def _named(foreign: Iterable[object]) -> list[str]:
    """The names of what is in the place of bits. A variable is a common mistake for one of its bits."""
    return sorted(f"the variable {each.name}" if isinstance(each, Variable) else str(each) for each in foreign)
