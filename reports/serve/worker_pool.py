"""Warm worker processes, which any page may use. One that does not stop in time is killed, and another is warmed.

A question that is not wanted any more ends by itself: it reads a word of shared memory as often as its clock (see
`puzzlemc.reports.workers.current`). So the process stays warm. Only a search inside one long call of a library has
to be killed.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from typing import Any

from puzzlemc.encodings.puzzles import add
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.serve.questions import (
    Another,
    Ask,
    Glance,
    Judge,
    Make,
    Open,
    Play,
    Question,
    Review,
    Solution,
    Suggest,
    Verify,
)
from puzzlemc.reports.workers.current import CurrentNumber, Wanted
from puzzlemc.reports.workers.worker import Worker, WorkerDied, tell

PRELOAD = ("puzzlemc.reports.serve.answers", "puzzlemc.reports.serve.positions")
MEMORY = int(1.25 * GIB)  # of a process
SECONDS = 120.0  # of a question
MOMENT = 0.03  # seconds in which most questions that are not wanted any more end
PATIENCE = 0.5  # seconds until the others are killed
# For each kind of question, the function that answers it in a worker; its module is imported at first use.
ANSWERS: Mapping[type, str] = {
    Another: "design.another:another",
    Ask: "file_questions:ask",
    Glance: "answers:glance",
    Judge: "answers:judge",
    Make: "file_questions:make",
    Open: "answers:open_text",
    Play: "positions:play",
    Review: "suite.review:review",
    Solution: "positions:check",
    Suggest: "design.suggestions:changes",
    Verify: "file_questions:verify",
}


def answering(kind: type) -> Callable[..., Any]:
    """The function for a kind of question."""
    module, _, name = ANSWERS[kind].partition(":")
    function: Callable[..., Any] = getattr(import_module(f"puzzlemc.reports.serve.{module}"), name)
    return function


def answer(asked: Question, path: str, number: int, own: Sequence[str]) -> None:
    """In a worker: answer a question, as long as the file at `path` holds the number.

    own  the Python files of puzzles that are not installed
    """
    for each in own:
        add(each)
    answering(type(asked))(asked, tell, Wanted(path, number))


def ready() -> None:
    """In a worker: nothing, once it has loaded the code for verdicts."""


def warm() -> None:
    """In a worker: load the code of all questions."""
    from puzzlemc.reports.serve.answers import warm

    for kind in ANSWERS:
        answering(kind)
    warm()


class PooledWorker:
    """A worker process, and the number of its current question in a shared file.

    warm  it has loaded the code of all questions
    """

    def __init__(self, own: Sequence[str] = ()) -> None:
        """Start a process that knows the puzzles of these Python files, too."""
        self._own = own
        self.warm = False
        self.process = Worker(MEMORY, PRELOAD)
        self._current = CurrentNumber()

    def run(self, asked: Question, receive: Callable[[Any], None]) -> None:
        """Run a question, in a thread. Raises what `Worker.run` raises."""
        self.process.run(
            answer, asked, self._current.path, self._current.number, self._own, seconds=SECONDS, receive=receive
        )

    def drop(self) -> None:
        """The current question is not wanted any more."""
        self._current.next()

    def close(self) -> None:
        """Kill the process. Nothing happens the second time."""
        self.process.stop()
        self._current.close()


class WorkerPool:
    """The workers of a server.

    most   questions at a time; others wait for a free worker
    spare  free workers that are kept
    own    the Python files of puzzles that are not installed
    pause  seconds from the first worker to the next: the page is drawn in that time, and needs the processor
    """

    def __init__(self, most: int, spare: int = 2, own: Sequence[str] = (), pause: float = 1.0) -> None:
        self._pause = pause
        self._own = own
        self._spare = min(spare, most)
        self._free: list[PooledWorker] = []
        self._workers: set[PooledWorker] = set()
        self._room = asyncio.Semaphore(most)
        self._threads = ThreadPoolExecutor(2 * most + spare, "question")
        self._jobs: set[asyncio.Task[None]] = set()
        self._warming = False
        self._came = asyncio.Event()  # a worker is free again, or warm
        self._closed = False

    def fill(self) -> None:
        """Warm workers until enough are free, in the background, one by one.

        The first one is there as soon as it can judge a level, and is warmed when there are others.
        """
        if self._warming or self._closed:
            return
        if len(self._free) < self._spare:
            worker = PooledWorker(self._own)
            self._workers.add(worker)
            first = len(self._workers) == 1
        else:
            cold = next((each for each in self._free if not each.warm), None)
            if cold is None:
                return
            self._free.remove(cold)
            worker, first = cold, False
        self._warming = True
        self._keep(self._warm(worker, ready if first else warm))

    async def run(self, asked: Question, receive: Callable[[Any], None], dropped: asyncio.Event) -> str:
        """Answer a question; `receive` gets the messages in the loop. Returns why it failed; empty if it did not.

        dropped  is set when the question is not wanted any more; then this returns at once
        """
        await self._room.acquire()
        try:  # a page that is closed cancels this
            while not self._free and self._warming and not self._closed:
                self._came.clear()
                await self._came.wait()
            worker = None if dropped.is_set() or self._closed else self._take()
        except BaseException:
            self._room.release()
            raise
        if worker is None:
            self._room.release()
            return ""
        loop = asyncio.get_running_loop()

        def deliver(what: Any) -> None:
            if not isinstance(what, dict):
                return  # that a file is being written
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(receive, what)

        running = loop.run_in_executor(self._threads, worker.run, asked, deliver)
        waiting = asyncio.ensure_future(dropped.wait())
        try:
            both: list[asyncio.Future[Any]] = [running, waiting]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                worker.drop()
                await asyncio.wait([running], timeout=MOMENT)
        finally:
            waiting.cancel()
            if running.done():
                failed = self._settled(worker, running)
            else:
                failed = ""
                worker.drop()
                self._keep(self._end(worker, running))
        return failed

    async def _end(self, worker: PooledWorker, running: "asyncio.Future[None]") -> None:
        """Wait for a question that is not wanted any more; kill it if that takes long."""
        await asyncio.wait([running], timeout=PATIENCE)
        if not running.done():
            await self._in_thread(worker.process.stop)
            await asyncio.wait([running])
        self._settled(worker, running)

    def _keep(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job in the background, until the pool is closed."""
        task = asyncio.ensure_future(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    def close(self) -> None:
        """Kill all processes."""
        self._closed = True
        for task in self._jobs:
            task.cancel()
        for worker in list(self._workers):
            worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _take(self) -> PooledWorker:
        """A free worker, the one that was used last: it may know the level."""
        if self._free:
            return self._free.pop()
        worker = PooledWorker(self._own)
        self._workers.add(worker)
        return worker

    def _settled(self, worker: PooledWorker, running: "asyncio.Future[None]") -> str:
        """Keep the worker, or replace it; returns why its question failed."""
        self._room.release()
        error = running.exception() if not running.cancelled() else None
        stopped = worker.process.stopped
        if stopped or self._closed or len(self._free) >= self._spare:
            self._leave(worker)
        else:
            self._free.append(worker)
            self._came.set()
        if error is None or stopped:
            return ""
        return "the limit of time or memory was reached" if isinstance(error, LimitReached) else str(error)

    def _leave(self, worker: PooledWorker) -> None:
        """End a worker in a thread: that waits for its process."""
        self._workers.discard(worker)
        if self._closed:
            worker.close()
        else:
            self._keep(self._in_thread(worker.close))
            self.fill()

    async def _in_thread(self, function: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, function)

    async def _warm(self, worker: PooledWorker, function: Callable[[], None]) -> None:
        with suppress(WorkerDied, LimitReached):
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.process.run, function)
        worker.warm = function is warm
        self._warming = False
        if self._closed or len(self._free) >= self._spare:
            self._leave(worker)
        else:
            self._free.insert(0, worker)
            self._keep(self._fill_later())
        self._came.set()

    async def _fill_later(self) -> None:
        await asyncio.sleep(self._pause)
        self.fill()
