"""Where a level or a fault stands: a file relative to the working directory, line and column.

Servers look for files below the folder that they have checked out, in which a build runs.
"""

import os
import re
from contextlib import suppress
from typing import NamedTuple

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.screens.base.signatures import GZIP_SUFFIX
from puzzlemc.screens.base.source import is_standard_input


class Place(NamedTuple):
    """A place of a file.

    path    relative to the working directory, with slashes; absolute outside of it; empty for standard input
    line    from 1; None for the whole file, and inside of packed files, whose lines no server shows
    column  from 1
    """

    path: str = ""
    line: int | None = None
    column: int | None = None


class Extent(NamedTuple):
    """The lines of a level in its file, as the reader of levels names it; `first` and `last` count from 1.

    faults  from this line on, a fault of the level may stand: before `first` in what all levels share
    """

    source: str
    first: int
    last: int
    column: int
    faults: int

    @property
    def place(self) -> Place:
        """Where the level begins."""
        return placed(self.source, self.first, self.column)


def extent_of(entry: Entry) -> Extent | None:
    """The lines of a level; None for an entry that holds an error in its place."""
    part = entry.part
    if part is None:
        return None
    if part.own is None:
        return Extent(part.source, part.line, part.line + part.text.count("\n"), part.column, part.line)
    last = max(part.line, part.own.first + part.own.text.count("\n"))
    return Extent(part.source, part.line, last, part.column, 1)


def placed(source: str, line: int | None = None, column: int | None = None) -> Place:
    """The place of a line in a file as the reader of levels names it."""
    if is_standard_input(source):
        return Place("", line, column)
    path = _file(source)
    if path != source or path.lower().endswith(GZIP_SUFFIX):
        return Place(_relative(path))
    return Place(_relative(path), line, column)


def member(source: str) -> str:
    """The path within an archive; empty if the level is in a file of its own."""
    path = _file(source)
    return "" if path == source else os.path.relpath(source, path)


def fault(message: str, source: str, extent: Extent | None, *, kept: bool = False) -> tuple[Place, str]:
    """The place of a fault and what is wrong, of a message that may begin with file, line and column.

    source  the file of the level
    extent  the lines of the level, if it has some
    kept    the message is an earlier one. If its line is none of the level, the level stood elsewhere then: the
            place is that of the level
    """
    level = placed(source) if extent is None else extent.place
    shown = source.replace("\n", "\\n")  # as errors write it
    if message.startswith(f"{shown}:"):
        name, found = source, _PLACE.fullmatch(message[len(shown) :])
    elif found := _PLACED.fullmatch(message):
        name = found["name"]
    if found is None:
        return level, message
    line, column = (int(found[each]) if found[each] else None for each in ("line", "column"))
    if not kept:
        return (level if name == source and line is None else placed(name, line, column)), found["words"]
    if os.path.basename(name) != os.path.basename(source):
        return level, message
    is_inside = extent is not None and line is not None and extent.faults <= line <= extent.last
    return (placed(source, line, column) if is_inside else level), found["words"]


_PLACE = re.compile(r"(?::(?P<line>\d+))?(?::(?P<column>\d+))?: (?P<words>.*)", re.DOTALL)
_PLACED = re.compile(r"(?P<name>[^\n]*?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<words>.*)", re.DOTALL)


def _file(source: str) -> str:
    """The file itself: of a level in an archive, the archive."""
    path, before = source, ""
    while path != before and not os.path.lexists(path):  # above a drive of Windows is itself
        path, before = os.path.dirname(path.rstrip("/")), path
    return path if path and os.path.isfile(path) else source


def _relative(path: str) -> str:
    """The path relative to the working directory, if it leads into it; with slashes, in UTF-8 in any locale."""
    found = path
    with suppress(OSError, ValueError):  # the working directory is gone, or there is a NUL in the name
        here, found = os.getcwd(), os.path.abspath(path)
        for resolve in (os.path.abspath, os.path.realpath):
            if (whole := resolve(path)).startswith(os.path.join(resolve(here), "")):
                found = os.path.relpath(whole, resolve(here))
                break
    return os.fsencode(found).decode("utf-8", "surrogateescape").replace(os.sep, "/")
