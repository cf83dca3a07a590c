"""Solutions of earlier runs: a file with solutions, or a folder with a trace for each level."""

from collections.abc import Mapping
from pathlib import Path

from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.solve.known import Known
from puzzlemc.screens.base.source import text_of

SUFFIXES = (".lurd", ".moves", ".json", ".plan")  # of traces that can be read again


def known_of(stems: Mapping[str, str], path: Path) -> dict[str, Known]:
    """The known solutions in a file, or in a folder with a trace for each level, by the id of the level.

    `stems` are the names of the levels' traces without suffix, by the id of the level.
    Raises LevelError for a file that cannot be read, ModelError if the folder has no trace of any of the levels.
    """
    if not path.is_dir():
        known = Known(text_of(str(path)), str(path), is_needed=len(stems) == 1)
        return dict.fromkeys(stems, known)
    found: dict[str, Known] = {}
    for id, stem in stems.items():
        trace = next(filter(Path.is_file, (path / (stem + suffix) for suffix in SUFFIXES)), None)
        if trace is not None:
            found[id] = Known(text_of(str(trace)), str(trace))
    if not found:
        names = ", ".join(next(iter(stems.values())) + suffix for suffix in SUFFIXES)
        raise ModelError(f"{path}: found no trace of these levels, expected files with names such as {names}")
    return found
