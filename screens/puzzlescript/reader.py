"""Reads PuzzleScript games: each level is a part, with the text of the whole game before its rows.

The text of a part is itself the text of a game: the sections up to the header of the levels, a comment with the
number of the level, and its rows. So a level can be built without the others, and a change of one level leaves the
texts of the others as they are.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import DOUBT, MARKED, Own, Part, build_all, limited
from puzzlemc.screens.puzzlescript.compilation import compiled
from puzzlemc.screens.puzzlescript.game import Game, Level
from puzzlemc.screens.puzzlescript.level import built
from puzzlemc.screens.puzzlescript.lines import SECTIONS, read
from puzzlemc.screens.puzzlescript.source import Source, WrittenLevel, with_plain_blanks
from puzzlemc.screens.puzzlescript.written_rules import written_rules

SUFFIXES = (".puzzlescript",)

MAX_TEXT = 2_000_000  # characters of a game
CHECKED_RULES = 2_000  # concrete rules of a game that are checked when it is cut, so that a fault is said once
MAX_PARTS = 1 << 28  # characters of the parts of a game: each one repeats the game

_GAMES = 8  # that are kept, with their concrete rules
_NO_ROW = "()"  # stands for a line of comment between two rows
# A header, also one with a mistake behind it; before it, comments may end and stand.
_HEADER = re.compile(
    rf"^(?:[^\S\n]|\([^()\n]*\)|[^()\n]*\))*+({'|'.join(SECTIONS)})(?!\w)[^\S\n]*(?:[(:=.;,-].*)?$",
    re.IGNORECASE | re.MULTILINE,
)
_ENOUGH = ("objects", "legend", "collisionlayers", "rules")
_OWN = ("collisionlayers", "winconditions")  # words of no other text


def looks_like(text: str) -> float:
    """Return MARKED if a text has several headers of a game, DOUBT if it has one of them, and 0 otherwise.

    The levels of a game alone may look like those of another puzzle. The text may be the beginning of a file: the
    headers up to the rules suffice.
    """
    found = [name.lower() for name in _HEADER.findall(normalized(text))]
    if "objects" in found and sum(name in found for name in _ENOUGH) > 1:
        return MARKED
    if len(set(found)) > 1 and any(name in found for name in _OWN):
        return MARKED
    return DOUBT if "objects" in found else 0.0


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level that can be played, or one error for a text that is no game.

    The title of a level is the message before it. Errors in the expansion of rules beyond the first CHECKED_RULES
    are errors of each level.
    """
    return limited(_cut(text, source), source)


def _cut(text: str, source: str) -> Iterator[Part | LevelError]:
    text = with_plain_blanks(normalized(text))
    if len(text) > MAX_TEXT:
        message = f"found a game of {len(text)} characters, expected at most {MAX_TEXT}"
        yield LevelError(message, source=source)
        return
    written = read(text)
    try:
        _check(written, source)
        compiled(written, "", source, CHECKED_RULES)
    except LevelError as error:
        yield error.with_traceback(None)
        return
    every = text.split("\n")
    lines = every[: written.head]
    before = lines[written.head - 1][: written.before_head]  # it can close a comment
    head = "\n".join([*lines[: written.head - 1], f"{before}LEVELS"])
    author = written.metadata.get("author", ("", 0))[0]
    end = written.head  # of what is of the levels before: the number of its last line
    for number, level in enumerate(written.levels, 1):
        if number * len(head) > MAX_PARTS:
            message = (
                f"found a game of {len(text)} characters, expected at most {number - 1} levels in one of them"
            )
            yield LevelError(message, source=source, line=level.rows[0][0])
            return
        rows, own = _lined(level), _own(every, end, level)
        end = level.rows[-1][0]
        yield Part(source, level.rows[0][0], f"{head}\n\n(level {number})\n{rows}", level.title, author, own=own)


def build(part: Part) -> Level:
    """Build a level. Levels of one game share their `game`. Raises LevelError."""
    head, _, rest = part.text.rpartition("\n\n(level ")
    number, _, text = rest.partition(")\n")
    rows = [
        (line, 1 + len(row) - len(row.lstrip()), row.strip())
        for line, row in enumerate(text.split("\n"), part.line)
        if row != _NO_ROW
    ]
    return built(_game(head, part.source), rows, int(number), part.title, part.source)


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a game: one item for each level in file order; an error takes the place of a bad level.

    A text without any level gives one error. Errors refer to the text as `source`. Raises nothing.
    """
    return build_all(cut(text, source), build)


def _lined(level: WrittenLevel) -> str:
    """Return the rows of a level, each in its line and its column of the file, from the first line on."""
    lines = {line: " " * (column - 1) + row for line, column, row in level.rows}
    return "\n".join(lines.get(line, _NO_ROW) for line in range(level.rows[0][0], level.rows[-1][0] + 1))


def _own(lines: Sequence[str], end: int, level: WrittenLevel) -> Own:
    """The rows of a level, and the messages and comments between the line `end` and them."""
    first, last = end, level.rows[-1][0]
    while not lines[first].strip().strip("="):
        first += 1
    return Own(first + 1, "\n".join(lines[first:last]))


def _check(written: Source, source: str) -> None:
    """Raise LevelError for the errors that show without concrete rules, and for a game without levels."""
    written_rules(written.rules, written.declared, written.faults, written.cut_rules)
    if not written.levels:
        written.faults.error(0, 0, "found no level, expected at least one")
    written.faults.check(source)


def _game(head: str, source: str) -> Game:
    """Return the game of a text up to the header of the levels. Raises LevelError."""
    game = _compiled(head)
    if isinstance(game, Game):
        return game
    first, *others = (
        LevelError(each.message, source=source, line=each.line, column=each.column)
        for each in (game, *game.others)
    )
    first.others, first.more = tuple(others), game.more
    raise first


@lru_cache(maxsize=_GAMES)
def _compiled(head: str) -> Game | LevelError:
    try:
        return compiled(read(head), head, "")
    except LevelError as error:
        return error.with_traceback(None)
