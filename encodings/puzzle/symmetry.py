"""The eight rotations and reflections of a board of squares, and their effect on directions.

Boards that are equal up to such a symmetry have solutions that are equal up to it. So one board is solved, and its
solution is transformed for the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

Grid: TypeAlias = tuple[tuple[str, ...], ...]  # rows of cells, all of the same length

_DIRECTIONS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


@dataclass(frozen=True)
class Turn:
    """A symmetry: transpose the board if `transposed`, then reverse the order of `rows` and of `columns`."""

    transposed: bool = False
    rows: bool = False
    columns: bool = False

    def grid(self, grid: Sequence[Sequence[str]]) -> Grid:
        """The transformed grid."""
        if self.transposed:
            grid = tuple(zip(*grid, strict=True))
        step = -1 if self.columns else 1
        turned = tuple(tuple(row[::step]) for row in grid)
        return turned[::-1] if self.rows else turned

    @cached_property
    def _letters(self) -> dict[str, str]:
        """Letter of a direction -> its letter after the transformation."""
        names = {direction: letter for letter, direction in _DIRECTIONS.items()}
        found = {}
        for letter, (down, right) in _DIRECTIONS.items():
            if self.transposed:
                down, right = right, down
            found[letter] = names[-down if self.rows else down, -right if self.columns else right]
        return found | {one.upper(): other.upper() for one, other in found.items()}

    def direction(self, letter: str) -> str:
        """The transformed direction l, u, r or d, in lower or upper case."""
        return self._letters[letter]


TURNS = tuple(
    Turn(transposed, rows, columns)
    for transposed in (False, True)
    for rows in (False, True)
    for columns in (False, True)
)


def between(one: int, other: int) -> Callable[[str], str]:
    """The map of directions between two grids that the symmetries with these numbers make equal."""
    back = {TURNS[other].direction(letter): letter for letter in "lurdLURD"}
    return lambda letter: back[TURNS[one].direction(letter)]


def least(grid: Grid) -> tuple[Grid, int]:
    """The least of the eight transformed grids, and the number of the first symmetry that yields it.

    Only grids with the least first row are built whole.
    """
    sides = grid, tuple(zip(*grid, strict=True))
    tops = [sides[turn.transposed][-1 if turn.rows else 0][:: -1 if turn.columns else 1] for turn in TURNS]
    first = min(tops)
    return min((turn.grid(grid), number) for number, turn in enumerate(TURNS) if tops[number] == first)


@dataclass(frozen=True)
class Symmetry:
    """How levels of a puzzle are rotated and mirrored.

    grid  the contents of each cell; two levels have equal grids exactly if they have the same moves and solutions
    move  the name of a move after a map of direction letters
    """

    grid: Callable[[Any], Grid]
    move: Callable[[str, Callable[[str], str]], str]
