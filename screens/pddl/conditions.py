"""What a domain and a problem say: conditions, effects, actions, rules of derived predicates.

A *term* is the name of an object, or a variable, which begins with `?`. A *fact* is an atom whose terms are
objects; its name is `at(t1,c2)`, or the predicate alone if that has no arguments.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.screens.pddl.numbers import OPPOSITE, Fluent, Numeric, fluents, put

Parameters: TypeAlias = tuple[tuple[str, str], ...]  # variables with their types


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate or a function with its terms."""

    name: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """Both terms are the same object."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both expressions have a value, and these compare so: < <= = != >= >."""

    sign: str
    one: Numeric
    other: Numeric


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of conditions; without any, it is true."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of conditions; without any, it is false."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Quantified:
    """The condition holds for all objects, or for some objects, in the places of the variables."""

    for_all: bool
    variables: Parameters
    part: "Condition"


Condition: TypeAlias = Atom | Equal | Comparison | Not | And | Or | Quantified
TRUE, FALSE = And(()), Or(())


@dataclass(frozen=True, slots=True)
class Effect:
    """For all objects in the places of the variables: if the condition holds before, the atom gets the value."""

    variables: Parameters
    condition: Condition
    atom: Atom
    value: bool


@dataclass(frozen=True, slots=True)
class NumericEffect:
    """For all objects in the places of the variables: if the condition holds before, the function changes.

    Functions in the target and in the amount have the values before the action. `place` is the file, the line and
    the column of the effect.
    """

    variables: Parameters
    condition: Condition
    change: str
    target: Fluent
    amount: Numeric
    place: tuple[str, int, int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Schema:
    """An action. `numeric` are the effects on functions, but for those on `total-cost`, which are its cost."""

    name: str
    parameters: Parameters
    precondition: Condition
    effects: tuple[Effect, ...]
    cost: Numeric
    numeric: tuple[NumericEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """The atom of a derived predicate holds where the condition does."""

    name: str
    parameters: Parameters
    condition: Condition


def fact(name: str, objects: tuple[str, ...]) -> str:
    """The name of a fact, or of an action with its arguments."""
    return f"{name}({','.join(objects)})" if objects else name


def substituted(condition: Condition, objects: Mapping[str, str]) -> Condition:
    """The condition with objects in the places of free variables."""
    match condition:
        case Atom(name, terms):
            return Atom(name, tuple(objects.get(term, term) for term in terms))
        case Equal(one, other):
            return Equal(objects.get(one, one), objects.get(other, other))
        case Comparison(sign, left, right):
            return Comparison(sign, put(left, objects), put(right, objects))
        case Not(part):
            return Not(substituted(part, objects))
        case And(parts):
            return And(tuple(substituted(part, objects) for part in parts))
        case Or(parts):
            return Or(tuple(substituted(part, objects) for part in parts))
        case Quantified(for_all, variables, part):
            bound = {name for name, _ in variables}
            free = {name: each for name, each in objects.items() if name not in bound}
            return Quantified(for_all, variables, substituted(part, free))


def compares(condition: Condition) -> bool:
    """Does a condition contain a comparison of numbers?"""
    match condition:
        case Atom() | Equal():
            return False
        case Comparison():
            return True
        case Not(part) | Quantified(_, _, part):
            return compares(part)
        case And(parts) | Or(parts):
            return any(map(compares, parts))


def negation(condition: Condition) -> Condition:
    """The negation, which is pushed into conditions with comparisons: these get the opposite sign.

    A comparison and its opposite are both false if a value in them is undefined.
    """
    if not compares(condition):
        return Not(condition)
    match condition:
        case Comparison(sign, one, other):
            return Comparison(OPPOSITE[sign], one, other)
        case Not(part):
            return part
        case And(parts):
            return Or(tuple(map(negation, parts)))
        case Or(parts):
            return And(tuple(map(negation, parts)))
        case Quantified(for_all, variables, part):
            return Quantified(not for_all, variables, negation(part))
    return Not(condition)


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions that a condition is a conjunction of."""
    if isinstance(condition, And):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def free(condition: Condition, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the terms of a condition but for the variables that it binds."""
    match condition:
        case Atom(_, terms):
            yield from (term for term in terms if term not in bound)
        case Equal(one, other):
            yield from (term for term in (one, other) if term not in bound)
        case Comparison(_, left, right):
            for each in (*fluents(left), *fluents(right)):
                yield from (term for term in each.terms if term not in bound)
        case Not(part):
            yield from free(part, bound)
        case Quantified(_, variables, part):
            yield from free(part, bound | {name for name, _ in variables})
        case And(parts) | Or(parts):
            for part in parts:
                yield from free(part, bound)
