"""Levels by the names that people type: files, folders, `FILE#N`, and `-` for standard input.

Nothing here stops at a bad level or file: it becomes an entry with its error, and the others are still read.
"""

import codecs
import functools
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, cast

from puzzlemc.screens.errors import LevelError
from puzzlemc.screens.picture import Picture

# A new puzzle is one line here. Its module is imported when first needed.
PUZZLES: dict[str, str] = {
    "sokoban": "puzzlemc.screens.sokoban",
    "tetravex": "puzzlemc.screens.tetravex",
    "folding": "puzzlemc.screens.folding",
}

PLAIN = ".txt"  # a suffix that tells nothing: in a folder, such a file is read where its content tells a puzzle

MAX_BYTES = 1 << 26  # of one file: some devices never end


class Screen(Protocol):
    """What a puzzle's module must offer here."""

    SUFFIXES: tuple[str, ...]  # of its files, in lower case

    def looks_like(self, text: str) -> bool:
        """Tell whether a text is about this puzzle."""

    def parse(self, text: str, source: str) -> Sequence[Any]:
        """Read a text: an item a level, with a `title`, or a LevelError in its place."""

    def draw(self, level: Any, position: Any = None, /) -> str:
        """Write a level, so that `parse` gives the same puzzle again; or show it in another position."""

    def picture(self, level: Any, position: Any, /) -> Picture:
        """The same to look at."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One level that was asked for, or the error in its place.

    `id` is `<path as given>#N`, which `load` takes as an argument again; an error that is about no single
    level has the argument or the file as its id. `puzzle` is empty where it is not known. `level` is a Level
    of the puzzle's module, or None where there is an error.
    """

    id: str
    title: str
    puzzle: str
    level: Any | None
    error: LevelError | None


def load(arguments: Sequence[str], puzzle: str | None = None) -> list[Entry]:
    """Read every level that the arguments name, in their order. Whatever is wrong with them becomes an entry.

    An argument is a file, `-` for standard input, either of them with `#N` for its N-th level (from 1), or a
    folder: its files with a suffix that some puzzle knows, or `.txt` and a content that looks like a puzzle's,
    by name, then the folders in it likewise; names that start with a dot are left out. A file whose own name
    ends in `#N` is that file. The puzzle is told by the suffix, else by the content; `puzzle` overrides both.
    """
    # Once each: standard input cannot be read twice, and FILE#1 FILE#2 … should not parse FILE again.
    read = functools.cache(functools.partial(_read, puzzle=puzzle))
    return [entry for argument in arguments for entry in _entries(argument, puzzle, read)]


class _Collection(NamedTuple):
    """The levels of one file, or errors in their places."""

    puzzle: str
    levels: Sequence[Any]


def _entries(argument: str, puzzle: str | None, read: Callable[[str], _Collection]) -> Iterator[Entry]:
    """Yield the entries of one argument."""
    path, number = _split(argument)
    try:
        if os.path.isdir(path):
            if number is not None:
                raise LevelError(f"found a folder, expected a file before #{number}", source=path)
            for item in _files(path, puzzle):
                if isinstance(item, LevelError):
                    yield _failure(item.source, puzzle, item)
                else:
                    yield from _entries(item, puzzle, read)
            return
        collection = read(path)
        for index in _chosen(number, collection.levels, path):
            level, id = collection.levels[index], f"{path}#{index + 1}"
            if isinstance(level, LevelError):
                yield _failure(id, collection.puzzle, level)
            else:
                yield Entry(id, level.title, collection.puzzle, level, None)
    except LevelError as error:
        yield _failure(argument, puzzle, error)


def screen(puzzle: str) -> Screen:
    """The module of a puzzle. Raises KeyError for a name that is none."""
    return cast(Screen, importlib.import_module(PUZZLES[puzzle]))


def _failure(id: str, puzzle: str | None, error: LevelError) -> Entry:
    known = puzzle if puzzle in PUZZLES else ""
    return Entry(id, "", known or "", None, error.with_traceback(None))


