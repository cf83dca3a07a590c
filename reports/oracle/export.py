"""The oracle of a level as a file: exact within the limits, else what proves positions lost, if that is known."""

from dataclasses import dataclass, replace
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.oracle.exact import exact
from puzzlemc.reports.oracle.file import Oracle
from puzzlemc.reports.oracle.keys import keys_of
from puzzlemc.reports.oracle.lost import lost_only
from puzzlemc.reports.output.files import write
from puzzlemc.reports.positions.explored import explored
from puzzlemc.reports.workers.worker import elapsed, next_stage

MOST_POSITIONS = 1_000_000  # by default
EXACT_SHARE = 0.75  # of the time limit, if something is known of levels that are too large
WRITING = 20.0  # seconds for writing, even after a shorter time limit


@dataclass(frozen=True)
class Written:
    """The written files, and the sentence about the limit that has left something out, "" for none."""

    paths: tuple[Path, ...]
    limit: str = ""


def write_oracle(
    entry: Entry, metric: str, path: Path, states: int | None, seconds: float | None, memory: float
) -> Written:
    """Write the oracle of a level, with `states` positions at most. `memory` in GiB.

    Raises ModelError for a level without such positions, and OutputError.
    """
    left = None if seconds is None else max(0.0, seconds - elapsed())
    next_stage((left or 0.0) + WRITING)
    budget = Budget(Limits(left, int(memory * GIB)))
    found, limit = _found(entry, metric, states or MOST_POSITIONS, budget)
    words = {
        "": "",
        "bound": f"it has more than {states or MOST_POSITIONS} positions (--states)",
        "timeout": f"its positions take more than {seconds or 0:g} s (--timeout)",
        "memory": f"its positions take more than {memory:g} GiB (--memory)",
    }[limit]
    if found is None:
        return Written((), words)
    write(path, found.written())
    return Written((path,), words)


def _found(entry: Entry, metric: str, states: int, budget: Budget) -> tuple[Oracle | None, str]:
    """The oracle within the limits, None for none, and the reason for which it is not exact, or ""."""
    keys = keys_of(entry.puzzle)
    share = 1.0 if keys.placed is None or budget.left is None else EXACT_SHARE
    first = budget.part(replace(budget.limits, seconds=None if budget.left is None else share * budget.left))
    try:
        return exact(explored(entry, metric, first, states), keys), ""
    except LIMITS as limit:
        reason = reason_of(limit)
    try:
        return lost_only(entry.puzzle, entry.level, metric, keys, budget), reason
    except (Unsuitable, *LIMITS):
        return None, reason
