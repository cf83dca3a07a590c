"""The types and operations of compiled code: words of 64 bits, numbers, and arrays of them.

A module that imports `cython` is compiled when the package is installed. Its header, made by `tools/headers.py`
from its annotations, takes these names from words.pxd. The same module runs interpreted; then it imports them from
here. Interpreted numbers have no size: an operation whose result may not fit 64 bits takes `& ALL`.

Word is an unsigned number of 64 bits, Index a signed one. Words, Numbers (64 bits), Ints (32), Shorts, Places (16)
and Bytes (8) are arrays in row-major order, a final digit is their number of dimensions. Elements are read and
written by all their indices at once.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, cast

import numpy.typing as npt

ALL = (1 << 64) - 1

Flag: TypeAlias = bool
Word: TypeAlias = int
Index: TypeAlias = int


class Array1(Protocol):
    """An array of numbers with one dimension."""

    shape: tuple[int, ...]

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...


class Array2(Protocol):
    """An array of numbers with two dimensions."""

    shape: tuple[int, ...]

    def __getitem__(self, at: tuple[int, int], /) -> int: ...
    def __setitem__(self, at: tuple[int, int], value: int, /) -> None: ...


class Array3(Protocol):
    """An array of numbers with three dimensions."""

    shape: tuple[int, ...]

    def __getitem__(self, at: tuple[int, int, int], /) -> int: ...
    def __setitem__(self, at: tuple[int, int, int], value: int, /) -> None: ...


class Array4(Protocol):
    """An array of numbers with four dimensions."""

    shape: tuple[int, ...]

    def __getitem__(self, at: tuple[int, int, int, int], /) -> int: ...
    def __setitem__(self, at: tuple[int, int, int, int], value: int, /) -> None: ...


Words: TypeAlias = Array1
Words2: TypeAlias = Array2
Words3: TypeAlias = Array3
Numbers: TypeAlias = Array1
Numbers2: TypeAlias = Array2
Numbers3: TypeAlias = Array3
Ints: TypeAlias = Array1
Ints2: TypeAlias = Array2
Ints3: TypeAlias = Array3
Ints4: TypeAlias = Array4
Shorts: TypeAlias = Array1
Shorts2: TypeAlias = Array2
Shorts3: TypeAlias = Array3
Shorts4: TypeAlias = Array4
Places2: TypeAlias = Array2
Bytes: TypeAlias = Array1
Bytes2: TypeAlias = Array2
Bytes3: TypeAlias = Array3
Bytes4: TypeAlias = Array4


# An array as compiled code takes it: one whose elements are Python's numbers when code is interpreted.
view = cast("Callable[[npt.NDArray[Any]], Any]", memoryview)


def lowest_bit(word: int) -> int:
    """The number of the lowest bit that is set in the word, which must not be 0."""
    return (word & -word).bit_length() - 1


def count_bits(word: int) -> int:
    """The number of bits that are set."""
    return word.bit_count()


def bit(number: int) -> int:
    """The word in which only this bit is set."""
    return 1 << number


def left(word: int, bits: int) -> int:
    """The word shifted left by less than 64 bits, without the bits that do not fit."""
    return word << bits & ALL


def mixed(hash: int, word: int) -> int:
    """The hash value of words so far and one more (the finalizer of splitmix64, Steele, Lea and Flood 2014)."""
    hash ^= word
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9 & ALL
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB & ALL
    return hash ^ (hash >> 31)
