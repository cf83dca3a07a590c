"""The plain rules of Folding Blocks, which share nothing with the encodings."""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.folding import EMPTY, NO_CELL, Level, Matrix

Cell = tuple[int, int]  # (row, column) from 0

METRICS = ("moves",)
FOLD = {"moves": 1}


def start(level: Level) -> Matrix:
    """The position that the level starts with."""
    return level.rows


def steps(level: Level, position: Matrix) -> Iterator[Step]:
    """All legal folds, called by the colour and the direction: `3L` folds the block of colour 3 to the left."""
    for colour in sorted({value for row in position for value in row if value > EMPTY}):
        block = [(r, c) for r, row in enumerate(position) for c, value in enumerate(row) if value == colour]
        top, bottom = min(r for r, _ in block), max(r for r, _ in block)
        left, right = min(c for _, c in block), max(c for _, c in block)
        for name, images in {
            "U": [(2 * top - r - 1, c) for r, c in block],
            "D": [(2 * bottom - r + 1, c) for r, c in block],
            "L": [(r, 2 * left - c - 1) for r, c in block],
            "R": [(r, 2 * right - c + 1) for r, c in block],
        }.items():
            if all(_at(position, cell) == EMPTY for cell in images):
                new = [list(row) for row in position]
                for r, c in images:
                    new[r][c] = colour
                yield Step(f"{colour}{name}", tuple(map(tuple, new)), FOLD)


def at(level: Level, position: Matrix) -> Level:
    """The level that starts in that position."""
    return replace(level, rows=position)


def solved(level: Level, position: Matrix) -> bool:
    """Is no cell empty?"""
    return not any(EMPTY in row for row in position)


def _at(position: Matrix, cell: Cell) -> int:
    """The content of a place, which may be outside the board."""
    row, column = cell
    if 0 <= row < len(position) and 0 <= column < len(position[0]):
        return position[row][column]
    return NO_CELL


RULES = Transition(start, steps, solved)
