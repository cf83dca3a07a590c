"""Fabrik boards and game records as text, to levels and back.

A level is a heading, a board and moves. Each of them may be missing, and so may what follows `Fabrik`: the
number of rows (11), how many in a row win (5), and whose turn it is.

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

Columns are letters and rows numbers from 1, both from the upper left corner. A move is a worker's first place
(`F6`), Black's decision who begins (`black`), or a turn: a stone (`D4`), or a worker's way and a stone
(`B4-D4/D2`).

A board has no worker, one or two. As long as there are less than two, or nobody's turn is told and there is
no stone, the game is still at its beginning. With stones and nobody's turn told, it is the turn of whoever has
fewer stones, Black's where both have as many. A line that starts with `%` is a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MAX_LEVELS, Part, build_all, too_many
from puzzlemc.screens.base.picture import Label, Picture, Shape, disc, tile

Cell = tuple[int, int]  # row and column, from 0

BLACK, WHITE = "black", "white"
SIZE, ROW = 11, 5

SUFFIXES = (".fabrik",)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MIN_SIZE, MAX_SIZE = 2, len(LETTERS)
MAX_MOVES = 3 + MAX_SIZE**2  # two workers, a decision, and a stone a turn


@dataclass(frozen=True, slots=True)
class Position:
    """Stones and workers by their cells, and whose turn it is.

    `turn` is empty as long as workers are to be placed and Black has not said who begins.
    """

    black: frozenset[Cell]
    white: frozenset[Cell]
    workers: frozenset[Cell]
    turn: str

    @property
    def pieces(self) -> frozenset[Cell]:
        """All cells that are not empty."""
        return self.black | self.white | self.workers


EMPTY = Position(frozenset(), frozenset(), frozenset(), "")


@dataclass(frozen=True, slots=True)
class Level:
    """A board of `size` rows and columns on which `row` stones in a row win.

    `start` is the board of the file, `moves` are the game from there: cells are on the board, but whether the
    moves are legal is left to the rules.
    """

    title: str
    author: str
    size: int
    row: int
    start: Position
    moves: tuple[str, ...] = ()


def looks_like(text: str) -> float:
    """Tell which part of the lines are those of a level, not counting names and comments.

    0 where there is neither a heading nor a list of lists of what a board has.
    """
    text = _unix(text)
    if not _HEADING_LINE.search(text) and not _LIST.search(text):
        return 0.0
    lines = [line for line in text.split("\n") if not _COMMENT.match(line) and not _KEY.fullmatch(line)]
    return sum(bool(_LINE.fullmatch(line.strip())) for line in lines) / len(lines)


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level, in the order of the file; an error for a text without any."""
    number = 0
    for number, part in enumerate(_levels(_unix(text), source), 1):
        if number > MAX_LEVELS:
            yield too_many(source)
            return
        yield part
    if not number:
        found = "text but no level" if text.strip() else "an empty text"
        yield LevelError(f"found {found}, expected {_EXPECTED}", source=source)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError for one that is not sound."""
    return _Reader(part).level()


def place_of_move(part: Part, number: int) -> tuple[int, int]:
    """Line and column of the move of that number, from 1, in the record of a sound level."""
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
    """Read a text: an item a level, in the order of the file, an error in the place of a bad level.

    A text without any level is one error. `source` is the name that errors give to the text. Raises nothing.
    """
    return build_all(cut(text, source), build)


def draw(level: Level, position: Position | None = None) -> str:
    """Write a level, or a position of it in a frame of lines with letters and numbers; no newline at the end.

    Raises ValueError for a position that the board cannot hold.
    """
    if position is not None:
        return _framed(level, position)
    lines = [f"Title: {level.title}"] if level.title else []
    lines += [f"Author: {level.author}"] if level.author else []
    lines.append(f"Fabrik {level.size} {level.row} {level.start.turn}".rstrip())
    if level.start.pieces:
        signs = _signs(level, level.start)
        cells = range(level.size)
        lines += [" ".join(signs.get((row, column), ".") for column in cells) for row in cells]
    if level.moves:
        lines.append("Moves")
        lines += [" ".join(level.moves[first : first + 8]) for first in range(0, len(level.moves), 8)]
    return "\n".join(lines)


def picture(level: Level, position: Position) -> Picture:
    """The board in a position: stones and workers are discs; letters and numbers stand at two sides."""
    board: list[Shape] = []
    for row in range(level.size):
        board.append(Label(0.5, row + 1.5, str(row + 1), 0.4, "rim"))
        board.append(Label(row + 1.5, 0.5, LETTERS[row], 0.4, "rim"))
        for column in range(level.size):
            board += [tile(row + 1, column + 1, "line"), tile(row + 1, column + 1, "table", 0.02)]
    pieces: list[Shape] = []
    for cells, colour in ((position.black, "black"), (position.white, "white"), (position.workers, "worker")):
        for row, column in sorted(cells):
            pieces += [disc(row + 1, column + 1, "rim", 0.38), disc(row + 1, column + 1, colour, 0.35)]
    return Picture(level.size + 1, level.size + 1, tuple(board), tuple(pieces))


def name(cell: Cell) -> str:
    """A cell as people write it: `A1` is in the upper left corner."""
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def named(text: str) -> Cell:
    """The cell of a name. Raises ValueError for what is none."""
    match = _CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"found {text!r}, expected a cell such as A1")
    return int(match[2]) - 1, LETTERS.index(match[1])


_EXPECTED = "Fabrik with the number of rows and how many in a row win, or a list of lists"
_HEADING = re.compile(r"[ \t]*fabrik\b(?P<rest>.*)", re.IGNORECASE)
_HEADING_LINE = re.compile(
    r"^[ \t]*fabrik(?:[ \t]+[0-9]+){0,2}(?:[ \t]+(?:black|white))?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_LIST = re.compile(r"^[ \t]*\[\s*\[\s*(?:none|black|white|worker)\b", re.MULTILINE)
_LIST_LINE = re.compile(r"[ \t]*\[[ \t]*(?:\[|$)")
_LINE = re.compile(  # of a level, without blanks at its ends
    r"fabrik(?:[ \t]++[0-9]++){0,2}(?:[ \t]++(?:black|white))?+|moves|[.OX#█ \t]++"
    r"|(?:[][,. \t]|none|black|white|worker)++"
    r"|(?:(?:(?:[A-Z][0-9]{1,2}+-[A-Z][0-9]{1,2}+/)?+[A-Z][0-9]{1,2}+|black|white)(?:[ \t]++|$))++",
    re.IGNORECASE,
)
_KEY = re.compile(r"\s*(?P<key>title|author)\s*:\s*(?P<value>.*?)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:%|$)")
_MOVES = re.compile(r"\s*moves\s*", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_CELL = re.compile(r"([A-Z])([1-9][0-9]?)")
_MOVE = re.compile(r"black|white|(?:[A-Z][0-9]{1,2}-[A-Z][0-9]{1,2}/)?[A-Z][0-9]{1,2}")
_TOKEN = re.compile(r"[][,]|[A-Za-z_0-9]+|\S")

_SIGN = {"O": BLACK, "X": WHITE, "#": "worker", "█": "worker"}
_ENTRY = {"none", BLACK, WHITE, "worker"}

Line = tuple[int, str]  # number from 1, text
Board = dict[Cell, str]


def _unix(text: str) -> str:
    """Make every line end with a newline alone, and drop a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _levels(text: str, source: str) -> Iterator[Part]:
    """Yield the levels of a text, right or wrong."""
    about: dict[str, str] = {}
    first, start, end = 0, 0, 0  # of the level that is open: its first line from 1, and where its text is
    listed = False  # it has a list of lists already
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
        """The level. Raises LevelError."""
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
        """Size, row and turn of a heading."""
        words = [
            (word[0].lower(), 1 + word.start() + match.start("rest")) for word in _WORD.finditer(match["rest"])
        ]
        turn = ""
        if words and words[-1][0] in (BLACK, WHITE):
            turn = words.pop()[0]
        values = []
        for index, (word, column) in enumerate(words):
            if index == 2 or not (word.isascii() and word.isdigit() and len(word) < 4):
                expected = ("the number of rows", "how many in a row win", "black or white")[min(index, 2)]
                raise self._error(f"found {word[:20]!r}, expected {expected}", number, column)
            values.append(int(word))
        if values and not MIN_SIZE <= values[0] <= MAX_SIZE:
            message = f"found a board of {values[0]} rows, expected {MIN_SIZE} to {MAX_SIZE}"
            raise self._error(message, number, words[0][1])
        return values[0] if values else None, values[1] if len(values) > 1 else ROW, turn

    def _rows(self, lines: list[Line], size: int | None) -> tuple[int, Board]:
        """Size and pieces of a board of signs."""
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
        """Size and pieces of a list of lists."""
        tokens = [(match[0], n, 1 + match.start()) for n, line in lines for match in _TOKEN.finditer(line)]
        place = 0

        def take(*expected: str) -> str:
            nonlocal place
            told = " or ".join(expected)
            if place == len(tokens):
                raise self._error(f"found the end of the level, expected {told}", lines[-1][0])
            text, number, column = tokens[place]
            if text not in expected:
                raise self._error(f"found {text[:20]!r}, expected {told}", number, column)
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
                raise self._error(f"found {text[:20]!r} behind the board, expected Moves", number, column)
        size = self._size(size, len(rows), lines)
        for number, entries in zip(numbers, rows, strict=True):
            self._length(len(entries), size, number)
        cells = {(row, column): entry for row, line in enumerate(rows) for column, entry in enumerate(line)}
        return size, {cell: entry for cell, entry in cells.items() if entry != "none"}

    def _size(self, told: int | None, rows: int, lines: list[Line]) -> int:
        """The size of a board of so many rows."""
        number = lines[0][0]
        if told is not None and rows != told:
            raise self._error(f"found a board of {rows} row{'s' * (rows != 1)}, expected {told}", number)
        if not MIN_SIZE <= rows <= MAX_SIZE:
            message = f"found a board of {rows} row{'s' * (rows != 1)}, expected {MIN_SIZE} to {MAX_SIZE}"
            raise self._error(message, number)
        return rows

    def _length(self, found: int, size: int, number: int) -> None:
        if found != size:
            cells = "1 cell" if found == 1 else f"{found} cells"
            raise self._error(f"found a row of {cells}, expected {size}: the board is square", number)

    def _position(self, board: Board, turn: str, number: int) -> Position:
        """The position of these pieces."""
        black, white, workers = (
            frozenset(cell for cell, piece in board.items() if piece == kind) for kind in (BLACK, WHITE, "worker")
        )
        if len(workers) > 2 or (len(workers) < 2 and (black or white or turn)):
            told = "at most 2" if len(workers) > 2 else "2 where there are stones or somebody's turn is told"
            found = f"{len(workers) or 'no'} worker{'s' * (len(workers) != 1)}"
            raise self._error(f"found {found}, expected {told}", number)
        if black or white:
            turn = turn or (BLACK if len(black) <= len(white) else WHITE)
        return Position(black, white, workers, turn)

    def _moves(self, lines: list[Line], size: int) -> tuple[str, ...]:
        """The moves of a record; their cells are on the board."""
        moves: list[str] = []
        for number, line in lines:
            for word in _WORD.finditer(line):
                move = word[0].lower() if word[0].lower() in (BLACK, WHITE) else word[0].upper()
                column = 1 + word.start()
                if not _MOVE.fullmatch(move):
                    message = f"found {word[0][:20]!r}, expected black, white, or a move such as D4 or B4-D4/D2"
                    raise self._error(message, number, column)
                for cell in re.finditer(r"[A-Z][0-9]+", move):
                    if not _CELL.fullmatch(cell[0]) or max(named(cell[0])) >= size:
                        message = f"found {cell[0]}, expected a cell from A1 to {name((size - 1, size - 1))}"
                        raise self._error(message, number, column + cell.start())
                if len(moves) == MAX_MOVES:
                    raise self._error(f"found more than {MAX_MOVES} moves, which no game has", number, column)
                moves.append(move)
        return tuple(moves)

    def _error(self, message: str, line: int, column: int | None = None) -> LevelError:
        return LevelError(message, source=self._part.source, line=line, column=column)


def _signs(level: Level, position: Position) -> dict[Cell, str]:
    """By cell, the sign of its piece. Raises ValueError for a position that the board cannot hold."""
    signs = dict.fromkeys(position.black, "O") | dict.fromkeys(position.white, "X")
    signs |= dict.fromkeys(position.workers, "#")
    pieces = len(position.black) + len(position.white) + len(position.workers)
    if len(signs) != pieces or any(not 0 <= place < level.size for cell in signs for place in cell):
        raise ValueError("the position does not fit on the board")
    return signs


def _framed(level: Level, position: Position) -> str:
    """A position as the first program for Fabrik showed it: cells of seven columns and three lines."""
    signs = _signs(level, position)
    cells = range(level.size)
    divider = "  ┼" + "───────┼" * level.size
    blank = "  │" + "       │" * level.size
    lines = ["  " + "".join(f"    {LETTERS[column]}   " for column in cells).rstrip()]
    for row in cells:
        content = (signs.get((row, column), " ").replace("#", "█") for column in cells)
        lines += [divider, blank, f"{row + 1:<2}│" + "".join(f"   {sign}   │" for sign in content), blank]
    return "\n".join([*lines, divider])
