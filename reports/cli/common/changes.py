"""Files that change: found by polling, a few times a second.

Notifications of the system would be faster, but they follow a file that disappears when an editor moves a new one
into its place, and network drives do not send them. Checking the times of a thousand files takes milliseconds.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TypeAlias, TypeVar

from puzzlemc.screens.base.selection import SIGN
from puzzlemc.screens.base.source import MAX_NAMES

State: TypeAlias = Mapping[str, tuple[int, int, int]]  # by path: the time of the last change, size, number on disk
T = TypeVar("T")

POLL_SECONDS = 0.2
SHARE = 5  # checks take at most one part in SHARE of the time
GONE_SECONDS = 1.0  # for which a file may be missing while an editor replaces it


class Changed(Exception):
    """The files have changed while a function waited."""


class Files:
    """The files that arguments name, such as `levels.xsb#3`, and all files below folders."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = arguments
        self.wait = POLL_SECONDS  # seconds between two checks

    def state(self) -> State:
        """The present state of the files. A missing file is left out."""
        began = time.monotonic()
        found = {}
        for path in islice(self._paths(), MAX_NAMES):
            try:
                seen = os.stat(path)
            except (OSError, ValueError):  # ValueError: a NUL in the name
                continue
            found[path] = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
        self.wait = max(POLL_SECONDS, SHARE * (time.monotonic() - began))
        return found

    def settled(self, seen: State, *, changed: bool = False) -> State:
        """The state of the files once they differ from `seen` and have stayed the same for a moment.

        `changed` means that they have differed from it already.
        """
        before, now, since = seen, self.state(), time.monotonic()
        while (
            before != now
            or (now == seen and not changed)
            or (seen.keys() - now.keys() and time.monotonic() - since < GONE_SECONDS)
        ):
            time.sleep(self.wait)
            before, now = now, self.state()
            since = since if before == now else time.monotonic()
        return now

    def _paths(self) -> Iterator[str]:
        for argument in self.arguments:
            path = _named(argument)
            if not os.path.isdir(path):
                yield path
                continue
            for folder, folders, files in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                yield from (os.path.join(folder, name) for name in files if not name.startswith("."))


def _named(argument: str) -> str:
    """The file or folder of an argument: before `#`, or the archive in which it is."""
    ends = [place for place, each in enumerate(argument) if each == SIGN and place]
    names = [argument, *(argument[:end] for end in reversed(ends))]
    for name in names:
        if os.path.exists(name):
            return name
    return next((str(each) for each in Path(names[-1]).parents if each.is_file()), names[-1])


class Alarm:
    """Interrupts the waiting main thread when files change."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._armed = False

    @contextmanager
    def on(self, seen: State) -> Iterator[None]:
        """Within it, the files are compared with the state `seen`."""
        over = threading.Event()
        before = signal.signal(signal.SIGUSR1, self._rise)
        looking = threading.Thread(target=self._look, args=(seen, over), daemon=True)
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()
            signal.signal(signal.SIGUSR1, before)

    def waiting(self, wait: Callable[[], T]) -> T:
        """The result of a function that waits. Raises Changed as soon as the files have changed."""
        self._armed = True
        try:
            return wait()
        finally:
            self._armed = False

    def _look(self, seen: State, over: threading.Event) -> None:
        changed = False
        while not over.wait(self._files.wait):
            changed = changed or self._files.state() != seen
            if changed:  # again and again: the main thread may be at work just now, and not wait
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    def _rise(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            self._armed = False  # what ends the waiting must not be disturbed
            raise Changed
