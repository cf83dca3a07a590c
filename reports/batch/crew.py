"""Who does the work of a batch: workers on this machine, or a cluster (`puzzlemc.reports.batch.cluster`).

A crew takes chunks of jobs and puts what comes of them on one queue, in any order: an `Answer` for each job,
`Done` for each chunk, and `Broken` where the crew cannot go on.
"""

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from puzzlemc.mc.engines.warm_up import searches
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.batch.chunk import Answer, Job, run_chunk
from puzzlemc.reports.batch.pool import PRELOAD
from puzzlemc.reports.workers.worker import Worker, WorkerDied


@dataclass(frozen=True)
class Done:
    """That all jobs of a chunk have been answered; `first` is the number of its first one."""

    first: int


@dataclass(frozen=True)
class Broken:
    """That a crew cannot go on, and why."""

    reason: str


Told = Answer | Done | Broken
Answers = queue.SimpleQueue[Told]


class Crew(Protocol):
    """Who takes chunks, and answers on a queue that is theirs from the start.

    least, most  levels of a chunk: the least until their time is known
    chunk_seconds  that a chunk should take
    """

    least: int
    most: int
    chunk_seconds: float

    @property
    def slots(self) -> int:
        """How many chunks are worked on at a time."""

    def submit(self, jobs: Sequence[Job]) -> None:
        """Have a chunk done."""

    def close(self) -> None:
        """End the work, whatever is being done."""


class LocalCrew:
    """Warm processes on this machine, each with its thread here that waits for it."""

    least, most, chunk_seconds = 4, 32, 0.5

    def __init__(
        self,
        answers: Answers,
        workers: int,
        memory: float,
        seconds: float | None,
        *,
        warm: bool,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        """`memory` is in GiB, `seconds` of wall clock, both a level; `warm` has compiled code loaded first."""
        self._answers = answers
        self._seconds = seconds
        self._warm = warm
        self._chunks: queue.SimpleQueue[Sequence[Job] | None] = queue.SimpleQueue()
        self._crew = [Worker(int(memory * GIB), PRELOAD, notify) for _ in range(workers)]
        self._threads = [threading.Thread(target=self._serve, args=(each,), daemon=True) for each in self._crew]
        for thread in self._threads:
            thread.start()

    @property
    def slots(self) -> int:
        """How many workers there are."""
        return len(self._crew)

    def submit(self, jobs: Sequence[Job]) -> None:
        """Have a chunk done by the next worker that is free."""
        self._chunks.put(jobs)

    def close(self) -> None:
        """Kill the workers."""
        for _ in self._threads:
            self._chunks.put(None)
        for worker in self._crew:
            worker.stop()
        for thread in self._threads:
            thread.join(1)

    def _take(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self._answers.put(answer)

    def _serve(self, worker: Worker) -> None:
        """What a thread does: chunk after chunk."""
        warm = self._warm
        while (jobs := self._chunks.get()) is not None:
            if worker.stopped:
                return
            try:
                if warm:
                    warm = False
                    with contextlib.suppress(WorkerDied):
                        worker.run(searches)
                run_chunk(worker, jobs, self._seconds, self._take)
                self._answers.put(Done(jobs[0].number))
            except WorkerDied:
                return  # it was stopped
            except Exception as error:
                self._answers.put(Broken(f"{type(error).__name__}: {error}"))
                return
