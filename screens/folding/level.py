"""Folding Blocks boards: immutable values."""

from dataclasses import dataclass

Matrix = tuple[tuple[int, ...], ...]

NO_CELL, EMPTY = -1, 0

MAX_SIDE = 1000  # rows and columns of a board
MAX_COLOUR = 10**9


@dataclass(frozen=True, slots=True)
class Level:
    """A board: `rows` are the numbers in the file; all rows have the same length, and at least one cell exists."""

    title: str
    author: str
    rows: Matrix
