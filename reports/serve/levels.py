"""Levels in texts of the page and in files: each level, and the lines around it.

The lines are its rows, and the title, the author and the comment around them. Formats differ in where these lines
stand, and only their readers know. So the lines of a level are the fewest whole paragraphs that a reader takes for
the same level, and each change of a file is read again before it is written: a change that reads as anything else
is refused.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import OWN, Entry, puzzles
from puzzlemc.reports.serve.questions import MOST_LISTED
from puzzlemc.screens.base.entry import Screen
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import Unfiled

SOURCE = Unfiled("level")
MOST_LEVELS = MOST_LISTED  # of a text
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


def parts(puzzle: str, text: str) -> list[dict[str, Any]]:
    """The texts of at most MOST_LEVELS levels with their first lines, from 1; none if the text is one level."""
    if puzzle not in puzzles():
        return []
    screen, lines = puzzles()[puzzle].screen, text.split("\n")
    cut = list(islice(screen.cut(text, SOURCE), MOST_LEVELS))
    found = []
    for place, part in enumerate(cut):
        if isinstance(part, Part):
            own = block(screen, lines, cut, place) or Block(part.line - 1, part.line, part.text)
            found.append({"title": part.title, "line": own.first + 1, "text": own.text})
    return [] if len(found) == 1 and found[0]["text"] == text.strip("\n") else found


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
    text = part.text if part.own is None else part.own.text
    return stripped(text), part.title, part.author, part.comment, solutions


def alone(screen: Screen, lines: Sequence[str], parts: Parts, text: str) -> Parts:
    """The levels of a text that stands in the place of all levels of a file, below the lines that they share."""
    first = next((part.own.first for part in parts if isinstance(part, Part) and part.own is not None), 1)
    return list(screen.cut("\n".join([*lines[: first - 1], text, ""]), SOURCE))


def stripped(text: str) -> str:
    """A text without spaces at the ends of its lines, and without empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")


def rows_of(lines: Sequence[str], part: Part) -> range | None:
    """The lines of the rows of a level; None if its file has another text there, such as a part of the level."""
    text = stripped(part.text)
    found = range(part.line - 1, part.line + text.count("\n"))
    return found if stripped("\n".join(lines[found.start : found.stop])) == text else None


def block(screen: Screen, lines: Sequence[str], parts: Parts, number: int) -> Block | None:
    """The lines of a level, the rows alone if no others read as the same; None if its rows are elsewhere.

    Of a level whose file has lines of its own for it, these.
    """
    part = parts[number]
    if isinstance(part, Part) and part.own is not None:
        first, end = part.own.first - 1, part.own.first + part.own.text.count("\n")
        text = "\n".join(lines[first:end])
        return Block(first, end, text) if stripped(text) == stripped(part.own.text) else None
    rows = rows_of(lines, part) if isinstance(part, Part) else None
    if rows is None or isinstance(part, LevelError):
        return None
    others = [
        found
        for place, each in enumerate(parts)
        if place != number and isinstance(each, Part) and (found := rows_of(lines, each)) is not None
    ]
    low = max((each.stop for each in others if each.stop <= rows.start), default=0)
    high = min((each.start for each in others if each.start >= rows.stop), default=len(lines))
    starts = [rows.start, *_starts(lines, low, rows.start)][: MOST_PARAGRAPHS + 1]
    ends = [rows.stop, *_ends(lines, rows.stop, high)][: MOST_PARAGRAPHS + 1]
    ways = sorted(((first, end) for first in starts for end in ends), key=lambda way: way[1] - way[0])
    shared = part.author == part.about.author  # that of all levels, in the first lines of the file
    for any_author in (shared, True):
        for first, end in ways:
            text = "\n".join(lines[first:end])
            alone = list(screen.cut(text + "\n", Unfiled(part.source)))
            if len(alone) == 1 and _known(alone[0], any_author=any_author) == _known(part, any_author=any_author):
                return Block(first, end, text)
    return Block(rows.start, rows.stop, "\n".join(lines[rows.start : rows.stop]))


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


def replaced(lines: Sequence[str], old: Block, text: str) -> list[str]:
    """The lines of a file with another text in the place of a level."""
    return [*lines[: old.first], *text.split("\n"), *lines[old.end :]]


def removed(lines: Sequence[str], old: Block) -> list[str]:
    """The lines of a file without a level, and without the empty lines below it."""
    end = old.end
    while end < len(lines) - 1 and not lines[end].strip():
        end += 1
    return [*lines[: old.first], *lines[end:]]


def swapped(lines: Sequence[str], first: Block, second: Block) -> list[str]:
    """The lines of a file with two levels in the places of each other."""
    before, between, after = lines[: first.first], lines[first.end : second.first], lines[second.end :]
    return [*before, *second.text.split("\n"), *between, *first.text.split("\n"), *after]
