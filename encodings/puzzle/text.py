"""The capability to read and write moves, games and levels in formats of a puzzle."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, NamedTuple

from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.base.comments import written
from puzzlemc.screens.base.entry import Screen
from puzzlemc.screens.base.part import About, Part

NAMES = ("title", "author")  # fields of a level that do not change its solutions
MAX_MOVES = 1_000_000
END = ";"  # of the name of a move


class Move(NamedTuple):
    """The name of a move, with its line and column, from 1."""

    name: str
    line: int
    column: int


def words(text: str, source: str, line: int = 1) -> list[Move]:
    """Moves that blanks or newlines separate, in a text that begins in that line of its source.

    In a text with a semicolon, semicolons and newlines separate them: names may have blanks then.
    """
    found = []
    between = re.compile(rf"[^{END}]+" if END in text else r"\S+")
    for number, row in enumerate(text.split("\n"), line):
        for part in between.finditer(row):
            if name := part[0].strip():
                found.append(Move(name, number, part.start() + part[0].index(name) + 1))
    return found


def ended(moves: Sequence[str]) -> Sequence[str]:
    """Moves as `words` reads them: names end in a semicolon, if one has blanks."""
    spaced = any(any(sign.isspace() for sign in move) for move in moves)
    return [f"{move}{END}" for move in moves] if spaced else moves


def joined(moves: str | Sequence[str]) -> str:
    """A trace as one text, which `words` reads: names with blanks end in a semicolon."""
    return moves if isinstance(moves, str) else " ".join(ended(moves))


def whole(text: str, source: str, line: int = 1) -> list[Move]:
    """The text as a single move; no move if it is blank."""
    return [Move(text.strip(), line, 1)] if text.strip() else []


@dataclass(frozen=True)
class Format:
    """A file format for levels.

    write  makes the text of a file from the data about the whole collection, and each level with its text
    many   True if a file may hold more than one level
    """

    write: Callable[[About, Sequence[tuple[Any, Part]]], str]
    many: bool = True


@dataclass(frozen=True)
class GameRecord:
    """How a game, finished or not, is saved as text.

    write  makes the text of a level and the moves that were played
    read   reads level and moves from a text with a source name. Raises LevelError
    split  separates a level that starts with recorded moves into the level without them, and the moves
    """

    write: Callable[[Any, Sequence[str]], str]
    read: Callable[[str, str], tuple[Any, list[str]]]
    split: Callable[[Any], tuple[Any, list[str]]] = lambda level: (level, [])


@dataclass(frozen=True)
class Text:
    """How moves, games and levels are written as text.

    write_moves  a trace as one text, or as a list with an item for each move
    read_moves   the moves in a text that starts in a line of a source. Raises LevelError
    play         what each input of a recorded play does, None for one that is illegal; for puzzles in which a
                 player can do more than the steps of the plain rules, such as undo. None: each input is a step
    refusal      why a move is illegal in a position of a level. None: a generic message is enough
    closing      the step that closes a level from a position, or leads on to its end, without a choice; plans by
                 other programs are without these steps. None: there are no such steps
    spellings    other names that a move may have in a solution which is right but for them
    game_record  the format of saved games. None: JSON, as for all puzzles
    formats      suffix of a file -> format of levels. Empty: the text that the screen draws
    exports      name of a format for another tool, which only this puzzle has -> function from a level to its
                 files: suffix -> text
    content      a text that is equal for two levels only if they have the same positions, moves and solutions.
                 None: the text that the screen draws, without names
    sliced_content
                 likewise, and equal for more levels: without what can never occur in a level, such as rules that
                 can never apply. None: nothing is known of that
    warnings     what is odd in the text of a level, but does not keep it from being read: line (0: the first one),
                 column (0: the whole line) and words of each
    lint         what the text of a game holds in vain, given all its levels, each with its text: line, column and
                 words as for `warnings`. None: the puzzle has no such warnings
    """

    write_moves: Callable[[Sequence[str]], str | list[str]] = list
    read_moves: Callable[[str, str, int], list[Move]] = words
    play: Callable[[Any, Sequence[str]], Iterator[Step | None]] | None = None
    refusal: Callable[[Any, Any, str], str] | None = None
    closing: Callable[[Any, Any], Step | None] | None = None
    spellings: Callable[[str], Sequence[str]] = lambda name: ()
    game_record: GameRecord | None = None
    formats: Mapping[str, Format] = field(default_factory=dict)
    exports: Mapping[str, Callable[[Any], Mapping[str, str]]] = field(default_factory=dict)
    content: Callable[[Any], str] | None = None
    sliced_content: Callable[[Any], str] | None = None
    warnings: Callable[[Any], Sequence[tuple[int, int, str]]] = lambda level: ()
    lint: Callable[[Sequence[tuple[Part, Any]]], Sequence[tuple[int, int, str]]] | None = None


def drawn(screen: Screen, *, comments: str = "") -> Format:
    """The format of levels as a screen draws them, with their titles, separated by blank lines.

    `comments` is the sign with which lines of comment begin; without one, there are none.
    """

    def write(about: About, levels: Sequence[tuple[Any, Part]]) -> str:
        if not comments:
            return "\n".join(f"{screen.draw(level)}\n" for level, _ in levels)
        return written(about.comment, [(screen.draw(level), part.comment) for level, part in levels], comments)

    return Format(write)


def nameless(level: Any) -> Any:
    """The level without title and author."""
    if not is_dataclass(level) or isinstance(level, type):
        return level
    known = {field.name for field in fields(level)}
    return replace(level, **{name: "" for name in NAMES if name in known})
