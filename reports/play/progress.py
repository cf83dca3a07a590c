"""The levels that were solved before, with their least costs, in a file.

A level is identified by a digest of its text, so that its file may be renamed. If the file of the progress cannot
be read or written, the progress lasts until the program ends. A file with other contents is not overwritten.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from puzzlemc.reports.output.files import OutputError, write
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_text

FORMAT = "puzzlemc-played"
VERSION = 1
MOST_BYTES = 1 << 25

Costs = Mapping[str, int]  # by metric; the first is that of the puzzle


def usual_place() -> Path | None:
    """The file in the folder XDG_STATE_HOME, or in ~/.local/state; None without a home folder."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base, "puzzlemc", "played.json") if os.path.isabs(base) else None


class Progress:
    """The least costs of the levels that were solved, by their digests."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._best: dict[str, Costs] = (None if path is None else _read(path)) or {}

    def best(self, digest: str) -> Costs | None:
        """The least costs of a level; None if it was not solved."""
        return self._best.get(digest)

    def solved(self, digest: str, costs: Costs) -> None:
        """Record a solution with these costs."""
        if _least(self._best.get(digest), costs) is self._best.get(digest):
            return
        self._best[digest] = dict(costs)
        if self._path is None:
            return
        there = _read(self._path)  # another game may have changed it
        if there is None:
            return
        for known, other in there.items():
            self._best[known] = _least(self._best.get(known), other)
        content = {"format": FORMAT, "version": VERSION, "levels": self._best}
        with suppress(OSError, OutputError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(self._path, json.dumps(content, indent=0) + "\n")


def _least(one: Costs | None, other: Costs) -> Costs:
    """The lexicographic minimum of two costs; `one` if they are equal."""
    return one if one is not None and tuple(one.values()) <= tuple(other.values()) else other


def _read(path: Path) -> dict[str, Costs] | None:
    """The content of a file, empty without a file; None if it has other content, or cannot be read."""
    try:
        if not path.exists():
            return {}
        content = json.loads(read_text(path, MOST_BYTES, "the progress of games"))
    except (OSError, ValueError, RecursionError, LevelError):
        return None
    if not isinstance(content, dict) or (content.get("format"), content.get("version")) != (FORMAT, VERSION):
        return None
    levels = content.get("levels")
    if not isinstance(levels, dict) or not all(map(_are_costs, levels.values())):
        return None
    return levels


def _are_costs(costs: object) -> bool:
    return isinstance(costs, dict) and all(type(cost) is int and cost >= 0 for cost in costs.values())
