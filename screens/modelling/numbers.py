"""Levels that are rows of whole numbers. Blanks, tabs, commas and semicolons separate them."""

import re
from collections.abc import Sequence

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.modelling.cutting import Line, lines_of

DIGITS = 18  # of a number, which fits 64 bits

EXPECTED = f"a whole number of at most {DIGITS} digits"

_NUMBER = re.compile(f"[-+]?[0-9]{{1,{DIGITS}}}")
_ROW = re.compile(rf"(?:[-+]?[0-9]{{1,{DIGITS}}}(?:\s+|$))+")
_BETWEEN = str.maketrans(",;", "  ")
_WORD = re.compile(r"[^\s,;]+")


class Numbers(tuple[tuple[int, ...], ...]):
    """The numbers of a level, row by row. Rows may have different lengths.

    title, author  what the file says
    text           the rows, with a blank between two numbers
    rows, columns  their numbers; the longest row counts
    """

    title: str
    author: str

    def __new__(cls, rows: Sequence[tuple[int, ...]], title: str = "", author: str = "") -> "Numbers":
        """Hold the rows of a level."""
        made = super().__new__(cls, rows)
        made.title, made.author = title, author
        return made

    @property
    def text(self) -> str:
        """The rows as text, without title and comments."""
        return "\n".join(" ".join(map(str, row)) for row in self)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self)

    @property
    def columns(self) -> int:
        """The length of the longest row."""
        return max(map(len, self))

    @property
    def flat(self) -> tuple[int, ...]:
        """All numbers in one row."""
        return tuple(number for row in self for number in row)


class NumbersReader:
    """Reads rows of numbers."""

    expected = "rows of whole numbers"

    def read(self, part: Part) -> Numbers:
        """Return the numbers of a text. Raises LevelError."""
        return Numbers([_row(line, part.source) for line in lines_of(part)], part.title, part.author)


def numbers() -> NumbersReader:
    """Return the reader of levels that are rows of whole numbers."""
    return NumbersReader()


def whole_number(word: str) -> int:
    """Return the number that a word is. Raises ValueError, which says what was found and expected."""
    if not _NUMBER.fullmatch(word):
        found = f"{word[:20]!r}{'…' * (len(word) > 20)}" if word else "nothing"
        raise ValueError(f"found {found}, expected {EXPECTED}")
    return int(word)


def _row(line: Line, source: str) -> tuple[int, ...]:
    text = line.text.translate(_BETWEEN)
    if _ROW.fullmatch(text.lstrip()):
        return tuple(map(int, text.split()))
    row = []
    for word in _WORD.finditer(line.text):
        try:
            row.append(whole_number(word[0]))
        except ValueError as error:
            raise LevelError(str(error), source=source, line=line.number, column=1 + word.start()) from None
    if not row:
        raise LevelError(f"found {line.text!r}, expected {EXPECTED}", source=source, line=line.number)
    return tuple(row)
