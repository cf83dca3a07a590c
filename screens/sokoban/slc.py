"""Reads and writes Sokoban collections as XML, in `.slc` files.

    <SokobanLevels>
      <Title>…</Title> <Description>…</Description> <Email>…</Email> <Url>…</Url>
      <LevelCollection Copyright="the author of all levels">
        <Level Id="the title" Copyright="the author">
          <L>####</L>
          <L># .#</L>
          …

The usual schema has no elements for solutions and comments of levels. They are written as further elements after
the rows, `<Solution Title="…">rRU</Solution>` and `<Comment>…</Comment>`, which other readers skip.

Entity declarations and a DTD inside the file are refused, since they can expand a small text to a large one. An
external DTD is never fetched.
"""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from xml.parsers import expat

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MAX_LEVELS, About, Part, Solution, limited
from puzzlemc.screens.sokoban.variants import KEYS, refusal

MAX_DEPTH = 100  # of nested elements

_ROOT = "sokobanlevels"
_ABOUT = {"title": "title", "description": "comment", "email": "email", "url": "url"}
_TEXTS = {"l", "solution", "comment"}  # elements of a level whose text is read
_START = re.compile(r"\s*<\s*[!?A-Za-z]")
_IS_SLC = re.compile(r"<\s*(?:\w+:)?SokobanLevels\b", re.IGNORECASE)
_FORBIDDEN = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # to compile it takes 5 ms


def is_xml(text: str) -> bool:
    """Return whether a text is XML, and not a text collection."""
    return _START.match(text) is not None


