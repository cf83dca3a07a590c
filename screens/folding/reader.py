"""Reads Folding Blocks boards.

Each row of a board is a line of whole numbers, separated by blanks, tabs, commas or semicolons:

    -1 no cell    0 an empty cell    1, 2, 3, … a cell of that colour

A blank line ends a board, so a file can hold many. `Title: …` and `Author: …` above a board belong to it; the
first author is also the author of boards without a line `Author:`, which may be empty. A line that starts with `%`
or `#` is a comment.
"""

import re
from collections.abc import Iterator

from puzzlemc.screens.base.comments import with_comments
from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import DOUBT, Part, build_all, limited
from puzzlemc.screens.folding.level import MAX_COLOUR, MAX_SIDE, NO_CELL, Level, Matrix

SUFFIXES = (".fold",)


_LEGEND = "rows of numbers: -1 no cell, 0 empty, 1 and up a colour"
_ROW = re.compile(r"[ \t,;]*+-?[0-9]++(?:[ \t,;]++-?[0-9]++)*+[ \t,;]*+")
_HEADER = re.compile(r"\s*(?P<key>title|author)\s*:\s*(?P<value>.*?)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"\s*[%#]")
_CELLS = re.compile(r"(?<![0-9])(?:0|-1)(?![0-9])")
_WALLS = re.compile(r"(?!#+\s*$)[ \t]*#[#@+$*. \t_-]*#[ \t]*")
_WORD = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"-?[0-9]{1,10}")


def looks_like(text: str) -> float:
    """Return 1 if a text consists of boards, headers and comments, and 0 otherwise.

    The result is DOUBT for numbers without any 0 or -1, which can be any table. A row of a board drawn with `#` is
    no comment.
    """
    rows, cells = 0, False
    for line in normalized(text).split("\n"):
        if _ROW.fullmatch(line):
            rows += 1
            cells = cells or bool(_CELLS.search(line))
        elif line.strip() and not _HEADER.fullmatch(line) and (not _COMMENT.match(line) or _WALLS.fullmatch(line)):
            return 0.0
    return 0.0 if not rows else 1.0 if cells else DOUBT


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each board in the order of the file, or one error for a text without a board."""
    usual, found = normalized(text), "text but no board" if text.strip() else "an empty text"
    parts = limited(_boards(usual, source), source, f"found {found}, expected {_LEGEND}")
    yield from with_comments(parts, text, _COMMENT)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError."""
    lines = [
        (number, line)
        for number, line in enumerate(part.text.split("\n"), part.line)
        if line.strip() and not _COMMENT.match(line)
    ]
    return Level(part.title, part.author, _rows(lines, part.source))


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a collection: one item for each level in file order; an error takes the place of a bad level.

    A text without any board gives one error. Errors refer to the text as `source`. Raises nothing.
    """
    return build_all(cut(text, source), build)


def _boards(text: str, source: str) -> Iterator[Part]:
    """Yield the boards of a text, without checking them."""
    title, author = "", ""
    of_others = ""  # the first author, who is that of boards without a line `Author:`
    first, start, end = 0, 0, 0  # of the current board: its first line from 1, start and end of its text
    place = 0
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.fullmatch(line)
        if first and (header or not line.strip()):
            yield Part(source, first, text[start:end], title, author)
            title, author, first = "", of_others, 0
        if header and header["key"].lower() == "title":
            title = header["value"]
        elif header:
            author = header["value"]
            of_others = of_others or author
        elif line.strip() and not _COMMENT.match(line):
            first, start = (first, start) if first else (number, place)
            end = place + len(line)
        place += len(line) + 1
    if first:
        yield Part(source, first, text[start:end], title, author)


def _rows(lines: list[tuple[int, str]], source: str) -> Matrix:
    """Return the numbers of a board. Raises LevelError for other words, and for rows of different lengths."""
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
