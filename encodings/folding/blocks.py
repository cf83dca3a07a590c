"""The shapes that the block of a colour can get, were it alone on the board."""

from typing import NamedTuple

from puzzlemc.encodings.folding.rules import Cell
from puzzlemc.screens.folding import EMPTY, Level

Shape = frozenset[Cell]


class Fold(NamedTuple):
    """A fold of one block: its shape before, the direction, its shape after."""

    before: Shape
    direction: str
    after: Shape


class Block(NamedTuple):
    """The block of a colour, were it alone on the board: the shapes it can get, its own first, and the folds."""

    colour: int
    shapes: tuple[Shape, ...]
    folds: tuple[Fold, ...]


def empty_cells(level: Level) -> tuple[Cell, ...]:
    """The cells that start empty, row by row."""
    return tuple((r, c) for r, row in enumerate(level.rows) for c, value in enumerate(row) if value == EMPTY)


def blocks(level: Level) -> tuple[Block, ...]:
    """The blocks of a level, by colour. A fold doubles a block, so shapes are few."""
    room = frozenset(empty_cells(level))
    own: dict[int, set[Cell]] = {}
    for r, row in enumerate(level.rows):
        for c, value in enumerate(row):
            if value > EMPTY:
                own.setdefault(value, set()).add((r, c))
    return tuple(_block(colour, frozenset(own[colour]), room) for colour in sorted(own))


def _block(colour: int, own: Shape, room: Shape) -> Block:
    shapes = [own]
    seen = {own}
    folds = []
    for shape in shapes:
        rows, columns = [r for r, _ in shape], [c for _, c in shape]
        for direction, across, side, step in [
            ("U", 0, min(rows), -1),
            ("D", 0, max(rows), 1),
            ("L", 1, min(columns), -1),
            ("R", 1, max(columns), 1),
        ]:
            images = frozenset(image(cell, across, 2 * side + step) for cell in shape)
            if images <= room:  # the old cells of a block never are in the way: all images lie beyond them
                after = shape | images
                folds.append(Fold(shape, direction, after))
                if after not in seen:
                    seen.add(after)
                    shapes.append(after)
    return Block(colour, tuple(shapes), tuple(folds))


def image(cell: Cell, axis: int, total: int) -> Cell:
    """The cell whose coordinate along the axis (0 row, 1 column) adds up to the total with that of this one."""
    return (total - cell[0], cell[1]) if axis == 0 else (cell[0], total - cell[1])
