"""Levels in worker processes that can be killed at their limit; results come in the order of the levels."""

import os
import queue
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.warm_up import searches
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.certify.certify import certify, certify_part, file_names, needs_certificate
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.output.words import counted, no_solution_below
from puzzlemc.reports.solve.attempt import INTERRUPTED, Attempt
from puzzlemc.reports.solve.given import compared, solutions_of
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, Result
from puzzlemc.reports.solve.solve import Options, solve_entry
from puzzlemc.reports.workers.interrupt import interrupt_taken
from puzzlemc.reports.workers.worker import Worker, WorkerDied, elapsed, tell
from puzzlemc.screens.base.errors import LevelError

MANY = 16  # levels, past which compiled code is loaded before the first of them, on however many cores
AHEAD = 4  # levels that wait for each worker
PRELOAD = ("puzzlemc.reports.solve.solve",)


def solve_all(
    entries: Sequence[Entry],
    options: Options,
    workers: int | None = None,
    certificates: Path | None = None,
    notify: Callable[[str], None] | None = None,
    heard: Callable[[str], None] = lambda _: None,
    left: dict[int, Result] | None = None,
) -> Generator[Result, None, None]:
    """Solve the levels, each in a worker process, and yield the results in order as they come.

    With `certificates`, a folder that is there, each verdict gets a certificate in it. `workers` is by default the
    number of cores. `notify` is told what makes levels wait, and `heard` how far a level is, from any thread.
    Closing the iterator kills the workers; then `left` gets, by the number of the level, each result that was not
    yielded, and the best solutions of levels whose search has not ended.
    """
    options = replace(options, prove=options.prove or certificates is not None)
    size = max(1, min(workers or os.cpu_count() or 1, len(entries)))
    crew = [Worker(int(options.memory * GIB), PRELOAD, notify) for _ in range(size)]
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in crew:
        idle.put(worker)
    unloaded: set[Worker] = set()
    if options.engine == "auto" and len(entries) > MANY:
        options = replace(options, many=True)
        unloaded = set(crew)
    attempts: dict[int, Attempt] = {}
    uncertified: dict[int, Result] = {}  # whose certificates are being made

    def solved(number: int, entry: Entry, path: Path | None) -> Result:
        worker = idle.get()
        try:
            if worker in unloaded:
                unloaded.discard(worker)
                worker.run(searches)
            attempts[number] = attempt = Attempt(entry, options, worker, partial(_tell_progress, options, heard))
            result = _solved(worker, attempt, entry, options)
            if options.given:
                result = _given(worker, entry, options, result)
            if path is None or not needs_certificate(result):
                return result
            uncertified[number] = replace(result.light, note=f"no certificate: {INTERRUPTED}")
            heard(f"{Path(entry.id).name}: {result.verdict}; its certificate")
            # On its own clock: that a proof takes long must not cost the verdict.
            return _certified(worker, entry, options, result, path)
        finally:
            idle.put(worker)

    waiting: deque[tuple[int, Future[Result]]] = deque()
    names = iter(file_names(entries))
    # Its threads only wait for the workers.
    with ThreadPoolExecutor(size) as threads:
        try:
            for number, entry in enumerate(entries):
                if len(waiting) == size * AHEAD:
                    yield _next(waiting, attempts)
                path = certificates / next(names) if certificates is not None else None
                waiting.append((number, threads.submit(solved, number, entry, path)))
            while waiting:
                yield _next(waiting, attempts)
        except BaseException:
            interrupt_taken()
            if left is not None:
                left |= {
                    number: each
                    for number, future in waiting
                    if (each := _known(future, uncertified.get(number), attempts.get(number)))
                }
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in crew:
                worker.stop()
            for attempt in list(attempts.values()):
                attempt.stop()


def _next(waiting: deque[tuple[int, Future[Result]]], attempts: dict[int, Attempt]) -> Result:
    """Wait for the next result. It is among those that wait until it is there."""
    number, future = waiting[0]
    result = future.result()
    waiting.popleft()
    attempts.pop(number, None)
    return result


def _known(future: Future[Result], uncertified: Result | None, attempt: Attempt | None) -> Result | None:
    """The result of a level if it is there, perhaps without a certificate, else the best solution so far."""
    if future.done() and not future.cancelled() and future.exception() is None:
        return future.result()
    return uncertified or (None if attempt is None else attempt.so_far())


