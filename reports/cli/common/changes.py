"""Files that change: found by polling, a few times a second.

Notifications of the system would be faster, but they follow a file that disappears when an editor moves a new one
into its place, and network drives do not send them. Checking the times of a thousand files takes milliseconds.
"""

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from puzzlemc.screens.base.selection import SIGN
from puzzlemc.screens.base.source import MAX_NAMES

State: TypeAlias = Mapping[str, tuple[int, int, int]]  # by path: the time of the last change, size, number on disk

POLL_SECONDS = 0.2
SHARE = 5  # checks take at most one part in SHARE of the time
GONE_SECONDS = 1.0  # for which a file may be missing while an editor replaces it


class Changed(Exception):
    """The files have changed while results were waited for."""


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
    """Ends the waiting for results when files change."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._changed = threading.Event()

    @contextmanager
    def on(self, seen: State) -> Iterator[None]:
        """Within it, a thread compares the files with the state `seen`."""
        over = threading.Event()
        self._changed.clear()
        comparing = threading.Thread(target=self._compare, args=(seen, over), daemon=True)
        comparing.start()
        try:
            yield
        finally:
            over.set()
            comparing.join()

    def look(self) -> None:
        """Raise Changed if the files have changed."""
        if self._changed.is_set():
            raise Changed

    def _compare(self, seen: State, over: threading.Event) -> None:
        while not over.wait(self._files.wait):
            if self._files.state() != seen:
                self._changed.set()
                return
