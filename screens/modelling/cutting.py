"""Cuts a file into the texts of its levels, and a text into its lines.

Blank lines separate levels. `Title: …` and `Author: …` above a level belong to it. A line that begins with `%` is
a comment.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from puzzlemc.screens.base.comments import SIGN, with_comments
from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, limited

HEADERS = ("title", "author")

_COMMENT = re.compile(rf"\s*(?:{SIGN}|$)")


class Line(NamedTuple):
    """A line of a level that is no comment: its number in the file, from 1, and its text.

    blanks  how many blanks follow the text
    """

    number: int
    text: str
    blanks: int = 0


def cut(text: str, source: str, expected: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level in the order of the file; for a text without a level, an error.

    `expected` says what a level consists of.
    """
    usual, found = normalized(text), "text but no level" if text.strip() else "an empty text"
    parts = limited(_levels(usual, source), source, f"found {found}, expected {expected}")
    yield from with_comments(parts, text, _COMMENT)


def lines_of(part: Part) -> list[Line]:
    """Return the lines of a level that are neither blank nor comments, without blanks at their ends."""
    found = []
    for number, line in enumerate(part.text.split("\n"), part.line):
        if not _COMMENT.match(line):
            text = line.rstrip()
            found.append(Line(number, text, line.count(" ", len(text))))
    return found


def with_heading(title: str, author: str, text: str) -> str:
    """Return the text of a level below the lines of its title and author, if it has them."""
    heads = [f"{key}: {value}" for key, value in (("Title", title), ("Author", author)) if value]
    return "\n".join([*heads, text])


def _levels(text: str, source: str) -> Iterator[Part]:
    about: dict[str, str] = {}
    first, start, end = 0, 0, 0  # of the current level: its first line from 1, start and end of its text
    place = 0
    for number, line in enumerate(text.split("\n"), 1):
        header = _header(line)
        if first and (header or not line.strip()):
            yield Part(source, first, text[start:end], about.get("title", ""), about.get("author", ""))
            about, first = {}, 0
        if header:
            about[header[0]] = header[1]
        elif not _COMMENT.match(line):
            first, start = (first, start) if first else (number, place)
            end = place + len(line)
        place += len(line) + 1
    if first:
        yield Part(source, first, text[start:end], about.get("title", ""), about.get("author", ""))


def _header(line: str) -> tuple[str, str] | None:
    """Return the key, `title` or `author`, and the value of a line above a level; None for other lines."""
    key, colon, value = line.partition(":")
    key = key.strip().lower()
    return (key, value.strip()) if colon and key in HEADERS else None
