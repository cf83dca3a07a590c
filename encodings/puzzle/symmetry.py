"""The eight ways to rotate and mirror a board of squares, and what they make of directions.

Boards that are the same up to such a turn have solutions that are the same up to it: so one is solved, and the
others' solutions are its, turned.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

Grid: TypeAlias = tuple[tuple[str, ...], ...]  # rows of cells, all as long

_DIRECTIONS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


@dataclass(frozen=True)
class Turn:
    """First rows and columns change places, if `transposed`; then rows and columns may be in reverse order."""

    transposed: bool = False
    rows: bool = False
    columns: bool = False

    def grid(self, grid: Sequence[Sequence[str]]) -> Grid:
        """The grid, turned."""
        if self.transposed:
            grid = tuple(zip(*grid, strict=True))
        step = -1 if self.columns else 1
        turned = tuple(tuple(row[::step]) for row in grid)
        return turned[::-1] if self.rows else turned

    @cached_property
    def _letters(self) -> dict[str, str]:
        """Of each direction, the letter after the turn."""
        names = {direction: letter for letter, direction in _DIRECTIONS.items()}
        found = {}
        for letter, (down, right) in _DIRECTIONS.items():
            if self.transposed:
                down, right = right, down
            found[letter] = names[-down if self.rows else down, -right if self.columns else right]
        return found | {one.upper(): other.upper() for one, other in found.items()}

    def direction(self, letter: str) -> str:
        """What l, u, r or d become, in lower or upper case."""
        return self._letters[letter]


TURNS = tuple(
    Turn(transposed, rows, columns)
    for transposed in (False, True)
    for rows in (False, True)
    for columns in (False, True)
)


def between(one: int, other: int) -> Callable[[str], str]:
    """What directions become from a grid to another, where the turns of those numbers make them the same."""
    back = {TURNS[other].direction(letter): letter for letter in "lurdLURD"}
    return lambda letter: back[TURNS[one].direction(letter)]


def least(grid: Grid) -> tuple[Grid, int]:
    """The least of the eight turned grids, and the number of the first turn that makes it."""
    return min((turn.grid(grid), number) for number, turn in enumerate(TURNS))


@dataclass(frozen=True)
class Symmetry:
    """That levels of a puzzle may be turned.

    grid  what can be told of each cell: the same for two levels exactly if they are played alike
    move  what a move is called where directions have other letters
    """

    grid: Callable[[Any], Grid]
    move: Callable[[str, Callable[[str], str]], str]
