"""Numbers in PDDL: the values of functions, expressions over them, comparisons, and effects on them.

Numbers are exact: whole ones are `int`, others are fractions. An expression has no value if a function in it has
none, or if it divides by zero.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from puzzlemc.mc.errors import ModelError

Value: TypeAlias = int | Fraction
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
CHANGES = ("increase", "decrease", "assign", "scale-up", "scale-down")
DIGITS = 9  # of a number in a file, before and after the point
LARGEST = 10**1000  # numerator and denominator of a value
_WRITTEN = re.compile(rf"(-?)([0-9]{{1,{DIGITS}}})(?:\.([0-9]{{0,{DIGITS}}}))?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as an expression."""

    value: Value


@dataclass(frozen=True, slots=True)
class Fluent:
    """A function with its terms as an expression."""

    name: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One of + - * / between two expressions."""

    sign: str
    one: "Numeric"
    other: "Numeric"


Numeric: TypeAlias = Number | Fluent | Operation


def whole(value: Value) -> Value:
    """The number, as `int` if it is whole."""
    return value.numerator if value.denominator == 1 else value


def read_number(text: str) -> Value | None:
    """The number that a word stands for: `3`, `-2`, `0.25`; None if it is none."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    part = found[3] or ""
    value = Fraction(int(found[2] + part), 10 ** len(part))
    return whole(-value if found[1] else value)


def show_number(value: Value) -> str:
    """A number as text: as a decimal if that is exact, `0.25`, else as a fraction, `1/3`."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, digits = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        digits = max(digits, count)
    if rest > 1:
        return f"{value.numerator}/{value.denominator}"
    text = str(abs(value.numerator) * 10**digits // value.denominator).rjust(digits + 1, "0")
    return f"{'-' * (value < 0)}{text[:-digits]}.{text[-digits:]}"


def shown_value(text: str) -> Value:
    """The number that `show_number` has written."""
    return whole(Fraction(text))


def fluents(expression: Numeric) -> Iterator[Fluent]:
    """Yield the functions that an expression reads."""
    match expression:
        case Fluent():
            yield expression
        case Operation(_, one, other):
            yield from fluents(one)
            yield from fluents(other)


def divides(expression: Numeric) -> bool:
    """Does an expression contain a division?"""
    match expression:
        case Operation(sign, one, other):
            return sign == "/" or divides(one) or divides(other)
    return False


def computed(expression: Numeric, value_of: Callable[[Fluent], Value | None]) -> Value | None:
    """The value of an expression; None if it has none."""
    match expression:
        case Number(value):
            return value
        case Fluent():
            return value_of(expression)
        case Operation(sign, one, other):
            first = computed(one, value_of)
            second = None if first is None else computed(other, value_of)
            return None if first is None or second is None else operated(sign, first, second)


def operated(sign: str, one: Value, other: Value) -> Value | None:
    """The value of an operation; None for a division by zero. Raises ModelError for more than 1000 digits."""
    match sign:
        case "+":
            value = one + other
        case "-":
            value = one - other
        case "*":
            value = one * other
        case _:
            if other == 0:
                return None
            value = Fraction(one) / other
    if abs(value.numerator) > LARGEST or value.denominator > LARGEST:
        raise ModelError("a value of a function has more than 1000 digits")
    return whole(value)


def compared(sign: str, one: Value, other: Value) -> bool:
    """Is the comparison true?"""
    match sign:
        case "<":
            return one < other
        case "<=":
            return one <= other
        case ">":
            return one > other
        case ">=":
            return one >= other
        case "=":
            return one == other
        case _:
            return one != other


def changed(change: str, before: Value | None, amount: Value | None) -> Value | None:
    """The value after one effect; None if it has none."""
    if amount is None or (before is None and change != "assign"):
        return None
    match change:
        case "assign":
            return amount
        case "increase":
            return operated("+", before or 0, amount)
        case "decrease":
            return operated("-", before or 0, amount)
        case "scale-up":
            return operated("*", before or 0, amount)
        case _:
            return operated("/", before or 0, amount)


def put(expression: Numeric, objects: Mapping[str, str]) -> Numeric:
    """The expression with objects in the places of variables."""
    match expression:
        case Fluent(name, terms):
            return Fluent(name, tuple(objects.get(term, term) for term in terms))
        case Operation(sign, one, other):
            return Operation(sign, put(one, objects), put(other, objects))
    return expression
