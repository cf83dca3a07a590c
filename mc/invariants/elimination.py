"""Linear equations modulo a prime, in echelon form: Gaussian elimination, row by row.

An equation says that a sum of unknowns with coefficients is 0. A row that is added is reduced by the rows before
it; the first column that is left is its *pivot*. A column that is no row's pivot is *free*: each choice of values
for the free columns has one solution. Modulo 2 a row is bits in words, modulo another prime it is bytes.

Compiled: see `mc/words.py`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Bytes2,
        Flag,
        Index,
        Ints,
        Numbers,
        Word,
        Words,
        Words2,
        bit,
        count_bits,
        lowest_bit,
    )


class Rows:
    """Sparse rows: row r has `values[i]` in `columns[i]` for i from `first[r]` up to `first[r + 1]`."""

    first: Numbers
    columns: Numbers
    values: Bytes

    def __init__(self, rows: Sequence[Mapping[int, int]]) -> None:
        """Take rows as column -> coefficient from 1."""
        first = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=first[1:])
        self.first = view(first)
        self.columns = view(np.array([c for row in rows for c in row] or [0], np.int64))
        self.values = view(np.array([v for row in rows for v in row.values()] or [0], np.uint8))


class Binary:
    """Rows modulo 2.

    pivots    row -> its pivot
    row_of    column -> the row whose pivot it is, -1 if it is free
    row       the row that is reduced
    solution  bits
    """

    rows: Words2
    pivots: Ints
    row_of: Ints
    row: Words
    solution: Words

    def __init__(self, arrays: "Arrays") -> None:
        self.rows = view(arrays.rows)
        self.pivots = view(arrays.pivots)
        self.row_of = view(arrays.row_of)
        self.row = view(arrays.row)
        self.solution = view(arrays.solution)


class Modular:
    """Rows modulo an odd prime up to 13, a byte for each coefficient; `inverse` is that of each number."""

    prime: Index
    rows: Bytes2
    pivots: Ints
    row_of: Ints
    row: Bytes
    solution: Bytes
    inverse: Bytes

    def __init__(self, arrays: "Arrays", prime: int) -> None:
        self.prime = prime
        self.rows = view(arrays.rows)
        self.pivots = view(arrays.pivots)
        self.row_of = view(arrays.row_of)
        self.row = view(arrays.row)
        self.solution = view(arrays.solution)
        inverses = [pow(number, -1, prime) if number else 0 for number in range(prime)]
        self.inverse = view(np.array(inverses, np.uint8))


class Arrays:
    """The arrays of a system of `most` rows at most."""

    def __init__(self, unknowns: int, most: int, prime: int) -> None:
        size, kind = (-(-unknowns // 64), np.uint64) if prime == 2 else (unknowns, np.uint8)
        self.rows = np.zeros((most, size), kind)
        self.pivots = np.zeros(most, np.int32)
        self.row_of = np.full(unknowns, -1, np.int32)
        self.row = np.zeros(size, kind)
        self.solution = np.zeros(size, kind)


class Equations:
    """A system of equations in echelon form, and its solutions.

    prime  coefficients and values are numbers modulo this one
    rank   the number of independent equations
    """

    def __init__(self, unknowns: int, prime: int, most: int) -> None:
        """A system of at most `most` independent equations.

        It takes most × unknowns / 8 bytes modulo 2, else eight times as many, of which the system gives out those
        that rows have reached.
        """
        unknowns = max(1, unknowns)
        self.prime, self.rank = prime, 0
        self._arrays = Arrays(unknowns, max(1, min(most, unknowns)), prime)
        self._system = Binary(self._arrays) if prime == 2 else Modular(self._arrays, prime)

    def add(self, rows: Sequence[Mapping[int, int]]) -> None:
        """Add equations: column -> coefficient from 1 to prime - 1."""
        if isinstance(self._system, Binary):
            self.rank = _add_binary(self._system, Rows(rows), self.rank)
        else:
            self.rank = _add_modular(self._system, Rows(rows), self.rank)

    def cut(self, rank: int) -> None:
        """Remove the equations that were added since there were `rank` independent ones."""
        self._arrays.row_of[self._arrays.pivots[rank : self.rank]] = -1
        self.rank = rank

    @property
    def free(self) -> list[int]:
        """The columns that are no row's pivot."""
        return [int(column) for column in np.flatnonzero(self._arrays.row_of < 0)]

    def left(self, row: Mapping[int, int]) -> dict[int, int]:
        """What is left of a row by the equations: free column -> coefficient. Empty if it follows from them."""
        if isinstance(self._system, Binary):
            _reduce_binary(self._system, Rows([row]), 0, True)
        else:
            _reduce_modular(self._system, Rows([row]), 0, True)
        return self._sparse(self._arrays.row)

    def solution(self, free: Mapping[int, int]) -> dict[int, int]:
        """The solution with these values in free columns, and 0 in all others: column -> value that is not 0."""
        order = np.argsort(self._arrays.pivots[: self.rank])[::-1].astype(np.int32)
        cells = self._arrays.solution
        cells[:] = 0
        for column, value in free.items():
            if self.prime == 2:
                cells[column >> 6] |= np.uint64(value << (column & 63))
            else:
                cells[column] = value
        if not self.rank:
            return self._sparse(cells)
        if isinstance(self._system, Binary):
            _solve_binary(self._system, view(order))
        else:
            _solve_modular(self._system, view(order))
        return self._sparse(cells)

    def _sparse(self, cells: npt.NDArray[Any]) -> dict[int, int]:
        """The columns of a row that are not 0, with their values."""
        if self.prime == 2:
            cells = np.unpackbits(cells.astype("<u8").view(np.uint8), bitorder="little")
        columns = np.flatnonzero(cells)
        return {int(c): int(v) for c, v in zip(columns, cells[columns], strict=True)}


