"""A static function: a bit for each key of a set, in little more than a bit of memory, without the keys.

The bit of a key is the parity of some entries of an array, which a hash of the key chooses among 64 neighbours. So
the array is the solution of a band system of linear equations over two values, which elimination on the fly finds
(Dillinger and Walzer 2021, ribbon retrieval). A key that is not in the set gets any bit.

Hashes are made of 32-bit operations, which readers in other languages have, too. Compiled: see `mc/words.py`.
"""

from typing import TypeAlias

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Word, Words, left, lowest_bit

    HALF = (1 << 32) - 1  # 32 bits
    WIDTH = 64  # entries that a key may choose among
    STARTS = 26  # bits of the hash that choose the first of them: a product with a length is exact in a double
    ADDED = 0xE6546B64  # a constant of MurmurHash3
    LEAST_SPARE = 16  # equations and entries: in small systems some entries are left over

Hashes: TypeAlias = npt.NDArray[np.uint64]
Octets: TypeAlias = npt.NDArray[np.uint8]
Offsets: TypeAlias = npt.NDArray[np.int64]

SPARE = (0.02, 0.03, 0.045, 0.06, 0.08, 0.12, 0.2, 0.4, 1.0)  # shares of entries beyond equations, tried in turn


class Unsolvable(Exception):
    """The equations contradict each other, whatever the number of entries."""


def hashes(text: Octets, first: Offsets, seed: int) -> Hashes:
    """A hash of 64 bits of each text: text k is from `first[k]` to before `first[k + 1]`.

    Two times MurmurHash3 (x86, 32 bits, Appleby 2011). The second time, blocks have other multipliers: with only
    another seed, texts that collide once collide twice too often.
    """
    found = np.zeros(len(first) - 1, np.uint64)
    _hashes(view(text), view(first), seed, view(found))
    return found


def fingerprints(keys: Hashes) -> Hashes:
    """Another hash, of 32 bits, of each hash."""
    found = np.zeros(len(keys), np.uint64)
    _fingerprints(view(keys), view(found))
    return found


def solve(keys: Hashes, numbers: Offsets, values: Octets) -> Octets:
    """An array of bits, one an element, in which `look_up` finds the value of each equation.

    Equation k is about the hash `keys[k]` and the number `numbers[k]`: a key has a bit for each number. Raises
    Unsolvable, most likely because two equal keys have different values.
    """
    for share in SPARE:
        entries = int(len(keys) * (1 + share)) + WIDTH + LEAST_SPARE
        coefficients, bits = np.zeros(entries, np.uint64), np.zeros(entries, np.uint8)
        if _eliminate(view(keys), view(numbers), view(values), view(coefficients), view(bits)):
            _substitute(view(coefficients), view(bits))
            return bits
    raise Unsolvable


def look_up(bits: Octets, keys: Hashes, numbers: Offsets) -> Octets:
    """The value of each equation in a solution."""
    found = np.zeros(len(keys), np.uint8)
    _look_up(view(bits), view(keys), view(numbers), view(found))
    return found


# Hashes


def _rotated(x: Word, by: Index) -> Word:
    """A word of 32 bits, rotated left."""
    return ((x << by) | (x >> (32 - by))) & HALF


def _times(x: Word, y: Word) -> Word:
    """The product of two words of 32 bits, modulo 2**32."""
    return (x * y) & HALF


def _finished(x: Word) -> Word:
    """The finalizer of MurmurHash3: each bit depends on all bits of a word of 32 bits."""
    x ^= x >> 16
    x = _times(x, 0x85EBCA6B)
    x ^= x >> 13
    x = _times(x, 0xC2B2AE35)
    return x ^ (x >> 16)


def _scrambled(x: Word, lane: Index) -> Word:
    """A block of four bytes before it is mixed in."""
    if lane == 0:
        return _times(_rotated(_times(x, 0xCC9E2D51), 15), 0x1B873593)
    return _times(_rotated(_times(x, 0x239B961B), 16), 0xAB0E9789)


