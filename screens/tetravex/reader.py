"""Tetravex boards as text, to levels and back: MiniZinc data files, and a plain form.

A MiniZinc data file has the side of the board, and a tile a row: its colours north, south, east and west.

    N = 2;  % a comment
    puzzle = array2d(1..N*N, 1..4, [
      3,0,1,2,  7,7,8,1,
      0,5,4,6,  7,9,2,4]);

The plain form says the same, a tile a line, and may go on with a game: `Put` or `Swap` and the board that it
starts with, as numbers of tiles from 1, row by row, 0 for an empty cell. A file may hold many.

    Title: two by two
    Tetravex 2
    3 0 1 2
    7 7 8 1
    0 5 4 6
    7 9 2 4
    Swap
    2 1
    3 4

`Title:` and `Author:` stand above the board that they are about. A line that starts with `%` or `#` is a comment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MAX_LEVELS, Part, build_all, too_many
from puzzlemc.screens.base.picture import NUMBERED, Box, Label, Moved, Picture, Polygon, Shape, tile


class Tile(NamedTuple):
    """The colours of a tile's sides."""

    north: int
    south: int
    east: int
    west: int


Board = tuple[int, ...]  # by cell, row by row: the number of a tile, from 1, or EMPTY

EMPTY = 0
PUT, SWAP = "put", "swap"

SUFFIXES = (".dzn", ".tetravex")

MAX_SIDE = 100
MAX_COLOUR = 10**9


@dataclass(frozen=True, slots=True)
class Level:
    """The tiles of a board of `side` rows and columns, in the order of the file.

    `rules` is empty where tiles are to be arranged and nothing else counts. In a game it is `put` or `swap`, and
    `start` is the board that the game begins with; else that is empty, too.
    """

    title: str
    author: str
    side: int
    tiles: tuple[Tile, ...]
    rules: str = ""
    start: Board = ()


