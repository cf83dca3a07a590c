"""Actions with numbers, with objects in the places of the variables that matter for numbers.

Two functions with variables may be one function, `(fuel ?a)` and `(fuel ?b)`; with objects it is clear which are.
The other variables of an action stay.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeAlias

from puzzlemc.encodings.pddl.numeric.values import joined, within
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.pddl.conditions import (
    FALSE,
    TRUE,
    And,
    Atom,
    Comparison,
    Condition,
    Effect,
    Equal,
    Not,
    NumericEffect,
    Or,
    Quantified,
    Schema,
    compares,
    conjuncts,
    fact,
    free,
    substituted,
)
from puzzlemc.screens.pddl.level import Level
from puzzlemc.screens.pddl.numbers import Fluent, Number, Numeric, Value, compared, computed, divides, fluents, put

MOST_INSTANCES = 50_000
MOST_CONDITIONAL = 6  # effects with conditions on one function in one action
MOST_EXPANDED = 64  # objects that a quantifier is written out for
Values: TypeAlias = Mapping[str, Value | None]  # None: the function has no value


@dataclass(frozen=True, eq=False)
class Change:
    """All effects of an action on one function. `always` are those without a condition."""

    target: Fluent
    effects: Sequence[NumericEffect]
    is_quantified: bool

    @property
    def name(self) -> str:
        """The name of the function."""
        return name_of(self.target)

    @cached_property
    def conditional(self) -> Sequence[NumericEffect]:
        """The effects with a condition."""
        return [each for each in self.effects if each.condition != TRUE]

    @property
    def place(self) -> str:
        """Where the first effect is."""
        return ":".join(map(str, self.effects[0].place))

    def subsets(self) -> Iterator[tuple[Sequence[NumericEffect], Condition]]:
        """Yield each set of effects that may happen together, with the condition that these do, and no others."""
        always = [each for each in self.effects if each.condition == TRUE]
        for chosen in product((True, False), repeat=len(self.conditional)):
            pairs = list(zip(self.conditional, chosen, strict=True))
            happen = [*always, *(each for each, is_in in pairs if is_in)]
            if happen:
                parts = (each.condition if is_in else Not(each.condition) for each, is_in in pairs)
                yield happen, And(tuple(parts))


@dataclass(frozen=True, eq=False)
class Instance:
    """An action with objects for some of its variables."""

    action: Schema
    binding: Mapping[str, str]
    precondition: Condition
    changes: Sequence[Change]
    cost: Numeric
    effects: Sequence[Effect]

    @cached_property
    def comparing(self) -> Sequence[Condition]:
        """The conjuncts of the precondition that compare numbers."""
        return [part for part in conjuncts(self.precondition) if compares(part)]


def name_of(function: Fluent) -> str:
    """The name of a function with its objects."""
    return fact(function.name, function.terms)


def is_ground(function: Fluent) -> bool:
    """Are all terms objects?"""
    return not any(term.startswith("?") for term in function.terms)


class Grounding:
    """The instances of actions with numbers, and the other actions."""

    def __init__(self, level: Level) -> None:
        """Find them. Raises ModelError if there are too many."""
        self.level = level
        self.plain = [action for action in level.domain.actions if not self._is_numeric(action)]
        self.instances: list[Instance] = []
        self._init = {fact(atom.name, atom.terms) for atom in level.init}
        for action in level.domain.actions:
            if self._is_numeric(action):
                self._ground(action)

    def _is_numeric(self, action: Schema) -> bool:
        has_own_cost = self.level.has_costs and not self.is_plain_cost(action.cost)
        conditions = (action.precondition, *(effect.condition for effect in action.effects))
        return bool(action.numeric) or has_own_cost or any(map(compares, conditions))

    def is_plain_cost(self, cost: Numeric) -> bool:
        """Is a cost a number, or a function that never changes?"""
        return isinstance(cost, Number) or (
            isinstance(cost, Fluent) and cost.name not in self.level.domain.varying
        )

    def is_fixed(self, function: Fluent) -> bool:
        """Does a function never change?"""
        return function.name not in self.level.domain.varying

    def is_always_defined(self, name: str) -> bool:
        """Has a function a value in each position?"""
        return name in self.level.values

    def _ground(self, action: Schema) -> None:
        bound = self._bound(action)
        parameters = [(name, kind) for name, kind in action.parameters if name in bound]
        parts = list(conjuncts(action.precondition))
        names = {name for name, _ in parameters}
        checks = [part for part in parts if names.issuperset(t for t in free(part) if t.startswith("?"))]
        for binding in self._bindings(parameters, checks, {}):
            instance = self._instance(action, binding)
            if instance is not None:
                self.instances.append(instance)
            if len(self.instances) > MOST_INSTANCES:
                raise ModelError(
                    f"action {action.name!r}: found more than {MOST_INSTANCES} actions with numbers, with objects "
                    "for their variables"
                )

    def _bound(self, action: Schema) -> set[str]:
        """The variables of an action that matter for numbers."""
        terms = set[str]()
        for part in conjuncts(action.precondition):
            if compares(part):
                terms.update(free(part))
        conditions = [(effect.variables, effect.condition) for effect in action.effects]
        conditions += [(effect.variables, effect.condition) for effect in action.numeric]
        for variables, condition in conditions:
            for part in conjuncts(condition):
                if compares(part):
                    terms.update(free(part, frozenset(name for name, _ in variables)))
        for effect in action.numeric:
            inner = {name for name, _ in effect.variables}
            for function in (effect.target, *fluents(effect.amount)):
                terms.update(set(function.terms) - inner)
        if self.level.has_costs and not self.is_plain_cost(action.cost):
            for function in fluents(action.cost):
                terms.update(function.terms)
        return terms

    def _bindings(
        self, parameters: Sequence[tuple[str, str]], checks: Sequence[Condition], binding: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        """Yield the objects for which the conditions are not known to be false."""
        known = [substituted(part, binding) for part in checks]
        if any(self.truth(part) is False for part in known):
            return
        if not parameters:
            yield dict(binding)
            return
        (name, kind), *rest = parameters
        left = [part for part in known if self.truth(part) is None]
        for each in self.level.of_type[kind]:
            yield from self._bindings(rest, left, {**binding, name: each})

    def _instance(self, action: Schema, binding: Mapping[str, str]) -> Instance | None:
        """The instance; None if it is never applicable, as a function in it has no value."""
        level = self.level
        precondition = self.expanded(substituted(action.precondition, binding))
        cost = put(action.cost, binding)
        if level.has_costs and not self.is_plain_cost(action.cost) and not self._is_known(cost):
            return None
        found: dict[str, list[NumericEffect]] = {}
        targets: dict[str, Fluent] = {}
        quantified = set[str]()
        for effect in action.numeric:
            if effect.target.name not in level.tracked:
                if not effect.variables and not self._is_known(put(effect.amount, binding)):
                    return None
                continue
            for each in self._expanded(effect, binding):
                if each.condition == TRUE and not self._is_known(each.amount):
                    return None
                name = name_of(each.target)
                targets[name] = each.target
                found.setdefault(name, []).append(each)
                if effect.variables:
                    quantified.add(name)
        changes = [Change(targets[name], effects, name in quantified) for name, effects in found.items()]
        for change in changes:
            if len(change.conditional) > MOST_CONDITIONAL:
                message = f"found more than {MOST_CONDITIONAL} effects with conditions on {change.name}"
                raise ModelError(f"{change.place}: {message} in one action, expected at most that")
        effects = [each for effect in action.effects for each in self._effects(effect, binding)]
        return Instance(action, binding, precondition, changes, cost, effects)

    def expanded(self, condition: Condition) -> Condition:
        """The condition without quantifiers around comparisons."""
        if not compares(condition):
            return condition
        match condition:
            case Not(part):
                return Not(self.expanded(part))
            case And(parts):
                return And(tuple(map(self.expanded, parts)))
            case Or(parts):
                return Or(tuple(map(self.expanded, parts)))
            case Quantified(for_all, variables, part):
                names = [name for name, _ in variables]
                bound = product(*(self.level.of_type[kind] for _, kind in variables))
                found = tuple(
                    self.expanded(substituted(part, dict(zip(names, each, strict=True)))) for each in bound
                )
                return And(found) if for_all else Or(found)
        return condition

    def _effects(self, effect: Effect, binding: Mapping[str, str]) -> Iterator[Effect]:
        """Yield an effect on a fact; one whose condition compares numbers for all objects of its variables."""
        names = [name for name, _ in effect.variables] if compares(effect.condition) else []
        kinds = dict(effect.variables)
        left = tuple(each for each in effect.variables if each[0] not in names)
        for objects in product(*(self.level.of_type[kinds[name]] for name in names)):
            bound = {**binding, **dict(zip(names, objects, strict=True))}
            terms = tuple(bound.get(term, term) for term in effect.atom.terms)
            condition = self.expanded(substituted(effect.condition, bound))
            yield Effect(left, condition, Atom(effect.atom.name, terms), effect.value)

    def _expanded(self, effect: NumericEffect, binding: Mapping[str, str]) -> Iterator[NumericEffect]:
        """Yield the effect for all objects in the places of its own variables, unless it never happens."""
        names = [name for name, _ in effect.variables]
        for objects in product(*(self.level.of_type[kind] for _, kind in effect.variables)):
            bound = {**binding, **dict(zip(names, objects, strict=True))}
            condition = self.expanded(substituted(effect.condition, bound))
            truth = self.truth(condition)
            if truth is False:
                continue
            target = Fluent(effect.target.name, tuple(bound.get(term, term) for term in effect.target.terms))
            amount = put(effect.amount, bound)
            yield NumericEffect((), TRUE if truth else condition, effect.change, target, amount, effect.place)

    def _is_known(self, expression: Numeric) -> bool:
        """Have all functions that never change a value?"""
        return all(not self.is_fixed(each) or name_of(each) in self.level.values for each in fluents(expression))

    def truth(self, condition: Condition, values: Values | None = None) -> bool | None:
        """The truth value of a condition in all positions with these values; None if it may be either.

        Terms of the condition may be variables. A value that is None is undefined.
        """
        match condition:
            case Atom(name, terms):
                domain = self.level.domain
                if name in domain.changing or name in domain.strata or any(term[0] == "?" for term in terms):
                    return None
                return fact(name, terms) in self._init
            case Equal(one, other):
                if one == other:
                    return True
                return None if "?" in (one[0], other[0]) else False
            case Comparison(sign, left, right):
                return self._compared(sign, left, right, values or {})
            case Not(part):
                truth = self.truth(part, values)
                return None if truth is None else not truth
            case And(parts):
                return self._all((self.truth(part, values) for part in parts), True)
            case Or(parts):
                return self._all((self.truth(part, values) for part in parts), False)
            case Quantified(for_all, variables, part):
                kinds = [self.level.of_type[kind] for _, kind in variables]
                if prod(map(len, kinds)) > MOST_EXPANDED:
                    return None
                names = [name for name, _ in variables]
                every = [substituted(part, dict(zip(names, each, strict=True))) for each in product(*kinds)]
                return self._all((self.truth(each, values) for each in every), for_all)

    def _all(self, truths: Iterator[bool | None], neutral: bool) -> bool | None:
        """The conjunction if the neutral value is true, else the disjunction."""
        found: bool | None = neutral
        for truth in truths:
            if truth is (not neutral):
                return truth
            if truth is None:
                found = None
        return found

    def _compared(self, sign: str, left: Numeric, right: Numeric, values: Values) -> bool | None:
        is_open = False
        for function in (*fluents(left), *fluents(right)):
            if not is_ground(function):
                is_open = True
            elif self.is_fixed(function):
                if name_of(function) not in self.level.values:
                    return False
            elif name_of(function) not in values:
                is_open = True
        if is_open:
            return None
        one, other = self.value(left, values), self.value(right, values)
        return one is not None and other is not None and compared(sign, one, other)

    def value(self, expression: Numeric, values: Values) -> Value | None:
        """The value of an expression with these values of the functions that change; None if it has none."""

        def of(function: Fluent) -> Value | None:
            name = name_of(function)
            return self.level.values.get(name) if self.is_fixed(function) else values.get(name)

        return computed(expression, of)

    def result(self, change: Change, happen: Sequence[NumericEffect], values: Values) -> Value | None:
        """The value of a function after these effects; None if the action is not applicable then."""
        amounts = ((each.change, self.value(each.amount, values)) for each in happen)
        after = joined(values.get(change.name), amounts)
        return after if after is not None and within(self.level, change.name, after) else None

    def may_fail(self, change: Change, happen: Sequence[NumericEffect]) -> bool:
        """May the action be inapplicable for what these effects do?"""
        contradict = len(happen) > 1 and any(each.change not in ("increase", "decrease") for each in happen)
        return (
            contradict
            or change.target.name in self.level.domain.bounds
            or any(divides(each.amount) or each.change == "scale-down" for each in happen)
            or not all(map(self.is_always_defined, self.reads(change, happen)))
        )

    def reads(self, change: Change, happen: Sequence[NumericEffect]) -> list[str]:
        """The functions that these effects read, each once."""
        found = [change.name] if any(each.change != "assign" for each in happen) else []
        for each in happen:
            found += (name_of(function) for function in fluents(each.amount) if not self.is_fixed(function))
        return list(dict.fromkeys(found))

    def compared_in(self, conditions: Iterable[Condition]) -> list[str]:
        """The functions that change and that conditions compare, each once."""
        found: dict[str, None] = {}
        for condition in conditions:
            for function in _compared_functions(condition):
                if is_ground(function) and not self.is_fixed(function):
                    found[name_of(function)] = None
        return list(found)

    def simplified(self, condition: Condition, values: Values) -> Condition:
        """The condition in positions with these values: what they decide is left out."""
        truth = self.truth(condition, values)
        if truth is not None:
            return TRUE if truth else FALSE
        match condition:
            case Not(part):
                return Not(self.simplified(part, values))
            case And(parts):
                return And(tuple(self.simplified(part, values) for part in parts))
            case Or(parts):
                return Or(tuple(self.simplified(part, values) for part in parts))
        return condition


def _compared_functions(condition: Condition) -> Iterator[Fluent]:
    match condition:
        case Comparison(_, one, other):
            yield from fluents(one)
            yield from fluents(other)
        case Not(part) | Quantified(_, _, part):
            yield from _compared_functions(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _compared_functions(part)
