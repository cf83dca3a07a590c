"""Positions as things on cells: the objects of the game."""

from collections.abc import Iterator

from puzzlemc.encodings.puzzle.display import Cells, Thing
from puzzlemc.encodings.puzzlescript.domain.position import Position, moves
from puzzlemc.screens.puzzlescript import Level


def cells(level: Level) -> Cells | None:
    """The positions of a level; None for one that may begin with several boards, of which one is drawn."""
    kinds = {name: kind for kind, name in enumerate(level.game.objects)}
    width = level.width

    def things(position: Position) -> Iterator[Thing]:
        for cell, objects in enumerate(position.cells):
            for name in objects:
                yield (kinds[name], *divmod(cell, width))

    return Cells(tuple(kinds), level.height, width, (), things, moves(level.game))
