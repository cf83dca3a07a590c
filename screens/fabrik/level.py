"""Fabrik levels and positions: immutable values, and the names of cells."""

import re
from dataclasses import dataclass

Cell = tuple[int, int]  # row and column, from 0

BLACK, WHITE = "black", "white"
SIZE, ROW = 11, 5

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MIN_SIZE, MAX_SIZE = 2, len(LETTERS)
MAX_MOVES = 3 + MAX_SIZE**2  # two workers, a decision, and one stone in each turn
CELL = re.compile(r"([A-Z])([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Position:
    """The cells of the stones and workers, and the side to move.

    `turn` is empty until both workers are placed and Black has decided who begins.
    """

    black: frozenset[Cell]
    white: frozenset[Cell]
    workers: frozenset[Cell]
    turn: str

    @property
    def pieces(self) -> frozenset[Cell]:
        """All occupied cells."""
        return self.black | self.white | self.workers


EMPTY = Position(frozenset(), frozenset(), frozenset(), "")


@dataclass(frozen=True, slots=True)
class Level:
    """A board of `size` rows and columns on which `row` stones in a row win.

    `start` is the board in the file, and `moves` are the moves of the record from there. The cells of the moves
    are on the board; the rules check whether the moves are legal.
    """

    title: str
    author: str
    size: int
    row: int
    start: Position
    moves: tuple[str, ...] = ()


def name(cell: Cell) -> str:
    """Return the name of a cell: `A1` is the upper left corner."""
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def named(text: str) -> Cell:
    """Return the cell of a name. Raises ValueError for other texts."""
    match = CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"found {text!r}, expected a cell such as A1")
    return int(match[2]) - 1, LETTERS.index(match[1])
