"""`verify`: check certificates without any engine."""

import os
from pathlib import Path as File
from threading import Event

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import GIB, Limits
from puzzlemc.reports.api.arguments import public
from puzzlemc.reports.api.asking import watch
from puzzlemc.reports.api.levels import Path
from puzzlemc.reports.certify.verify import Verification
from puzzlemc.reports.formats.checked import checked
from puzzlemc.reports.workers.worker import Worker, WorkerDied
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.nearest_file import nearest_file


@public()
def verify(
    certificate: Path,
    *,
    level: str | None = None,
    puzzle: str | None = None,
    timeout: float = 0.0,
    memory: float = 4.0,
    cancel: Event | None = None,
) -> Verification:
    """Check a certificate: `status` is `valid`, `refuted`, `unreadable`, `unchecked` after a limit, or `crashed`.

    level   the path of the levels, one of which the certificate must be about; None: any level
    puzzle  None: the one that the certificate names
    cancel  an event; setting it, from any thread, ends the check: it is `unchecked`

    Raises LevelError if a file is missing or the levels are bad, ModelError for an unknown puzzle.
    """
    path = File(certificate)
    if path.is_dir():
        raise LevelError("found a folder, expected a certificate, which is a file", source=os.fspath(path))
    if not path.is_file():
        near = nearest_file(path)
        raise LevelError(f"found no such file, expected a certificate{near}", source=os.fspath(path))
    limits = Limits(timeout or None, int(memory * GIB))
    with Worker(limits.memory, ("puzzlemc.reports.formats.checked",)) as worker:
        names = ([] if level is None else [level], None)
        try:
            asked = (checked, path, names, puzzle, None, None, path.stem, limits)
            done: Verification = worker.run(*asked, seconds=limits.seconds, look=watch(cancel))
        except LimitReached as limit:
            done = Verification(str(path), "unchecked", reason=f"{path}: not checked: {limit.reason}")
        except WorkerDied as death:
            done = Verification(str(path), "crashed", reason=f"{path}: {death}")
    return done
