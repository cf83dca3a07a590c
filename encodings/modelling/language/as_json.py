"""Expressions as values for JSON, which another program than Python evaluates: `rules.js` of a page.

An expression is a list of nodes, each after its parts, which it names by their numbers:

    ["c", value]    ["v", variable]       ["o", sign, one, other]    ["abs", part]    ["!", part]
    ["f", "sum" | "min" | "max", parts]   ["&", parts]   ["|", parts]   ["?", condition, then, otherwise]
    ["t", parts, [[arguments, value], …]]  a Python function: its values, and none where it raises an exception
"""

from collections.abc import Hashable, Sequence
from itertools import product
from typing import Any

from puzzlemc.encodings.modelling.language.expressions import (
    MOST_VALUES,
    TRUTH,
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

MOST_NODES = 50_000  # of a system
LARGEST = 2**53 - 1  # whole number that JavaScript tells from its neighbours


class Untranslatable(Exception):
    """An expression, or a value, that has no form in JSON."""


def value_of(value: Hashable) -> Any:
    """A value for JSON: a tuple is a list. Raises Untranslatable for any other kind of value."""
    if value is None or type(value) in (bool, str) or (type(value) is int and abs(value) <= LARGEST):
        return value
    if type(value) is tuple:
        return [value_of(each) for each in value]
    raise Untranslatable(repr(value))


class Nodes:
    """The nodes of expressions that are added one by one; equal objects are one node."""

    def __init__(self) -> None:
        self.list: list[list[Any]] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[Expression] = []  # identities are those of living objects

    def add(self, expression: Expression) -> int:
        """The number of the node of an expression. Raises Untranslatable."""
        for part in postorder(expression):
            if id(part) not in self._numbers:
                self.list.append(_node(part, [self._numbers[id(each)] for each in part.parts]))
                self._numbers[id(part)] = len(self.list) - 1
                self._kept.append(part)
                if len(self.list) > MOST_NODES:
                    raise Untranslatable("too many expressions")
        return self._numbers[id(expression)]


def _node(expression: Expression, parts: list[int]) -> list[Any]:
    match expression:
        case Constant(value):
            return ["c", value_of(value)]
        case Variable(number):
            return ["v", number]
        case Operation(sign=sign) if sign:
            return ["o", sign, *parts]
        case Operation(function) if function is abs:
            return ["abs", *parts]
        case Operation():
            return ["t", parts, _table(expression)]
        case Fold(word):
            return ["f", word, parts]
        case Not():
            return ["!", *parts]
        case Junction(is_conjunction):
            return ["&" if is_conjunction else "|", parts]
        case Choice():
            return ["?", *parts]
    raise TypeError(f"found {expression!r}, expected an expression")


def _table(applied: Operation) -> list[list[Any]]:
    """The values of an author's function, for all arguments that it may get. Raises Untranslatable."""
    combinations, each = 1, list[Sequence[Hashable]]()
    for part in applied.parts:
        if part.values is None or not _is_sure(part):
            raise Untranslatable(repr(applied))
        combinations *= len(part.values)
        each.append(tuple(part.values))
    if combinations > MOST_VALUES:
        raise Untranslatable(repr(applied))
    found = list[list[Any]]()
    for arguments in product(*each):
        try:
            value = applied.function(*arguments)
        except LIMITS:
            raise
        except Exception:  # the author's function refuses these values
            continue
        found.append([[value_of(each) for each in arguments], value_of(value)])
    return found


def _is_sure(expression: Expression) -> bool:
    """Are the values of an expression of its kind? True equals 1, and a function may tell them apart."""
    return all(
        part.kind is not None and not (isinstance(part, Fold) and any(each.kind == TRUTH for each in part.parts))
        for part in postorder(expression)
    )
