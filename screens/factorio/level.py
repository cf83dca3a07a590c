"""Factorio levels and layouts: immutable values.

A *cell* is (row, column), both from 0, with row 0 in the north; messages for people count from 1. A *grid* is a
tuple of rows. Empty cells hold the empty string in a grid of words, and 0 in a grid of numbers. Rates are exact
fractions, in items a minute.
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
FREE = "."  # an empty cell in the plain form


@dataclass(frozen=True, slots=True)
class Recipe:
    """The rates of an assembler that is never idle: each item that it takes, and the one item that it gives."""

    name: str
    takes: tuple[tuple[str, Fraction], ...]
    gives: tuple[str, Fraction]

    def rate(self, item: str) -> Fraction:
        """Return the rate at which the recipe takes an item, 0 for other items."""
        return dict(self.takes).get(item, Fraction(0))


@dataclass(frozen=True, slots=True)
class Port:
    """A cell where an item comes in or goes out."""

    cell: Cell
    item: str


@dataclass(frozen=True, slots=True)
class Level:
    """An empty grid, the available recipes, the cells where items come in and go out, and the criterion.

    `optimize` is one of CRITERIA. The first criterion is always the output; `optimize` is the second one.
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
        """The criteria in the order of their importance."""
        return tuple(dict.fromkeys((MAXIMIZE_OUTPUT, self.optimize)))

    @property
    def items(self) -> tuple[str, ...]:
        """All items, in the order in which the level names them."""
        found = [item for recipe in self.recipes for item, _ in (*recipe.takes, recipe.gives)]
        return tuple(dict.fromkeys(found + [port.item for port in (*self.inputs, *self.outputs)]))

    def recipe(self, name: str) -> Recipe:
        """Return the recipe of that name. Raises KeyError."""
        for recipe in self.recipes:
            if recipe.name == name:
                return recipe
        raise KeyError(name)

    def cells(self) -> Iterator[Cell]:
        """Return all cells, row by row."""
        return ((row, column) for row in range(self.height) for column in range(self.width))

    def centres(self) -> Iterator[Cell]:
        """Return the cells on which the centre of an assembler can be."""
        return ((row, column) for row in range(1, self.height - 1) for column in range(1, self.width - 1))

    def ahead(self, cell: Cell, direction: str) -> Cell | None:
        """Return the next cell in a direction, None outside the grid."""
        row, column = cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]
        return (row, column) if 0 <= row < self.height and 0 <= column < self.width else None


def where(cell: Cell) -> str:
    """Return a cell in words; rows and columns count from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def place_name(cell: Cell) -> str:
    """Return a cell as `(row,column)`; rows and columns count from 1."""
    return f"({cell[0] + 1},{cell[1] + 1})"


def area(centre: Cell) -> list[Cell]:
    """Return the nine cells of an assembler, row by row."""
    row, column = centre
    return [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]


@dataclass(frozen=True, slots=True)
class Layout:
    """The objects on a grid, and optionally the flow of items.

    belts        grid of directions in which belts move inserters    grid of directions in which inserters move
    items assemblers   centre and name of the recipe of each areas        grid of the recipes' names on all nine
    cells of each assembler; () if unknown routes       grid of route numbers, 0 for a cell without belt and
    inserter; () if unknown items        grid of the items on belts and inserters; () if unknown inflow       grid
    of the rates that belts and inserters receive; () if unknown outflow      grid of the rates that they pass on
    to the next cell; () if `inflow` is (). The outflow of a belt does
                 not include the items that inserters take from it; the rest that an inserter leaves is loss
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
