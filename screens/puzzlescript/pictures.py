"""PuzzleScript positions as pictures: the sprites of the game in its own colours."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from puzzlemc.screens.base.picture import Box, Moved, Picture, Shape
from puzzlemc.screens.puzzlescript.game import TRANSPARENT, Game, Level, Sprite
from puzzlemc.screens.puzzlescript.sections import SIDE
from puzzlemc.screens.puzzlescript.writer import Position


def picture(level: Level, position: Position, fixed: Sequence[frozenset[str]] | None = None, /) -> Picture:
    """Return a position as a picture. A colour is `#rrggbb`. Lower layers are painted first.

    `fixed` are objects of each cell that are the same in all positions, and that no other object is below.
    """
    game = level.game
    shapes = _pixels(game)
    board: list[Shape] = [Box(0, 0, level.width, level.height, game.background_colour)]
    pieces: list[Shape] = []
    for name in game.objects:
        cells = [number for number, objects in enumerate(position.cells) if name in objects]
        # Shapes of one colour follow each other: a drawing of them has fewer parts, and no seams between cells.
        for x, y, width, height, colour in sorted(shapes[name], key=lambda shape: shape[-1]) if cells else ():
            for number in cells:
                row, column = divmod(number, level.width)
                box = Box(column + x / SIDE, row + y / SIDE, width / SIDE, height / SIDE, colour)
                (board if fixed is not None and name in fixed[number] else pieces).append(box)
    return Picture(level.width, level.height, tuple(board), tuple(pieces))


def moved(level: Level, before: Position, after: Position) -> Moved:
    """Return the cells that a step has changed: those that have lost an object, and those that have a new one."""
    lost, new = [], []
    for number, (old, now) in enumerate(zip(before.cells, after.cells, strict=True)):
        if old - now:
            lost.append(divmod(number, level.width))
        if now - old:
            new.append(divmod(number, level.width))
    return Moved(tuple(lost), tuple(new))


def sprite(game: Game, name: str) -> tuple[Box, ...]:
    """Return the sprite of an object as shapes of the upper left cell."""
    return tuple(
        Box(x / SIDE, y / SIDE, width / SIDE, height / SIDE, colour)
        for x, y, width, height, colour in _pixels(game)[name]
    )


@lru_cache(maxsize=1 << 12)
def pixels(game: Game, objects: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return the rows of pixels of a cell with these objects, as colours `#rrggbb`."""
    rows = [[game.background_colour] * SIDE for _ in range(SIDE)]
    for name in game.objects:
        if name in objects:
            for x, y, width, height, colour in _pixels(game)[name]:
                for row in rows[y : y + height]:
                    row[x : x + width] = [colour] * width
    return tuple(map(tuple, rows))


_Pixels = tuple[
    tuple[int, int, int, int, str], ...
]  # x, y, width and height in pixels of the sprite, and the colour


@lru_cache(maxsize=8)
def _pixels(game: Game) -> Mapping[str, _Pixels]:
    return {name: _rectangles(game.sprites[name]) if name in game.sprites else () for name in game.objects}


def _rectangles(sprite: Sprite) -> _Pixels:
    """Return a sprite as rectangles: runs of one colour in a row, and equal rows as one."""
    if sprite.pixels is None:
        colour = sprite.colours[0]
        return () if colour == TRANSPARENT else ((0, 0, SIDE, SIDE, colour),)
    found = []
    top = 0
    for row, equal in groupby(sprite.pixels):
        height = len(list(equal))
        left = 0
        for pixel, run in groupby(row):
            width = len(list(run))
            if pixel is not None and sprite.colours[pixel] != TRANSPARENT:
                found.append((left, top, width, height, sprite.colours[pixel]))
            left += width
        top += height
    return tuple(found)
