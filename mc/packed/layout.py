"""Which bit stands where when states are machine words: one layout for everything that searches rows.

A state is an integer, in which the bits of the location stand lowest and the others follow, or a row of uint64
words, the lowest first. Many states are an array of rows, and a bit is a column of it.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.model.formula import Bit, Formula, State, fold
from puzzlemc.mc.model.model import Model

Rows: TypeAlias = npt.NDArray[np.uint64]  # shape (states, words)
Numbers: TypeAlias = npt.NDArray[np.int64]
Shorts: TypeAlias = npt.NDArray[np.int32]
Truths: TypeAlias = npt.NDArray[np.bool_]

WORD = (1 << 64) - 1


class Layout:
    """The place of each bit of a model.

    bits   the bits, lowest first; `places` their numbers
    one    bit -> the integer in which it alone holds
    key    the integer in which all bits of the location hold; `state & key` is a *location code*
    words  the words of a row
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        location = model.hints.location
        first = location.bits if location is not None else ()
        among_first = frozenset(first)
        self.bits: tuple[Bit, ...] = (*first, *(b for b in model.bits if b not in among_first))
        self.places = {b: number for number, b in enumerate(self.bits)}
        self.one = {b: 1 << number for b, number in self.places.items()}
        self.key = (1 << len(first)) - 1
        self.words = max(1, -(-len(self.bits) // 64))

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The location codes of the location's values, in their order; none where there is no location."""
        location = self._model.hints.location
        if location is None:
            return ()
        return tuple(sum(1 << i for i, held in enumerate(code) if held) for code in location.codes)

    @cached_property
    def objects_at(self) -> dict[int, int]:
        """By location code, the object that would stand there, as an integer: the location is never on one."""
        hints = self._model.hints
        if hints.location is None or not hints.objects:
            return {}
        at = {value: self.one[b] for b, value in hints.objects.items()}
        return {code: at.get(value, 0) for code, value in zip(self.codes, hints.location.values, strict=True)}

    def place(self, b: Bit) -> int:
        """The number of a bit, counted from the lowest."""
        return self.places[b]

    # States as integers and as rows

    def integer(self, held: Iterable[Bit]) -> int:
        """The state in which just these bits hold."""
        return sum(self.one[b] for b in held)

    def state(self, integer: int) -> State:
        """The state of an integer."""
        return frozenset(b for b, one in self.one.items() if integer & one)

    def rows(self, integers: Sequence[int]) -> Rows:
        """States as rows, shape (states, words)."""
        if self.words == 1:
            return np.array(integers, np.uint64).reshape(-1, 1)
        words = [[integer >> 64 * word & WORD for word in range(self.words)] for integer in integers]
        return np.array(words, np.uint64).reshape(-1, self.words)

    def row(self, held: Iterable[Bit]) -> Rows:
        """The row, shape (words,), in which just these bits hold."""
        row: Rows = self.rows([self.integer(held)])[0]
        return row

    def read(self, row: Rows) -> State:
        """The state of a row of shape (words,)."""
        return self.state(sum(int(word) << 64 * number for number, word in enumerate(row)))

    # Many rows at once

    def column(self, rows: Rows, b: Bit) -> Truths:
        """The value of a bit in each row."""
        word, shift = divmod(self.place(b), 64)
        return (rows[:, word] >> np.uint64(shift) & np.uint64(1)).astype(np.bool_)

    def assign(self, rows: Rows, b: Bit, values: Truths | bool) -> None:
        """Set a bit in each row."""
        word, shift = divmod(self.place(b), 64)
        one = np.uint64(1 << shift)
        rows[:, word] = np.where(values, rows[:, word] | one, rows[:, word] & ~one)

    def holds(self, formula: Formula, rows: Rows) -> Truths:
        """Where the formula holds."""

        def conj(parts: list[Truths]) -> Truths:
            return np.logical_and.reduce(parts) if parts else np.ones(len(rows), np.bool_)

        def disj(parts: list[Truths]) -> Truths:
            return np.logical_or.reduce(parts) if parts else np.zeros(len(rows), np.bool_)

        return fold(formula, lambda b, value: self.column(rows, b) == value, conj, disj)

    def unpacked(self, rows: Rows) -> Truths:
        """The bits of rows, shape (rows, 64 * words)."""
        octets = np.ascontiguousarray(rows).view(np.uint8)
        return np.unpackbits(octets, axis=1, bitorder="little").view(np.bool_)

    def packed(self, truths: Truths) -> Rows:
        """The rows of bits given as (rows, bits)."""
        octets = np.zeros((len(truths), 8 * self.words), np.uint8)
        some = np.packbits(truths, axis=1, bitorder="little")
        octets[:, : some.shape[1]] = some
        return octets.view(np.uint64)


def keys(rows: Rows) -> npt.NDArray[np.generic]:
    """One sortable value a row: the word itself, or the bytes of several words."""
    rows = np.ascontiguousarray(rows)
    if rows.shape[1] == 1:
        return rows[:, 0]
    # Byte strings of equal length: that numpy ignores trailing zeros in comparing them does no harm.
    return rows.view(f"S{8 * rows.shape[1]}")[:, 0]
