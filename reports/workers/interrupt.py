"""Signals that end the program: Ctrl-C, SIGTERM, SIGHUP. Each raises an exception, so that the program cleans up.

Python drops an exception that is raised in a finalizer, even a KeyboardInterrupt, and prints it. So a timer raises
it again every half second, until the program calls `interrupt_taken`, and what is dropped is not printed.
"""

import signal
import sys
from types import FrameType

from puzzlemc.mc.system.signals import HANG_UP, Repeated

AGAIN_SECONDS = 0.5
CTRL_C = 128 + signal.SIGINT  # what shells report for a program ended by Ctrl-C

_pending = False  # a KeyboardInterrupt that may have been dropped
_number: int = signal.SIGINT  # the number of the last signal
_print_dropped = sys.unraisablehook
_repeated: Repeated | None = None


class HungUp(SystemExit):
    """The terminal was closed."""


def catch_interrupts() -> None:
    """Let Ctrl-C and SIGTERM raise KeyboardInterrupt until `interrupt_taken` is called. For the main thread."""
    global _repeated
    _repeated = Repeated(_interrupt)
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    sys.unraisablehook = _drop
    if HANG_UP is not None and signal.getsignal(HANG_UP) != signal.SIG_IGN:  # which `nohup` sets
        signal.signal(HANG_UP, _hang_up)


def interrupt_taken() -> None:
    """Do not raise the last interrupt again: its exception has arrived. Without an interrupt it does nothing."""
    global _pending
    if _pending and _repeated is not None:
        _repeated.stop()
        _pending = False


def exit_code() -> int:
    """The exit code of a program that the last signal has ended, as shells report it."""
    return 128 + _number


def is_interrupt(error: BaseException) -> bool:
    """Is the error a KeyboardInterrupt, or was it raised from one?

    Python 3.11 raises RuntimeError from an exception that comes while a class is made, as during an import.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__
    return cause is not None


def _drop(dropped: "sys.UnraisableHookArgs") -> None:
    """Print an exception that Python drops, but for a KeyboardInterrupt, which is raised again."""
    if not issubclass(dropped.exc_type, KeyboardInterrupt):
        _print_dropped(dropped)


def _hang_up(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a terminal that closes may send it again
    raise HungUp(128 + number)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _pending, _number
    if _repeated is not None:
        if _repeated.is_late():
            return
        _repeated.again(AGAIN_SECONDS, number)
    _number = number
    _pending = True
    raise KeyboardInterrupt
