"""Levels: read from files or from text, drawn, and encoded as models."""

import os
from collections.abc import Iterable
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, TypeAlias

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.encodings.puzzles import load as load_entries
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.api.arguments import public, require
from puzzlemc.reports.api.positions import Position, image
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import Unfiled

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import Puzzle
    from puzzlemc.mc.model.model import Model

Path: TypeAlias = str | os.PathLike[str]
TEXT = Unfiled("text")


class Level:
    """A level of a puzzle. The levels that `load` finds in files are parsed when they are first needed."""

    @public()
    def __init__(self, text: str, puzzle: str) -> None:
        """Take the first level of a text. `puzzle` is a name, or a Python file that defines a puzzle.

        Raises LevelError for a text without a valid level, ModelError for an unknown puzzle.
        """
        rules = puzzle_of(puzzle)
        part = next(iter(rules.screen.cut(text, TEXT)), None)
        if part is None:
            raise LevelError(f"found no level, expected one of {rules.name}", source=TEXT)
        if isinstance(part, LevelError):
            raise part
        self._entry = Entry("text#1", part.title, rules, part=part)
        _ = self._built

    @classmethod
    def _of(cls, entry: Entry) -> "Level":
        level = cls.__new__(cls)
        level._entry = entry
        return level

    @property
    def id(self) -> str:
        """The file as given, and the number of the level in it: `levels.xsb#2`."""
        return self._entry.id

    @property
    def title(self) -> str:
        """The title; empty if there is none."""
        return self._entry.title

    @property
    def puzzle(self) -> "Puzzle":
        """The puzzle that the level belongs to."""
        return self._entry.puzzle

    @property
    def text(self) -> str:
        """The text of the level in its file."""
        return self._entry.text or ""

    def model(self, encoding: str | None = None) -> "Model":
        """The level as a model: boolean variables, an initial condition, actions, a goal.

        encoding  None: the first one of the puzzle

        Raises ModelError for an unknown encoding, for a game of two sides, and for rules alone.
        """
        self.puzzle.need_model("model()")
        known = self.puzzle.encodings
        name = next(iter(known)) if encoding is None else encoding
        if name not in known:
            expected = ", ".join(known) + nearest(name, known)
            raise ModelError(f"unknown encoding {name!r} of {self.puzzle.name}, expected one of {expected}")
        return known[name](self._built).model

    @property
    def start(self) -> Position:
        """The first position."""
        return Position(self._entry, self.puzzle.rules.start(self._built))

    @property
    def neighbours(self) -> dict[str, Position]:
        """The positions after each move that can be made at the start, by its name."""
        return self.start.neighbours

    @property
    def _built(self) -> Any:
        if self._entry.error is not None:
            raise self._entry.error
        return self._entry.level

    def __str__(self) -> str:
        return self.puzzle.screen.draw(self._built)

    def __repr__(self) -> str:
        return f"<level {self.id}{f' {self.title!r}' if self.title else ''} of {self.puzzle.name}>"

    def _repr_html_(self) -> str:
        return image([self.start._picture], self.title or self.id)


LevelLike: TypeAlias = Level | Path


@public()
def load(paths: Path | Iterable[Path] | None = None, puzzle: str | None = None) -> list[Level]:
    """Find all levels of files and folders, in order. `levels.xsb#2` names one level of a file.

    None: these are the levels inside the Python file of the puzzle.

    puzzle  None: the suffix and the content of a file determine its puzzle

    Raises LevelError for a file that is missing or has no level, ModelError for neither a path nor a Python file.
    """
    if paths is None:
        if puzzle is None or not puzzle.endswith(".py"):
            raise ModelError("found no paths, expected files or folders, or puzzle='FILE.py' with levels inside")
        paths = puzzle
    named = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    for path in named:
        require("paths", path, Path)
        if isinstance(path, str) and (path.startswith("#") or "\n" in path):
            raise ModelError(
                f"found {shortened(path)}, the text of a level, expected a path, or Level(text, puzzle)"
            )
    entries = load_entries([os.fspath(path) for path in named], puzzle)
    for entry in entries:
        if entry.part is None and entry.error is not None:
            raise entry.error
    return [Level._of(entry) for entry in entries]


def one(level: LevelLike, puzzle: str | None) -> Level:
    """The level itself, or the only one that a path names. Raises LevelError and ModelError."""
    if isinstance(level, Level):
        return level
    found = load(level, puzzle)
    if len(found) != 1:
        such = f", such as {found[0].id}" if found else ""
        raise LevelError(f"found {len(found)} levels, expected one{such}", source=os.fspath(level))
    return found[0]


def entry_of(level: Level) -> Entry:
    """The level as the rest of the program handles it."""
    return level._entry
