"""Levels by the names that people type: files, folders, `FILE#N`, and `-` for standard input.

Nothing here stops at a bad level or file: each becomes an entry with its error, and the others are still read.
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

# A new puzzle is one line here: its module is imported when first needed.
PUZZLES: dict[str, str] = {
    "sokoban": "puzzlemc.screens.sokoban",
}

MAX_BYTES = 1 << 26  # of one file: some devices never end


@dataclass(frozen=True, slots=True)
class Entry:
    """One level that was asked for, or the error in its place.

    `id` is `<path as given>#N`, which `load` takes as an argument again; an error that is about no single level has
    the argument or the file as its id. `puzzle` is empty where it is not known. `level` is a Level of the puzzle's
    module, and None where there is an error.
    """

    id: str
    title: str
    puzzle: str
    level: Any | None
    error: LevelError | None


def load(arguments: Sequence[str], puzzle: str | None = None) -> list[Entry]:
    """Read every level that the arguments name, in their order. Whatever is wrong with them becomes an entry.

    An argument is a file, `-` for standard input, either of them with `#N` for its N-th level (from 1), or a folder:
    its files with a suffix that some puzzle knows, by name, then its folders likewise; names that start with a dot
    are left out. A file whose own name ends in `#N` is that file. The puzzle is told by the suffix, else by the
    content; `puzzle` overrides both.
    """

    @functools.cache  # standard input cannot be read twice, and FILE#1 FILE#2 … should not parse FILE again
    def collection(path: str) -> _Collection:
        return _collection(path, puzzle)

    return [entry for argument in arguments for entry in _entries(argument, puzzle, collection)]


def _entries(argument: str, puzzle: str | None, collection: Callable[[str], "_Collection"]) -> Iterator[Entry]:
    """Yield the entries of one argument."""
    try:
        screens = _screens(puzzle, argument)
        path, number = _split(argument)
        if os.path.isdir(path):
            if number is not None:
                raise LevelError(f"found a folder, expected a file before #{number}", source=argument)
            yield from _folder(path, tuple(suffix for screen in screens.values() for suffix in screen.SUFFIXES), collection)
        else:
            yield from _file(path, number, collection)
    except LevelError as error:
        yield Entry(argument, "", puzzle or "", None, error)
