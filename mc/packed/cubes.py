"""Cubes as bit masks, in one pass over their literals. Compiled: see `mc/words.py`."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import ALL, Bytes, Index, Numbers, Word, Words2, Words3, bit

# Called from Python


def write_cubes(
    first: npt.NDArray[np.int64],
    bits: npt.NDArray[np.int64],
    values: npt.NDArray[np.bool_],
    rows: npt.NDArray[np.uint64],
    at: Index,
) -> None:
    """Write the bits that each cube names to `rows[:, at]`, and those that it requires true to `rows[:, at + 1]`.

    `rows` (cubes, masks, words) is zero there. The literals of cube i are those from `first[i]` to before
    `first[i + 1]`: `bits` are their places in a packed state, -1 for no literal.
    """
    _write(view(first), view(bits), view(values.view(np.uint8)), view(rows), at)


def complete(
    rows: npt.NDArray[np.uint64], key: npt.NDArray[np.uint64], closed: npt.NDArray[np.uint64] | None
) -> None:
    """Turn the bits that updates name, `rows[:, 2]`, into those that they clear.

    `key` (words,) are the bits of the location. A guard that requires a location code also requires that the bits
    `closed[code]` are false.
    """
    _clear(view(rows))
    if closed is not None:
        _close(view(rows), int(key[0]), view(closed))


# Compiled


def _write(first: Numbers, bits: Numbers, values: Bytes, rows: Words3, at: Index) -> None:
    """`write_cubes` in compiled code."""
    i: Index
    j: Index
    for i in range(first.shape[0] - 1):
        for j in range(first[i], first[i + 1]):
            place: Index = bits[j]
            if place < 0:
                continue
            rows[i, at, place >> 6] |= bit(place & 63)
            if values[j]:
                rows[i, at + 1, place >> 6] |= bit(place & 63)


def _clear(rows: Words3) -> None:
    """Leave out of the bits that each update names those that it sets."""
    i: Index
    w: Index
    for i in range(rows.shape[0]):
        for w in range(rows.shape[2]):
            rows[i, 2, w] &= ALL ^ rows[i, 3, w]


def _close(rows: Words3, key: Word, closed: Words2) -> None:
    """Add the bits `closed` to the guards that require a location."""
    i: Index
    w: Index
    for i in range(rows.shape[0]):
        if rows[i, 0, 0] & key != key:
            continue
        code: Index = rows[i, 1, 0] & key
        for w in range(rows.shape[2]):
            rows[i, 0, w] |= closed[code, w]
