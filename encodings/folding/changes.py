"""Single edits of a Folding Blocks board.

cells    a cell is taken away that is empty or holds a colour, or an empty cell is put where there is none
blocks   all cells of a colour are moved together to cells that are empty or their own
colours  a cell of a block starts empty, or an empty cell starts with a colour of the board or with a new one

No edit takes the last cell of a colour away, so each colour of the board stays.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from puzzlemc.encodings.folding.rules import Cell
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Changes, Edit
from puzzlemc.encodings.puzzle.explanation import places
from puzzlemc.screens.folding import EMPTY, NO_CELL, Level

CELLS, BLOCKS, COLOURS = KINDS = ("cells", "blocks", "colours")


def edits(level: Level, allowed: Allowed) -> Iterator[Change]:
    """All single edits of a board that are allowed."""
    values = {(r, c): value for r, row in enumerate(level.rows) for c, value in enumerate(row)}
    sizes = Counter(value for value in values.values() if value > EMPTY)
    new = next(colour for colour in count(1) if colour not in sizes)
    free = {cell: value for cell, value in values.items() if cell not in allowed.keep}
    if CELLS in allowed.kinds:
        several = sum(value != NO_CELL for value in values.values()) > 1
        for cell, value in free.items():
            if value == NO_CELL:
                yield _painted(level, CELLS, f"an empty cell is added {places([cell])}", {cell: EMPTY})
            elif several and sizes[value] != 1:
                yield _painted(level, CELLS, f"the cell {places([cell])} is taken away", {cell: NO_CELL})
    if BLOCKS in allowed.kinds:
        for colour in sorted(sizes):
            yield from _moved(level, colour, values, allowed.keep)
    if COLOURS in allowed.kinds:
        for cell, value in free.items():
            if value == EMPTY:
                for colour in (*sorted(sizes), new):
                    yield _painted(
                        level, COLOURS, f"the cell {places([cell])} gets colour {colour}", {cell: colour}
                    )
            elif value > EMPTY and sizes[value] > 1:
                yield _painted(level, COLOURS, f"the cell {places([cell])} starts empty", {cell: EMPTY})


def _moved(level: Level, colour: int, values: dict[Cell, int], keep: Iterable[Cell]) -> Iterator[Change]:
    """All moves of a block to other places."""
    block = [cell for cell, value in values.items() if value == colour]
    room = {cell for cell, value in values.items() if value in (EMPTY, colour)}
    fixed = frozenset(keep)
    top, left = block[0][0], min(column for _, column in block)
    for row in range(len(level.rows)):
        for column in range(len(level.rows[0])):
            images = [(r + row - top, c + column - left) for r, c in block]
            changed = {*images} ^ {*block}
            if changed and room.issuperset(images) and fixed.isdisjoint(changed):
                way = " and ".join(
                    filter(None, (_steps(row - top, "down", "up"), _steps(column - left, "right", "left")))
                )
                words = f"the block of colour {colour} is moved {way}"
                yield _painted(level, BLOCKS, words, dict.fromkeys(block, EMPTY) | dict.fromkeys(images, colour))


def _steps(count: int, forward: str, back: str) -> str:
    """A number of steps in words; empty for none."""
    return f"{abs(count)} {forward if count > 0 else back}" if count else ""


def _painted(level: Level, kind: str, words: str, new: dict[Cell, int]) -> Change:
    """The change after which the cells hold these values."""
    rows = [list(row) for row in level.rows]
    changed = sorted((r, c) for (r, c), value in new.items() if rows[r][c] != value)
    for (row, column), value in new.items():
        rows[row][column] = value
    return Change(replace(level, rows=tuple(map(tuple, rows))), (Edit(kind, words, tuple(changed)),))


CHANGES = Changes(KINDS, edits)
