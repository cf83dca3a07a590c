"""Positions as things on cells: the blocks by their numbers, and places that are no cells of the board."""

from puzzlemc.encodings.puzzle.display import Cells, Thing
from puzzlemc.screens.folding import EMPTY, NO_CELL, Level, Matrix

DIRECTIONS = "LURD"


def cells(level: Level) -> Cells:
    """The positions of a level; an action folds a block in a direction."""
    blocks = sorted({value for row in level.rows for value in row if value > EMPTY})
    kinds = {NO_CELL: 0} | {block: kind for kind, block in enumerate(blocks, 1)}

    def things(position: Matrix) -> list[Thing]:
        return [
            (kinds[value], row, column)
            for row, values in enumerate(position)
            for column, value in enumerate(values)
            if value > EMPTY
        ]

    fixed = [
        (0, row, column)
        for row, values in enumerate(level.rows)
        for column, value in enumerate(values)
        if value == NO_CELL
    ]
    names = ("no cell", *(f"block {block}" for block in blocks))
    actions = [f"{block}{direction}" for block in blocks for direction in DIRECTIONS]
    return Cells(names, len(level.rows), len(level.rows[0]), fixed, things, actions)
