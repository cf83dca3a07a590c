"""The screen of a puzzle whose levels one of the readers of this folder reads."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.modelling.cutting import cut, lines_of, with_heading
from puzzlemc.screens.modelling.faults import blamed


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
        self, suffixes: tuple[str, ...], reader: Reader, make: Callable[[Any], Any] = lambda data: data
    ) -> None:
        """Hold the suffixes of files, the reader, and the author's function of what the reader returns."""
        self.SUFFIXES = suffixes
        self.reader = reader
        self._make = make

    def looks_like(self, text: str) -> float:
        """Say that no file is recognized by its content alone."""
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level, or an error for a text without a level."""
        return cut(text, source, self.reader.expected)

    def build(self, part: Part) -> Level:
        """Build a level from its text. Raises LevelError, also for what the author's function raises."""
        data = self.reader.read(part)
        with blamed(self._make, part):
            made = self._make(data)
        return Level(part.title, part.author, "\n".join(line.text for line in lines_of(part)), data, made)

    def parse(self, text: str, source: str) -> list[Level | LevelError]:
        """Read a text: an item for each level. Raises nothing."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: Any = None, /) -> str:
        """Write a level as text that `parse` reads as an equal one."""
        return with_heading(level.title, level.author, level.text)
