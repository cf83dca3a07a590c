"""In a worker: levels from texts of the page. The last ones are kept: a player asks about the same again."""

from functools import lru_cache
from itertools import islice

from puzzlemc.encodings.puzzles import OWN, Entry, puzzles
from puzzlemc.screens.base.errors import LevelError

SOURCE = "level"
MOST_LEVELS = 200  # of a text


@lru_cache(maxsize=4)
def entry(puzzle: str, text: str, number: int = 0) -> Entry:
    """The level of a text with this number. Raises LevelError, also for a level that cannot be built."""
    if puzzle not in puzzles():
        raise LevelError("found no such puzzle", source=SOURCE)
    rules = puzzles()[puzzle]
    for part in islice(rules.screen.cut(text, SOURCE), number, number + 1):
        if isinstance(part, LevelError):
            raise part
        found = Entry(f"{puzzle}#{number + 1}", part.title, rules, part=part)
        if found.error is not None:
            raise found.error
        return found
    raise LevelError("found no level", source=SOURCE)


def titles(puzzle: str, text: str) -> list[str]:
    """The titles of the levels of a text, empty for those without; of at most MOST_LEVELS."""
    parts = islice(puzzles()[puzzle].screen.cut(text, SOURCE), MOST_LEVELS) if puzzle in puzzles() else ()
    return ["" if isinstance(part, LevelError) else part.title for part in parts]


def puzzle_of(text: str) -> str | None:
    """The puzzle that a text looks like most; None if it looks like none."""
    scores = {name: puzzles().looks_like(name, text) for name in OWN}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else None