def _add_binary(system: Binary, rows: Rows, rank: Index) -> Index:
    """Add rows; return the number of independent ones."""
    number: Index
    w: Index
    for number in range(rows.first.shape[0] - 1):
        column: Index = _reduce_binary(system, rows, number, False)
        if column >= 0 and rank < system.rows.shape[0]:
            for w in range(system.row.shape[0]):
                system.rows[rank, w] = system.row[w]
            system.pivots[rank] = column
            system.row_of[column] = rank
            rank += 1
    return rank


def _reduce_binary(system: Binary, rows: Rows, number: Index, whole: Flag) -> Index:
    """Write a row to `row`, reduced up to its first free column or in whole; return that column, or -1."""
    found: Index = -1
    w: Index
    k: Index
    i: Index
    column: Index
    for w in range(system.row.shape[0]):
        system.row[w] = 0
    for i in range(rows.first[number], rows.first[number + 1]):
        column = rows.columns[i]
        if rows.values[i] & 1:
            system.row[column >> 6] ^= bit(column & 63)
    for w in range(system.row.shape[0]):
        left: Word = system.row[w]
        while left:
            column = (w << 6) + lowest_bit(left)
            by: Index = system.row_of[column]
            if by >= 0:
                for k in range(w, system.row.shape[0]):
                    system.row[k] ^= system.rows[by, k]
            else:
                if found < 0:
                    found = column
                if not whole:
                    return found
            here: Word = bit(column & 63)
            left = system.row[w] & (ALL ^ (here | (here - 1)))
    return found


def _solve_binary(system: Binary, order: Ints) -> None:
    """Give each pivot its value, the last column first."""
    i: Index
    w: Index
    for i in range(order.shape[0]):
        row: Index = order[i]
        odd: Index = 0
        for w in range(system.row.shape[0]):
            odd += count_bits(system.rows[row, w] & system.solution[w])
        if odd & 1:
            column: Index = system.pivots[row]
            system.solution[column >> 6] ^= bit(column & 63)


def _add_modular(system: Modular, rows: Rows, rank: Index) -> Index:
    """Add rows; return the number of independent ones. The coefficient of each pivot becomes 1."""
    number: Index
    c: Index
    for number in range(rows.first.shape[0] - 1):
        column: Index = _reduce_modular(system, rows, number, False)
        if column >= 0 and rank < system.rows.shape[0]:
            times: Index = system.inverse[system.row[column]]
            for c in range(system.row.shape[0]):
                product: Index = system.row[c] * times
                system.rows[rank, c] = product % system.prime
            system.pivots[rank] = column
            system.row_of[column] = rank
            rank += 1
    return rank


def _reduce_modular(system: Modular, rows: Rows, number: Index, whole: Flag) -> Index:
    """Write a row to `row`, reduced up to its first free column or in whole; return that column, or -1."""
    found: Index = -1
    c: Index
    k: Index
    i: Index
    total: Index
    for c in range(system.row.shape[0]):
        system.row[c] = 0
    for i in range(rows.first[number], rows.first[number + 1]):
        c = rows.columns[i]
        total = system.row[c]
        total += rows.values[i]
        system.row[c] = total % system.prime
    for c in range(system.row.shape[0]):
        if system.row[c] == 0:
            continue
        by: Index = system.row_of[c]
        if by < 0:
            if found < 0:
                found = c
            if not whole:
                return found
            continue
        times: Index = system.prime - system.row[c]
        for k in range(c, system.row.shape[0]):
            total = system.rows[by, k]
            total = total * times + system.row[k]
            system.row[k] = total % system.prime
    return found


def _solve_modular(system: Modular, order: Ints) -> None:
    """Give each pivot its value, the last column first."""
    i: Index
    c: Index
    for i in range(order.shape[0]):
        row: Index = order[i]
        total: Index = 0
        for c in range(system.row.shape[0]):
            part: Index = system.rows[row, c]
            total += part * system.solution[c]
        value: Index = (system.prime - total % system.prime) % system.prime
        system.solution[system.pivots[row]] = value
