"""What a Factorio level and a finished layout are: immutable values, on which all else about the puzzle builds.

A *cell* is (row, column), both from 0, row 0 in the north; words and names for people count from 1. A *grid* is a
tuple of rows; its empty cells hold the empty string, 0 where it holds numbers. Rates are exact fractions, in items
a minute.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
Words: TypeAlias = tuple[tuple[str, ...], ...]
Numbers: TypeAlias = tuple[tuple[int, ...], ...]
Rates: TypeAlias = tuple[tuple[Fraction, ...], ...]

MAXIMIZE_OUTPUT, MINIMIZE_LOSS, MINIMIZE_ROUTE = "maximize-output", "minimize-loss", "minimize-route"
CRITERIA = (MAXIMIZE_OUTPUT, MINIMIZE_LOSS, MINIMIZE_ROUTE)

STEP: dict[str, Cell] = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
DIRECTIONS = tuple(STEP)

MAX_SIDE = 32  # rows and columns of a grid


@dataclass(frozen=True, slots=True)
class Recipe:
    """What one assembler turns into what when it is never idle: rates by item, and the item that comes out."""

    name: str
    takes: tuple[tuple[str, Fraction], ...]
    gives: tuple[str, Fraction]

    def rate(self, item: str) -> Fraction:
        """How much of an item it takes, 0 for an item that it does not take."""
        return dict(self.takes).get(item, Fraction(0))


@dataclass(frozen=True, slots=True)
class Port:
    """A cell where an item comes in or goes out."""

    cell: Cell
    item: str


@dataclass(frozen=True, slots=True)
class Level:
    """A grid to be filled, the recipes at hand, where items come in and go out, and what is best.

    `optimize` is one of CRITERIA. To maximize the output comes first in any case.
    """

    title: str
    author: str
    width: int
    height: int
    recipes: tuple[Recipe, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    optimize: str = MAXIMIZE_OUTPUT

    @property
    def criteria(self) -> tuple[str, ...]:
        """What is best, the most important first."""
        return tuple(dict.fromkeys((MAXIMIZE_OUTPUT, self.optimize)))

    @property
    def items(self) -> tuple[str, ...]:
        """All items, in the order in which the level names them."""
        found = [item for recipe in self.recipes for item, _ in (*recipe.takes, recipe.gives)]
        return tuple(dict.fromkeys(found + [port.item for port in (*self.inputs, *self.outputs)]))

    def recipe(self, name: str) -> Recipe:
        """The recipe of that name. Raises KeyError."""
        for recipe in self.recipes:
            if recipe.name == name:
                return recipe
        raise KeyError(name)

    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        return ((row, column) for row in range(self.height) for column in range(self.width))

    def centres(self) -> Iterator[Cell]:
        """The cells on which the middle of an assembler can be."""
        return ((row, column) for row in range(1, self.height - 1) for column in range(1, self.width - 1))

    def ahead(self, cell: Cell, direction: str) -> Cell | None:
        """The next cell in a direction, None outside the grid."""
        row, column = cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]
        return (row, column) if 0 <= row < self.height and 0 <= column < self.width else None


def where(cell: Cell) -> str:
    """A cell in words, as people count."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def place_name(cell: Cell) -> str:
    """A cell in short, as people count: `(row,column)`."""
    return f"({cell[0] + 1},{cell[1] + 1})"


def area(centre: Cell) -> list[Cell]:
    """The nine cells of an assembler, row by row."""
    row, column = centre
    return [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands on a grid, and where it is known, how items flow.

    belts        grid of directions in which belts move
    inserters    grid of directions in which inserters move items
    assemblers   centre and name of the recipe of each
    areas        grid of the recipes' names on all nine cells of each assembler; () where it is not told
    routes       grid of route numbers, 0 where there is neither belt nor inserter; () where they are not told
    items        grid of the items on belts and inserters; () where they are not told
    inflow       grid of what belts and inserters get; () where it is not told
    outflow      grid of what they pass on to the next cell, with `inflow`. What inserters take from a belt is not
                 part of its outflow; what then remains before an inserter is loss
    """

    belts: Words
    inserters: Words
    assemblers: tuple[tuple[Cell, str], ...]
    areas: Words = ()
    routes: Numbers = ()
    items: Words = ()
    inflow: Rates = ()
    outflow: Rates = ()

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.belts)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.belts[0])