def looks_like(text: str) -> float:
    """Tell which part of the lines are those of a level, not counting names and comments.

    0 where there is neither the heading of the plain form nor the array of a data file.
    """
    text = _unix(text)
    if not _PLAIN_HEADING.search(text) and not _ARRAY.search(text):
        return 0.0
    lines = [line for line in text.split("\n") if not _COMMENT.match(line) and not _KEY.fullmatch(line)]
    return sum(bool(_LINE.fullmatch(line)) for line in lines) / len(lines)


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level, in the order of the file. A text in neither form is one bad level."""
    text = _unix(text)
    if not _HEADING.search(text):
        yield Part(source, 1, text, "", "")
        return
    for number, part in enumerate(_plain(text, source)):
        if number == MAX_LEVELS:
            yield too_many(source)
            return
        heading = part.text.split("\n", 1)[0]
        yield part if _HEADING.match(heading) else _no_heading(heading, source, part.line)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError for one that is not sound."""
    lines = [
        (number, line)
        for number, line in enumerate(part.text.split("\n"), part.line)
        if not _COMMENT.match(line) and not _KEY.fullmatch(line)
    ]
    if lines and _HEADING.match(lines[0][1]):
        return _level(lines, part)
    return _Data(part.text, part.source).level()


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a text: an item a level, in the order of the file, an error in the place of a bad level.

    A text in neither form is one error. `source` is the name that errors give to the text. Raises nothing.
    """
    return build_all(cut(text, source), build)


def draw(level: Level, position: Board | None = None) -> str:
    """Write a level in the plain form, or a position of it as squares with four numbers; no newline at the end.

    Raises ValueError for a position that the board cannot hold.
    """
    if position is not None:
        return _squares(level, position)
    width = max(len(str(colour)) for tile in level.tiles for colour in tile)
    lines = [f"Title: {level.title}"] if level.title else []
    lines += [f"Author: {level.author}"] if level.author else []
    lines.append(f"Tetravex {level.side}")
    lines += [" ".join(f"{colour:>{width}}" for colour in tile) for tile in level.tiles]
    if level.rules:
        lines.append(level.rules.capitalize())
        width = len(str(len(level.tiles)))
        lines += [" ".join(f"{number:>{width}}" for number in row) for row in _rows(level.start, level.side)]
    return "\n".join(lines)


def picture(level: Level, position: Board) -> Picture:
    """A position: each tile as four triangles with their colours; tiles that wait are beside the board."""
    board: list[Shape] = []
    pieces: list[Shape] = []
    side = level.side
    beside = waiting(level)
    for row in range(side):
        for column in range(side):
            board += [tile(row, column, "line"), tile(row, column, "floor", 0.02)]
    # Tiles that wait have a place each, so that they do not move while others are put.
    columns = -(-len(beside) // side) if beside else 0
    if EMPTY not in position:
        beside = {}  # no tile waits any more, so there is no tray to show
    for number, (row, column) in beside.items():
        if number in position:
            pieces.append(tile(row, column, "line", 0.3, 0.1))
        else:
            pieces += _triangles(level.tiles[number - 1], row, column)
    for cell, number in enumerate(position):
        if number != EMPTY:
            pieces += _triangles(level.tiles[number - 1], *divmod(cell, side))
    return Picture(side + 1 + columns if columns else side, side, tuple(board), tuple(pieces))


def moved(level: Level, before: Board, after: Board) -> Moved:
    """The tile that is put, or both that are swapped."""
    cells = {divmod(n, level.side): number for n, number in enumerate(after) if number != before[n]}
    beside = waiting(level)
    places = (beside[number] if number not in before else cell for cell, number in cells.items())
    return Moved(tuple(places), tuple(cells))


def waiting(level: Level) -> dict[int, tuple[int, int]]:
    """The tiles that wait beside the board at the start, each with its place in the picture."""
    numbers = (number for number in range(1, len(level.tiles) + 1) if number not in level.start)
    places = (divmod(place, level.side) for place in range(len(level.tiles)))
    return {number: (row, level.side + 1 + column) for number, (column, row) in zip(numbers, places, strict=False)}


@lru_cache(maxsize=1 << 12)  # a graph shows thousands of boards with the same tiles
def _triangles(shown: Tile, row: int, column: int) -> tuple[Shape, ...]:
    """A tile as shapes: its sides meet in the middle of the cell."""
    low, high, middle = 0.03, 0.97, 0.5
    corners = [(low, low), (high, low), (high, high), (low, high)]
    shapes: list[Shape] = [Box(column + low, row + low, high - low, high - low, "ink", 0.04)]
    for number, (colour, (x, y)) in enumerate(
        zip(
            (shown.north, shown.east, shown.south, shown.west),
            ((middle, 0.2), (0.8, middle), (middle, 0.8), (0.2, middle)),
            strict=True,
        )
    ):
        points = (corners[number], corners[(number + 1) % 4], (middle, middle))
        text = str(colour)
        place = tuple((column + across, row + down) for across, down in points)
        shapes.append(Polygon(place, str(colour % NUMBERED)))
        shapes.append(Label(column + x, row + y, text, min(0.27, 0.5 / len(text))))
    return tuple(shapes)


def data(level: Level) -> str:
    """Write the tiles of a level as a MiniZinc data file, with a newline at the end."""
    rows = ",\n".join("  " + ",".join(map(str, tile)) for tile in level.tiles)
    return f"N = {level.side};\n\npuzzle = array2d(1..N*N, 1..4, [\n{rows}]);\n"


def _rows(board: Sequence[int], side: int) -> list[Sequence[int]]:
    return [board[first : first + side] for first in range(0, side * side, side)]


def _squares(level: Level, position: Board) -> str:
    """The board: each tile a square, with the colours at its sides."""
    placed = [number for number in position if number != EMPTY]
    if (
        len(position) != len(level.tiles)
        or len(set(placed)) < len(placed)
        or not set(placed) <= set(range(1, len(level.tiles) + 1))
    ):
        raise ValueError(f"the board has {len(level.tiles)} cells, each tile goes on one: {position}")
    width = max(len(str(colour)) for tile in level.tiles for colour in tile)
    room = 2 * width + 1
    border = "+" + f"{'-' * room}+" * level.side
    lines = [border]
    for row in _rows(position, level.side):
        tiles = [None if number == EMPTY else level.tiles[number - 1] for number in row]
        lines.append("".join(f"|{'' if tile is None else tile.north:^{room}}" for tile in tiles) + "|")
        lines.append(
            "".join(
                "|" + (" " * room if tile is None else f"{tile.west:<{width}} {tile.east:>{width}}")
                for tile in tiles
            )
            + "|"
        )
        lines.append("".join(f"|{'' if tile is None else tile.south:^{room}}" for tile in tiles) + "|")
        lines.append(border)
    return "\n".join(lines)


# The plain form.

_HEADING = re.compile(r"^[ \t]*tetravex\b.*$", re.MULTILINE | re.IGNORECASE)
_ARRAY = re.compile(r"\bpuzzle\s*=\s*(?:array2d|\[\|)")
_PLAIN_HEADING = re.compile(r"^[ \t]*tetravex[ \t]+[0-9]+[ \t]*$", re.MULTILINE | re.IGNORECASE)
_LINE = re.compile(  # of a level in either form
    r"[ \t]*(?:(?:tetravex[ \t]+[0-9]+|put|swap)|[0-9\s,;|()\[\]]+|.*\b(?:N|puzzle)\s*=.*)\s*", re.IGNORECASE
)
_SIDE = re.compile(r"\s*tetravex[ \t]+(?P<side>[0-9]{1,9})\s*", re.IGNORECASE)
_KEY = re.compile(r"\s*(?P<key>title|author)\s*:\s*(?P<value>.*?)\s*", re.IGNORECASE)
_GAME = re.compile(r"\s*(?P<rules>put|swap)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:[%#]|$)")
_WORD = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"[0-9]{1,10}")

Line = tuple[int, str]  # number from 1, text


def _unix(text: str) -> str:
    """Make every line end with a newline alone, and drop a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _plain(text: str, source: str) -> Iterator[Part]:
    """Yield the levels of a text in the plain form, right or wrong."""
    about: dict[str, str] = {}
    first, start, end = 0, 0, 0  # of the level that is open: its first line from 1, and where its text is
    place = 0
    for number, line in enumerate(text.split("\n"), 1):
        key = _KEY.fullmatch(line)
        if first and (key or _HEADING.match(line)):
            yield Part(source, first, text[start:end], about.get("title", ""), about.get("author", ""))
            about, first = {}, 0
        if key:
            about[key["key"].lower()] = key["value"]
        elif not _COMMENT.match(line):
            first, start = (first, start) if first else (number, place)
            end = place + len(line)
        place += len(line) + 1
    if first:
        yield Part(source, first, text[start:end], about.get("title", ""), about.get("author", ""))


