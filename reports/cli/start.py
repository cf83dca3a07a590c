"""The entry point: before the program is loaded, Ctrl-C ends it silently.

Loading takes a while. `reports/workers/interrupt.py` describes Ctrl-C after that.
"""

import atexit
import os
import signal
import sys
from types import FrameType

BAD_USAGE = 2  # the exit code
LEAST_ADDRESSES = 256 << 20  # bytes of address space that the libraries need; with fewer, they fail in many ways


def main() -> None:
    """Run the command line; end the process with the exit code."""
    signal.signal(signal.SIGINT, _end)
    # Called last. Python restores the default at its end: Ctrl-C would then kill a program that has answered.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    from puzzlemc.mc.system.memory import address_space

    addresses = address_space()
    if addresses is not None and addresses < LEAST_ADDRESSES:
        found = f"found {addresses >> 20} MiB, expected at least {LEAST_ADDRESSES >> 20} MiB"
        print(f"error: the limit of address space (ulimit -v): {found}", file=sys.stderr)
        sys.exit(BAD_USAGE)
    # No process that the program starts may take a file of the current folder, where levels are, for a module.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Matrices are small here: threads of numpy's library that wait for work only take processor time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from puzzlemc.reports.cli import app

    app.main()


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)  # nothing is written yet
