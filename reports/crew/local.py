"""The crew of a batch on this machine: worker processes that work on chunks of levels."""

from collections.abc import Sequence

from puzzlemc.mc.engines.registry import load_explicit
from puzzlemc.reports.crew.chunk import run_chunk
from puzzlemc.reports.crew.jobs import Answer, Answers, Broken, Done, Job
from puzzlemc.reports.crew.outcome import PRELOAD
from puzzlemc.reports.workers.crew import WorkerCrew
from puzzlemc.reports.workers.worker import Worker, WorkerDied


class LocalCrew:
    """Workers on this machine; it is a `ChunkCrew`."""

    least, most, chunk_seconds = 4, 32, 0.5

    def __init__(
        self,
        answers: Answers,
        workers: int,
        memory: float,
        seconds: float | None,
        *,
        warm: bool,
    ) -> None:
        """`memory` is in GiB, `seconds` of wall clock, both per level; `warm` loads explicit search first."""
        self._answers = answers
        self._seconds = seconds
        self._crew = WorkerCrew(workers, memory, PRELOAD, prepare=load_explicit if warm else None)

    @property
    def slots(self) -> int:
        """The number of workers."""
        return self._crew.size

    def submit(self, jobs: Sequence[Job]) -> None:
        """Queue a chunk for the next free worker."""
        self._crew.submit(self._work, jobs)

    def close(self) -> None:
        """Kill the workers."""
        self._crew.close()

    def _put(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self._answers.put(answer)

    def _work(self, worker: Worker, jobs: Sequence[Job]) -> None:
        """In the thread of a worker: answer the jobs of a chunk."""
        try:
            run_chunk(worker, jobs, self._seconds, self._put)
            self._answers.put(Done(jobs[0].number))
        except WorkerDied:
            return  # the crew was closed
        except Exception as error:
            self._answers.put(Broken(f"{type(error).__name__}: {error}"))
