"""What a domain and a problem say: conditions, effects, actions, rules of derived predicates.

A *term* is the name of an object, or a variable, which begins with `?`. A *fact* is an atom whose terms are
objects; its name is `at(t1,c2)`, or the predicate alone if that has no arguments.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

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


Condition: TypeAlias = Atom | Equal | Not | And | Or | Quantified
TRUE, FALSE = And(()), Or(())


@dataclass(frozen=True, slots=True)
class Effect:
    """For all objects in the places of the variables: if the condition holds before, the atom gets the value."""

    variables: Parameters
    condition: Condition
    atom: Atom
    value: bool


@dataclass(frozen=True, slots=True)
class Schema:
    """An action. Its cost is a number or the value of a function."""

    name: str
    parameters: Parameters
    precondition: Condition
    effects: tuple[Effect, ...]
    cost: int | Atom


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
