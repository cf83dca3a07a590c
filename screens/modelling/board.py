"""Levels that are boards: rows of signs, which a legend explains.

Blanks are no cells, unless the legend has them; then the board is a rectangle. Blanks at the ends of rows may be
left out, so rows may have different lengths, and the widest row ends with another sign. A row of blanks is written
as `_`, if the legend has no such sign.
"""

import re
from functools import cached_property

from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.modelling.cutting import Line
from puzzlemc.screens.modelling.legend import BLANK, EMPTY_ROW, Legend

Place = tuple[int, int]  # row and column, from 0

WAYS = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}


class Grid:
    """A board as it is written. A place is a row and a column, from 0. Two boards of one text are equal.

    title, author  what the file says
    rows, columns  their numbers; the longest row counts
    """

    def __init__(self, legend: Legend, part: Part, lines: list[Line]) -> None:
        """Hold the rows of a level. Raises LevelError for a sign that the legend does not have."""
        self.title, self.author = part.title, part.author
        hollow = EMPTY_ROW not in legend.words
        rows = ["" if hollow and line.text == EMPTY_ROW else line.text for line in lines]
        self.rows, self.columns = len(rows), max(map(len, rows))
        self._legend, self._source = legend, part.source
        self._lines = [line.number for line in lines]
        unknown = re.compile(f"[^{re.escape(''.join({*legend.words, BLANK}))}]")
        for row, text in enumerate(rows):
            if found := unknown.search(text):
                raise self._fault(f"found {found[0]!r}, expected one of: {legend.known}", (row, found.start()))
        blank = BLANK in legend.words
        for row, line in enumerate(lines):
            if blank and len(rows[row]) + line.blanks > self.columns:
                expected = "another sign at the end of the widest row: blanks there are not read"
                raise self._fault(f"found {line.blanks} blanks, expected {expected}", (row, len(rows[row])))
        self._blanks = "" if blank else BLANK
        self._signs = [row.ljust(self.columns) if blank else row for row in rows]

    @cached_property
    def text(self) -> str:
        """The rows as text, without title and comments."""
        return "\n".join(row.rstrip() or EMPTY_ROW for row in self._signs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<grid of {self.rows} x {self.columns} {self.title!r}>"

    def __contains__(self, place: object) -> bool:
        """Is there a cell at this place?"""
        if not isinstance(place, tuple) or len(place) != 2 or not all(isinstance(each, int) for each in place):
            return False
        return self.sign(place) != ""

    @cached_property
    def cells(self) -> tuple[Place, ...]:
        """The places of all cells, row by row."""
        return tuple(
            (r, c) for r, row in enumerate(self._signs) for c, sign in enumerate(row) if sign != self._blanks
        )

    def sign(self, place: Place | None) -> str:
        """Return the sign of a cell; an empty text where there is no cell, as for None."""
        if place is None:
            return ""
        row, column = place
        if not 0 <= row < self.rows or not 0 <= column < len(self._signs[row]):
            return ""
        sign = self._signs[row][column]
        return "" if sign == self._blanks else sign

    def names(self, place: Place | None) -> frozenset[str]:
        """Return the words of a cell; none where there is no cell."""
        return frozenset(self._legend.words.get(self.sign(place), ()))

    def has(self, place: Place | None, word: str) -> bool:
        """Does a cell have this word?"""
        self._legend.check(word, "has")
        return word in self._legend.words.get(self.sign(place), ())

    def find(self, word: str) -> list[Place]:
        """Return the places that have a word, row by row."""
        self._legend.check(word, "find")
        signs = "".join(sign for sign, words in self._legend.words.items() if word in words)
        pattern = re.compile(f"[{re.escape(signs)}]")
        return [(row, found.start()) for row, text in enumerate(self._signs) for found in pattern.finditer(text)]

    def one(self, word: str) -> Place:
        """Return the only place that has a word. Raises LevelError unless there is exactly one."""
        places = self.find(word)
        if len(places) != 1:
            signs = " or ".join(sign for sign, words in self._legend.words.items() if word in words)
            found = f"{len(places)} times {word!r} ({signs})" if places else f"no {word!r} ({signs})"
            raise self._fault(f"found {found}, expected it once", places[1] if places else None)
        return places[0]

    def step(self, place: Place, way: str, count: int = 1) -> Place | None:
        """Return the cell that is `count` cells to the left, up, right or down; None if there is none."""
        if way not in WAYS:
            raise ModelError(f"step: found {way!r}, expected one of: {', '.join(WAYS)}")
        (row, column), (down, right) = place, WAYS[way]
        there = row + count * down, column + count * right
        return there if self.sign(there) else None

    def line(self, place: Place, way: str, before: str = "") -> list[Place]:
        """Return the cells from a place on in one way, without the place itself.

        The line ends before the first cell with the word `before`, or with the board.
        """
        if before:
            self._legend.check(before, "line")
        found = list[Place]()
        there = self.step(place, way)
        while there is not None and not (before and self.has(there, before)):
            found.append(there)
            there = self.step(there, way)
        return found

    def beside(self, place: Place) -> dict[str, Place]:
        """Return the cells beside a place, by their ways from there: left, up, right and down."""
        steps = ((way, self.step(place, way)) for way in WAYS)
        return {way: there for way, there in steps if there is not None}

    def _fault(self, message: str, place: Place | None) -> LevelError:
        """Return an error at a place of the board, or of the whole board."""
        row, column = place or (0, 0)
        where = None if place is None else column + 1
        return LevelError(message, source=self._source, line=self._lines[row], column=where)
