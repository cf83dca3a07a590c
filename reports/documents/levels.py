"""Levels in texts: each level, and the lines around it.

The lines are its rows, and the title, the author and the comment around them. Formats differ in where these lines
stand, and only their readers know. So the lines of a level are the fewest whole paragraphs that a reader takes for
the same level, and each change of a file is read again before it is written: a change that reads as anything else
is refused.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, cast

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import OWN, Entry, puzzles
from puzzlemc.screens.base.entry import Screen
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import Unfiled

SOURCE = Unfiled("level")
MOST_LEVELS = 1000  # of a text of the page
MOST_PARAGRAPHS = 8  # above and below the rows

Parts = Sequence[Part | LevelError]
Meaning = tuple[str, str, str, str, tuple[str, ...]]


@lru_cache(maxsize=4)
def entry(puzzle: str, text: str, number: int = 0) -> Entry:
    """The level of a text with this number. Raises LevelError, also for a level that cannot be built.

    The last levels are kept: a player asks about the same again.
    """
    if puzzle not in puzzles():
        raise LevelError("found no such puzzle", source=SOURCE)
    rules = puzzles()[puzzle]
    parts = list(islice(rules.screen.cut(text, SOURCE), number + 1))
    part = parts[-1] if parts else LevelError("found no level", source=SOURCE)
    if isinstance(part, LevelError):  # a text that cannot be cut has one error in the place of all levels
        raise part
    if len(parts) <= number:
        raise LevelError(f"found {len(parts)} levels, expected at least {number + 1}", source=SOURCE)
    found = Entry(f"{puzzle}#{number + 1}", part.title, rules, part=part)
    if found.error is not None:
        raise found.error
    return found


def rows(puzzle: str, text: str, number: int) -> str:
    """The text that a level of a text is built from. Raises LevelError."""
    if puzzle not in puzzles():
        raise LevelError("found no such puzzle", source=SOURCE)
    for part in islice(puzzles()[puzzle].screen.cut(text, SOURCE), number, number + 1):
        if isinstance(part, LevelError):
            raise part
        return part.text
    raise LevelError(f"found no level {number + 1}", source=SOURCE)


def titles(puzzle: str, text: str) -> list[str]:
    """The titles of at most MOST_LEVELS levels of a text, empty for those without; no title if all are errors."""
    parts = list(islice(puzzles()[puzzle].screen.cut(text, SOURCE), MOST_LEVELS)) if puzzle in puzzles() else []
    if all(isinstance(part, LevelError) for part in parts):
        return []
    return ["" if isinstance(part, LevelError) else part.title for part in parts]


def around(rules: Puzzle, text: str) -> tuple[str, str]:
    """The lines above and below the rows of a text, if it is one level."""
    lines = text.split("\n")
    parts = list(islice(rules.screen.cut(text, SOURCE), 2))
    rows = rows_of(lines, parts[0]) if len(parts) == 1 and isinstance(parts[0], Part) else None
    if rows is None:
        return "", ""
    return "\n".join(lines[: rows.start]), "\n".join(lines[rows.stop :]).rstrip("\n")


def puzzle_of(text: str) -> str | None:
    """The puzzle that a text looks like most; None if it looks like none."""
    scores = {name: puzzles().looks_like(name, text) for name in OWN}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else None


# The lines of a level


class Block(NamedTuple):
    """The lines of a level from `first` on, from 0, up to `end`."""

    first: int
    end: int
    text: str


def meaning(part: Part | LevelError) -> Meaning:
    """What a reader finds in a level, or says of it; without places and numbers, which other levels change."""
    if isinstance(part, LevelError):
        return part.message, "", "", "", ()
    solutions = tuple(each.text for each in part.solutions)
    text = part.text if part.own is None else _untitled(part.own.text, part.title)
    return stripped(text), part.title, part.author, part.comment, solutions


def _untitled(text: str, title: str) -> str:
    """The lines of a level of a game without its last message, which is its title, and without empty lines."""
    lines = [line for line in text.split("\n") if line.strip()]
    last = max((at for at, line in enumerate(lines) if title and is_message(line)), default=None)
    return "\n".join(line for at, line in enumerate(lines) if at != last)


def is_message(line: str) -> bool:
    """Is a line above the rows of a level of a game a message?"""
    return line.strip().lower().startswith("message")


def stripped(text: str) -> str:
    """A text without spaces at the ends of its lines, and without empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")


