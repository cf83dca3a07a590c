"""Packed states: a state as a few machine words, and the place of each bit in them.

A state is an integer, whose lowest bits are those of the location, or an array of uint64 words, lowest word first.
Many states are one array of shape (states, words).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.model.formula import Bit, Formula, Gates, State, fold
from puzzlemc.mc.model.model import Model

PackedStates: TypeAlias = npt.NDArray[np.uint64]  # shape (states, words)
Numbers: TypeAlias = npt.NDArray[np.int64]
Shorts: TypeAlias = npt.NDArray[np.int32]
Truths: TypeAlias = npt.NDArray[np.bool_]

WORD = (1 << 64) - 1
_DIGITS = bytes.maketrans(b"\0\1", b"01")  # truth values as binary digits


class Layout:
    """The place of each bit of a model in a packed state.

    bits    the bits, lowest first
    places  the number of each bit in `bits`
    one     for each bit, the integer in which only this bit is set
    key     the integer in which exactly the bits of the location are set; `state & key` is a *location code*
    words   the number of words of a packed state
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
        """The codes of the location's values, in the order of the values; empty without a location."""
        location = self._model.hints.location
        if location is None:
            return ()
        return tuple(int(bytes(code)[::-1].translate(_DIGITS), 2) for code in location.codes)

    @cached_property
    def objects_at(self) -> dict[int, int]:
        """For each location code, the bit of an object at that place, as an integer; 0 if there is no such bit."""
        hints = self._model.hints
        if hints.location is None or not hints.objects:
            return {}
        at = {value: self.one[b] for b, value in hints.objects.items()}
        return {code: at.get(value, 0) for code, value in zip(self.codes, hints.location.values, strict=True)}

    @cached_property
    def closed(self) -> PackedStates:
        """For each location code, the bits of `objects_at` as a packed state, shape (location codes, words)."""
        closed = np.zeros((self.key + 1, self.words), np.uint64)
        if self.objects_at:
            closed[[*self.objects_at]] = self.from_integers([*self.objects_at.values()])
        return closed

    @cached_property
    def objects(self) -> PackedStates:
        """The bits of all objects as one packed state, shape (words,)."""
        return self.pack(self._model.hints.objects)

    def place(self, b: Bit) -> int:
        """The number of a bit, counted from the lowest bit."""
        return self.places[b]

    # One state: as a set of bits, as an integer, packed

    def integer(self, held: Iterable[Bit]) -> int:
        """The integer in which exactly these bits are set."""
        return sum(self.one[b] for b in held)

    def state(self, integer: int) -> State:
        """The state of an integer."""
        return frozenset(b for b, one in self.one.items() if integer & one)

    def from_integers(self, integers: Sequence[int]) -> PackedStates:
        """Integers as packed states, shape (states, words)."""
        if self.words == 1:
            return np.array(integers, np.uint64).reshape(-1, 1)
        words = [[integer >> 64 * word & WORD for word in range(self.words)] for integer in integers]
        return np.array(words, np.uint64).reshape(-1, self.words)

    def pack(self, held: Iterable[Bit]) -> PackedStates:
        """The packed state, shape (words,), in which exactly these bits are set."""
        packed: PackedStates = self.from_integers([self.integer(held)])[0]
        return packed

    def read(self, packed: PackedStates) -> State:
        """The state of a packed state of shape (words,)."""
        return self.state(sum(int(word) << 64 * number for number, word in enumerate(packed)))

    # Many states at once, shape (states, words)

    def states(self, packed: PackedStates) -> Iterator[State]:
        """Yield the states of packed states."""
        state, place = np.nonzero(self.unpacked(packed))
        held = [self.bits[each] for each in place.tolist()]
        ends = np.searchsorted(state, np.arange(len(packed) + 1)).tolist()
        for start, end in pairwise(ends):
            yield frozenset(held[start:end])

    def column(self, states: PackedStates, b: Bit) -> Truths:
        """The value of a bit in each state."""
        word, shift = divmod(self.place(b), 64)
        return (states[:, word] >> np.uint64(shift) & np.uint64(1)).astype(np.bool_)

    def assign(self, states: PackedStates, b: Bit, values: Truths | bool) -> None:
        """Set a bit to a value in each state, in place."""
        word, shift = divmod(self.place(b), 64)
        one = np.uint64(1 << shift)
        states[:, word] = np.where(values, states[:, word] | one, states[:, word] & ~one)

    def holds(
        self, formula: Formula, states: PackedStates, known: dict[Gates, dict[int, Truths]] | None = None
    ) -> Truths:
        """Does the formula hold in each state? `known` keeps values of circuits for the next formula."""

        def conj(parts: list[Truths]) -> Truths:
            return np.logical_and.reduce(parts) if parts else np.ones(len(states), np.bool_)

        def disj(parts: list[Truths]) -> Truths:
            return np.logical_or.reduce(parts) if parts else np.zeros(len(states), np.bool_)

        return fold(formula, lambda b, value: self.column(states, b) == value, conj, disj, known)

    def unpacked(self, states: PackedStates) -> Truths:
        """The bits of packed states, shape (states, 64 * words)."""
        octets = np.ascontiguousarray(states).view(np.uint8)
        return np.unpackbits(octets, axis=1, bitorder="little").view(np.bool_)

    def packed(self, truths: Truths) -> PackedStates:
        """The packed states of bits of shape (states, bits)."""
        octets = np.zeros((len(truths), 8 * self.words), np.uint8)
        some = np.packbits(truths, axis=1, bitorder="little")
        octets[:, : some.shape[1]] = some
        return octets.view(np.uint64)


def keys(states: PackedStates) -> npt.NDArray[np.generic]:
    """One sortable key for each state: the word itself, or the bytes of several words."""
    states = np.ascontiguousarray(states)
    if states.shape[1] == 1:
        return states[:, 0]
    # Byte strings of equal length: numpy ignores trailing zeros when it compares them, which does no harm here.
    return states.view(f"S{8 * states.shape[1]}")[:, 0]
