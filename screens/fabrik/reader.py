"""Reads Fabrik boards and game records.

A level is a heading, a board and moves, each of them optional. After `Fabrik`, these are optional, too: the number
of rows (default 11), the number of stones in a row that wins (default 5), and the side to move.

    Title: three against two
    Fabrik 5 4 white
    . . . . .
    . O O . #        . an empty cell    O a black stone    X a white one    # a worker
    . X X O .
    . # . . .
    . . . . .
    Moves
    C4 E2-A2/B4

The board may also be a list of lists of `none`, `black`, `white` and `worker`, with or without a heading.

Columns are letters and rows are numbers from 1, both from the upper left corner. A move is the first cell of a
worker (`F6`), Black's decision who begins (`black`), or a turn: a stone (`D4`), or the move of a worker and a
stone (`B4-D4/D2`).

A board has at most two workers. The game is in its opening if there are fewer than two workers, or if there are no
stones and the heading names no side to move. With stones, the default side to move is the one with fewer stones,
and Black if both have equally many. A line that starts with `%` is a comment.
"""

import re
from collections.abc import Iterator
from itertools import islice

from puzzlemc.screens.base.comments import with_comments
from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all, limited
from puzzlemc.screens.fabrik.level import (
    BLACK,
    CELL,
    MAX_MOVES,
    MAX_SIZE,
    MIN_SIZE,
    ROW,
    SIZE,
    WHITE,
    Cell,
    Level,
    Position,
    name,
    named,
)

SUFFIXES = (".fabrik",)

