"""Moves as people and programs write them, each with its place in the text."""

import re
from typing import NamedTuple

MAX_MOVES = 1_000_000


class Move(NamedTuple):
    """The name of a move, and where it stands, from 1."""

    name: str
    line: int
    column: int


def words(text: str, source: str, line: int = 1) -> list[Move]:
    """Moves with blanks or newlines between them, from a text that begins in that line."""
    found = []
    for number, row in enumerate(text.split("\n"), line):
        found += [Move(word[0], number, word.start() + 1) for word in re.finditer(r"\S+", row)]
    return found


def whole(text: str, source: str, line: int = 1) -> list[Move]:
    """A text that is one move, or none where it is blank."""
    return [Move(text.strip(), line, 1)] if text.strip() else []
