"""Solutions of earlier runs: a file with solutions, or a folder with a trace for each level."""

from collections.abc import Sequence
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.certify.file_names import file_names
from puzzlemc.reports.solve.known import Known
from puzzlemc.screens.base.source import text_of

SUFFIXES = (".lurd", ".moves", ".json", ".plan")  # of traces that can be read again


def known_of(entries: Sequence[Entry], path: Path) -> dict[str, Known]:
    """The known solutions in a file, or in a folder with a trace for each level, by the id of the level.

    Raises LevelError for a file that cannot be read, ModelError if the folder has no trace of any of the levels.
    """
    several = len(entries) > 1
    if not path.is_dir():
        text = text_of(str(path))
        return {entry.id: Known(text, str(path), not several) for entry in entries}
    found: dict[str, Known] = {}
    for suffix in SUFFIXES:
        for entry, name in zip(entries, file_names(entries, suffix), strict=True):
            if entry.id not in found and (path / name).is_file():
                found[entry.id] = Known(text_of(str(path / name)), str(path / name))
    if not found:
        names = ", ".join(file_names(entries[:1], suffix)[0] for suffix in SUFFIXES)
        raise ModelError(f"{path}: found no trace of these levels, expected files with names such as {names}")
    return found
