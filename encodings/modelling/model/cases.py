"""The values of an expression, case by case: for rows of values of the variables that it reads.

Python's meaning of an expression is kept: a conjunction is looked at until one part decides, of a choice one
branch counts, and an exception is a value of its own, `FAULT`. Functions of the author may be asked for values
that no position has; such an exception counts nowhere.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import reduce
from typing import Any

from puzzlemc.encodings.modelling.language.expressions import (
    Choice,
    Constant,
    Expression,
    Fold,
    Junction,
    Not,
    Operation,
    Variable,
    postorder,
)
from puzzlemc.mc.errors import LIMITS


class _Fault:
    """The value of an expression where Python raises an exception."""

    def __repr__(self) -> str:
        return "FAULT"


FAULT: Any = _Fault()


def column(expression: Expression, columns: Mapping[int, Sequence[Hashable]], rows: int) -> list[Any]:
    """The value of an expression in each row. `columns` has the values of the variables that it reads."""
    if isinstance(expression, Constant):  # the most common update
        return [expression.value] * rows
    found: dict[int, list[Any]] = {}
    for part in postorder(expression):
        if isinstance(part, Constant):
            found[id(part)] = [part.value] * rows
        elif isinstance(part, Variable):
            found[id(part)] = list(columns[part.number])
        else:
            of = meaning(part)
            below = [found[id(each)] for each in part.parts]
            found[id(part)] = [of(values) for values in zip(*below, strict=True)] if below else [of(())] * rows
    return found[id(expression)]


def meaning(expression: Expression) -> Callable[[Sequence[Any]], Any]:
    """The value of an expression as a function of the values of its parts."""
    match expression:
        case Operation(applied):
            return lambda values: _called(applied, values)
        case Fold(word, applied) if word == "sum":
            return lambda values: _called(_sum, values)
        case Fold(word, applied):
            return lambda values: _called(min if word == "min" else max, values, together=True)
        case Not():
            return lambda values: _called(_not, values)
        case Junction(is_conjunction):
            return lambda values: _decided(values, is_conjunction)
        case Choice():
            return _chosen
    raise TypeError(f"found {expression!r}, expected an expression with parts")


def _called(function: Callable[..., Any], values: Sequence[Any], *, together: bool = False) -> Any:
    for value in values:
        if value is FAULT:
            return FAULT
    try:
        return function(tuple(values)) if together else function(*values)
    except LIMITS:
        raise
    except Exception:
        return FAULT


def _sum(*values: Any) -> Any:
    return reduce(lambda one, other: one + other, values) if len(values) > 1 else 0 + values[0]


def _not(value: Any) -> bool:
    return not value


def _truth(value: Any) -> Any:
    """The truth value that Python sees in a value, FAULT if that raises an exception."""
    if value is True or value is False or value is FAULT:
        return value
    return _called(bool, (value,))


def _decided(values: Sequence[Any], is_conjunction: bool) -> Any:
    value: Any = is_conjunction
    for value in values:
        truth = _truth(value)
        if truth is FAULT:
            return FAULT
        if truth is not is_conjunction:
            break
    return value


def _chosen(values: Sequence[Any]) -> Any:
    truth = _truth(values[0])
    return FAULT if truth is FAULT else values[1 if truth else 2]
