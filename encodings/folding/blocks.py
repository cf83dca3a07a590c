"""The shapes that the block of a colour can reach on a board without other blocks."""

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
    """The block of a colour: the shapes that it can reach without other blocks, its own first, and the folds."""

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
            if images <= room:  # images never overlap the block: they lie beyond its side
                after = shape | images
                folds.append(Fold(shape, direction, after))
                if after not in seen:
                    seen.add(after)
                    shapes.append(after)
    return Block(colour, tuple(shapes), tuple(folds))


def image(cell: Cell, axis: int, total: int) -> Cell:
    """The mirror image of a cell: along the axis (0 row, 1 column), both coordinates add up to the total."""
    return (total - cell[0], cell[1]) if axis == 0 else (cell[0], total - cell[1])
