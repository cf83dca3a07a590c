"""The crew of a Dask cluster: chunks of some hundred levels, answers as they come, lost chunks done again.

A Dask worker does what a thread does on one machine: each of its threads has a process beside it, which is killed
past a limit. So a level never ends a Dask worker. If a Dask worker is lost for another reason, Dask gives its
chunk to another one; an answer that comes twice counts once.
"""

import logging
import multiprocessing
import pickle
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from puzzlemc.mc.installed import adding
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.crew.chunk import run_chunk
from puzzlemc.reports.crew.jobs import Answer, Answers, Broken, CrewError, Done, Job
from puzzlemc.reports.crew.outcome import PRELOAD
from puzzlemc.reports.workers.worker import Worker

LOCAL = "local"
CONNECT_SECONDS = 20.0
LOSSES = 5  # times that a chunk may be lost, each time after the attempts of Dask itself

_idle: dict[float, list[Worker]] = {}  # in a Dask worker: idle processes, by their memory limit
_lock = threading.Lock()


class ClusterCrew:
    """The workers of a Dask cluster, each thread with a process for levels; it is a `ChunkCrew`."""

    least, most, chunk_seconds = 16, 400, 10.0

    def __init__(self, answers: Answers, address: str, workers: int, memory: float, seconds: float | None) -> None:
        """`address` is that of the scheduler, or `local`, which starts a cluster of `workers` on this machine.

        `memory` is in GiB, `seconds` of wall clock, both per level. Raises CrewError.
        """
        try:
            self._distributed: Any = import_module("distributed")
        except ImportError:
            message = f"a cluster needs Dask's distributed: {adding('cluster')}"
            raise CrewError(message) from None
        self._answers = answers
        self._limits = memory, seconds
        self._cluster: Any = None
        self._lost: dict[int, int] = {}
        self._open: dict[int, dict[int, Job]] = {}  # by chunk: its jobs without an answer, by number
        self._chunk_of: dict[int, int] = {}
        self._guard = threading.Lock()
        self._closed = False
        target: Any = address
        try:
            if address == LOCAL:
                self._cluster = target = self._distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            self._client: Any = self._distributed.Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            self._end_cluster()
            words = str(error) or type(error).__name__
            raise CrewError(f"{address}: found no Dask scheduler there: {words}") from None
        self._topic = f"puzzlemc-{self._client.id}"
        self._client.subscribe_topic(self._topic, self._streamed)

    @property
    def slots(self) -> int:
        """The number of threads of all workers now; at least 1, so that work waits for the first worker."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return max(1, sum(int(each["nthreads"]) for each in workers))

    def submit(self, jobs: Sequence[Job]) -> None:
        """Queue a chunk for any worker."""
        first = jobs[0].number
        with self._guard:
            self._open[first] = {job.number: job for job in jobs}
            self._chunk_of |= dict.fromkeys(self._open[first], first)
        self._send(first)

    def close(self) -> None:
        """Disconnect from the cluster, and end a local one."""
        self._closed = True
        self._client.close(timeout=5)
        self._end_cluster()

    def _end_cluster(self) -> None:
        if self._cluster is not None:
            self._cluster.close(timeout=10)

    def _send(self, first: int) -> None:
        """Send the jobs of a chunk that have no answer yet."""
        with self._guard:
            jobs = tuple(self._open[first].values())
        future = self._client.submit(on_worker, jobs, *self._limits, self._topic, pure=False)
        future.add_done_callback(lambda done: self._done(first, done))

    def _streamed(self, event: tuple[float, bytes]) -> None:
        """Take answers of a chunk that goes on."""
        for answer in pickle.loads(event[1]):
            self._answered(answer)

    def _answered(self, answer: Answer) -> None:
        if answer.better is not None:
            self._answers.put(answer)
            return
        with self._guard:
            chunk = self._chunk_of.pop(answer.number, None)
            if chunk is None:
                return
            del self._open[chunk][answer.number]
        self._answers.put(answer)

    def _done(self, first: int, future: Any) -> None:
        """Take the end of a chunk: all its answers, or the loss of its worker."""
        if self._closed:
            return
        error = future.exception() if future.status == "error" else None
        lost = isinstance(error, self._distributed.KilledWorker) or future.status in {"cancelled", "lost"}
        if error is None and not lost:
            for answer in future.result():
                self._answered(answer)
            with self._guard:
                left = self._open[first]
                if not left:
                    del self._open[first]
            if not left:
                self._answers.put(Done(first))
                return
            lost = True
        if error is not None and not lost:
            self._answers.put(Broken(f"a worker of the cluster cannot work: {type(error).__name__}: {error}"))
            return
        self._lost[first] = self._lost.get(first, 0) + 1
        if self._lost[first] == LOSSES:
            self._answers.put(Broken(f"the cluster lost a worker {LOSSES} times with the same levels"))
        else:
            self._send(first)


def on_worker(jobs: Sequence[Job], memory: float, seconds: float | None, topic: str) -> list[Answer]:
    """In a Dask worker: answer a chunk. Sends each answer as it comes, and returns all of them."""
    # Processes of Dask may have no children, which could outlive them. Ours end by themselves with their parent.
    multiprocessing.current_process().daemon = False
    here: Any = import_module("distributed").get_worker()
    with _lock:
        waiting = _idle.setdefault(memory, [])
        worker = waiting.pop() if waiting else Worker(int(memory * GIB), PRELOAD)
    answered: list[Answer] = []

    def send(answers: Sequence[Answer]) -> None:
        answered.extend(answer for answer in answers if answer.better is None)
        here.log_event(topic, pickle.dumps(answers))

    try:
        run_chunk(worker, jobs, seconds, send)
    finally:
        with _lock:
            waiting.append(worker)
    return answered
