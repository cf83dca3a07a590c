"""Where the program begins: Ctrl-C ends it without a word before there is anything to say.

Loading the rest takes a while. What the command line does about Ctrl-C from then on is said in `run/interrupt.py`.
"""

import os
import signal
from types import FrameType


def main() -> None:
    """Run the command line; ends the process with the exit code."""
    signal.signal(signal.SIGINT, _end)
    from puzzlemc.reports.cli import app

    app.main()


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)  # nothing is written yet
