"""Finite-domain variables, and the encodings of their values in bits."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.formula import Bit, Expression, State, bit, conjunction


@dataclass(frozen=True)
class Variable:
    """A finite domain with a boolean encoding: `codes[i]` are the values of `bits` that encode `values[i]`."""

    name: str
    values: tuple[Hashable, ...]
    bits: tuple[Bit, ...]
    codes: tuple[tuple[bool, ...], ...]

    def literals(self, value: Hashable) -> dict[Bit, bool]:
        """The cube: this variable has that value. Raises ModelError if the value is not in the domain."""
        try:
            return dict(zip(self.bits, self.codes[self._index[value]], strict=True))
        except KeyError:
            raise ModelError(f"variable {self.name} has no value {value!r}") from None

    def equals(self, value: Hashable) -> Expression:
        """The expression: this variable has that value."""
        return conjunction(self.literals(value))

    def read(self, state: State) -> Hashable:
        """The value in a state. Raises ModelError if the bits encode no value."""
        code = tuple(b in state for b in self.bits)
        try:
            return self._value[code]
        except KeyError:
            raise ModelError(f"variable {self.name}: {code} is not the code of any value") from None

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        return {value: i for i, value in enumerate(self.values)}

    @cached_property
    def _value(self) -> dict[tuple[bool, ...], Hashable]:
        return dict(zip(self.codes, self.values, strict=True))


def boolean(name: str, *indices: int) -> Variable:
    """A variable of one bit."""
    return Variable(name, (False, True), (bit(name, *indices),), ((False,), (True,)))


def binary(name: str, values: Iterable[Hashable], *indices: int) -> Variable:
    """A variable in binary encoding: value number i has the binary code of i, least significant bit first."""
    domain = tuple(values)
    bits = tuple(bit(name, *indices, i) for i in range(max(1, (len(domain) - 1).bit_length())))
    codes = _binary_codes(len(domain), len(bits))
    return Variable(name if not indices else f"{name}{indices}", domain, bits, codes)


def one_hot(name: str, values: Iterable[Hashable]) -> Variable:
    """A variable in one-hot encoding: one bit for each value, of which exactly one is true."""

    domain = tuple(values)
    bits = tuple(bit(name, i) for i in range(len(domain)))
    return Variable(name, domain, bits, _one_hot_codes(len(domain)))


@cache
def _binary_codes(number: int, bits: int) -> tuple[tuple[bool, ...], ...]:
    """The codes of a variable with `number` values in binary encoding; cached, since levels are of few sizes."""
    return tuple(tuple(bool(value >> i & 1) for i in range(bits)) for value in range(number))


@cache
def _one_hot_codes(number: int) -> tuple[tuple[bool, ...], ...]:
    """The codes of a variable with `number` values; cached, since a model may have many large variables."""
    return tuple(tuple(i == value for i in range(number)) for value in range(number))
