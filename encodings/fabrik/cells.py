"""Positions as things on cells: the stones of both sides and the workers."""

from collections.abc import Iterator

from puzzlemc.encodings.puzzle.display import Cells, Thing
from puzzlemc.screens.fabrik.level import Level, Position

KINDS = ("black", "white", "worker", "black moves", "white moves")


def cells(level: Level) -> Cells:
    """The positions of a level; the side to move stands on the first cell."""
    return Cells(KINDS, level.size, level.size, (), _things)


def _things(position: Position) -> Iterator[Thing]:
    for kind, places in enumerate((position.black, position.white, position.workers)):
        for place in places:
            yield (kind, *place)
    if position.turn:
        yield KINDS.index(f"{position.turn} moves"), 0, 0
