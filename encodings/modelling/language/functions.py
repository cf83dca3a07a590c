"""Functions of several expressions, and families of variables."""

import operator
from collections.abc import Callable, Hashable, Iterable
from typing import Any as Anything
from typing import TypeVar

from puzzlemc.encodings.modelling.language.expressions import (
    NUMBER,
    All,
    Expression,
    Fold,
    If,
    Operation,
    Variable,
    flat,
    lift,
    number,
    truth,
)
from puzzlemc.mc.errors import ModelError

Key = TypeVar("Key", bound=Hashable)


def _fold(word: str, function: Callable[[Anything, Anything], Anything], parts: tuple[object, ...]) -> Expression:
    found = tuple(number(word.capitalize(), part) for part in flat(parts))
    if not found:
        raise ModelError(f"{word.capitalize()}: found nothing, expected at least one expression")
    return Fold(word, function, parts=found, kind=NUMBER)


def Sum(*parts: object) -> Expression:
    """The sum of numbers, which are given one by one or as a collection; 0 for none."""
    return _fold("sum", operator.add, tuple(flat(parts)) or (0,))


def Count(*parts: object) -> Expression:
    """The number of those truth values that hold, which are given one by one or as a collection."""
    return Sum([If(truth("Count", part), 1, 0) for part in flat(parts)])


def Min(*parts: object) -> Expression:
    """The least of numbers, which are given one by one or as a collection."""
    return _fold("min", min, parts)


def Max(*parts: object) -> Expression:
    """The greatest of numbers, which are given one by one or as a collection."""
    return _fold("max", max, parts)


def Distinct(*parts: object) -> Expression:
    """No two of these values are equal, which are given one by one or as a collection."""
    found = flat(parts)
    return All([one != other for n, one in enumerate(found) for other in found[:n]])


def apply(function: Callable[..., Anything], *parts: object) -> Expression:
    """A Python function of the values of some expressions. Its model has a case for each combination of them."""
    return Operation(function, parts=tuple(lift(part) for part in parts))


class Family(dict[Key, Variable]):
    """Variables of one name, by index. With an expression as index, the value of the variable that it chooses."""

    def __getitem__(self, index: Anything) -> Anything:
        """The member of that index, or the value of the one that an expression chooses. Raises ModelError."""
        if isinstance(index, Expression):
            chosen: Expression = Operation(_no_member, parts=(index,))
            for key, member in reversed(self.items()):
                chosen = If(index == key, member, chosen)
            return chosen
        try:
            return super().__getitem__(index)
        except KeyError:
            name = next(iter(self.values())).family if self else "the family"
            raise ModelError(f"{name}: found the index {index!r}, expected one of {_few(self)}") from None


def _no_member(index: object) -> None:
    raise IndexError(f"no member has the index {index!r}")


def _few(keys: Iterable[object]) -> str:
    """Some keys, for messages."""
    shown = [repr(key) for key in keys]
    return ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "")
