"""`measure`: how hard a level is, in numbers."""

from collections.abc import Iterable
from typing import Unpack

from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.reports.api.arguments import CallOptions, limits_of, public
from puzzlemc.reports.api.asking import watch
from puzzlemc.reports.api.levels import LevelLike, entry_of, one
from puzzlemc.reports.measures.measure import measured_within
from puzzlemc.reports.measures.names import NAMES
from puzzlemc.reports.workers.worker import Worker


@public()
def measure(
    level: LevelLike,
    *,
    names: Iterable[str] = (),
    **given: Unpack[CallOptions],
) -> dict[str, int | float]:
    """Measure how hard a level is: numbers by the names of measures, which `docs/measures.md` defines.

    names  of the measures that are wanted, such as `box_changes`; none: all that the puzzle has

    A number that the limits do not allow is absent. The other parameters are those of `solve`. Raises LevelError
    for a bad level, and ModelError for an unknown name.
    """
    if isinstance(names, str):
        raise ModelError(f"names: found {names!r}, expected several of them, such as ['{names}']")
    wanted = tuple(names)
    for name in wanted:
        if name not in NAMES:
            raise ModelError(f"names: found {name!r}, expected some of {', '.join(NAMES)}")
    limits = limits_of(given)
    chosen = one(level, given.get("puzzle"))
    with Worker(limits.memory, ("puzzlemc.reports.measures.measure",)) as worker:
        try:
            asked = (measured_within, entry_of(chosen), limits, wanted)
            found = worker.run(*asked, seconds=limits.seconds, look=watch(given.get("cancel")))
        except LimitReached as limit:
            if limit.reason == "cancelled":
                raise
            found = {}
    return {name: value for name, value in found.items() if value is not None}