def is_slc(text: str) -> bool:
    """Return whether a text has the root element of a `.slc` file."""
    return _IS_SLC.search(text) is not None


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level; one error for an invalid text, and one for the levels beyond MAX_LEVELS."""
    reader = _Reader(text, source)
    try:
        reader.read()
    except LevelError as error:
        yield error
        return
    yield from reader.parts()


class _Element:
    """An element of a level whose text is read: its name, its title, its text, and the place of the text."""

    def __init__(self, name: str, title: str, line: int, column: int) -> None:
        self.name = name
        self.title = title
        self.line = line
        self.column = column
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class _Level:
    """A level while it is read."""

    def __init__(self, attributes: dict[str, str], line: int) -> None:
        self.title = _line(attributes.get("id", ""))
        self.author = _line(attributes.get("copyright", ""))
        self.line = line
        self.refusal: LevelError | None = None  # why it is no level of Sokoban
        self.elements: list[_Element] = []


class _Reader:
    """Reads a document by the events of the XML parser, which have places in the file."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._path: list[str] = []
        self._about: dict[str, list[str]] = {}
        self._author = ""
        self._refusal: LevelError | None = None  # why no level is one of Sokoban
        self._levels: list[_Level] = []
        self._open: _Element | None = None
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity
        self._parser.SkippedEntityHandler = self._entity

    def read(self) -> None:
        """Read the whole document. Raises LevelError."""
        try:
            self._parser.Parse(self._text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            message = f"found broken XML: {what}, expected a collection with the root <SokobanLevels>"
            raise LevelError(message, source=self._source, line=error.lineno, column=error.offset + 1) from None
        if not self._levels:
            raise LevelError("found no level, expected <Level> with rows <L>", source=self._source)

    def parts(self) -> Iterator[Part | LevelError]:
        """Yield the levels that were read, or an error in the place of a level without rows."""
        about = About(
            **{key: _line("".join(pieces)) for key, pieces in self._about.items() if key != "comment"},
            author=self._author,
            comment=_block("".join(self._about.get("comment", []))),
        )
        yield from limited((self._part(level, about) for level in self._levels), self._source)

    def _part(self, level: _Level, about: About) -> Part | LevelError:
        if refused := level.refusal or self._refusal:
            return refused
        rows = [each for each in level.elements if each.name == "l"]
        if not rows:
            message = "found a level without a row, expected elements <L>"
            return LevelError(message, source=self._source, line=level.line)
        solutions = tuple(
            Solution(each.text, each.title, each.line) for each in level.elements if each.name == "solution"
        )
        comment = "\n".join(_block(each.text) for each in level.elements if each.name == "comment")
        # An empty row is floor. No row may be dropped: lines of the text must correspond to lines of the file.
        text = "\n".join(each.text.strip("\r\n") or "-" for each in rows)
        author = level.author or about.author
        first = rows[0]
        return Part(self._source, first.line, text, level.title, author, first.column, comment, solutions, about)

    def _error(self, message: str) -> LevelError:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        return LevelError(message, source=self._source, line=line, column=column)

    def _doctype(self, name: str, system: str | None, public: str | None, inside: int) -> None:
        if inside:
            raise self._error("found a DTD in the file, expected none: it may define anything")

    def _entity(self, name: str, *_: object) -> None:
        raise self._error(f"found the entity {name!r}, expected none but those of XML itself")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower()
        if not self._path and name != _ROOT:
            raise self._error(f"found the root <{name[:40]}>, expected <SokobanLevels>")
        if len(self._path) == MAX_DEPTH:
            raise self._error(f"found more than {MAX_DEPTH} elements in each other, expected <SokobanLevels>")
        self._path.append(name)
        named = {key.rpartition(":")[2].lower(): value for key, value in attributes.items()}
        if name == "levelcollection":
            self._author = self._author or _line(named.get("copyright", ""))
        elif name == "level" and len(self._levels) <= MAX_LEVELS:
            self._levels.append(_Level(named, self._parser.CurrentLineNumber))
        elif self._open is None and (name in KEYS or (name in _TEXTS and "level" in self._path[:-1])):
            place = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + len("<L>") + 1
            self._open = _Element(name, _line(named.get("title", "")), *place)
        for key in KEYS:
            self._refuse(key, named.get(key, ""))

    def _refuse(self, key: str, value: str) -> None:
        """Refuse the open level, or all levels outside of one, if a key makes it a level of another game."""
        if message := refusal(key, _line(value)):
            error = self._error(message)
            if "level" in self._path:
                self._levels[-1].refusal = self._levels[-1].refusal or error
            else:
                self._refusal = self._refusal or error

    def _end(self, _: str) -> None:
        name = self._path.pop()
        if self._open is not None and self._open.name == name:
            if name in KEYS:
                self._refuse(name, self._open.text)
            else:
                self._levels[-1].elements.append(self._open)
            self._open = None

    def _characters(self, text: str) -> None:
        if self._open is not None:
            if not self._open.pieces:
                self._open.line = self._parser.CurrentLineNumber
                self._open.column = self._parser.CurrentColumnNumber + 1
            self._open.pieces.append(text)
        elif len(self._path) == 2 and self._path[-1] in _ABOUT:
            self._about.setdefault(_ABOUT[self._path[-1]], []).append(text)


def _line(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


def _block(text: str) -> str:
    """Return lines without their common indentation, and without blank lines around them."""
    text = dedent(text) if text.startswith("\n") else text
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def write(about: About, levels: Sequence[tuple[str, Part]]) -> str:
    """Return a collection as XML. Characters that XML cannot hold become `?`."""
    from xml.etree import ElementTree  # readers need only the parser

    root = ElementTree.Element(
        "SokobanLevels",
        {"xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation": "SokobanLev.xsd"},
    )
    for tag, text in (("Title", about.title), ("Description", about.comment)):
        ElementTree.SubElement(root, tag).text = _allowed(text)
    for tag, text in (("Email", about.email), ("Url", about.url)):
        if text:
            ElementTree.SubElement(root, tag).text = _allowed(text)
    boards = [board.split("\n") for board, _ in levels]
    most = {
        "MaxWidth": str(max((len(row) for rows in boards for row in rows), default=0)),
        "MaxHeight": str(max(map(len, boards), default=0)),
    }
    collection = ElementTree.SubElement(root, "LevelCollection", {"Copyright": _allowed(about.author)} | most)
    for rows, (_, part) in zip(boards, levels, strict=True):
        size = {"Width": str(max(map(len, rows))), "Height": str(len(rows))}
        level = ElementTree.SubElement(collection, "Level", {"Id": _allowed(part.title)} | size)
        if part.author != about.author:
            level.set("Copyright", _allowed(part.author))
        for row in rows:
            ElementTree.SubElement(level, "L").text = row
        for solution in part.solutions:
            named = {"Title": _allowed(solution.title)} if solution.title else {}
            ElementTree.SubElement(level, "Solution", named).text = _allowed(solution.text.strip())
        if part.comment:
            ElementTree.SubElement(level, "Comment").text = _allowed(part.comment)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _allowed(text: str) -> str:
    return re.sub(_FORBIDDEN, "?", text)
