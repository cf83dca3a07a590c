"""Builds a Sokoban level from the rows of its board, and finds all errors of the board."""

import re
from bisect import insort
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.missing_wall import missing_walls
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban.level import Cell, Level, State

MAX_FAULTS = 10  # errors of a level that an error message shows
MAX_SIDE = 1000  # rows and columns of a board: a count in a file must not fill the memory
MAX_DEPTH = 20  # of brackets in each other

LEGEND = "# @ + $ * . space - _"
OPEN = r"@+$*. \t_|0-9-"  # characters of a row beside walls, as the inside of a character class
LETTERS = "pPbBog"  # cells if they are between walls; elsewhere they are parts of words

# Possessive quantifiers (`*+`) keep every pattern linear on hostile text.
_USUAL = str.maketrans("-_pPbBog", "  @+$*..")
_UNKNOWN = re.compile(rf"([^#{LETTERS}{OPEN}])\1*+")
_WORDS = re.compile(rf"[^#{OPEN}]")
_RUN = re.compile(r"(?=.)([0-9]*+)([^0-9]?)")
_ENCODED = re.compile(r"[0-9\t]")  # brackets have counts
_BRACKET = re.compile(r"([0-9]*+)([()])")
_LAST_END = re.compile(r"\|[ \t]*+$", re.MULTILINE)  # ends a row, as the end of the line does
_PIECE = re.compile(r"[@+$*.]")

_FREE, _WALL, _OUTSIDE, _REACHED = range(4)
_MARKS = bytes({ord("#"): _WALL, ord("\n"): _OUTSIDE}.get(byte, _FREE) for byte in range(256))