def _split(argument: str) -> tuple[str, int | None]:
    """Split `FILE#N`, unless a file has that very name."""
    match = re.fullmatch(r"(.+)#([0-9]{1,9})", argument, re.DOTALL)
    if match and not os.path.lexists(argument):
        return match[1], int(match[2])
    return argument, None


def _chosen(number: int | None, levels: Sequence[Any], path: str) -> Sequence[int]:
    """Return the indices of the levels that were asked for."""
    if number is None:
        return range(len(levels))
    if 1 <= number <= len(levels):
        return [number - 1]
    if len(levels) == 1 and isinstance(levels[0], LevelError):
        raise levels[0]  # what is wrong with the whole text tells more than how many levels it has
    count = "1 level" if len(levels) == 1 else f"{len(levels)} levels"
    raise LevelError(f"has {count}, expected a number from 1 to {len(levels)}, found #{number}", source=path)


def _files(folder: str, puzzle: str | None) -> Iterator[str | LevelError]:
    """Yield the level files below a folder, and an error for each folder that cannot be read.

    Raises LevelError if there are neither.
    """
    screens = _screens(puzzle, folder).values()
    suffixes = tuple(suffix for screen in screens for suffix in screen.SUFFIXES)

    def is_level(path: str) -> bool:
        if not path.lower().endswith(PLAIN):
            return path.lower().endswith(suffixes)
        try:
            text = _text(path)
        except LevelError:
            return False
        return any(screen.looks_like(text) for screen in screens)

    unreadable: list[OSError] = []
    empty = True
    for place, folders, names in os.walk(folder, onerror=unreadable.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(place, name)
            if not name.startswith(".") and is_level(path):
                empty = False
                yield path
    for error in unreadable:
        yield LevelError(f"cannot be read: {error.strerror}", source=error.filename)
    if empty and not unreadable:
        raise LevelError(f"found no level file in this folder, expected {' '.join(suffixes)}", source=folder)


def _read(path: str, puzzle: str | None) -> _Collection:
    """Read the levels of one file, or of standard input for `-`. Raises LevelError if there is no way to."""
    screens = _screens(puzzle, path)
    text = _text(path)
    if puzzle is None:
        screens = _told(screens, path, text)
    ((name, screen),) = screens.items()
    return _Collection(name, screen.parse(text, path))


def _screens(puzzle: str | None, source: str) -> dict[str, Screen]:
    """Return the module of the puzzle, or of all puzzles. Raises LevelError for a name that is none."""
    if puzzle is not None and puzzle not in PUZZLES:
        message = f"found no puzzle called {puzzle!r}, expected one of: {', '.join(PUZZLES)}"
        raise LevelError(message, source=source)
    names = PUZZLES if puzzle is None else [puzzle]
    return {name: screen(name) for name in names}


def _told(screens: dict[str, Screen], path: str, text: str) -> dict[str, Screen]:
    """Return the one puzzle that the suffix tells, or the content. Raises LevelError if it is not one."""
    suffix = os.path.splitext(path)[1].lower()
    told = {name: screen for name, screen in screens.items() if suffix in screen.SUFFIXES}
    if len(told) != 1:
        told = {name: screen for name, screen in (told or screens).items() if screen.looks_like(text)}
    if len(told) != 1:
        found = " and ".join(told) or "no puzzle"
        message = f"found suffix and content of {found}, expected those of one of: {', '.join(screens)}"
        raise LevelError(message, source=path)
    return told


def _text(path: str) -> str:
    """Read a file, or standard input for `-`, as UTF-8, or as Latin-1 if it is not that."""
    try:
        if path == "-":
            if sys.stdin is None:  # a program can be started without one
                raise ValueError("standard input is closed")
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise LevelError("found no such file, expected a file, a folder or -", source=path) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name, a closed standard input
        reason = getattr(error, "strerror", None) or error
        raise LevelError(f"cannot be read: {reason}", source=path) from None
    if len(data) > MAX_BYTES:
        raise LevelError(f"found more than {MAX_BYTES} bytes, expected a file of levels", source=path)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