_EXPECTED = "Fabrik with the number of rows and the number in a row that wins, or a list of lists"
_HEADING = re.compile(r"[ \t]*fabrik\b(?P<rest>.*)", re.IGNORECASE)
_HEADING_LINE = re.compile(
    r"^[ \t]*fabrik(?:[ \t]+[0-9]+){0,2}(?:[ \t]+(?:black|white))?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_LIST = re.compile(r"^[ \t]*\[\s*\[\s*(?:none|black|white|worker)\b", re.MULTILINE)
_LIST_LINE = re.compile(r"[ \t]*\[[ \t]*(?:\[|$)")
_LINE = re.compile(  # of a level, without blanks at its ends
    r"fabrik(?:[ \t]++[0-9]++){0,2}(?:[ \t]++(?:black|white))?+|moves|[.OX#█ \t]++"
    r"|(?:[][,. \t]|none|black|white|worker)++"
    # Not possessive: Python before 3.11.5 then fails where a part inside must be tried in another way.
    r"|(?:(?:(?:[A-Z][0-9]{1,2}-[A-Z][0-9]{1,2}/)?[A-Z][0-9]{1,2}|black|white)(?:[ \t]++|$))+",
    re.IGNORECASE,
)
_KEY = re.compile(r"\s*(?P<key>title|author)\s*:\s*(?P<value>.*?)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:%|$)")
_MOVES = re.compile(r"\s*moves\s*", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_MOVE = re.compile(r"black|white|(?:[A-Z][0-9]{1,2}-[A-Z][0-9]{1,2}/)?[A-Z][0-9]{1,2}")
_TOKEN = re.compile(r"[][,]|[A-Za-z_0-9]+|\S")

_SIGN = {"O": BLACK, "X": WHITE, "#": "worker", "█": "worker"}
_ENTRY = {"none", BLACK, WHITE, "worker"}

Line = tuple[int, str]  # number from 1, text
Board = dict[Cell, str]


def looks_like(text: str) -> float:
    """Return the fraction of the lines that belong to levels, not counting names and comments.

    The fraction is 0 if there is neither a heading nor a list of lists with the contents of cells.
    """
    text = normalized(text)
    if not _HEADING_LINE.search(text) and not _LIST.search(text):
        return 0.0
    lines = [line for line in text.split("\n") if not _COMMENT.match(line) and not _KEY.fullmatch(line)]
    return sum(bool(_LINE.fullmatch(line.strip())) for line in lines) / len(lines)


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level in the order of the file, or one error for a text without a level."""
    usual, found = normalized(text), "text but no level" if text.strip() else "an empty text"
    parts = limited(_levels(usual, source), source, f"found {found}, expected {_EXPECTED}")
    yield from with_comments(parts, text, _COMMENT)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError."""
    return _Reader(part).level()


def place_of_move(part: Part, number: int) -> tuple[int, int]:
    """Return line and column of the move with that number, from 1, in the record of a valid level."""
    lines = list(enumerate(part.text.split("\n"), part.line))
    first = next(place for place, (_, line) in enumerate(lines) if _MOVES.fullmatch(line))
    words = (
        (line, 1 + word.start())
        for line, text in lines[first + 1 :]
        if not _COMMENT.match(text)
        for word in _WORD.finditer(text)
    )
    return next(islice(words, number - 1, None))


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a text: one item for each level in file order; an error takes the place of a bad level.

    A text without any level gives one error. Errors refer to the text as `source`. Raises nothing.
    """
    return build_all(cut(text, source), build)


def _levels(text: str, source: str) -> Iterator[Part]:
    """Yield the levels of a text, without checking them."""
    about: dict[str, str] = {}
    first, start, end = 0, 0, 0  # of the current level: its first line from 1, start and end of its text
    listed = False  # the current level already has a list of lists
    place = 0
    for number, line in enumerate(text.split("\n"), 1):
        key = _KEY.fullmatch(line)
        lists = bool(_LIST_LINE.match(line))
        if first and (key or _HEADING.match(line) or (lists and listed)):
            yield Part(source, first, text[start:end], about.get("title", ""), about.get("author", ""))
            about, first, listed = {}, 0, False
        if key:
            about[key["key"].lower()] = key["value"]
        elif not _COMMENT.match(line):
            first, start = (first, start) if first else (number, place)
            end = place + len(line)
            listed = listed or lists
        place += len(line) + 1
    if first:
        yield Part(source, first, text[start:end], about.get("title", ""), about.get("author", ""))


class _Reader:
    """Reads one level."""

    def __init__(self, part: Part) -> None:
        self._part = part
        numbered = enumerate(part.text.split("\n"), part.line)
        self._lines = [(number, line) for number, line in numbered if not _COMMENT.match(line)]

    def level(self) -> Level:
        """Return the level. Raises LevelError."""
        first, heading = self._lines[0]
        size, row, turn = None, ROW, ""
        rest = self._lines
        if match := _HEADING.fullmatch(heading):
            size, row, turn = self._heading(first, match)
            rest = rest[1:]
        elif not _LIST_LINE.match(heading):
            found = heading.strip()
            raise self._error(f"found {found[:40]!r}, expected {_EXPECTED}", first, 1 + heading.find(found))
        at = next((index for index, (_, line) in enumerate(rest) if _MOVES.fullmatch(line)), len(rest))
        board: Board = {}
        if rest[:at]:
            read = self._list if rest[0][1].lstrip().startswith("[") else self._rows
            size, board = read(rest[:at], size)
        size = size or SIZE
        if not 1 <= row <= size:
            message = f"found {row} in a row to win on a board of {size} rows, expected 1 to {size}"
            raise self._error(message, first)
        start = self._position(board, turn, rest[0][0] if board else first)
        return Level(self._part.title, self._part.author, size, row, start, self._moves(rest[at + 1 :], size))

    def _heading(self, number: int, match: re.Match[str]) -> tuple[int | None, int, str]:
        """Return size, row and turn of a heading; the size is None if it is missing."""
        words = [
            (word[0].lower(), 1 + word.start() + match.start("rest")) for word in _WORD.finditer(match["rest"])
        ]
        turn = ""
        if words and words[-1][0] in (BLACK, WHITE):
            turn = words.pop()[0]
        values = []
        for index, (word, column) in enumerate(words):
            if index == 2 or not (word.isascii() and word.isdigit() and len(word) < 4):
                expected = ("the number of rows", "the number in a row that wins", "black or white")[min(index, 2)]
                raise self._error(f"found {word[:20]!r}, expected {expected}", number, column)
            values.append(int(word))
        if values and not MIN_SIZE <= values[0] <= MAX_SIZE:
            message = f"found a board of {values[0]} rows, expected {MIN_SIZE} to {MAX_SIZE}"
            raise self._error(message, number, words[0][1])
        return values[0] if values else None, values[1] if len(values) > 1 else ROW, turn

    def _rows(self, lines: list[Line], size: int | None) -> tuple[int, Board]:
        """Return size and pieces of a board that is drawn with signs."""
        size = self._size(size, len(lines), lines)
        board: Board = {}
        for row, (number, line) in enumerate(lines):
            column = 0
            for place, sign in enumerate(line, 1):
                if sign.isspace():
                    continue
                if sign != "." and sign.upper() not in _SIGN:
                    message = f"found {sign!r}, expected . empty, O black, X white or # a worker"
                    raise self._error(message, number, place)
                if sign != ".":
                    board[row, column] = _SIGN[sign.upper()]
                column += 1
            self._length(column, size, number)
        return size, board

    def _list(self, lines: list[Line], size: int | None) -> tuple[int, Board]:
        """Return size and pieces of a board that is a list of lists."""
        tokens = [(match[0], n, 1 + match.start()) for n, line in lines for match in _TOKEN.finditer(line)]
        place = 0

        def take(*expected: str) -> str:
            nonlocal place
            options = " or ".join(expected)
            if place == len(tokens):
                raise self._error(f"found the end of the level, expected {options}", lines[-1][0])
            text, number, column = tokens[place]
            if text not in expected:
                raise self._error(f"found {text[:20]!r}, expected {options}", number, column)
            place += 1
            return text

        rows: list[list[str]] = []
        numbers = []
        take("[")
        while not rows or take(",", "]") == ",":
            take("[")
            numbers.append(tokens[place - 1][1])
            rows.append([take(*sorted(_ENTRY))])
            while take(",", "]") == ",":
                rows[-1].append(take(*sorted(_ENTRY)))
        if place < len(tokens):
            text, number, column = tokens[place]
            if text != "." or place + 1 < len(tokens):  # a full stop may end the term
                raise self._error(f"found {text[:20]!r} after the board, expected Moves", number, column)
        size = self._size(size, len(rows), lines)
        for number, entries in zip(numbers, rows, strict=True):
            self._length(len(entries), size, number)
        cells = {(row, column): entry for row, line in enumerate(rows) for column, entry in enumerate(line)}
        return size, {cell: entry for cell, entry in cells.items() if entry != "none"}

    def _size(self, declared: int | None, rows: int, lines: list[Line]) -> int:
        """Return the number of rows of a board. Raises LevelError if it contradicts the heading or a limit."""
        number = lines[0][0]
        if declared is not None and rows != declared:
            raise self._error(f"found a board of {rows} row{'s' * (rows != 1)}, expected {declared}", number)
        if not MIN_SIZE <= rows <= MAX_SIZE:
            message = f"found a board of {rows} row{'s' * (rows != 1)}, expected {MIN_SIZE} to {MAX_SIZE}"
            raise self._error(message, number)
        return rows

    def _length(self, found: int, size: int, number: int) -> None:
        if found != size:
            cells = "1 cell" if found == 1 else f"{found} cells"
            raise self._error(f"found a row of {cells}, expected {size}: the board is square", number)

    def _position(self, board: Board, turn: str, number: int) -> Position:
        """Return the position with these pieces. Raises LevelError for a wrong number of workers."""
        black, white, workers = (
            frozenset(cell for cell, piece in board.items() if piece == kind) for kind in (BLACK, WHITE, "worker")
        )
        if len(workers) > 2 or (len(workers) < 2 and (black or white or turn)):
            expected = "at most 2" if len(workers) > 2 else "2 on a board with stones or with a side to move"
            found = f"{len(workers) or 'no'} worker{'s' * (len(workers) != 1)}"
            raise self._error(f"found {found}, expected {expected}", number)
        if black or white:
            turn = turn or (BLACK if len(black) <= len(white) else WHITE)
        return Position(black, white, workers, turn)

    def _moves(self, lines: list[Line], size: int) -> tuple[str, ...]:
        """Return the moves of a record. Raises LevelError for a cell that is not on the board."""
        moves: list[str] = []
        for number, line in lines:
            for word in _WORD.finditer(line):
                move = word[0].lower() if word[0].lower() in (BLACK, WHITE) else word[0].upper()
                column = 1 + word.start()
                if not _MOVE.fullmatch(move):
                    message = f"found {word[0][:20]!r}, expected black, white, or a move such as D4 or B4-D4/D2"
                    raise self._error(message, number, column)
                for cell in re.finditer(r"[A-Z][0-9]+", move):
                    if not CELL.fullmatch(cell[0]) or max(named(cell[0])) >= size:
                        message = f"found {cell[0]}, expected a cell from A1 to {name((size - 1, size - 1))}"
                        raise self._error(message, number, column + cell.start())
                if len(moves) == MAX_MOVES:
                    message = f"found more than {MAX_MOVES} moves, expected at most those of a game"
                    raise self._error(message, number, column)
                moves.append(move)
        return tuple(moves)

    def _error(self, message: str, line: int, column: int | None = None) -> LevelError:
        return LevelError(message, source=self._part.source, line=line, column=column)