def _murmur(text: Bytes, start: Index, end: Index, seed: Word, lane: Index) -> Word:
    """MurmurHash3 of a part of the text."""
    h: Word = seed
    at: Index = start
    rest: Index
    block: Word
    while at + 4 <= end:
        block = 0
        for rest in range(4):
            byte: Word = text[at + rest]
            block |= byte << (8 * rest)
        h = _times(_rotated(h ^ _scrambled(block, lane), 13), 5) + ADDED & HALF
        at += 4
    block = 0
    for rest in range(end - at):
        last: Word = text[at + rest]
        block |= last << (8 * rest)
    size: Word = end - start
    return _finished(h ^ _scrambled(block, lane) ^ size)


def _hashes(text: Bytes, first: Numbers, seed: Word, found: Words) -> None:
    """Write the hashes of all texts."""
    k: Index
    for k in range(found.shape[0]):
        low: Word = _murmur(text, first[k], first[k + 1], seed, 0)
        high: Word = _murmur(text, first[k], first[k + 1], seed, 1)
        found[k] = low | (high << 32)


def _fingerprints(keys: Words, found: Words) -> None:
    """Write another hash of each hash."""
    k: Index
    for k in range(found.shape[0]):
        found[k] = _finished(_finished(keys[k] & HALF) ^ (keys[k] >> 32))


# Equations


def _mixed(key: Word, number: Word) -> Word:
    """The first hash of an equation, of 32 bits."""
    return _finished((key & HALF) ^ _times(number + 1, 0x9E3779B1))


def _coefficients(key: Word, mixed: Word) -> Word:
    """Which of the neighbouring entries an equation adds up; the first is always among them."""
    low: Word = _finished((key >> 32) ^ mixed)
    high: Word = _finished((low + 0x7F4A7C15) & HALF)
    return low | (high << 32) | 1


def _start(mixed: Word, entries: Index) -> Index:
    """The first of the neighbouring entries of an equation."""
    starts: Word = entries - WIDTH + 1
    return ((mixed >> (32 - STARTS)) * starts) >> STARTS


def _eliminate(keys: Words, numbers: Numbers, values: Bytes, coefficients: Words, bits: Bytes) -> Flag:
    """Bring the equations into echelon form; return False if one contradicts the others.

    Row i, `coefficients[i]` and the value `bits[i]`, is about entries from i on; 0 if there is no such row.
    """
    k: Index
    for k in range(keys.shape[0]):
        mixed: Word = _mixed(keys[k], numbers[k])
        row: Word = _coefficients(keys[k], mixed)
        i: Index = _start(mixed, bits.shape[0])
        value: Word = values[k]
        while coefficients[i] != 0:
            row ^= coefficients[i]
            value ^= bits[i]
            if row == 0:
                break
            shift: Index = lowest_bit(row)
            row >>= shift
            i += shift
        if row != 0:
            coefficients[i] = row
            bits[i] = value
        elif value != 0:
            return False
    return True


def _parity(x: Word) -> Word:
    """Is the number of bits that are set odd?"""
    x ^= x >> 32
    x ^= x >> 16
    x ^= x >> 8
    x ^= x >> 4
    x ^= x >> 2
    x ^= x >> 1
    return x & 1


def _substitute(coefficients: Words, bits: Bytes) -> None:
    """Replace the values of rows by the entries of the solution; entries without a row are 0."""
    window: Word = 0  # the entries from i on, lowest first
    i: Index
    for i in range(bits.shape[0] - 1, -1, -1):
        window = left(window, 1)
        if coefficients[i] != 0:
            entry: Word = _parity(coefficients[i] & window) ^ bits[i]
            bits[i] = entry
            window |= entry
        else:
            bits[i] = 0


def _look_up(bits: Bytes, keys: Words, numbers: Numbers, found: Bytes) -> None:
    """Write the value of each equation."""
    k: Index
    j: Index
    for k in range(keys.shape[0]):
        mixed: Word = _mixed(keys[k], numbers[k])
        row: Word = _coefficients(keys[k], mixed)
        i: Index = _start(mixed, bits.shape[0])
        value: Word = 0
        for j in range(WIDTH):
            entry: Word = bits[i + j]
            value ^= (row >> j) & entry
        found[k] = value & 1
