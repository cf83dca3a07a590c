"""A problem together with its domain."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeAlias

from puzzlemc.screens.pddl.conditions import And, Atom, Condition, Quantified, Rule, Schema, substituted

Remark: TypeAlias = tuple[int, int, str]  # line, column, and what is odd there

OBJECT = "object"  # the type of everything
RESERVED = "goal--"  # begins names that the encoding adds
MOST_CONJUNCTS = 256  # that a condition on all objects is written as


@dataclass(frozen=True, eq=False)
class Domain:
    """A domain.

    types       each type with the type above it; `object` is not listed
    constants   objects with their types
    predicates  the types of the arguments of each
    functions   the types of the arguments of each
    strata      for each derived predicate a number: a rule reads predicates of its own stratum or lower ones, and
                negations of lower ones only
    """

    name: str
    types: Mapping[str, str]
    constants: Mapping[str, str]
    predicates: Mapping[str, tuple[str, ...]]
    functions: Mapping[str, tuple[str, ...]]
    actions: tuple[Schema, ...]
    rules: tuple[Rule, ...]
    strata: Mapping[str, int]

    @cached_property
    def changing(self) -> frozenset[str]:
        """The predicates that actions have effects on."""
        return frozenset(effect.atom.name for action in self.actions for effect in action.effects)


@dataclass(frozen=True, eq=False)
class Level:
    """A problem with its domain.

    objects    all objects with their types, those of the domain as well
    init       the facts that hold at the start
    values     the values of functions, by the name of their fact
    has_costs  is the cost of a plan the sum of the costs of its actions, and not the number of actions?
    text       the text of the problem and of the domain
    warnings   what is odd in the text, but does not keep it from being read
    """

    title: str
    domain: Domain
    objects: Mapping[str, str]
    init: frozenset[Atom]
    values: Mapping[str, int]
    goal: Condition
    has_costs: bool
    text: str
    warnings: tuple[Remark, ...] = ()

    @cached_property
    def of_type(self) -> Mapping[str, tuple[str, ...]]:
        """The objects of each type, in the order of the files."""
        found: dict[str, list[str]] = {OBJECT: [], **{each: [] for each in self.domain.types}}
        for name, kind in self.objects.items():
            while kind != OBJECT:
                found[kind].append(name)
                kind = self.domain.types[kind]
            found[OBJECT].append(name)
        return {kind: tuple(names) for kind, names in found.items()}

    @cached_property
    def conjuncts(self) -> tuple[Condition, ...]:
        """The conditions that the goal is a conjunction of; what holds for all objects is one for each of them."""
        return tuple(self._conjuncts(self.goal))

    def _conjuncts(self, condition: Condition) -> Iterator[Condition]:
        if isinstance(condition, And):
            for part in condition.parts:
                yield from self._conjuncts(part)
        elif isinstance(condition, Quantified) and condition.for_all and self._count(condition) <= MOST_CONJUNCTS:
            names = [name for name, _ in condition.variables]
            for objects in product(*(self.of_type[kind] for _, kind in condition.variables)):
                yield from self._conjuncts(substituted(condition.part, dict(zip(names, objects, strict=True))))
        else:
            yield condition

    def _count(self, condition: Quantified) -> int:
        return prod(len(self.of_type[kind]) for _, kind in condition.variables)
