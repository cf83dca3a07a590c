"""Runs the translator of Fast Downward (Helmert 2009), which grounds a level and finds finite-domain variables.

The translator is a program of its own: it is started with files, and its answer is a file. It is never imported.
It ends with the process that has started it, and has the same limit of address space.
"""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from puzzlemc.encodings.pddl import written
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.installed import adding
from puzzlemc.mc.tasks.sas import MOST_BYTES, TextError, read
from puzzlemc.mc.tasks.task import Task
from puzzlemc.screens.base.reading import read_text
from puzzlemc.screens.pddl.level import Level

MODULE = "fast_downward.translate"
MISSING = "found no fast-downward-translate, expected it to ground PDDL: "
# Everything that is reachable stays, so that states and steps are those of the PDDL.
OPTIONS = ("--keep-unimportant-variables", "--keep-no-ops", "--invariant-generation-max-time", "60")
OUT_OF_MEMORY, OUT_OF_TIME, BAD_INPUT = 20, 21, 31  # exit codes
END_WITH_PARENT = 1  # of prctl
_SHOWN = 400  # characters of a message of the translator

_libc = ctypes.CDLL(None)


@lru_cache(maxsize=2)
def translated(level: Level) -> Task:
    """The task of a level, with the fact and the actions of our own. Raises ModelError, LimitReached."""
    if not is_installed():
        raise ModelError(f"{MISSING}{adding('pddl')}")
    with tempfile.TemporaryDirectory(prefix="puzzlemc-") as folder:
        return _run(level, Path(folder))


def is_installed() -> bool:
    """Is there a translator? Nothing of it is imported, but for the name of the folder that it is in."""
    try:
        return find_spec(MODULE) is not None
    except ModuleNotFoundError:
        return False


def _run(level: Level, folder: Path) -> Task:
    (folder / "domain.pddl").write_text(written.domain(level), encoding="utf-8")
    (folder / "problem.pddl").write_text(written.problem(level), encoding="utf-8")
    options = (*OPTIONS, "--sas-file", "task.sas", "domain.pddl", "problem.pddl")
    command = [sys.executable, "-P", "-m", MODULE, *options]
    with (folder / "words").open("wb") as words:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=words,
            env=os.environ | {"PYTHONHASHSEED": "0"},  # the order of variables is the same each time
            preexec_fn=_end_with_parent,
            check=False,
        )
    if done.returncode == OUT_OF_MEMORY or done.returncode == -signal.SIGKILL:
        raise LimitReached("memory", "memory, of the translator of PDDL")
    if done.returncode == OUT_OF_TIME:
        raise LimitReached("timeout", "timeout, of the translator of PDDL")
    if done.returncode:
        said = (folder / "words").read_bytes()[-_SHOWN:].decode("utf-8", "replace").split()
        if "MemoryError" in said:
            raise LimitReached("memory", "memory, of the translator of PDDL")
        raise ModelError(f"the translator of PDDL ended with code {done.returncode}: {' '.join(said)}")
    try:
        return read(read_text(folder / "task.sas", MOST_BYTES, "the output of the translator"))
    except TextError as error:
        raise ModelError(f"the output of the translator of PDDL: {error}") from None


def _end_with_parent() -> None:
    _libc.prctl(END_WITH_PARENT, signal.SIGKILL)
