"""Which levels were solved before, and at what least cost: kept in a file between games.

Levels are known by a digest of their text, so that a file may be renamed. A file that cannot be read or written
is no error: what is solved is then known until the game ends. One that has other contents is left as it is.
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

Costs = Mapping[str, int]  # by metric, the puzzle's own first


def usual_place() -> Path | None:
    """The file, in the folder that XDG_STATE_HOME names, else in ~/.local/state; None without a home folder."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base, "puzzlemc", "played.json") if os.path.isabs(base) else None


class Progress:
    """The least costs of the levels that were solved, by the digests of the levels."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._best: dict[str, Costs] = (None if path is None else _read(path)) or {}

    def best(self, digest: str) -> Costs | None:
        """The least costs of a level, None where it was not solved."""
        return self._best.get(digest)

    def solved(self, digest: str, costs: Costs) -> None:
        """Keep that a level was solved at these costs."""
        if _least(self._best.get(digest), costs) is self._best.get(digest):
            return
        self._best[digest] = dict(costs)
        if self._path is None:
            return
        there = _read(self._path)  # another game may have written it since
        if there is None:
            return
        for known, other in there.items():
            self._best[known] = _least(self._best.get(known), other)
        told = {"format": FORMAT, "version": VERSION, "levels": self._best}
        with suppress(OSError, OutputError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(self._path, json.dumps(told, indent=0) + "\n")


def _least(one: Costs | None, other: Costs) -> Costs:
    """The lesser costs: by the first metric, then by the others; the first ones where they are equal."""
    return one if one is not None and tuple(one.values()) <= tuple(other.values()) else other


def _read(path: Path) -> dict[str, Costs] | None:
    """What a file holds, nothing where there is no file; None where it holds something else, or cannot be read."""
    try:
        if not path.exists():
            return {}
        told = json.loads(read_text(path, MOST_BYTES, "what was played"))
    except (OSError, ValueError, RecursionError, LevelError):
        return None
    if not isinstance(told, dict) or (told.get("format"), told.get("version")) != (FORMAT, VERSION):
        return None
    levels = told.get("levels")
    if not isinstance(levels, dict) or not all(map(_are_costs, levels.values())):
        return None
    return levels


def _are_costs(costs: object) -> bool:
    return isinstance(costs, dict) and all(type(cost) is int and cost >= 0 for cost in costs.values())
