"""Ctrl-C that is not lost, and an end by SIGTERM that leaves no worker behind.

Python drops an exception that rises in a finalizer, a KeyboardInterrupt too. So each is raised again after a
moment, until somebody says that it was taken.
"""

import signal
import sys
from types import FrameType

AGAIN_SECONDS = 0.5

_pending = False


def catch_interrupts() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt until `interrupt_taken`. For the main thread."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGALRM, _interrupt)
    signal.signal(signal.SIGTERM, _terminate)


def interrupt_taken() -> None:
    """Raise no more for the last Ctrl-C: whoever calls this ends the work. Without a Ctrl-C it does nothing."""
    global _pending
    if _pending:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _pending = False


def _terminate(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _pending
    _pending = True
    signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
    raise KeyboardInterrupt
