"""Background work in worker processes, which can be cancelled at any time.

A question has a number. It is current as long as a shared file holds this number; the worker reads the file as
often as it reads its clock, and ends a search that is not current.
"""

import mmap
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from puzzlemc.reports.workers.worker import Worker

WORD = 8  # bytes in a number


class Wanted(threading.Event):
    """An event that is set as soon as the file holds another number."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__()
        self._mine = number.to_bytes(WORD, "little")
        with Path(path).open("rb") as file:
            self._shown = mmap.mmap(file.fileno(), WORD, access=mmap.ACCESS_READ)

    def is_set(self) -> bool:
        """Does the file hold another number?"""
        return self._shown[:WORD] != self._mine


class Background:
    """Threads, one per function of `work`. They call `notify` when there are new results.

    failed  an error message; empty without an error
    """

    def __init__(
        self, workers: tuple[Worker, ...], work: tuple[Callable[[], None], ...], notify: Callable[[], None]
    ) -> None:
        self.failed = ""
        self._workers = workers
        self._notify = notify
        self._number = 0  # of the current question
        self._closed = False
        self._changed = threading.Condition()
        self._file = tempfile.NamedTemporaryFile(prefix="puzzlemc-")  # noqa: SIM115 - `close` closes it
        self._file.write(bytes(WORD))
        self._file.flush()
        self._shown = mmap.mmap(self._file.fileno(), WORD)
        self._threads = [threading.Thread(target=self._guarded, args=(each,), daemon=True) for each in work]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End all work, and the workers."""
        with self._changed:
            self._closed = True
            self._want_another()
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._shown.close()
        self._file.close()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # the game continues without advice, with a message
            if not self._closed:
                self.failed = f"No advice: {error}"
                self._notify()

    def _want_another(self) -> None:
        """Cancel the current question, and wake up the threads. Call it within `_changed`."""
        self._number += 1
        self._shown[:WORD] = self._number.to_bytes(WORD, "little")
        self._changed.notify_all()
