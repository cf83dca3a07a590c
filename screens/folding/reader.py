"""Folding Blocks boards as text, to levels and back.

A board is lines of whole numbers, a line a row, with blanks, tabs, commas or semicolons between them:

    -1 no cell    0 an empty cell    1, 2, 3, … a cell of that colour

A blank line ends a board, so a file may hold many. `Title: …` and `Author: …` above a board are about it; the
first author is also that of boards that name none. A line that starts with `%` or `#` is a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import DOUBT, MAX_LEVELS, Part, build_all, too_many
from puzzlemc.screens.base.picture import NUMBERED, Label, Moved, Picture, Shape, tile

Matrix = tuple[tuple[int, ...], ...]

NO_CELL, EMPTY = -1, 0

SUFFIXES = (".fold",)

MAX_SIDE = 1000  # rows and columns of a board
MAX_COLOUR = 10**9


@dataclass(frozen=True, slots=True)
class Level:
    """A board: `rows` has the numbers of the file, all rows have one length, and there is some cell."""

    title: str
    author: str
    rows: Matrix


def looks_like(text: str) -> float:
    """Tell whether a text is boards of numbers, headers and comments and nothing else: 1, or 0 where it is not.

    In between for numbers without any 0 or -1, which may be any table. Rows of a board of `#` are no comments.
    """
    rows, cells = 0, False
    for line in _unix(text).split("\n"):
        if _ROW.fullmatch(line):
            rows += 1
            cells = cells or bool(_TELLING.search(line))
        elif line.strip() and not _HEADER.fullmatch(line) and (not _COMMENT.match(line) or _WALLS.fullmatch(line)):
            return 0.0
    return 0.0 if not rows else 1.0 if cells else DOUBT


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each board of a collection, in the order of the file; an error for a text without any."""
    author = ""
    number = 0
    for part in _boards(_unix(text), source):
        number += 1
        if number > MAX_LEVELS:
            yield too_many(source)
            return
        author = author or part.author
        yield part._replace(author=part.author or author)
    if not number:
        found = "text but no board" if text.strip() else "an empty text"
        yield LevelError(f"found {found}, expected {_LEGEND}", source=source)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError for one that is not sound."""
    lines = [
        (number, line)
        for number, line in enumerate(part.text.split("\n"), part.line)
        if line.strip() and not _COMMENT.match(line)
    ]
    return Level(part.title, part.author, _rows(lines, part.source))


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a collection: an item a level, in the order of the file, an error in the place of a bad level.

    A text without any board is one error. `source` is the name that errors give to the text. Raises nothing.
    """
    return build_all(cut(text, source), build)


def draw(level: Level, position: Matrix | None = None) -> str:
    """Write a level with its headers, or a position as numbers in columns; no newline at the end.

    Raises ValueError for a position of another shape.
    """
    rows = level.rows if position is None else position
    heads = [("Title", level.title), ("Author", level.author)] if position is None else []
    if [len(row) for row in rows] != [len(row) for row in level.rows]:
        raise ValueError("the position does not have the shape of the board")
    width = max(len(str(value)) for row in rows for value in row)
    lines = [f"{key}: {value}" for key, value in heads if value]
    return "\n".join([*lines, *(" ".join(f"{value:>{width}}" for value in row) for row in rows)])


def picture(level: Level, position: Matrix) -> Picture:
    """The board in a position: a cell of a colour has its number, too."""
    board: list[Shape] = []
    pieces: list[Shape] = []
    for row, values in enumerate(position):
        for column, value in enumerate(values):
            if value != NO_CELL:
                board += [tile(row, column, "line"), tile(row, column, "floor", 0.02)]
            if value > EMPTY:
                pieces.append(tile(row, column, str(value % NUMBERED), 0.04, 0.1))
                number = str(value)
                pieces.append(Label(column + 0.5, row + 0.5, number, min(0.5, 1.3 / len(number))))
    return Picture(len(level.rows[0]), len(level.rows), tuple(board), tuple(pieces))


def moved(_: Level, before: Matrix, after: Matrix) -> Moved:
    """The block that a fold mirrors, and the cells that it comes to fill."""
    filled = [
        (row, column)
        for row, values in enumerate(after)
        for column, value in enumerate(values)
        if value != before[row][column]
    ]
    colours = {after[row][column] for row, column in filled}
    block = (
        (row, column)
        for row, values in enumerate(before)
        for column, value in enumerate(values)
        if value in colours
    )
    return Moved(tuple(block), tuple(filled))


_LEGEND = "rows of numbers: -1 no cell, 0 empty, 1 and up a colour"
_ROW = re.compile(r"[ \t,;]*+-?[0-9]++(?:[ \t,;]++-?[0-9]++)*+[ \t,;]*+")
_HEADER = re.compile(r"\s*(?P<key>title|author)\s*:\s*(?P<value>.*?)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"\s*[%#]")
_TELLING = re.compile(r"(?<![0-9])(?:0|-1)(?![0-9])")
_WALLS = re.compile(r"(?!#+\s*$)[ \t]*#[#@+$*. \t_-]*#[ \t]*")
_WORD = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"-?[0-9]{1,10}")


def _unix(text: str) -> str:
    """Make every line end with a newline alone, and drop a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _boards(text: str, source: str) -> Iterator[Part]:
    """Yield the boards of a text, right or wrong."""
    title, author = "", ""
    first, start, end = 0, 0, 0  # of the board that is open: its first line from 1, and where its text is
    place = 0
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.fullmatch(line)
        if first and (header or not line.strip()):
            yield Part(source, first, text[start:end], title, author)
            title, author, first = "", "", 0
        if header and header["key"].lower() == "title":
            title = header["value"]
        elif header:
            author = header["value"]
        elif line.strip() and not _COMMENT.match(line):
            first, start = (first, start) if first else (number, place)
            end = place + len(line)
        place += len(line) + 1
    if first:
        yield Part(source, first, text[start:end], title, author)


def _rows(lines: list[tuple[int, str]], source: str) -> Matrix:
    """The numbers of a board. Raises LevelError for what is none."""
    if len(lines) > MAX_SIDE:
        message = f"found a board of {len(lines)} rows, expected at most {MAX_SIDE}"
        raise LevelError(message, source=source, line=lines[0][0])
    rows: list[tuple[int, ...]] = []
    for number, line in lines:
        words = list(_WORD.finditer(line))
        row = []
        for word in words[: MAX_SIDE + 1]:
            value = int(word[0]) if _NUMBER.fullmatch(word[0]) else None
            if value is None or not NO_CELL <= value <= MAX_COLOUR:
                message = (
                    f"found {word[0][:20]!r}, expected -1 for no cell, 0 for an empty one, or a colour from 1"
                )
                raise LevelError(message, source=source, line=number, column=1 + word.start())
            row.append(value)
        if len(row) > MAX_SIDE:
            message = f"found a row of more than {MAX_SIDE} numbers, expected at most {MAX_SIDE}"
            raise LevelError(message, source=source, line=number, column=1 + words[MAX_SIDE].start())
        if rows and len(row) != len(rows[0]):
            numbers = "1 number" if len(row) == 1 else f"{len(row)} numbers"
            message = f"found a row of {numbers}, expected {len(rows[0])} as in the row above"
            raise LevelError(message, source=source, line=number)
        rows.append(tuple(row))
    if all(value == NO_CELL for row in rows for value in row):
        raise LevelError(
            "found a board without any cell, expected a 0 or a colour", source=source, line=lines[0][0]
        )
    return tuple(rows)
