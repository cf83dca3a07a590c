"""A crew: worker processes, each with a thread that hands it tasks and waits for it.

Checks, batches and the generation of levels all run on it. A task is a function whose first argument is a worker.
The task itself runs in the thread, without limits; what it passes to `Worker.run` has limits and can be killed.
"""

import contextlib
import gc
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, Concatenate, ParamSpec, TypeVar

from puzzlemc.mc.limits import GIB
from puzzlemc.reports.workers.worker import Worker, WorkerDied

LOOK_SECONDS = 0.1  # between two looks of a thread that waits for a result
JOIN_SECONDS = 1.0  # for a thread to see that its worker is gone; threads end with the program in any case

P = ParamSpec("P")
R = TypeVar("R")
_Call = tuple[Future[Any], Callable[[Worker], Any]]


class WorkerCrew:
    """Workers that take tasks in the order in which they were submitted, each the next one when it is free."""

    def __init__(
        self,
        size: int,
        memory: float,
        preload: tuple[str, ...] = (),
        *,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        """Start the threads; processes start with their first tasks.

        memory   of each worker, in GiB
        preload  as for `Worker`
        prepare  runs in each worker before its first task, without limits, for example to load code
        """
        self._prepare = prepare
        self._tasks: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._workers = [Worker(int(memory * GIB), preload) for _ in range(size)]
        self._threads = [threading.Thread(target=self._serve, args=(each,), daemon=True) for each in self._workers]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "WorkerCrew":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """The number of workers."""
        return len(self._workers)

    def submit(
        self, task: Callable[Concatenate[Worker, P], R], *arguments: P.args, **options: P.kwargs
    ) -> Future[R]:
        """Call the task in the thread of the next free worker, with this worker and the arguments."""
        future: Future[R] = Future()
        self._tasks.put((future, lambda worker: task(worker, *arguments, **options)))
        return future

    def stop(self) -> None:
        """Cancel all tasks that have not begun, and kill the workers. Does not wait for the threads."""
        with contextlib.suppress(queue.Empty):
            while True:
                if (call := self._tasks.get_nowait()) is not None:
                    call[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for worker in self._workers:
            worker.stop()

    def close(self) -> None:
        """Stop, and wait a moment for the threads."""
        self.stop()
        for thread in self._threads:
            thread.join(JOIN_SECONDS)

    def _serve(self, worker: Worker) -> None:
        """Run tasks on a worker until the crew is stopped."""
        prepare = self._prepare
        while (call := self._tasks.get()) is not None:
            future, task = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if prepare is not None:
                    with contextlib.suppress(WorkerDied):
                        worker.run(load, prepare)
                    prepare = None
                result = task(worker)
            except BaseException as error:  # raised again by `Future.result`
                future.set_exception(error)
            else:
                future.set_result(result)


def result_of(future: Future[R], look: Callable[[], None] = lambda: None, seconds: float | None = None) -> R:
    """The result of a future. Raises its error, TimeoutError after `seconds`, and what `look` raises.

    `look` is called at once, and ten times a second while it waits. On Windows, Ctrl-C does not interrupt a wait
    that has no limit.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    while True:
        look()
        left = LOOK_SECONDS if deadline is None else min(LOOK_SECONDS, max(0.0, deadline - time.monotonic()))
        if wait([future], left).done:
            return future.result()
        if deadline is not None and time.monotonic() >= deadline:
            raise TimeoutError


def load(function: Callable[[], object]) -> None:
    """In a worker: call a function that loads code, and exclude the loaded objects from garbage collection.

    A full collection that searches them takes as long as ten small levels, and finds hardly any garbage.
    """
    gc.disable()
    try:
        function()
    finally:
        gc.freeze()
        gc.enable()
