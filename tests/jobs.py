"""What workers are given to do in tests; they import it by name."""

import os
import signal
import time
from pathlib import Path

import numpy as np

from puzzlemc.mc.errors import FormulaError
from puzzlemc.mc.jit import NotCompiled
from puzzlemc.reports.run.worker import tell

MIB = 1 << 20


def fill(megabytes: int) -> int:
    """Take memory, and use it, without a look at any limit."""
    held = []
    for _ in range(megabytes // 8):
        held.append(np.ones(MIB, np.float64))
        tell(8 * len(held))
    return len(held)


def spin(seconds: float) -> None:
    """Use processor time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def fail() -> None:
    """Crash as a bug would."""
    raise KeyError("no such thing")


def complain() -> None:
    """Raise what a function may raise."""
    raise FormulaError("odd", 3)


def crash(*_: object) -> None:
    """End as a library does that finds its memory broken."""
    os.kill(os.getpid(), signal.SIGABRT)


def need_in_turn(folder: Path, *modules: str) -> int:
    """Need code of one module after another, each led through only once the one before is there."""
    for module in modules:
        done = folder / module
        if not done.exists():
            raise NotCompiled(done.touch, module)
    return len(modules)
