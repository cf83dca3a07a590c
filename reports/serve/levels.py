"""In a worker: levels from texts of the page. The last ones are kept: a player asks about the same again."""

from functools import lru_cache
from itertools import islice
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import OWN, Entry, puzzles
from puzzlemc.reports.serve.blocks import Block, block, rows_of
from puzzlemc.reports.serve.questions import MOST_KNOWN
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import Unfiled

SOURCE = Unfiled("level")
MOST_LEVELS = MOST_KNOWN  # of a text


@lru_cache(maxsize=4)
def entry(puzzle: str, text: str, number: int = 0) -> Entry:
    """The level of a text with this number. Raises LevelError, also for a level that cannot be built."""
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


def titles(puzzle: str, text: str) -> list[str]:
    """The titles of at most MOST_LEVELS levels of a text, empty for those without; no title if all are errors."""
    parts = list(islice(puzzles()[puzzle].screen.cut(text, SOURCE), MOST_LEVELS)) if puzzle in puzzles() else []
    if all(isinstance(part, LevelError) for part in parts):
        return []
    return ["" if isinstance(part, LevelError) else part.title for part in parts]


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
