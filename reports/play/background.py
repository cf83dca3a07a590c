"""Background work in worker processes, which can be cancelled at any time."""

import threading
from collections.abc import Callable

from puzzlemc.reports.workers.current import CurrentNumber
from puzzlemc.reports.workers.worker import Worker


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
        self._current = CurrentNumber()
        self._number = 0  # of the current question
        self._closed = False
        self._changed = threading.Condition()
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
        self._current.close()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # the game continues without advice, with a message
            if not self._closed:
                self.failed = f"No advice: {error}"
                self._notify()

    def _want_another(self) -> None:
        """Cancel the current question, and wake up the threads. Call it within `_changed`."""
        self._number = self._current.next()
        self._changed.notify_all()
