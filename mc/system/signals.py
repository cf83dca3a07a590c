"""Signals, of which systems have different ones, and a timer that interrupts the main thread.

Windows has neither timers that send signals, nor a way to keep signals back.
"""

import _thread
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

HANG_UP: int | None = getattr(signal, "SIGHUP", None)  # the terminal was closed
KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)  # what ends a process by force
ALARM: int | None = getattr(signal, "SIGALRM", None) if hasattr(signal, "setitimer") else None
# The signals that the program may handle.
HANDLED = tuple(number for number in (signal.SIGINT, signal.SIGTERM, ALARM, HANG_UP) if number is not None)


@contextmanager
def held_back(*numbers: int) -> Iterator[None]:
    """Within it, the signals wait, and a process that is started now begins with them held back.

    Where the system cannot hold signals back, nothing happens.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_through(*numbers: int) -> None:
    """Let signals through that were held back when this process was started."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)


class Repeated:
    """Has the handler of a signal called in the main thread again, a while after `again`, until `stop`.

    It uses the timer of the system. Where there is none, a thread waits, and then marks the signal as arrived.
    """

    def __init__(self, handler: Callable[[int, FrameType | None], None]) -> None:
        """`handler` is that of each signal that is passed to `again`. For the main thread."""
        self._handler = handler
        self._number = 0
        self._turn = 0  # of the timer that is running
        self._rung: int | None = None  # the turn of a timer whose call of the handler comes next
        if ALARM is not None:
            signal.signal(ALARM, self._ring)

    def again(self, seconds: float, number: int) -> None:
        """Call the handler of this signal after these seconds. May be called in a handler."""
        self._number = number
        if ALARM is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            return
        self._turn += 1
        # A thread of `threading` takes locks, which the interrupted main thread may hold.
        _thread.start_new_thread(self._wait, (self._turn, seconds, number))

    def stop(self) -> None:
        """Do not call the handler again."""
        self._turn += 1
        if ALARM is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def is_late(self) -> bool:
        """In the handler: does this call come from a timer that was stopped meanwhile?"""
        rung, self._rung = self._rung, None
        return rung is not None and rung != self._turn

    def _ring(self, number: int, frame: FrameType | None) -> None:
        self._handler(self._number, frame)

    def _wait(self, turn: int, seconds: float, number: int) -> None:
        time.sleep(seconds)
        if turn == self._turn:
            self._rung = turn
            _thread.interrupt_main(signal.Signals(number))
