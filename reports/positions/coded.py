"""A static function with codewords of different lengths: for each key some fields, one codeword after the other.

Bit j of a key is the value of its equation with the number j (`puzzlemc.mc.graph.static_function`).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.graph.static_function import Hashes, Octets, hashes, solve
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.positions.explored import Numbers
from puzzlemc.reports.positions.prefix_code import codewords

BYTES_PER_BIT = 32  # of the equations of a static function
Field = tuple[Numbers, Numbers]  # by key: a codeword, whose first letter is the lowest bit, and its length


def hashes_of(texts: Sequence[bytes], seed: int) -> Hashes:
    """The hash of each text."""
    first = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=first[1:])
    return hashes(np.frombuffer(bytearray(b"".join(texts)), np.uint8), first, seed)


def words_of(code: Mapping[int, int], symbols: int) -> Field:
    """The codewords of symbols from 0 to before `symbols`, by the lengths in `code`; empty for one without."""
    word, size = np.zeros(symbols, np.int64), np.zeros(symbols, np.int64)
    for symbol, letters in codewords(code).items():
        word[symbol] = int(f"0{letters[::-1]}", 2)
        size[symbol] = len(letters)
    return word, size


def static_function(keys: Hashes, fields: Sequence[Field], budget: Budget) -> Octets:
    """The entries, one an element, in which `look_up` finds the bits of the fields.

    Raises Unsolvable if two keys are equal, and LimitReached.
    """
    if BYTES_PER_BIT * sum(int(size.sum()) for _, size in fields) > budget.limits.memory:
        raise LimitReached("memory")
    numbers = [np.zeros(0, np.int64)]
    values, about = [np.zeros(0, np.uint8)], [np.zeros(0, np.uint64)]
    before = np.zeros(len(keys), np.int64)
    for word, size in fields:
        for j in range(int(size.max(initial=0))):
            chosen = np.flatnonzero(size > j)
            numbers.append(before[chosen] + j)
            values.append((word[chosen] >> j & 1).astype(np.uint8))
            about.append(keys[chosen])
        before = before + size
    budget.check()
    return solve(np.concatenate(about), np.concatenate(numbers), np.concatenate(values))
