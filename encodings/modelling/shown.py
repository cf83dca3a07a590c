"""The screen of a puzzle of systems: positions as text."""

from puzzlemc.encodings.modelling.evaluation import Evaluation, Position
from puzzlemc.screens.base.picture import Picture, lines
from puzzlemc.screens.modelling.screen import Level, TextScreen


class SystemScreen(TextScreen):
    """Reads and writes levels, and writes positions as the values of their variables."""

    def draw(self, level: Level, position: Position | None = None, /) -> str:
        """A level as text that `parse` reads, or a position of it."""
        if position is None:
            return super().draw(level)
        evaluation: Evaluation = level.made
        return evaluation.words(position)

    def picture(self, level: Level, position: Position, /) -> Picture:
        """A position as a picture."""
        return lines(self.draw(level, position))
