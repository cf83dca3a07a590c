"""Positions as things on cells: the numbers at the four sides of each tile.

Tiles that are not on the board yet lie below it, in their order: rows that continue it. There a tile leaves its
place empty when it is put on the board.
"""

from collections.abc import Iterator

from puzzlemc.encodings.puzzle.display import Cells, Thing
from puzzlemc.encodings.tetravex.rules import place
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Board, Level

SIDES = ("north", "east", "south", "west")


def cells(level: Level) -> Cells:
    """The positions of a level; an action exchanges two cells, or puts a tile on a cell."""
    side, number = level.side, len(level.tiles)
    values = sorted({getattr(tile, name) for tile in level.tiles for name in SIDES})
    kinds = {pair: kind for kind, pair in enumerate((name, value) for name in SIDES for value in values)}
    looks = [[kinds[name, getattr(tile, name)] for name in SIDES] for tile in level.tiles]

    def things(position: Board) -> Iterator[Thing]:
        for cell, tile in enumerate(position):
            if tile != EMPTY:
                yield from ((kind, *divmod(cell, side)) for kind in looks[tile - 1])
        if level.rules != SWAP:
            for tile in sorted(set(range(1, number + 1)) - set(position)):
                row, column = divmod(tile - 1, side)
                yield from ((kind, side + row, column) for kind in looks[tile - 1])

    names = [f"{name} {value}" for name, value in kinds]
    rows = side if level.rules == SWAP else 2 * side
    return Cells(names, rows, side, (), things, _actions(level))


def _actions(level: Level) -> list[str]:
    places = [place(level, cell) for cell in range(len(level.tiles))]
    if level.rules == SWAP:
        return [f"{one}-{other}" for at, one in enumerate(places) for other in places[at + 1 :]]
    tiles = range(1, len(level.tiles) + 1)
    if level.rules == PUT:
        return [f"{tile}@{where}" for tile in tiles for where in places]
    return [str(tile) for tile in tiles]
