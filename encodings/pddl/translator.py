"""Runs the translator of Fast Downward (Helmert 2009), which grounds a level and finds finite-domain variables.

The translator is a program of its own: it is started with files, and its answer is a file. It is never imported.
It ends with the process that has started it, when its standard input ends, and has the same limit of memory.
"""

import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from puzzlemc.encodings.pddl import written
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.installed import adding
from puzzlemc.mc.system.memory import within_ceiling
from puzzlemc.mc.system.signals import KILL
from puzzlemc.mc.tasks.sas import MOST_BYTES, TextError, read
from puzzlemc.mc.tasks.task import Task
from puzzlemc.screens.base.reading import read_text
from puzzlemc.screens.pddl.level import Level

MODULE = "fast_downward.translate"
MISSING = "found no fast-downward-translate, expected it to ground PDDL: "
# Everything that is reachable stays, so that states and steps are those of the PDDL.
OPTIONS = ("--keep-unimportant-variables", "--keep-no-ops", "--invariant-generation-max-time", "60")
OUT_OF_MEMORY, OUT_OF_TIME, BAD_INPUT = 20, 21, 31  # exit codes
# The translator, in a process that ends with its standard input.
PROGRAM = f"""
import os, runpy, threading

def follow():
    os.read(0, 1)
    os._exit(1)

threading.Thread(target=follow, daemon=True).start()
runpy.run_module({MODULE!r}, run_name="__main__", alter_sys=True)
"""
LOOK_SECONDS = 0.05  # between two looks at its memory
_SHOWN = 400  # characters of a message of the translator


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
    with (folder / "words").open("wb") as words:
        code = _ended(
            subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, *options],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=words,
                stderr=words,
                env=os.environ | {"PYTHONHASHSEED": "0"},  # the order of variables is the same each time
            )
        )
    if code in {OUT_OF_MEMORY, -KILL}:
        raise LimitReached("memory", "memory, of the translator of PDDL")
    if code == OUT_OF_TIME:
        raise LimitReached("timeout", "timeout, of the translator of PDDL")
    if code:
        said = (folder / "words").read_bytes()[-_SHOWN:].decode("utf-8", "replace").split()
        if "MemoryError" in said:
            raise LimitReached("memory", "memory, of the translator of PDDL")
        raise ModelError(f"the translator of PDDL ended with code {code}: {' '.join(said)}")
    try:
        return read(read_text(folder / "task.sas", MOST_BYTES, "the output of the translator"))
    except TextError as error:
        raise ModelError(f"the output of the translator of PDDL: {error}") from None


def _ended(translator: "subprocess.Popen[bytes]") -> int:
    """Wait for the end of the translator, and return its exit code: -KILL if it has taken too much memory."""
    with translator:
        try:
            while (code := _code(translator)) is None:
                if not within_ceiling(translator.pid):
                    return -KILL
            return code
        finally:
            translator.kill()


def _code(translator: "subprocess.Popen[bytes]") -> int | None:
    """The exit code of the translator; None if it works on for LOOK_SECONDS."""
    try:
        return translator.wait(LOOK_SECONDS)
    except subprocess.TimeoutExpired:
        return None
