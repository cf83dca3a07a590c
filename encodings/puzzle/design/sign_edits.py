"""Single edits of a level that is a board of signs.

swaps  two cells change places, near ones first: what is there is kept, so few such repairs make a level trivial
signs  a cell gets another sign

Inner cells come first. The border, the outermost rows and columns, mostly keeps things on the board.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from puzzlemc.encodings.puzzle.design.changes import Allowed, Cell, Change, Edit

SWAPS, SIGNS = KINDS = ("swaps", "signs")

Sign = TypeVar("Sign")
Painted: TypeAlias = Callable[
    [Mapping[Cell, Sign]], Any
]  # the level with other signs on some cells; None: refused


def sign_edits(
    cells: Mapping[Cell, Sign],
    words: Callable[[Sign], str],
    others: Callable[[Cell], Iterator[Sign]],
    painted: Painted[Sign],
    allowed: Allowed,
) -> Iterator[Change]:
    """All single edits that are allowed.

    cells    what is on each cell
    words    its name
    others   what may take the place of what is on a cell
    painted  the level with other signs on some cells; None if the reader does not accept it
    """
    free = {cell: sign for cell, sign in cells.items() if cell not in allowed.keep}
    border = _border(cells)
    inner = {cell: sign for cell, sign in free.items() if cell not in border}

    def swaps(among: Mapping[Cell, Sign]) -> Iterator[Change]:
        for pair in _pairs(among):
            one, other = pair
            if among is free and border.isdisjoint(pair):
                continue  # it came before
            level = painted({one: cells[other], other: cells[one]})
            if level is not None:
                both = " and ".join(f"{words(cells[cell])} {_place(cell)}" for cell in pair)
                edit = Edit(SWAPS, f"{both} change places", pair, border=len(border.intersection(pair)))
                yield Change(level, (edit,))

    def signs(among: Iterable[Cell]) -> Iterator[Change]:
        for cell in among:
            for new in others(cell):
                level = painted({cell: new}) if new != cells[cell] else None
                if level is not None:
                    change = f"{words(cells[cell])} {_place(cell)} becomes {words(new)}"
                    yield Change(level, (Edit(SIGNS, change, (cell,), border=int(cell in border)),))

    for some, alone in ((inner, inner), (free, free.keys() & border)):
        if SWAPS in allowed.kinds:
            yield from swaps(some)
        if SIGNS in allowed.kinds:
            yield from signs(cell for cell in some if cell in alone)


def _border(cells: Collection[Cell]) -> frozenset[Cell]:
    """The cells in the outermost rows and columns."""
    ends = [{min(numbers), max(numbers)} for numbers in zip(*cells, strict=True)]
    return frozenset(cell for cell in cells if any(at in end for at, end in zip(cell, ends, strict=True)))


def _pairs(cells: Mapping[Cell, Sign]) -> Iterator[tuple[Cell, Cell]]:
    """Yield all pairs of cells with different signs, by their distance."""
    if not cells:
        return
    rows, columns = ([cell[axis] for cell in cells] for axis in (0, 1))
    height, width = max(rows) - min(rows), max(columns) - min(columns)
    for distance in range(1, height + width + 1):
        for row, column in cells:
            for down in range(min(distance, height) + 1):
                across = distance - down
                for right in {across, -across} if down else {across}:
                    other = row + down, column + right
                    if other in cells and cells[other] != cells[row, column]:
                        yield (row, column), other


def _place(cell: Cell) -> str:
    """A cell in words, rows and columns from 1."""
    return f"in row {cell[0] + 1}, column {cell[1] + 1}"
