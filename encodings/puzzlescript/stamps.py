"""The sprites of a level, as looks that pictures of its positions are made of."""

from collections import defaultdict
from functools import cache

from puzzlemc.encodings.puzzle.display import Stamps
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.screen import painted_once
from puzzlemc.screens.puzzlescript.game import Level
from puzzlemc.screens.puzzlescript.pictures import sprite


def stamps(level: Level) -> Stamps:
    """A look for each object. Objects of lower layers are painted first."""
    game = level.game
    order = {name: place for place, name in enumerate(game.objects)}
    fixed = painted_once(level)
    places = [divmod(number, level.width) for number in range(len(level.cells))]

    @cache
    def seen(number: int, objects: frozenset[str]) -> list[str]:
        return sorted(objects - fixed[number], key=order.__getitem__)

    def of(position: Position) -> list[tuple[str, int, int]]:
        found = defaultdict[str, list[tuple[str, int, int]]](list)
        for number, objects in enumerate(position.cells):
            for name in seen(number, objects):
                found[name].append((name, *places[number]))
        return [each for name in sorted(found, key=order.__getitem__) for each in found[name]]

    return Stamps({name: sprite(game, name) for name in game.objects}, of)
