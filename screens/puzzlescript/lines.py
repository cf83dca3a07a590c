"""Reads the text of a game line by line into its sections.

Comments are in round brackets; they nest, and may span lines. No comment begins after the word `message`, since a
message is text. The sections have an order, and `LEVELS` is the last one: after it, no line is a header.
"""

import re
from typing import NamedTuple

from puzzlemc.screens.puzzlescript.sections import (
    Legend,
    Levels,
    Objects,
    Section,
    collisions,
    prelude,
    rules,
    wins,
)
from puzzlemc.screens.puzzlescript.source import Piece, Source, lower

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
_WORDS = ("objects", "legend", "sounds", "collisionlayers")  # sections whose lines are read word by word
_ROW = "a row of ="
HEADER = re.compile(rf"({'|'.join(SECTIONS)})(?!\w)\s*")
_MESSAGE = re.compile(r"(?:^|[\s\[\]|])message(?=$|[\s\[\]|])")
_SPACE = re.compile(r"\s*")
_EQUALS = re.compile("=+")


class _Line(NamedTuple):
    number: int
    raw: str
    low: str  # in lower case, of the same length


def read(text: str) -> Source:
    """Read a game. `text` has newlines alone as line ends. Its faults are in the result. Raises nothing."""
    reader = _Reader()
    for number, raw in enumerate(text.split("\n"), 1):
        reader.read(_Line(number, raw, lower(raw)))
    if reader.depth:
        line, column = reader.opened
        message = "found a comment without an end, expected a closing bracket"
        reader.source.faults.warn(line, column, message, cause=True)
    reader.levels.end()
    return reader.source


class _Reader:
    """What the lines so far have left open.

    depth   the number of open brackets of comments, and `opened` is the place of the first one
    section the name of the current section, "" in the prelude
    seen    the sections so far
    ended   what has ended the current line, such as the name of a section: only comments may follow it
    """

    def __init__(self) -> None:
        self.source = Source()
        self.depth = 0
        self.opened = (0, 0)
        self.section = ""
        self.seen: list[str] = []
        self.ended = ""
        self.objects = Objects(self.source)
        self.legend = Legend(self.source)
        self.levels = Levels(self.source)

    def read(self, line: _Line) -> None:
        """Read one line: its comments, and the pieces between them."""
        raw, at, first, self.ended = line.raw, 0, True, ""
        if self.depth and not raw:
            return
        while True:
            at = self._start(raw, at)
            if not self.depth and raw.startswith(")", at):
                self._warn(line, at, "found a closing bracket, expected one only at the end of a comment")
                at, first = at + 1, False
            elif self.depth or raw.startswith("(", at):
                at = self._comment(line, at)
                if at >= len(raw):
                    self.legend.end(closed=False)
                    return  # a comment alone is no blank line, a comment with blanks after it is one
            elif at >= len(raw):
                break
            else:
                end = self._end(line.low, at, first)
                self._piece(Piece(line.number, at, raw[at:end], line.low[at:end], line.low, first))
                at, first = end, False
        self.legend.end(closed=raw.endswith(")"))
        if first and self.section == "levels":
            self.levels.end()
        elif first and self.section == "objects":
            self.objects.end()

    @staticmethod
    def _start(raw: str, at: int) -> int:
        found = _SPACE.match(raw, at)
        return at if found is None else found.end()

    def _comment(self, line: _Line, at: int) -> int:
        """Return the index after a comment, or the length of the line if the comment goes on."""
        if not self.depth:
            self.opened = line.number, at + 1
        for place in range(at, len(line.raw)):
            self.depth += (line.raw[place] == "(") - (line.raw[place] == ")")
            if not self.depth:
                return place + 1
        return len(line.raw)

    def _end(self, low: str, at: int, first: bool) -> int:
        """Return the index after the piece that begins at an index: the next comment, or the end of a message.

        A name of a section and a row of `=` are pieces of their own. In lines of single words, a closing bracket
        without an opening one is left out.
        """
        special = self._special(low, at) if first else None
        if special is not None:
            return special.end()
        opened = low.find("(", at)
        end = len(low) if opened < 0 else opened
        if self.section in _WORDS or self.ended:
            closed = low.find(")", at, end)
            return end if closed < 0 else closed
        if self.section == "rules":
            message = _MESSAGE.search(low, at)
            return len(low) if message and message.start() <= end else end
        return len(low) if self.section == "levels" and first and low.startswith("message", at) else end

    def _special(self, low: str, at: int) -> re.Match[str] | None:
        """Return a row of `=`, or the name of a section, that begins at an index. In levels, no name does."""
        if self.section == "levels":
            return None if low[at:].replace("=", "").strip() else _EQUALS.match(low, at)
        return _EQUALS.match(low, at) or HEADER.match(low, at)

    def _piece(self, piece: Piece) -> None:
        special = self._special(piece.whole, piece.start) if piece.first else None
        if self.ended == _ROW:
            message = f"found text after {_ROW}, expected nothing but comments there"
            self.source.faults.warn(piece.line, piece.column, message, cause=True)
        elif self.ended:
            message = f"found {piece.raw.strip()[:20]!r} after {self.ended}, expected nothing"
            self.source.faults.error(piece.line, piece.column, message)
        elif special is None:
            self._reader_of[self.section](piece)
        elif special[0].startswith("="):
            self.ended = _ROW
        else:
            self.ended = "the name of a section"
            self._header(piece, special)

    def _header(self, piece: Piece, header: re.Match[str]) -> None:
        self.section = name = header[1]
        place = SECTIONS.index(name)
        faults = self.source.faults
        if name in self.seen:
            message = f"found a second section {name.upper()}, expected each section once"
            faults.error(piece.line, piece.column, message)
        elif (place and SECTIONS[place - 1] not in self.seen) or (not place and self.seen):
            before = f"after {SECTIONS[place - 1].upper()}" if place else "first"
            faults.error(piece.line, piece.column, f"found the section {name.upper()}, expected it {before}")
        self.seen.append(name)
        self.objects.end()
        if name == "legend":
            self.source.legend = piece.line
        elif name == "levels":
            self.source.head = piece.line
            self.source.before_head = piece.start

    @property
    def _reader_of(self) -> dict[str, Section]:
        return {
            "": lambda piece: prelude(self.source, piece),
            "objects": self.objects.read,
            "legend": self.legend.read,
            "sounds": lambda piece: None,
            "collisionlayers": lambda piece: collisions(self.source, piece),
            "rules": lambda piece: rules(self.source, piece),
            "winconditions": lambda piece: wins(self.source, piece),
            "levels": self.levels.read,
        }

    def _warn(self, line: _Line, at: int, text: str) -> None:
        self.source.faults.warn(line.number, at + 1, text, cause=True)
