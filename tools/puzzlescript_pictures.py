"""Draws the pictures of docs/puzzlescript.md: positions of solutions of our own games, side by side.

The moves are replayed by the plain rules.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageColor

from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.screens.puzzlescript import Level, parse
from puzzlemc.screens.puzzlescript.pictures import pixels

ROOT = Path(__file__).parents[1]
LEVELS = ROOT / "screens" / "levels" / "puzzlescript"
SPRITE = 5  # pixels of the side of a sprite
SCALE = 6  # pixels of the picture for one of them
GAP = 16  # pixels between two positions


class Strip(NamedTuple):
    """A picture: its name, a level, moves of it, and the numbers of moves after which it is drawn."""

    name: str
    game: str
    level: int
    moves: str
    shown: Sequence[int]


STRIPS = (
    Strip("thaw_by_lantern_light", "thaw.txt", 1, "right right", (0, 1, 2)),
    Strip("thaw_thin_ice", "thaw.txt", 2, "right down right right down right up", (0, 3, 5, 7)),
    Strip("thaw_unsolvable", "thaw.txt", 5, "", (0,)),
    Strip("shaft_dig_under_it", "shaft.txt", 2, "right right down left right", (0, 3, 5)),
)


def positions(level: Level, moves: Sequence[str]) -> list[Position]:
    """The positions of a level from its start on, by the plain rules."""
    found = [RULES.start(level)]
    for move in moves:
        found.append(next(step.position for step in RULES.steps(level, found[-1]) if step.name == move))
    return [position for position in found if isinstance(position, Position)]


def drawn(level: Level, shown: Sequence[Position]) -> Image.Image:
    """Positions side by side, in the sprites of the game."""
    side = SPRITE * SCALE
    image = Image.new("RGBA", (len(shown) * (level.width * side + GAP) - GAP, level.height * side))
    for number, position in enumerate(shown):
        for cell, objects in enumerate(position.cells):
            row, column = divmod(cell, level.width)
            sprite = Image.new("RGB", (SPRITE, SPRITE))
            for y, line in enumerate(pixels(level.game, objects)):
                for x, colour in enumerate(line):
                    sprite.putpixel((x, y), ImageColor.getrgb(colour))
            left = number * (level.width * side + GAP) + column * side
            image.paste(sprite.resize((side, side), Image.Resampling.NEAREST), (left, row * side))
    return image


def make(folder: Path) -> None:
    """Draw the pictures into a folder."""
    for name, game, number, moves, shown in STRIPS:
        level = parse((LEVELS / game).read_text(encoding="utf-8"), game)[number - 1]
        assert isinstance(level, Level)
        found = positions(level, moves.split())
        drawn(level, [found[turn] for turn in shown]).save(folder / f"{name}.png", optimize=True)
