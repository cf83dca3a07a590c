"""Work in worker processes, from threads that nobody waits for, and an end of it as soon as nobody wants it.

A search is wanted as long as a file holds its number: the worker looks there as often as it looks at its clock.
"""

import mmap
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from puzzlemc.reports.workers.worker import Worker

WORD = 8  # bytes of a number


class Wanted(threading.Event):
    """Set as soon as the number in a file is another one: nobody waits for the answer any more."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__()
        self._mine = number.to_bytes(WORD, "little")
        with Path(path).open("rb") as file:
            self._shown = mmap.mmap(file.fileno(), WORD, access=mmap.ACCESS_READ)

    def is_set(self) -> bool:
        """Is another number wanted?"""
        return self._shown[:WORD] != self._mine


class Background:
    """Threads for some work each. `notify` is called, in these threads, when something new is known.

    failed  what went wrong, in words
    waits   what the workers are at before they can begin, in words
    """

    def __init__(
        self, workers: tuple[Worker, ...], work: tuple[Callable[[], None], ...], notify: Callable[[], None]
    ) -> None:
        self.failed = ""
        self.waits = ""
        self._workers = workers
        self._notify = notify
        self._number = 0  # of the question that is wanted
        self._closed = False
        self._changed = threading.Condition()
        self._file = tempfile.NamedTemporaryFile(prefix="puzzlemc-")  # noqa: SIM115 - `close` closes it
        self._file.write(bytes(WORD))
        self._file.flush()
        self._shown = mmap.mmap(self._file.fileno(), WORD)
        self._threads = [threading.Thread(target=self._guarded, args=(each,), daemon=True) for each in work]

    def start(self) -> None:
        """Begin to work."""
        for worker in self._workers:
            worker.notify = self._wait
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

    def _wait(self, what: str) -> None:
        self.waits = what
        self._notify()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # whatever it is, the game goes on without advice, and says so
            if not self._closed:
                self.failed = f"There is no advice: {error}"
                self._notify()

    def _want_another(self) -> None:
        """No search that has begun is wanted any more; wakes up the threads. Within `_changed`."""
        self._number += 1
        self._shown[:WORD] = self._number.to_bytes(WORD, "little")
        self._changed.notify_all()
