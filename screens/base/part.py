"""The text of one level, cut out of its file. A level is kept as text until it is needed.

A file of a few kilobytes can describe boards of millions of cells. So a file is only cut into the texts of its
levels, with their names. The worker that solves a level builds it from its text, under time and memory limits.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from puzzlemc.screens.base.errors import LevelError

MAX_LEVELS = 100_000  # at a time

# Fractions of a text that look like a puzzle: from PLAIN on the text is of that puzzle, below it that is a doubt.
PLAIN = 0.25
DOUBT = 0.1
MARKED = 2.0  # the text has headers that no other format has, whatever else it has

LevelType = TypeVar("LevelType")


# "Solution" in the languages in which programs save games; `solu` begins it in English and in Romance languages.
_SOLUTION = re.compile(
    r"solu|sol[vu]ed|optim|\bbest\b|l(?:ö|oe|o|ø)e?s(?:u|ni)ng|oplossing|ratkaisu|megold|rozwi|(?:ř|r)e[sš]en|решен|解",
    re.IGNORECASE,
)


class Solution(NamedTuple):
    """A solution in the file of a level: moves as text, the name, and the line in which the moves begin."""

    text: str
    title: str = ""
    line: int = 1

    @property
    def may_be_saved_game(self) -> bool:
        """Does its name not call it a solution? Then it may be a game that was saved before its end."""
        return bool(self.title) and _SOLUTION.search(self.title) is None


class About(NamedTuple):
    """What a file states about all of its levels."""

    title: str = ""
    author: str = ""
    email: str = ""
    url: str = ""
    comment: str = ""


class Own(NamedTuple):
    """The lines of a file that are of one level alone, from the line `first` on, which counts from 1."""

    first: int
    text: str


class Part(NamedTuple):
    """A level as text. `line` is its first line in `source`, `column` is where its rows begin; both count from 1.

    `comment`, `solutions` and `about` are kept for conversion to other files. `own` is there if the text repeats
    what all levels of the file share, such as the rules of a game.
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
    own: Own | None = None


def build_all(
    items: Iterable[Part | LevelError], build: Callable[[Part], LevelType]
) -> list[LevelType | LevelError]:
    """Build the level of each part; an error takes the place of a bad level. Raises nothing."""
    built: list[LevelType | LevelError] = []
    for item in items:
        try:
            built.append(item if isinstance(item, LevelError) else build(item))
        except LevelError as error:
            built.append(error.with_traceback(None))  # a traceback would keep the whole text alive
    return built


def too_many(source: str) -> LevelError:
    """Return the error that takes the place of the levels beyond MAX_LEVELS."""
    return LevelError(f"found more than {MAX_LEVELS} levels, expected at most that at a time", source=source)


def limited(parts: Iterable[Part | LevelError], source: str, missing: str = "") -> Iterator[Part | LevelError]:
    """Yield the levels of a text, and one error in the place of those beyond MAX_LEVELS.

    A text without a level gives an error with the words `missing`, if there are any.
    """
    number = 0
    for number, part in enumerate(parts, 1):
        if number > MAX_LEVELS:
            yield too_many(source)
            return
        yield part
    if missing and not number:
        yield LevelError(missing, source=source)
