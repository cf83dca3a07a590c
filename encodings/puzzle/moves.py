"""Moves in texts, each with its position in the text."""

import re
from typing import NamedTuple

MAX_MOVES = 1_000_000


class Move(NamedTuple):
    """The name of a move, with its line and column, from 1."""

    name: str
    line: int
    column: int


def words(text: str, source: str, line: int = 1) -> list[Move]:
    """Moves that blanks or newlines separate, in a text that begins in that line of its source."""
    found = []
    for number, row in enumerate(text.split("\n"), line):
        found += [Move(word[0], number, word.start() + 1) for word in re.finditer(r"\S+", row)]
    return found


def whole(text: str, source: str, line: int = 1) -> list[Move]:
    """The text as a single move; no move if it is blank."""
    return [Move(text.strip(), line, 1)] if text.strip() else []