def rows_of(lines: Sequence[str], part: Part) -> range | None:
    """The lines of the rows of a level; None if its file has another text there, such as a part of the level."""
    text = stripped(part.text)
    found = range(part.line - 1, part.line + text.count("\n"))
    return found if stripped("\n".join(lines[found.start : found.stop])) == text else None


def blocks(screen: Screen, text: str, parts: Parts) -> list[Block | None]:
    """The lines of each level of a text; None for one whose rows are elsewhere."""
    lines = text.split("\n")
    if shared(parts):
        return [_own_block(lines, each) for each in parts]
    rows = [rows_of(lines, each) if isinstance(each, Part) else None for each in parts]
    ends = sorted(each.stop for each in rows if each is not None)
    starts = sorted(each.start for each in rows if each is not None)
    found: list[Block | None] = []
    for part, own in zip(parts, rows, strict=True):
        if own is None or isinstance(part, LevelError):
            found.append(None)
            continue
        before, behind = bisect_right(ends, own.start), bisect_left(starts, own.stop)
        low = ends[before - 1] if before else 0
        high = starts[behind] if behind < len(starts) else len(lines)
        found.append(_block(screen, lines, part, own, range(low, high)))
    return found


def _own_block(lines: Sequence[str], part: Part | LevelError) -> Block | None:
    """The lines that the file has for one level alone."""
    if isinstance(part, LevelError) or part.own is None:
        return None
    first, end = part.own.first - 1, part.own.first + part.own.text.count("\n")
    text = "\n".join(lines[first:end])
    return Block(first, end, text) if stripped(text) == stripped(part.own.text) else None


def _block(screen: Screen, lines: Sequence[str], part: Part, rows: range, within: range) -> Block:
    """The lines of a level between those of its neighbours, the rows alone if no others read as the same."""
    starts = [rows.start, *_starts(lines, within.start, rows.start)][: MOST_PARAGRAPHS + 1]
    ends = [rows.stop, *_ends(lines, rows.stop, within.stop)][: MOST_PARAGRAPHS + 1]
    ways = sorted(((first, end) for first in starts for end in ends), key=lambda way: way[1] - way[0])
    shared = part.author == part.about.author  # that of all levels, in the first lines of the file
    for any_author in (shared, True):
        for first, end in ways:
            text = "\n".join(lines[first:end])
            only = alone(screen, text)
            if len(only) == 1 and _known(only[0], any_author=any_author) == _known(part, any_author=any_author):
                return Block(first, end, text)
    return Block(rows.start, rows.stop, "\n".join(lines[rows.start : rows.stop]))


def shared(parts: Parts) -> int:
    """The number of first lines that all levels of a text share, such as the rules of a game; 0 without such."""
    return next((part.own.first - 1 for part in parts if isinstance(part, Part) and part.own is not None), 0)


def alone(screen: Screen, text: str) -> Parts:
    """The levels of a text without any other text. After a change, most levels of a text are asked for again."""
    return _alone(cast("Any", screen), text)


@lru_cache(maxsize=1 << 13)
def _alone(screen: Any, text: str) -> Parts:
    return tuple(screen.cut(f"{text}\n", SOURCE))


def _known(part: Part | LevelError, *, any_author: bool) -> tuple[object, ...]:
    """The meaning of a level, without its author if that does not matter."""
    text, title, name, *rest = meaning(part)
    return text, title, "" if any_author else name, *rest


def _starts(lines: Sequence[str], low: int, first: int) -> Iterator[int]:
    """The beginnings of paragraphs above a line, the nearest first."""
    for at in range(first - 1, low - 1, -1):
        if lines[at].strip() and (at == low or not lines[at - 1].strip()):
            yield at


def _ends(lines: Sequence[str], end: int, high: int) -> Iterator[int]:
    """The ends of paragraphs below a line, the nearest first."""
    for at in range(end, high):
        if lines[at].strip() and (at + 1 == high or not lines[at + 1].strip()):
            yield at + 1
