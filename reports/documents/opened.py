"""Files that were opened in the browser, as documents, and what is different in two documents."""

from difflib import unified_diff
from pathlib import PurePath
from typing import Any

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.reports.documents.edits import MOST_CHARACTERS, answer, read
from puzzlemc.reports.documents.files import content
from puzzlemc.reports.documents.levels import puzzle_of
from puzzlemc.screens.base.errors import LevelError

MOST_DIFFERENT = 400  # lines


def brought(data: bytes, name: str) -> dict[str, Any]:
    """The document in the bytes of a file. Its suffix names the puzzle, otherwise the text does.

    Raises LevelError.
    """
    found = content(data, name)
    if len(found.text) > MOST_CHARACTERS:
        message = f"found {len(found.text)} characters, expected at most {MOST_CHARACTERS}"
        raise LevelError(message, source=name)
    suffix = PurePath(name).suffix.lower()
    by_suffix = [each for each in puzzles() if suffix and suffix in puzzles().suffixes(each)]
    puzzle = by_suffix[0] if len(by_suffix) == 1 else puzzle_of(found.text)
    if puzzle is None:
        raise LevelError("found no level of a puzzle that is known here", source=name)
    return answer(read(puzzle, found.text)) | {"puzzle": puzzle, "form": found.form, "was": found.was}


def difference(one: str, other: str) -> list[str]:
    """The lines that are different, with those around them, as `diff` writes them."""
    lines = list(unified_diff(one.split("\n"), other.split("\n"), lineterm="", n=2))[2:]
    left = len(lines) - MOST_DIFFERENT
    return lines if left <= 0 else [*lines[:MOST_DIFFERENT], f"@@ {left} more lines @@"]