def _tell_progress(options: Options, heard: Callable[[str], None], attempt: Attempt) -> None:
    """Say how far a level is."""
    entry, best = attempt.entry, attempt.best
    if entry.puzzle_name is None or entry.puzzle.game is not None:
        return
    metric = options.metric or entry.puzzle.metrics[0]
    words = [no_solution_below(attempt.bound, metric)] if attempt.bound else []
    if best is not None:
        cost = best.costs.get(first(metric))
        words.append("a solution is found" if cost is None else f"one of {counted(cost, metric)} is found")
    heard(f"{Path(entry.id).name}: {', '.join(words)}")


def _solve(entry: Entry, options: Options) -> Result:
    return solve_entry(entry, options, partial(_tell, "bound"), partial(_tell, "solution"), elapsed())


def _tell(kind: str, value: int | Result) -> None:
    tell((kind, value))


def _solved(worker: Worker, attempt: Attempt, entry: Entry, options: Options) -> Result:
    """The result of a level, also of one whose worker had to be killed or died."""
    began = time.monotonic()

    def receive(news: tuple[str, Any]) -> None:
        kind, value = news
        if kind == "bound":
            attempt.prove(value)
        else:
            attempt.add(value)

    def lost() -> Result:
        return unanswered(entry, options, worker.seconds, time.monotonic() - began)

    limit = options.timeout or None
    try:
        return attempt.ended(worker.run(_solve, entry, options, seconds=limit, receive=receive, look=attempt.look))
    except LimitReached as reached:
        return attempt.killed(reached, lost())
    except LevelError as error:  # a mistake in the code of a puzzle from a file
        return replace(lost(), reason=str(error), exit_code=BAD_INPUT)
    except WorkerDied as death:
        return attempt.died(death, lost())
    finally:
        attempt.stop()


def unanswered(entry: Entry, options: Options, seconds: float, wall: float | None = None) -> Result:
    """What is told of a level whose worker is gone, but for the reason."""
    rules = entry.puzzle if entry.puzzle_name is not None else None
    modelled = rules is None or rules.game is None
    return replace(
        Result(entry.id, entry.title, entry.puzzle_name),
        metric=options.metric or (rules.metrics[0] if rules else None),
        costs=dict.fromkeys(rules.metrics if rules else ()),
        engine=options.engine,
        diagrams=options.diagrams if modelled else None,
        encoding=options.encoding if modelled else None,
        seconds=seconds,
        wall_seconds=wall,
    )


def _certify(entry: Entry, options: Options, result: Result, path: Path) -> Result:
    """Certify the level first, and then its part, which has been checked before: it takes little."""
    certified = certify(entry, options, result, path)
    if certified.verdict == "error":
        return certified
    done = certify_part(entry, options, certified, path)
    return replace(done, checked=certified.checked) if done.verdict != "error" else done


def _given(worker: Worker, entry: Entry, options: Options, result: Result) -> Result:
    """The result with what came of the solutions in the level's file."""
    if result.verdict == "error" or entry.part is None:
        return result
    try:
        return compared(result, worker.run(solutions_of, entry, seconds=options.timeout or None))
    except LimitReached as limit:
        return replace(result, note=f"the solutions in its file were not checked: {limit.reason}")
    except LevelError as error:
        return replace(result, verdict="error", reason=str(error), exit_code=BAD_INPUT)
    except WorkerDied as death:
        return replace(result, verdict="error", reason=f"{entry.id}: {death}", exit_code=REFUTED)


def _certified(worker: Worker, entry: Entry, options: Options, result: Result, path: Path) -> Result:
    """The result with what came of its certificate, also where the worker had to be killed or died."""
    try:
        certified: Result = worker.run(_certify, entry, options, result, path, seconds=options.timeout or None)
    except LimitReached as limit:
        return replace(result, note=f"no certificate: {limit.reason}")
    except (OutputError, LevelError) as error:
        return replace(result, note=f"no certificate: {error}", exit_code=BAD_INPUT)
    except WorkerDied as death:
        return replace(result, note=f"no certificate: {death}", exit_code=REFUTED)
    return certified.light
