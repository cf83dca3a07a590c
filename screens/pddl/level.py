"""A problem together with its domain."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeAlias

from puzzlemc.screens.pddl.conditions import And, Atom, Condition, Quantified, Rule, Schema, substituted
from puzzlemc.screens.pddl.numbers import Value

Remark: TypeAlias = tuple[int, int, str]  # line, column, and what is odd there
Bounds: TypeAlias = tuple[Value | None, Value | None]  # least and largest value, None for no limit

OBJECT = "object"  # the type of everything
RESERVED = "goal--"  # begins names that the encoding adds
MOST_CONJUNCTS = 256  # that a condition on all objects is written as


@dataclass(frozen=True, slots=True)
class Preference:
    """A soft goal: its name with the objects that it is about, unlike that of any other, and the penalty."""

    terms: tuple[str, ...]
    condition: Condition
    penalty: int


@dataclass(frozen=True, eq=False)
class Domain:
    """A domain.

    types       each type with the type above it; `object` is not listed
    constants   objects with their types
    predicates  the types of the arguments of each
    functions   the types of the arguments of each
    strata      for each derived predicate a number: a rule reads predicates of its own stratum or lower ones, and
                negations of lower ones only
    bounds      the values that functions may have: an action that would leave them is not applicable
    """

    name: str
    types: Mapping[str, str]
    constants: Mapping[str, str]
    predicates: Mapping[str, tuple[str, ...]]
    functions: Mapping[str, tuple[str, ...]]
    actions: tuple[Schema, ...]
    rules: tuple[Rule, ...]
    strata: Mapping[str, int]
    bounds: Mapping[str, Bounds] = field(default_factory=dict)

    @cached_property
    def changing(self) -> frozenset[str]:
        """The predicates that actions have effects on."""
        return frozenset(effect.atom.name for action in self.actions for effect in action.effects)

    @cached_property
    def varying(self) -> frozenset[str]:
        """The functions that actions have effects on, but for the cost."""
        return frozenset(effect.target.name for action in self.actions for effect in action.numeric)


@dataclass(frozen=True, eq=False)
class Level:
    """A problem with its domain.

    objects    all objects with their types, those of the domain as well
    init       the facts that hold at the start
    values     the values of functions, by the name of their fact
    has_costs  is the cost of a plan the sum of the costs of its actions, and not the number of actions?
    text       the text of the problem and of the domain
    warnings   what is odd in the text, but does not keep it from being read
    preferences
               the soft goals: the cost of a plan contains the penalties of those that do not hold at its end
    factor     times the cost of the actions in the cost of a plan
    tracked    the functions whose values are a part of positions, see `tracked.py`
    """

    title: str
    domain: Domain
    objects: Mapping[str, str]
    init: frozenset[Atom]
    values: Mapping[str, Value]
    goal: Condition
    has_costs: bool
    text: str
    warnings: tuple[Remark, ...] = ()
    preferences: tuple[Preference, ...] = ()
    factor: int = 1
    tracked: frozenset[str] = frozenset()

    @cached_property
    def of_type(self) -> Mapping[str, tuple[str, ...]]:
        """The objects of each type, in the order of the files."""
        return by_type(self.domain.types, self.objects)

    @cached_property
    def conjuncts(self) -> tuple[Condition, ...]:
        """The conditions that the goal is a conjunction of; what holds for all objects is one for each of them."""
        return tuple(self.conjuncts_of(self.goal))

    def conjuncts_of(self, condition: Condition) -> Iterator[Condition]:
        """Yield the conditions that a condition is a conjunction of."""
        if isinstance(condition, And):
            for part in condition.parts:
                yield from self.conjuncts_of(part)
        elif isinstance(condition, Quantified) and condition.for_all and self._count(condition) <= MOST_CONJUNCTS:
            names = [name for name, _ in condition.variables]
            for objects in product(*(self.of_type[kind] for _, kind in condition.variables)):
                yield from self.conjuncts_of(substituted(condition.part, dict(zip(names, objects, strict=True))))
        else:
            yield condition

    def _count(self, condition: Quantified) -> int:
        return prod(len(self.of_type[kind]) for _, kind in condition.variables)


def by_type(types: Mapping[str, str], objects: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """The objects of each type and those below it, in their order."""
    found: dict[str, list[str]] = {OBJECT: [], **{each: [] for each in types}}
    for name, kind in objects.items():
        while kind != OBJECT:
            found[kind].append(name)
            kind = types[kind]
        found[OBJECT].append(name)
    return {kind: tuple(names) for kind, names in found.items()}
