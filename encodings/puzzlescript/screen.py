"""The screen of PuzzleScript, whose pictures know what never changes in a level.

What never changes is the board that all pictures of a level share. The reader cannot know it: it follows from an
analysis of the rules.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.screens import puzzlescript
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.picture import Picture
from puzzlemc.screens.puzzlescript import Level


def painted_once(level: Level) -> list[frozenset[str]]:
    """The objects of each cell that never change, and have nothing below them that does: the board of pictures."""
    from puzzlemc.encodings.puzzlescript.planes.encoding import board  # few commands draw pictures

    here = board(level)
    lowest = min((here.compilation.names.layer[name] for name in here.objects), default=len(level.game.layers))
    below = frozenset(name for layer in level.game.layers[: lowest + 1] for name in layer)
    return [fixed & below for fixed in here.constant]


class GameScreen:
    """Reads, writes and draws levels."""

    SUFFIXES: tuple[str, ...] = puzzlescript.SUFFIXES

    def looks_like(self, text: str) -> float:
        """Return the fraction of a text that looks like a game."""
        return puzzlescript.looks_like(text)

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level, or an error in the place of a level."""
        return puzzlescript.cut(text, source)

    def build(self, part: Part) -> Level:
        """Build a level. Raises LevelError."""
        return puzzlescript.build(part)

    def parse(self, text: str, source: str) -> Sequence[Level | LevelError]:
        """Read a game: one item for each level."""
        return puzzlescript.parse(text, source)

    def draw(self, level: Level, position: Position | None = None, /) -> str:
        """Write a level as the text of a game, or the rows of a position."""
        return puzzlescript.draw(level, position)

    def picture(self, level: Level, position: Position, /) -> Picture:
        """Return a position as a picture, on a board of what never changes and has nothing below it that does."""
        return puzzlescript.picture(level, position, painted_once(level))


SCREEN = GameScreen()
