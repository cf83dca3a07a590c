"""In a worker: the level of a call, from its text or its file.

Reading stays below the folders that are allowed.
"""

import os
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzles import Entry, add, files, load, puzzles
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.documents.levels import puzzle_of as recognized
from puzzlemc.reports.mcp.folders import Folders
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import Unfiled, only_below

TEXT = Unfiled("text")  # the name of a text without a file, in messages
MOST_FILES = 500  # that are listed
MOST_LISTED = 200  # levels of a file that are listed
MOST_SHOWN = 1 << 17  # characters of all their texts


class Place(NamedTuple):
    """Where a level is: a text, or a file that may be read; which of its levels; and its puzzle, if that is said.

    folders  that may be read
    own      the Python files of puzzles that the user has allowed
    """

    text: str | None
    file: str | None
    number: int | None
    puzzle: str | None
    folders: Sequence[str]
    own: Sequence[str]


def known(name: str | None, own: Sequence[str]) -> None:
    """Know the user's own puzzles. Raise ModelError for a name of no puzzle, as that of a Python file."""
    for each in own:
        add(each)
    if name is not None and name not in puzzles():
        raise ModelError(
            f"puzzle: found {name!r}, expected one of {', '.join(puzzles())}{nearest(name, tuple(puzzles()))}"
        )


def found(place: Place) -> Entry:
    """The level, which can be built. Raises LevelError and ModelError."""
    known(place.puzzle, place.own)
    with only_below(place.folders):
        entry = _of_text(place) if place.file is None else _of_file(place)
    if entry.error is not None:
        raise entry.error
    return entry


def _of_text(place: Place) -> Entry:
    """The level of a text."""
    text = (place.text or "").replace("\r\n", "\n")
    name = place.puzzle or recognized(text)
    if name is None:
        raise LevelError(
            f"found no level that is recognised, expected puzzle: one of {', '.join(puzzles())}", source=TEXT
        )
    rules = puzzle_of(name)
    parts = list(islice(rules.screen.cut(text, TEXT), place.number or 2))
    if parts and isinstance(parts[-1], LevelError):
        raise parts[-1]
    if not parts or len(parts) < (place.number or 1):
        raise LevelError(f"found {len(parts)} levels of {name}, expected {place.number or 'one'}", source=TEXT)
    if len(parts) > (place.number or 1):
        raise LevelError("found several levels, expected one, or number: which of them", source=TEXT)
    part = parts[-1]
    assert not isinstance(part, LevelError)
    return Entry(f"{TEXT}#{len(parts)}", part.title, rules, part=part)


def _of_file(place: Place) -> Entry:
    """The level of a file, whose path has no links."""
    assert place.file is not None
    chosen = place.file if place.number is None else f"{place.file}#{place.number}"
    entries = load([chosen], place.puzzle)
    if len(entries) != 1:
        raise LevelError(f"found {len(entries)} levels, expected number: which of them", source=place.file)
    return entries[0]


def listed(folders: Sequence[str], own: Sequence[str]) -> tuple[list[str], bool]:
    """The files of levels below the folders, without links to others; and whether there are more."""
    known(None, own)
    allowed = Folders(tuple(folders))
    with only_below(folders):
        inside = (name for name in files(folders) if allowed.holds(os.path.realpath(name)))
        names = list(islice(inside, MOST_FILES + 1))
    return names[:MOST_FILES], len(names) > MOST_FILES


def levels(place: Place) -> tuple[list[dict[str, Any]], bool]:
    """The levels of a file, each with its text or its fault; and whether there are more."""
    known(place.puzzle, place.own)
    assert place.file is not None
    with only_below(place.folders):
        entries = load([place.file], place.puzzle)
    left, shown = MOST_SHOWN, []
    for number, entry in enumerate(entries[:MOST_LISTED], 1):
        broken = entry.error if entry.part is None else None
        text = entry.text
        left -= len(text or "")
        if left < 0:
            break
        fault = None if broken is None else str(broken)
        one = {"number": number, "title": entry.title, "puzzle": entry.puzzle_name, "text": text, "fault": fault}
        shown.append(one)
    return shown, len(shown) < len(entries)
