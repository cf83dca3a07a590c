"""Reads Tetravex levels: a plain form, and MiniZinc data files, which `data_file` parses.

A MiniZinc data file has the number of rows, and a row for each tile: its colours north, south, east and west.

    N = 2;  % a comment
    puzzle = array2d(1..N*N, 1..4, [
      3,0,1,2,  7,7,8,1,
      0,5,4,6,  7,9,2,4]);

The plain form has a line for each tile. After the tiles, a game can follow: `Put` or `Swap`, and the initial board
row by row, as the numbers of tiles from 1, with 0 for an empty cell. A file can hold many levels.

    Title: two by two
    Tetravex 2
    3 0 1 2
    7 7 8 1
    0 5 4 6
    7 9 2 4
    Swap
    2 1
    3 4

`Title:` and `Author:` are above the level that they belong to. A line that starts with `%` or `#` is a comment.
"""

import re
from collections.abc import Iterator

from puzzlemc.screens.base.comments import with_comments
from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MARKED, Part, build_all, limited
from puzzlemc.screens.tetravex.level import (
    EMPTY,
    MAX_COLOUR,
    PUT,
    Level,
    Tile,
    checked_side,
    wrong_number_of_tiles,
)

SUFFIXES = (".dzn", ".tetravex")

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
_SIZE = re.compile(r"\s*([0-9]{1,3})(?:\s*[x×,;\s]\s*\1)?\s*", re.IGNORECASE)  # a side, possibly twice
_TILE = re.compile(r"\s*[0-9]{1,10}(?:\s*[\s,;]\s*[0-9]{1,10}){3}\s*")

Line = tuple[int, str]  # number from 1, text


def looks_like(text: str) -> float:
    """Return the fraction of the lines that belong to levels, not counting names and comments.

    The fraction is 0 if there is neither the heading of the plain form nor the array of a data file. It is MARKED
    for the tiles of a board below its size alone, so that an error can say what the heading is.
    """
    text = normalized(text)
    if not _PLAIN_HEADING.search(text) and not _ARRAY.search(text):
        return MARKED if _below_a_size(text) else 0.0
    lines = [line for line in text.split("\n") if not _COMMENT.match(line) and not _KEY.fullmatch(line)]
    return sum(bool(_LINE.fullmatch(line)) for line in lines) / len(lines)


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level in the order of the file. A text in neither form is one invalid level."""
    yield from with_comments(_cut(normalized(text), source), text, _COMMENT)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError."""
    lines = [
        (number, line)
        for number, line in enumerate(part.text.split("\n"), part.line)
        if not _COMMENT.match(line) and not _KEY.fullmatch(line)
    ]
    if lines and _HEADING.match(lines[0][1]):
        return _level(lines, part)
    from puzzlemc.screens.tetravex import data_file  # loads lark, which no other format needs

    return data_file.read(part.text, part.source)


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a text: one item for each level in file order; an error takes the place of a bad level.

    A text in neither form gives one error. Errors refer to the text as `source`. Raises nothing.
    """
    return build_all(cut(text, source), build)


def _cut(text: str, source: str) -> Iterator[Part | LevelError]:
    if not _HEADING.search(text):
        size = _below_a_size(text)
        if size is None:
            yield Part(source, 1, text, "", "")
        else:
            number, line = size
            side = int(re.findall(r"[0-9]+", line)[-1])
            message = f"found {line.strip()!r}, expected Tetravex {side}: the heading of {side * side} tiles"
            yield LevelError(message, source=source, line=number, column=1 + len(line) - len(line.lstrip()))
        return
    yield from limited((_headed(part) for part in _plain(text, source)), source)


def _below_a_size(text: str) -> Line | None:
    """Return the first line of a text if it is the size of a board, and all lines below it are its tiles."""
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if not _COMMENT.match(line) and not _KEY.fullmatch(line)
    ]
    found = _SIZE.fullmatch(lines[0][1]) if lines else None
    if found is None or len(lines) < 2 or len(lines) != 1 + int(found[1]) ** 2:
        return None
    return lines[0] if all(_TILE.fullmatch(line) for _, line in lines[1:]) else None


def _plain(text: str, source: str) -> Iterator[Part]:
    """Yield the levels of a text in the plain form, without checking them."""
    about: dict[str, str] = {}
    first, start, end = 0, 0, 0  # of the current level: its first line from 1, start and end of its text
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
    """Build the level of a heading and the lines below it. Raises LevelError."""
    source, title, author = part.source, part.title, part.author
    first, heading = lines[0]
    found = _SIDE.fullmatch(heading)
    if found is None:
        raise _no_heading(heading, source, first)
    side = checked_side(int(found["side"]), source, first, 1 + found.start("side"))
    games = [index for index, (_, line) in enumerate(lines) if _GAME.fullmatch(line)]
    end = games[0] if games else len(lines)
    rows = [_numbers(line, 4, "colours: north south east west", source) for line in lines[1:end]]
    if len(rows) != side * side:
        place = lines[1 + side * side][0] if len(rows) > side * side else first
        raise wrong_number_of_tiles(len(rows), side, source, place)
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


def _headed(part: Part) -> Part | LevelError:
    """Return a level with a heading, or the error that it has none."""
    heading = part.text.split("\n", 1)[0]
    return part if _HEADING.match(heading) else _no_heading(heading, part.source, part.line)


def _no_heading(line: str, source: str, number: int) -> LevelError:
    found = line.strip()
    message = f"found {found[:40]!r}, expected Tetravex and the number of rows"
    return LevelError(message, source=source, line=number, column=1 + line.find(found))


def _numbers(line: Line, count: int, what: str, source: str) -> list[int]:
    """Return the numbers of a line. Raises LevelError if they are not `count` numbers."""
    number, text = line
    values = []
    for word in _WORD.finditer(text):
        if not _NUMBER.fullmatch(word[0]) or int(word[0]) > MAX_COLOUR:
            message = f"found {word[0][:20]!r}, expected a number from 0 to {MAX_COLOUR}"
            raise LevelError(message, source=source, line=number, column=1 + word.start())
        values.append(int(word[0]))
    if len(values) != count:
        message = f"found {len(values)} numbers, expected {count} {what}"
        raise LevelError(message, source=source, line=number)
    return values
