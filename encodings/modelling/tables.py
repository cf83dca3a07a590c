"""Positions of systems in words and numbers: variables of places as tables, the others by families, one a line.

In pictures, a family whose indices are a few whole numbers is a table of one row.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from puzzlemc.encodings.modelling.language.evaluation import Position
from puzzlemc.encodings.modelling.language.expressions import Variable
from puzzlemc.encodings.modelling.language.system import System, is_place
from puzzlemc.screens.base.picture import NUMBERED, Label, Picture, Shape, tile
from puzzlemc.screens.modelling.board import Place

MOST_CELLS = 10_000  # of a table
MOST_COLUMNS = 60  # of a family that is indexed by whole numbers
MOST_LINES, LONGEST = 8, 80  # of what stands in words in a picture
SIZE, WIDE = 0.4, 0.25  # of letters: height, and the most width
NOTHING = (False, 0, None, "", " ", ".", "-", "_")  # values that leave a cell empty

Line = tuple[Variable, ...]


class Table(NamedTuple):
    """The variables of a family, by their places in the table.

    is_row  the indices are whole numbers; otherwise they are the places
    """

    name: str
    rows: int
    columns: int
    cells: dict[Place, Variable]
    is_row: bool


class Layout(NamedTuple):
    """The tables of a system, and its other variables."""

    tables: list[Table]
    lines: list[Line]


@lru_cache(maxsize=8)
def layout(system: System) -> Layout:
    """How the variables of a system are shown."""
    found = Layout([], [])
    for line in by_family(system.variables):
        table = _table(line)
        if table is None:
            found.lines.append(line)
        else:
            found.tables.append(table)
    return found


def by_family(variables: Sequence[Variable]) -> list[Line]:
    """The variables of each family."""
    families: dict[str, list[Variable]] = {}
    for variable in variables:
        families.setdefault(variable.family, []).append(variable)
    return [tuple(line) for line in families.values()]


def _table(line: Line) -> Table | None:
    """The table of a family; None if it is none."""
    name = line[0].family
    cells = {each.index: each for each in line if is_place(each.index)}
    if len(cells) == len(line):
        rows, columns = (1 + max(place[side] for place in cells) for side in (0, 1))
        return Table(name, rows, columns, cells, is_row=False) if rows * columns <= MOST_CELLS else None
    numbers = {each.index: each for each in line if type(each.index) is int}
    if len(numbers) != len(line) or max(numbers) - min(numbers) >= MOST_COLUMNS:
        return None
    row = {(0, number - min(numbers)): each for number, each in numbers.items()}
    return Table(name, 1, 1 + max(numbers) - min(numbers), row, is_row=True)


def text(system: System, position: Position) -> str:
    """A position as text."""
    tables, lines = layout(system)
    named = sum(not table.is_row for table in tables) > 1
    shown = []
    for table in tables:
        if table.is_row:
            shown.append(in_words(tuple(table.cells.values()), position))
            continue
        if named:
            shown.append(f"{table.name}:")
        words = {place: _word(position[variable.number]) for place, variable in table.cells.items()}
        width = max(map(len, words.values()))
        for row in range(table.rows):
            cells = (words.get((row, column), "").rjust(width) for column in range(table.columns))
            shown.append(" ".join(cells).rstrip())
    return "\n".join([*shown, *(in_words(line, position) for line in lines)])


def picture(system: System, position: Position) -> Picture | None:
    """A position as a picture; None if it has no tables."""
    found = layout(system)
    if not found.tables:
        return None
    board, pieces = list[Shape](), list[Shape]()
    if len(found.tables) > 1:
        tops = zip(found.tables, _tops(found.tables), strict=True)
        board += [_written(first - 1, table.name) for table, first in tops]
    for first, table, (row, column), variable in cells(found):
        board += [tile(first + row, column, "line"), tile(first + row, column, "floor", 0.015)]
        pieces += entry(table, variable, position[variable.number], first + row, column)
    rows, columns = size(found)
    return below(Picture(columns, rows, tuple(board), tuple(pieces)), found.lines, position)


def cells(found: Layout) -> Iterator[tuple[int, Table, Place, Variable]]:
    """Yield the cells: the first row of the table in the picture, the table, the place in it, the variable."""
    for table, first in zip(found.tables, _tops(found.tables), strict=True):
        for place, variable in table.cells.items():
            yield first, table, place, variable


def size(found: Layout) -> tuple[int, int]:
    """The rows and columns of the picture of all tables."""
    *_, first = _tops(found.tables)
    return first + found.tables[-1].rows, max(table.columns for table in found.tables)


def entry(table: Table, variable: Variable, value: Hashable, row: int = 0, column: int = 0) -> list[Shape]:
    """A value of a variable in a cell of the picture."""
    if table.is_row and type(value) is int and value == 0:  # the number of a thing; no hole in a board
        return [Label(column + 0.5, row + 0.52, "0", SIZE, "accent")]
    return _cell(row, column, variable, value)


def changed(system: System, before: Position, after: Position) -> tuple[Place, ...]:
    """The cells of the picture whose values differ."""
    tables = layout(system).tables
    return tuple(
        (first + row, column)
        for table, first in zip(tables, _tops(tables), strict=True)
        for (row, column), variable in table.cells.items()
        if before[variable.number] != after[variable.number]
    )


def below(found: Picture, lines: Sequence[Line], position: Position) -> Picture:
    """A picture with variables in words below it, if that takes few lines. All positions have the same size."""
    written = folded(lines, found.width)
    if not written:
        return found
    top = int(found.height)
    texts = tuple(_written(top + row, in_words(line, position)) for row, line in enumerate(written))
    width = max(found.width, ceil(WIDE * max(map(_longest, written))))
    return replace(found, width=width, height=top + len(written), pieces=(*found.pieces, *texts))


def folded(lines: Sequence[Line], width: float) -> list[Line]:
    """The lines of variables in words below a picture of that width; none if they are too many or too long."""
    found = _folded(tuple(lines), int(width / WIDE))
    return found if found and len(found) <= MOST_LINES and max(map(_longest, found)) <= LONGEST else []


@lru_cache(maxsize=64)
def _folded(lines: tuple[Line, ...], most: int) -> list[Line]:
    """The variables of some lines in other lines, of at most that many characters if no variable takes more."""
    found: list[Line] = []
    for variable in (each for line in lines for each in line):
        if found and _longest((*found[-1], variable)) <= most:
            found[-1] = (*found[-1], variable)
        else:
            found.append((variable,))
    return found


def in_words(line: Line, position: Position) -> str:
    """The values of variables at a position: `jug 1 = 3, jug 2 = 0`."""
    return ", ".join(f"{variable.name} = {position[variable.number]}" for variable in line)


def _tops(tables: Sequence[Table]) -> Iterator[int]:
    """The first row of each table in the picture; several tables have their names above them."""
    top = 0
    for table in tables:
        top += len(tables) > 1
        yield top
        top += table.rows


def _cell(row: int, column: int, variable: Variable, value: Hashable) -> list[Shape]:
    """A value in a cell: nothing for none, a colour for a truth value, otherwise a block with the value."""
    if value in NOTHING:
        return []
    if value is True:
        return [tile(row, column, "3", 0.015)]
    word = _word(value)
    if value not in variable.domain:  # a constraint leaves it open
        return [Label(column + 0.5, row + 0.52, word, SIZE, "accent")]
    number = value if isinstance(value, int) else 1 + variable.domain.index(value)
    size = 0.5 if len(word) < 3 else 1.2 / len(word)
    colour = str(1 + (number - 1) % (NUMBERED - 1))
    return [tile(row, column, colour, 0.06, 0.12), Label(column + 0.5, row + 0.52, word, size)]


def _word(value: Hashable) -> str:
    """A value in a table: truth values are numbers there."""
    return str(int(value)) if isinstance(value, bool) else "-" if value is None else str(value)


def _written(row: int, words: str) -> Label:
    return Label(0.1, row + 0.5, words, SIZE, "accent", from_left=True)


@lru_cache(maxsize=64)
def _longest(line: Line) -> int:
    """The most characters that variables take in words."""
    return sum(len(each.name) + 5 + max(len(str(value)) for value in each.domain) for each in line) - 2