def _level(lines: list[Line], part: Part) -> Level:
    """The level of a heading and the lines below it. Raises LevelError."""
    source, title, author = part.source, part.title, part.author
    first, heading = lines[0]
    found = _SIDE.fullmatch(heading)
    if found is None:
        raise _no_heading(heading, source, first)
    side = _side(int(found["side"]), source, first, 1 + found.start("side"))
    games = [index for index, (_, line) in enumerate(lines) if _GAME.fullmatch(line)]
    end = games[0] if games else len(lines)
    rows = [_numbers(line, 4, "colours: north south east west", source) for line in lines[1:end]]
    if len(rows) != side * side:
        raise _count(len(rows), side, source, lines[1 + side * side][0] if len(rows) > side * side else first)
    tiles = tuple(Tile(*row) for row in rows)
    if not games:
        return Level(title, author, side, tiles)
    rules = lines[end][1].strip().lower()
    board = lines[end + 1 :]
    if len(board) != side:
        line = board[side][0] if len(board) > side else lines[end][0]
        raise LevelError(f"found {len(board)} rows of a board, expected {side}", source=source, line=line)
    seen: set[int] = set()
    start: list[int] = []
    for at, text in board:
        values = _numbers((at, text), side, "tiles", source)
        for word, value in zip(_WORD.finditer(text), values, strict=True):
            least = EMPTY if rules == PUT else 1
            message = ""
            if not least <= value <= len(tiles):
                message = f"found {value}, expected a tile from {least} to {len(tiles)}"
            elif value in seen and value != EMPTY:
                message = f"found tile {value} again, expected each tile once"
            if message:
                raise LevelError(message, source=source, line=at, column=1 + word.start())
            seen.add(value)
        start += values
    return Level(title, author, side, tiles, rules, tuple(start))


def _side(side: int, source: str, line: int, column: int) -> int:
    if not 1 <= side <= MAX_SIDE:
        message = f"found a board of {side} rows, expected 1 to {MAX_SIDE}"
        raise LevelError(message, source=source, line=line, column=column)
    return side


def _count(found: int, side: int, source: str, line: int, column: int | None = None) -> LevelError:
    tiles = "1 tile" if found == 1 else f"{found} tiles"
    message = f"found {tiles} for a board of {side} rows, expected {side * side}"
    return LevelError(message, source=source, line=line, column=column)


def _no_heading(line: str, source: str, number: int) -> LevelError:
    found = line.strip()
    message = f"found {found[:40]!r}, expected Tetravex and the number of rows"
    return LevelError(message, source=source, line=number, column=1 + line.find(found))


def _numbers(line: Line, many: int, what: str, source: str) -> list[int]:
    """The numbers of a line, so many. Raises LevelError."""
    number, text = line
    values = []
    for word in _WORD.finditer(text):
        if not _NUMBER.fullmatch(word[0]) or int(word[0]) > MAX_COLOUR:
            message = f"found {word[0][:20]!r}, expected a number from 0 to {MAX_COLOUR}"
            raise LevelError(message, source=source, line=number, column=1 + word.start())
        values.append(int(word[0]))
    if len(values) != many:
        message = f"found {len(values)} numbers, expected {many} {what}"
        raise LevelError(message, source=source, line=number)
    return values


