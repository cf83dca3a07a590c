"""The text of a game: its sections as they are written, which the reader of lines makes, and its faults."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript.game import Warning

MAX_FAULTS = 10  # errors of a game that an error message shows
MAX_WARNINGS = 100  # of a game that are kept
MAX_MEMBERS = 10_000  # objects of a name, with repetitions: names of names of names grow exponentially


_ODD = {0xFEFF: " ", **dict.fromkeys([*range(0x1C, 0x20), 0x85], "\0")}


def with_plain_blanks(text: str) -> str:
    """Return a text in which exactly the blanks of the original are blanks: U+FEFF, but no control characters."""
    return text.translate(_ODD)


def lower(text: str) -> str:
    """Return a text in lower case, without a change of its length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(sign.lower()[:1] for sign in text)


class Faults:
    """The errors and the warnings of one game. Lines and columns count from 1; column 0 is the whole line."""

    def __init__(self) -> None:
        self._errors: dict[Warning, None] = {}
        self._warnings: dict[Warning, None] = {}
        self._causes: list[Warning] = []
        self._misses = False

    def error(self, line: int, column: int, text: str, *, missing: bool = False) -> None:
        """Add an error: the game has no certain meaning. What is `missing` may have causes behind its line."""
        self._errors[Warning(line, column, text)] = None
        self._misses |= missing

    def warn(self, line: int, column: int, text: str, *, cause: bool = False) -> None:
        """Add a warning: the game can be read nevertheless. A `cause` can be the reason of errors behind it."""
        warning = Warning(line, column, text)
        if len(self._warnings) < MAX_WARNINGS:
            if cause and warning not in self._warnings:
                self._causes.append(warning)
            self._warnings[warning] = None

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """The warnings in the order of the text."""
        return tuple(sorted(self._warnings))

    def check(self, source: str) -> None:
        """Raise LevelError if there are errors: first the warnings before them that can be their reason."""
        if not self._errors:
            return
        errors = sorted(self._errors)
        last = errors[0].line if errors[0].line and not self._misses else math.inf
        causes = sorted(each for each in self._causes if each.line <= last)
        faults = [*causes, *errors]
        first, *others = (
            LevelError(text, source=source, line=line or None, column=column or None)
            for line, column, text in faults[:MAX_FAULTS]
        )
        first.others, first.more = tuple(others), max(0, len(faults) - MAX_FAULTS)
        raise first


class Piece(NamedTuple):
    """A line without its comments, or a part of a line between comments.

    line    its number in the text, from 1
    start   the index of its first character in the line; it is no blank
    raw     its characters as they are written
    low     the same in lower case
    whole   the whole line in lower case
    first   is it the first piece of its line?
    """

    line: int
    start: int
    raw: str
    low: str
    whole: str
    first: bool

    @property
    def column(self) -> int:
        """The column of its first character, from 1."""
        return self.start + 1


class Name(NamedTuple):
    """A name that the legend or a line of an object defines.

    members  the names that it stands for: one for a synonym, the objects of an aggregate or a property in their
             order, possibly with repetitions
    """

    name: str
    members: tuple[str, ...]
    line: int
    column: int


class WrittenSprite(NamedTuple):
    """The words of the colours of an object, and its rows of digits and dots."""

    colours: tuple[str, ...]
    rows: tuple[str, ...]


class WrittenLevel(NamedTuple):
    """The rows of a level. `rows` are the trimmed lines, each with its line number and its first column, from 1.

    title  the message before the level, or ""
    """

    title: str
    rows: tuple[tuple[int, int, str], ...]


@dataclass
class Source:
    """The sections of a game. Names are in lower case, the values of the prelude, messages and levels are not.

    metadata    word of the prelude -> its value, and the line
    objects     name -> line and column
    sprites     object -> its colours and rows, as far as they can be understood
    synonyms, aggregates, properties
                the names of the legend in the order of the text; a name may occur twice
    layers      the objects of each layer in the order of the text
    rules       the lines of the section, of each its number and its text in lower case up to the first comment
    cut_rules   the column of the comment behind which the rule of a line is not read
    wins        the lines of the section
    legend      the number of the line of the header of the legend, 0 without this section
    head        the same for the header of the levels
    before_head the index of this header in its line
    """

    faults: Faults = field(default_factory=Faults)
    metadata: dict[str, tuple[str, int]] = field(default_factory=dict)
    objects: dict[str, tuple[int, int]] = field(default_factory=dict)
    sprites: dict[str, WrittenSprite] = field(default_factory=dict)
    synonyms: list[Name] = field(default_factory=list)
    aggregates: list[Name] = field(default_factory=list)
    properties: list[Name] = field(default_factory=list)
    layers: list[list[str]] = field(default_factory=list)
    rules: list[tuple[int, str]] = field(default_factory=list)
    cut_rules: dict[int, int] = field(default_factory=dict)
    wins: list[tuple[int, str]] = field(default_factory=list)
    levels: list[WrittenLevel] = field(default_factory=list)
    legend: int = 0
    head: int = 0
    before_head: int = 0
    _first: dict[str, tuple[str, Name]] = field(default_factory=dict)  # name -> kind and its first definition

    def add(self, kind: str, name: Name) -> None:
        """Add a "synonym", an "aggregate" or a "property"."""
        {"synonym": self.synonyms, "aggregate": self.aggregates, "property": self.properties}[kind].append(name)
        known = self._first.get(name.name)
        # Of two definitions with one name, a synonym is found before an aggregate, and that before a property.
        if known is None or _ORDER.index(kind) < _ORDER.index(known[0]):
            self._first[name.name] = kind, name

    def declared(self, name: str) -> bool:
        """Is this the name of an object, or a name of the legend?"""
        return name in self.objects or name in self._first

    def lookup(self, name: str) -> tuple[str, str, tuple[str, ...]]:
        """Return the kind of a name, the name at the end of its chain of synonyms, and the members of this one.

        The kind is "object", "aggregate", "property", or "" for an unknown name. An object has no members.
        """
        seen = set()
        while name not in self.objects and name not in seen and name in self._first:
            seen.add(name)
            kind, found = self._first[name]
            if kind != "synonym":
                return kind, name, found.members
            name = found.members[0]
        return ("object" if name in self.objects else ""), name, ()

    def line_of(self, name: str) -> tuple[int, int]:
        """Return the line and the column in which a name is defined first."""
        if name in self.objects:
            return self.objects[name]
        return self._first[name][1].line, self._first[name][1].column


_ORDER = ("synonym", "aggregate", "property")
