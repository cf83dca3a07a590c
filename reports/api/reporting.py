"""`report`: a page about all states of a level."""

import os
from collections.abc import Callable
from pathlib import Path as File
from threading import Event

from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.api.arguments import public
from puzzlemc.reports.api.asking import watch
from puzzlemc.reports.api.levels import LevelLike, Path, entry_of, one
from puzzlemc.reports.page.report import solved
from puzzlemc.reports.page.written import DRAWING, FORMATS, write
from puzzlemc.reports.solve.options import LUCKY, Options, choices
from puzzlemc.reports.workers.worker import Worker


@public()
def report(
    level: LevelLike,
    output: Path,
    *,
    puzzle: str | None = None,
    metric: str | None = None,
    chance: str = LUCKY,
    timeout: float = 60.0,
    memory: float = 4.0,
    progress: Callable[[str], None] | None = None,
    cancel: Event | None = None,
) -> list[str]:
    """Write a report on all states of a level; return the facts that a limit has kept unknown.

    output  the file: .html, .json or .md

    Search, proof and analysis each have the limits. The other parameters are those of `solve`. Raises LevelError,
    ModelError, Refuted, and LimitReached if a limit came before anything could be written.
    """
    path = File(output)
    if path.suffix not in FORMATS:
        raise ModelError(f"found {os.fspath(path)!r}, expected a name that ends with {', '.join(FORMATS)}")
    entry = entry_of(one(level, puzzle))
    if entry.error is not None:
        raise entry.error
    options = Options(metric, timeout=timeout, memory=memory, chance=chance)
    choices(entry.puzzle, options)
    look = watch(cancel)
    heard = progress or (lambda _: None)
    result = solved(entry, options, heard, cancel).light
    look(0.0)
    with Worker(int(memory * GIB), (DRAWING,)) as worker:
        asked = (write, entry, options, result, path)
        seconds = timeout or None
        try:
            missing: list[str] = worker.run(*asked, seconds=seconds, receive=heard, look=look)
        except LimitReached as limit:
            look(0.0)
            missing = worker.run(*asked, limit.reason, seconds=seconds, receive=heard, look=look)
    return missing
