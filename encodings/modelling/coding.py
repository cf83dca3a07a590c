"""The variables of a system as bits.

A variable of two values is one bit. One of a few values has a bit for each of them, of which one is true: a
comparison with a value is one literal, and any set of values is a cube. Larger ones are in binary.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

from puzzlemc.encodings.modelling.expressions import TRUTH, Variable
from puzzlemc.encodings.modelling.system import is_place
from puzzlemc.mc.model import variables
from puzzlemc.mc.model.formula import Bit, State, bit

MOST_ONE_HOT = 64  # values of a variable with a bit for each


class Coding:
    """The bits of the variables of a system. Values are named by their numbers in the domain, from 0.

    variables  of the model, in the order of the system
    number     for each variable, the number of each value
    """

    def __init__(self, system: Sequence[Variable]) -> None:
        names = _names(system)
        self.variables = tuple(_coded(each, names) for each in system)
        self.number = [{value: number for number, value in enumerate(each.domain)} for each in system]
        self._is_truth = [each.kind == TRUTH for each in system]

    def find(self, variable: int, value: Any) -> int | None:
        """The number of a value; None if it is not in the domain, as what has no hash, or a number for a flag."""
        try:
            found = self.number[variable].get(value)
        except TypeError:
            return None
        return None if self._is_truth[variable] and not isinstance(value, bool) else found

    def is_one_hot(self, variable: int) -> bool:
        """Has each value a bit of its own?"""
        each = self.variables[variable]
        return len(each.bits) == len(each.values)

    def test(self, variable: int, value: int) -> dict[Bit, bool]:
        """The cube: a variable has a value."""
        each = self.variables[variable]
        if self.is_one_hot(variable):
            return {each.bits[value]: True}
        return dict(zip(each.bits, each.codes[value], strict=True))

    def among(self, variable: int, values: Collection[int]) -> dict[Bit, bool] | None:
        """The cube: a variable has one of some values. None if there is none, as for most sets in binary."""
        each = self.variables[variable]
        if len(values) == 1:
            return self.test(variable, next(iter(values)))
        if len(values) == len(each.values):
            return {}
        if self.is_one_hot(variable):
            return {b: False for number, b in enumerate(each.bits) if number not in values}
        return None

    def change(self, variable: int, old: int | None, new: int) -> dict[Bit, bool]:
        """The bits that change when a variable gets a value, and their new values. `old` is None if not known."""
        each = self.variables[variable]
        after = dict(zip(each.bits, each.codes[new], strict=True))
        if old is None:
            return after
        return {
            b: held for (b, held), before in zip(after.items(), each.codes[old], strict=True) if held != before
        }

    def decode(self, state: State) -> tuple[Hashable, ...]:
        """The position of a state. Raises ModelError if there is none."""
        found, seen = list(self._untouched), set[int]()
        for b in state:
            variable, value = self._alone[b]
            found[variable] = _UNKNOWN if variable in seen else value
            seen.add(variable)
        return tuple(
            self.variables[variable].read(state) if value is _UNKNOWN else value
            for variable, value in enumerate(found)
        )

    @cached_property
    def _untouched(self) -> list[Hashable]:
        """The value of each variable if none of its bits is true."""
        return [_value(each, None) for each in self.variables]

    @cached_property
    def _alone(self) -> dict[Bit, tuple[int, Hashable]]:
        """The variable of each bit, and its value if no other of its bits is true."""
        return {b: (number, _value(each, b)) for number, each in enumerate(self.variables) for b in each.bits}


_UNKNOWN = object()


def _value(variable: variables.Variable, true: Bit | None) -> Hashable:
    """The value of a variable with one true bit, or without; `_UNKNOWN` if there is none."""
    code = tuple(b is true for b in variable.bits)
    return next(
        (value for value, own in zip(variable.values, variable.codes, strict=True) if own == code), _UNKNOWN
    )


def _coded(variable: Variable, names: "Iterator[str]") -> variables.Variable:
    """The variable of the model, whose bits get the next names."""
    domain = tuple(variable.domain)
    if len(domain) == 2:
        codes: tuple[tuple[bool, ...], ...] = ((False,), (True,))
        if variable.kind == TRUTH:
            codes = tuple((bool(value),) for value in domain)
    elif len(domain) <= MOST_ONE_HOT:
        codes = variables.one_hot("", domain).codes
    else:
        codes = variables.binary("", domain).codes
    bits = tuple(bit(next(names)) for _ in codes[0])
    return variables.Variable(variable.name, domain, bits, codes)


def _names(system: Sequence[Variable]) -> Iterator[str]:
    """Yield the names of the bits, each once."""
    known = set[str]()
    for each in system:
        words = [each.name]
        if len(each.domain) > MOST_ONE_HOT:
            words = [f"{each.name} bit {place}" for place in range((len(each.domain) - 1).bit_length())]
        elif len(each.domain) > 2:
            words = [f"{each.name} = {_word(value)}" for value in each.domain]
        elif each.kind != TRUTH:
            words = [f"{each.name} = {_word(each.domain[-1])}"]
        for word in words:
            while word in known:
                word += "'"
            known.add(word)
            yield word


def _word(value: Hashable) -> str:
    """A value for people: rows and columns of places count from 1."""
    return f"({value[0] + 1},{value[1] + 1})" if is_place(value) else str(value)
