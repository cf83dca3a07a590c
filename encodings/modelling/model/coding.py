"""The variables of a system as bits.

A variable of two values is one bit. One of a few values has a bit for each of them, of which one is true: a
comparison with a value is one literal, and any set of values is a cube. Larger ones are in binary.

Plain actions are searched faster with a bit for each value, since sums of facts, and the objects of a puzzle, are
found in such a model: fifteen tiles in 0.2 s, and in 4 s in binary. Diagrams of actions with formulas are smaller
in binary: a cube that rolls on 81 places takes 0.03 s, and 2 s with a bit for each value.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

from puzzlemc.encodings.modelling.language.expressions import TRUTH, Variable
from puzzlemc.encodings.modelling.language.system import is_place
from puzzlemc.mc.model import variables
from puzzlemc.mc.model.formula import Bit, Cube, State, bit

MOST_ONE_HOT = 64  # values of a variable with a bit for each, if nothing else is said


class Coding:
    """The bits of the variables of a system. Values are named by their numbers in the domain, from 0.

    variables  of the model, in the order of the system
    number     for each variable, the number of each value
    """

    def __init__(self, system: Sequence[Variable], most_one_hot: int = MOST_ONE_HOT) -> None:
        """Code the variables of a system; those with at most `most_one_hot` values have a bit for each."""
        names = _names(system, most_one_hot)
        self.variables = tuple(_coded(each, names, most_one_hot) for each in system)
        self.number = [{value: number for number, value in enumerate(each.domain)} for each in system]
        self._is_one_hot = [len(each.bits) == len(each.values) for each in self.variables]
        self._codes = [dict[int, Cube]() for _ in system]
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
        return self._is_one_hot[variable]

    def test(self, variable: int, value: int) -> Cube:
        """The cube: a variable has a value."""
        if self._is_one_hot[variable]:
            return {self.variables[variable].bits[value]: True}
        return self._code(variable, value)

    def among(self, variable: int, values: Collection[int]) -> Cube | None:
        """The cube: a variable has one of some values. None if there is none, as for most sets in binary."""
        each = self.variables[variable]
        if len(values) == 1:
            return self.test(variable, next(iter(values)))
        if len(values) == len(each.values):
            return {}
        if self._is_one_hot[variable]:
            return {b: False for number, b in enumerate(each.bits) if number not in values}
        return None

    def change(self, variable: int, old: int | None, new: int) -> Cube:
        """The bits that change when a variable gets a value, and their new values. `old` is None if not known."""
        if old is None:
            return self._code(variable, new)
        each = self.variables[variable]
        if self._is_one_hot[variable]:
            return {} if old == new else {each.bits[old]: False, each.bits[new]: True}
        before = self._code(variable, old)
        return {b: held for b, held in self._code(variable, new).items() if held != before[b]}

    def _code(self, variable: int, value: int) -> Cube:
        """All bits of a variable that has a value."""
        known = self._codes[variable]
        if value not in known:
            each = self.variables[variable]
            known[value] = dict(zip(each.bits, each.codes[value], strict=True))
        return known[value]

    def complete(self, cube: Cube) -> Cube:
        """A cube with all bits of the variables that have a bit for each value, where it says the value."""
        found = dict(cube)
        for b, held in cube.items():
            if held and self._is_one_hot[self._alone[b][0]]:
                found |= {other: other is b for other in self.variables[self._alone[b][0]].bits}
        return found

    def short(self, cube: Cube) -> Cube:
        """A cube without the literals that follow from others, since of some bits exactly one is true."""
        said = {self._alone[b][0] for b, held in cube.items() if held}
        return {
            b: held
            for b, held in cube.items()
            if held or self._alone[b][0] not in said or not self._is_one_hot[self._alone[b][0]]
        }

    def state(self, position: Sequence[Hashable]) -> State:
        """The state of a position."""
        changes = (self.change(number, None, self.number[number][value]) for number, value in enumerate(position))
        return frozenset(b for change in changes for b, value in change.items() if value)

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


def _coded(variable: Variable, names: Iterator[str], most_one_hot: int) -> variables.Variable:
    """The variable of the model, whose bits get the next names."""
    domain = tuple(variable.domain)
    if len(domain) == 2:
        codes: tuple[tuple[bool, ...], ...] = ((False,), (True,))
        if variable.kind == TRUTH:
            codes = tuple((bool(value),) for value in domain)
    elif len(domain) <= max(most_one_hot, 1):
        codes = variables.one_hot("", domain).codes
    else:
        codes = variables.binary("", domain).codes
    bits = tuple(bit(next(names)) for _ in codes[0])
    return variables.Variable(variable.name, domain, bits, codes)


def _names(system: Sequence[Variable], most_one_hot: int) -> Iterator[str]:
    """Yield the names of the bits, each once."""
    known = set[str]()
    for each in system:
        words = [each.name]
        if len(each.domain) > max(most_one_hot, 2):
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
