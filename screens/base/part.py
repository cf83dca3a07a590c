"""The text of one level, cut out of its file: what is kept of a level until somebody asks for it.

A file of some kilobytes can tell of boards of millions of cells. So a file is only cut into the texts of its
levels, with their names; a level is built from its text where it is solved, under the limits of that.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from puzzlemc.screens.base.errors import LevelError

MAX_LEVELS = 100_000  # at a time

# Which part of a text must look like a puzzle's so that it is one. What has less of it, but some, is in doubt.
PLAIN = 0.25
DOUBT = 0.1

LevelType = TypeVar("LevelType")


class Solution(NamedTuple):
    """A solution that stands with a level in its file: moves as text, which begins in that line, and its name."""

    text: str
    title: str = ""
    line: int = 1


class About(NamedTuple):
    """What a file says of all its levels."""

    title: str = ""
    author: str = ""
    email: str = ""
    url: str = ""
    comment: str = ""


class Part(NamedTuple):
    """A level as text. `line` is the number of its first line in `source`, `column` that of its rows, from 1.

    What else the file says of it, and of all its levels, is kept for those who write it to another file.
    """

    source: str
    line: int
    text: str
    title: str
    author: str
    column: int = 1
    comment: str = ""
    solutions: tuple[Solution, ...] = ()
    about: About = About()


def build_all(
    items: Iterable[Part | LevelError], build: Callable[[Part], LevelType]
) -> list[LevelType | LevelError]:
    """Build the level of each part, with an error in the place of a bad level. Raises nothing."""
    built: list[LevelType | LevelError] = []
    for item in items:
        try:
            built.append(item if isinstance(item, LevelError) else build(item))
        except LevelError as error:
            built.append(error.with_traceback(None))  # a traceback would keep the whole text alive
    return built


def too_many(source: str) -> LevelError:
    """What stands in the place of the levels that are too many."""
    return LevelError(f"found more than {MAX_LEVELS} levels, expected at most that at a time", source=source)