class _Faults:
    """The errors of one level: the first MAX_FAULTS in the order of the file, and the number of all."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._first: list[tuple[int, int, str]] = []  # line, column or 0, message
        self.count = 0
        self.unknown: set[int] = set()  # lines with unknown characters

    def add(self, message: str, line: int, column: int = 0) -> None:
        """Add an error, unless there is already one at that place. Column 0 stands for the whole line."""
        if column and any(fault[:2] == (line, column) for fault in self._first):
            return
        self.count += 1
        if len(self._first) < MAX_FAULTS or (line, column) < self._first[-1][:2]:
            insort(self._first, (line, column, message), key=lambda fault: fault[:2])
            del self._first[MAX_FAULTS:]

    def check(self) -> None:
        """Raise LevelError if there are errors."""
        if self.count:
            raise self.error()

    def error(self) -> LevelError:
        """Return all errors as one. There must be at least one."""
        first, *others = (
            LevelError(message, source=self._source, line=line, column=column or None)
            for line, column, message in self._first
        )
        first.others, first.more = tuple(others), self.count - len(self._first)
        return first


class _Row(NamedTuple):
    """A row of a board: its cells, the text from which they were read, and the place of that text in the file."""

    cells: str
    text: str
    line: int
    column: int


def _rows(text: str, line: int, first: int, faults: _Faults) -> list[_Row]:
    """Read the rows of a board whose first line in the file is `line`; `first` is the column where rows begin.

    Unknown characters are read as walls, so that the rest of the board can be checked. In a line with unknown
    characters, letters are read as walls, too: they may be parts of words. Raises LevelError if the width of a row
    is not known.
    """
    text = _LAST_END.sub("", text)
    count = 1 + text.count("\n") + text.count("|")
    if count > MAX_SIDE:
        faults.add(f"found a board of {count} rows, expected at most {MAX_SIDE}", line)
        raise faults.error()
    rows = []
    are_read = True
    for number, whole in enumerate(text.split("\n"), line):
        unknown: re.Match[str] | None = None
        grouped = "(" in whole and all(map(_is_grouped, whole.split("|")))
        plain = whole.replace("(", " ").replace(")", " ") if grouped else whole
        for unknown in islice(_UNKNOWN.finditer(plain), MAX_SIDE):
            faults.add(f"found {unknown[1]!r}, expected one of {LEGEND}", number, first + unknown.start())
            faults.unknown.add(number)
        known = _WORDS.sub("#", whole) if unknown else whole
        column = first
        for piece in known.split("|"):
            cells = _cells(piece, number, column, faults)
            if cells is None:
                are_read = False
            else:
                rows.append(_Row(cells, piece, number, column))
            column += len(piece) + 1
    if not are_read:
        raise faults.error()
    drawn = [index for index, row in enumerate(rows) if row.cells] or [0]
    return rows[drawn[0] : drawn[-1] + 1]


def _is_grouped(text: str) -> bool:
    """Return whether each bracket of a row has a count and a partner; at most MAX_DEPTH are in each other."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        opens = bracket[2] == "("
        depth += 1 if opens else -1
        # An opening bracket has a count that is not 0, and no count stands before a closing one.
        if not 0 <= depth <= MAX_DEPTH or bool(bracket[1].strip("0")) != opens or (bracket[1] and not opens):
            return False
    return depth == 0


def _cells(text: str, line: int, column: int, faults: _Faults) -> str | None:
    """Return the cells of a row: counts and tabs expanded, floor as space, no trailing blanks.

    On an error, return None and add the error to `faults`.
    """
    if len(text) <= MAX_SIDE and not _ENCODED.search(text):
        return text.translate(_USUAL).rstrip()
    parts, width = [], 0
    for offset, end, cell in _runs(text):
        message = ""
        if not cell:
            message = "found a count at the end of the row, expected a cell after it"
        elif end == width:
            message = f"found the count 0, expected 1 to {MAX_SIDE}"
        elif end > MAX_SIDE:
            message = f"found a row of more than {MAX_SIDE} cells, expected at most {MAX_SIDE}"
        if message:
            faults.add(message, line, column + offset)
            return None
        parts.append((" " if cell == "\t" else cell) * (end - width))
        width = end
    return "".join(parts).translate(_USUAL).rstrip()


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the runs of a row: the offset in the text, the index of the cell after the run, the repeated cell.

    A tab ends at the next multiple of 8. The repeated cell is empty if a count ends the text.
    """
    end = 0
    for run in _expanded(text) if "(" in text else _RUN.finditer(text):
        digits, cell = run.groups()
        # Python does not convert numbers of thousands of digits; ten digits exceed every limit here.
        count = int(digits or 1) if len(digits) < 10 else MAX_SIDE + 1
        end = (end // 8 + count) * 8 if cell == "\t" else end + count
        yield run.start(), end, cell


def _expanded(text: str) -> list[re.Match[str]]:
    """Return the runs of a row, with those in brackets as often as their count says, until the row is too long."""
    open_: list[tuple[int, list[re.Match[str]]]] = []  # for each open bracket, its count and the runs before it
    runs: list[re.Match[str]] = []
    for run in _RUN.finditer(text):
        digits, cell = run.groups()
        if cell == "(":
            open_.append((int(digits) if len(digits) < 10 else MAX_SIDE + 1, runs))
            runs = []
        elif cell == ")":
            count, before = open_.pop()
            runs = before + runs * min(count, MAX_SIDE + 1)
        else:
            runs.append(run)
        if len(runs) > MAX_SIDE:
            break
    while open_:  # the row is too long
        runs = open_.pop()[1] + runs
    return runs


def _place(row: _Row, cell: int) -> tuple[int, int]:
    """Return the line and the column of a cell in the file; the cell may lie beyond the end of the row."""
    last = 0
    for offset, end, _ in _runs(row.text):
        if end > cell:
            return row.line, row.column + offset
        last = end
    return row.line, row.column + len(row.text) + cell - last


def build(part: Part) -> Level:
    """Build a level. Raises LevelError with all errors of the level."""
    faults = _Faults(part.source)
    rows = _rows(part.text, part.line, part.column, faults)
    # The board is one string with a margin of newlines, which no path can cross: a step is an addition.
    width = 1 + max(len(row.cells) for row in rows)
    margin = "\n" * width
    board = margin + "".join(row.cells.ljust(width, "\n") for row in rows) + margin
    pieces = [match.start() for match in _PIECE.finditer(board)]
    players = [index for index in pieces if board[index] in "@+"]
    if not faults.count:  # otherwise an unknown character may be the player or the goal
        if not players:
            faults.add("found no player, expected one @ or +", rows[0].line)
        if not any(board[index] in ".*+" for index in pieces):
            faults.add("found no goal, expected at least one", rows[0].line)
    for number, index in enumerate(players[1:], 2):
        row, column = divmod(index - width, width)
        message = f"found a {'second' if number == 2 else 'further'} player, expected one @ or +"
        faults.add(message, *_place(rows[row], column))
    reached = _reached(board, width, players, pieces, rows, faults)
    faults.check()

    within = frozenset(reached)

    def cells(kinds: str, *, lost: str = "") -> frozenset[Cell]:
        """Return the reached cells that hold one of `kinds`, and the other cells that hold one of `lost`."""
        found = (index for index in pieces if board[index] in (kinds if index in within else lost))
        return frozenset(divmod(index - width, width) for index in found)

    boxes, goals = cells("$*"), cells(".*+", lost=".")
    (player,) = cells("@+")
    return Level(
        title=part.title,
        author=part.author,
        rows=tuple(row.cells for row in rows),
        floor=tuple(divmod(index - width, width) for index in sorted(reached)),
        goals=goals,
        start=State(player, boxes),
    )


def _reached(
    board: str, width: int, players: list[int], pieces: list[int], rows: list[_Row], faults: _Faults
) -> list[int]:
    """Return the cells that players reach if there are no boxes. Add an error for each hole in the wall.

    The search is breadth first, so that the first exit is the nearest.
    """
    marks = bytearray(board.encode("ascii").translate(_MARKS))
    reached = players.copy()
    for index in reached:
        marks[index] = _REACHED
    exits: list[tuple[int, int]] = []
    sides = {-width: "above", -1: "to the left", 1: "to the right", width: "below"}
    for index in reached:
        for step in sides:
            mark = marks[index + step]
            if mark == _FREE:
                marks[index + step] = _REACHED
                reached.append(index + step)
            elif mark == _OUTSIDE:
                exits.append((index, step))
    if not exits:
        return reached
    for index, step in missing_walls(reached, list(sides), exits, [at for at in pieces if marks[at] == _REACHED]):
        row, column = divmod(index + step - width, width)
        # The cell to the left of the first column belongs to the row above.
        if 0 <= row < len(rows) and (step != -1 or column < width - 1):
            if rows[row].line in faults.unknown:
                continue  # an unknown character may be the missing wall
            faults.add("found a way out of the board, expected a wall here", *_place(rows[row], column))
        else:
            row, column = divmod(index - width, width)
            message = f"found a way out of the board, expected a wall {sides[step]}"
            faults.add(message, *_place(rows[row], column))
    return reached
