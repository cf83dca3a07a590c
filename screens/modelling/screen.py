"""The screen of a puzzle whose levels one of the readers of this folder reads.

A position is shown as text, as a `Picture`, or, on a board, as things: words of the legend and their places. A
text that consists of rows of signs of the legend is drawn as a board, too.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.base.picture import Moved, Picture, lines
from puzzlemc.screens.modelling import pictures
from puzzlemc.screens.modelling.cutting import cut, lines_of, with_heading
from puzzlemc.screens.modelling.faults import blamed
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.pictures import Things

Shown: TypeAlias = str | Picture | Things


class Reader(Protocol):
    """Reads levels."""

    @property
    def expected(self) -> str:
        """What a level consists of, in words."""

    def read(self, part: Part) -> Any:
        """Return what the text of a level says. Raises LevelError."""


@dataclass(frozen=True)
class Level:
    """A level. Two levels with one title, author, text and start are equal.

    text   the lines without title, author and comments
    data   what the reader returns
    made   what the author's function makes of it
    start  the position in which it starts; None for that of the text
    """

    title: str
    author: str
    text: str
    data: Any = field(compare=False, repr=False)
    made: Any = field(compare=False, repr=False)
    start: Hashable = None


class TextScreen:
    """Reads and writes levels."""

    def __init__(
        self,
        suffixes: tuple[str, ...],
        reader: Reader,
        make: Callable[[Any], Any] = lambda data: data,
        show: Callable[[Any, Any], Shown] = lambda data, position: str(position),
    ) -> None:
        """Hold what the screen depends on.

        suffixes  of files of levels
        reader    reads levels
        make      the author's function of what the reader returns
        show      shows a position, given what the reader returns
        """
        self.SUFFIXES = suffixes
        self.reader = reader
        self._make = make
        self._show = show

    def looks_like(self, text: str) -> float:
        """Say that no file is recognized by its content alone."""
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level, or an error for a text without a level."""
        parts = cut(text, source, self.reader.expected)
        return self.reader.refuse_blanks(parts, text) if isinstance(self.reader, GridReader) else parts

    def build(self, part: Part) -> Level:
        """Build a level from its text. Raises LevelError, also for what the author's function raises."""
        data = self.reader.read(part)
        with blamed(self._make, part):
            made = self._make(data)
        return Level(part.title, part.author, "\n".join(line.text for line in lines_of(part)), data, made)

    def parse(self, text: str, source: str) -> list[Level | LevelError]:
        """Read a text: an item for each level. Raises nothing."""
        return build_all(self.cut(text, source), self.build)

    def shown(self, level: Level, position: Any) -> Shown:
        """Return how a position is shown."""
        return self._show(level.data, position)

    def draw(self, level: Level, position: Any = None, /) -> str:
        """Write a level as text that `parse` reads as an equal one, or a position of it."""
        if position is None:
            return with_heading(level.title, level.author, level.text)
        shown = self.shown(level, position)
        if isinstance(shown, Mapping):
            return self._board().draw(level.data, shown)
        return shown if isinstance(shown, str) else str(position)

    def picture(self, level: Level, position: Any, /) -> Picture:
        """Return a position as a picture."""
        shown = self.shown(level, position)
        if isinstance(shown, Picture):
            return shown
        things = self._things(level, shown)
        if things is None:
            return lines(self.draw(level, position))
        return self._board().picture(level.data, things)

    def moved(self, level: Level, before: Any, after: Any) -> Moved:
        """Return the cells that things leave from one position to the other, and those to which they come."""
        first, second = self.things(level, before), self.things(level, after)
        return Moved((), ()) if first is None or second is None else pictures.moved(first, second)

    def things(self, level: Level, position: Any) -> Things | None:
        """Return the places of the words of the legend in a position; None if it is shown as no board."""
        return self._things(level, self.shown(level, position))

    def _things(self, level: Level, shown: Shown) -> Things | None:
        """Return the places of the words of the legend; None for what is no board."""
        if isinstance(shown, Mapping):
            return shown
        if isinstance(shown, Picture) or not isinstance(self.reader, GridReader):
            return None
        return self.reader.things(level.data, shown)

    def _board(self) -> GridReader:
        """Return the reader of boards. Raises ModelError if the levels are none."""
        if not isinstance(self.reader, GridReader):
            raise ModelError("found words and places for a position, expected a text: the levels are no grids")
        return self.reader