# The data file.

_TOKEN = re.compile(
    r"(?P<blank>[ \t\n\f]+|%[^\n]*|/\*.*?\*/)|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<number>[0-9]+)"
    r"|(?P<sign>\.\.|\[\||\|\]|[][()=;,*|])|(?P<other>.)",
    re.DOTALL,
)
_END = "the end of the text"


class _Token(NamedTuple):
    text: str
    start: int


class _Data:
    """Reads a data file, item by item: `N = number;` and `puzzle = array;`, in any order."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._tokens = [_Token(m[0], m.start()) for m in _TOKEN.finditer(text) if m.lastgroup != "blank"]
        self._tokens.append(_Token("", len(text)))
        self._next = 0

    def level(self) -> Level:
        """The level. Raises LevelError."""
        side: tuple[int, _Token] | None = None
        numbers: list[tuple[int, _Token]] | None = None
        start = self._peek()
        while self._peek().text:
            name = self._peek()
            if name.text == "N" and side is None:
                self._take("N")
                self._take("=")
                side = self._number("the number of rows")
            elif name.text == "puzzle" and numbers is None:
                start = self._take("puzzle")
                self._take("=")
                numbers = self._array()
            else:
                again = name.text in ("N", "puzzle")
                raise self._unexpected(name, "each of N and puzzle once" if again else "N = … or puzzle = …")
            if self._peek().text:
                self._take(";")
        end = self._peek()
        if side is None:
            raise self._unexpected(end, "N = …, the number of rows")
        if numbers is None:
            raise self._unexpected(end, "puzzle = …, the tiles")
        place = self._place(side[1])
        rows = _side(side[0], self._source, *place)
        wanted = 4 * rows * rows
        if len(numbers) % 4:
            line, column = self._place(numbers[-1][1])
            message = f"found {len(numbers)} numbers, expected {wanted}: four for each of {rows * rows} tiles"
            raise LevelError(message, source=self._source, line=line, column=column)
        if len(numbers) != wanted:
            at = numbers[wanted][1] if len(numbers) > wanted else start
            raise _count(len(numbers) // 4, rows, self._source, *self._place(at))
        values = [value for value, _ in numbers]
        return Level("", "", rows, tuple(Tile(*values[i : i + 4]) for i in range(0, wanted, 4)))

    def _array(self) -> list[tuple[int, _Token]]:
        """The numbers of `array2d(…, …, [ … ])` or `[| … | … |]`."""
        if self._peek().text == "[|":
            self._take("[|")
            return self._list("|]", (",", "|"))
        self._all("array2d", "(", "1", "..")
        if _NUMBER.fullmatch(self._peek().text):
            self._next += 1  # instead of N*N; whether it fits is seen by the number of tiles
        else:
            self._all("N", "*", "N")
        self._all(",", "1", "..", "4", ",", "[")
        numbers = self._list("]", (",",))
        self._take(")")
        return numbers

    def _list(self, end: str, between: tuple[str, ...]) -> list[tuple[int, _Token]]:
        """Numbers up to a bracket. The last may have a comma behind it."""
        numbers = []
        while self._peek().text != end:
            numbers.append(self._number("a colour"))
            if self._peek().text not in (*between, end):
                raise self._unexpected(self._peek(), f"{' or '.join(between)} or {end}")
            if self._peek().text in between:
                self._next += 1
        self._take(end)
        return numbers

    def _number(self, what: str) -> tuple[int, _Token]:
        token = self._peek()
        if not _NUMBER.fullmatch(token.text) or int(token.text) > MAX_COLOUR:
            raise self._unexpected(token, f"{what}: a number from 0 to {MAX_COLOUR}")
        self._next += 1
        return int(token.text), token

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, text: str) -> _Token:
        token = self._peek()
        if token.text != text:
            raise self._unexpected(token, text)
        self._next += 1
        return token

    def _all(self, *texts: str) -> None:
        for text in texts:
            self._take(text)

    def _unexpected(self, token: _Token, expected: str) -> LevelError:
        line, column = self._place(token)
        found = repr(token.text[:20]) if token.text else _END
        return LevelError(f"found {found}, expected {expected}", source=self._source, line=line, column=column)

    def _place(self, token: _Token) -> tuple[int, int]:
        before = self._text[: token.start]
        return 1 + before.count("\n"), token.start - before.rfind("\n")
