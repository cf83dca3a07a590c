"""Levels in worker processes that can be killed at their limits; results come in the order of the levels.

This is how `check` and `solve` run levels. A batch of many small levels uses `chunk`; `outcome` has what both
share.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.lexicographic import first
from puzzlemc.reports.certify.file_names import SUFFIXES
from puzzlemc.reports.crew.outcome import PRELOAD, complete, trace_certified, unanswered, uncertified
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.output.words import counted, no_solution_below
from puzzlemc.reports.solve.attempt import INTERRUPTED, Attempt
from puzzlemc.reports.solve.given import solutions_of
from puzzlemc.reports.solve.known import Known
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, Result, compared, unreadable
from puzzlemc.reports.solve.solve import solve_in_worker
from puzzlemc.reports.workers.crew import WorkerCrew, result_of
from puzzlemc.reports.workers.interrupt import interrupt_taken
from puzzlemc.reports.workers.worker import Worker, WorkerDied, fork_ahead
from puzzlemc.screens.base.errors import LevelError

MANY = 16  # with more levels, each worker loads compiled code before its first level
AHEAD = 4  # levels in the queue per worker


def solve_all(
    entries: Sequence[Entry],
    options: Options,
    workers: int | None = None,
    certificates: Mapping[str, Path] | None = None,
    heard: Callable[[str], None] = lambda _: None,
    left: list[tuple[Entry, Result]] | None = None,
    cancelled: Event | None = None,
    known: Mapping[str, Known] | None = None,
    look: Callable[[], None] = lambda: None,
) -> Generator[Result, None, None]:
    """Solve the levels, each in a worker process, and yield the results in the order of the levels.

    `workers` is by default the number of cores. With `certificates`, paths by the id of the level, each verdict
    gets a certificate. `heard` gets the progress of a level, from any thread. Setting `cancelled` makes the open
    levels *unknown*, with their best solution so far. `known` has solutions by the id of the level, with which
    searches begin. `look` is called ten times a second while the iterator waits, in its thread; what it raises
    ends the iterator. Closing the iterator kills the workers; then `left` gets each level with a result that
    was not yielded, and the best solution or the bound of each level whose search has not ended.
    """
    options = replace(options, prove=options.prove or certificates is not None)
    size = max(1, _size(len(entries), workers))
    is_warm = options.engine == "auto" and len(entries) > MANY
    options = replace(options, many=options.many or is_warm)
    spare = size < (os.cpu_count() or 1)
    attempts: dict[int, Attempt] = {}
    pending: dict[int, Result] = {}  # results whose certificates are being made

    def solved(worker: Worker, number: int, entry: Entry, path: Path | None) -> Result:
        if entry.puzzle_name is None:  # a file that cannot be read: the result is the error, and needs no process
            return unreadable(entry)
        own = replace(options, known=(known or {}).get(entry.id, options.known))
        changed = partial(_show_progress, own, heard)
        attempts[number] = attempt = Attempt(entry, own, worker, changed, spare=spare)
        result = _solved(worker, attempt, entry, own, cancelled)
        if options.given:
            result = _given(worker, entry, options, result)
        whole = partial(complete, entry, options, limit=attempt.limit, certified=path is not None)
        if path is None:
            return whole(result)
        from puzzlemc.reports.certify.certify import needs_certificate

        if not needs_certificate(result):
            return whole(result)
        pending[number] = whole(uncertified(result.light, INTERRUPTED))
        heard(f"{Path(entry.id).name}: {result.verdict}; its certificate")
        # With a time limit of its own: a proof that takes long does not cost the verdict.
        return whole(_certified(worker, entry, options, result, path))

    waiting: deque[tuple[int, Future[Result]]] = deque()
    prepare: Callable[[], object] | None = None
    if is_warm:
        from puzzlemc.mc.engines.registry import load_explicit

        prepare = load_explicit
    with WorkerCrew(size, options.memory, PRELOAD, prepare=prepare) as crew:
        try:
            for number, entry in enumerate(entries):
                if len(waiting) == size * AHEAD:
                    yield _next(waiting, attempts, look)
                path = None if certificates is None else certificates[entry.id]
                waiting.append((number, crew.submit(solved, number, entry, path)))
            while waiting:
                yield _next(waiting, attempts, look)
        except BaseException:
            interrupt_taken()
            if left is not None:
                for number, future in waiting:
                    each = _known(future, pending.get(number), attempts.get(number), options)
                    if each is not None:
                        asked = certificates is not None
                        entry = entries[number]
                        left.append((entry, complete(entry, options, each, INTERRUPTED, certified=asked)))
            raise
        finally:
            crew.stop()
            for attempt in list(attempts.values()):
                attempt.stop()


def fork_workers(levels: int, workers: int | None = None) -> None:
    """Fork the worker processes that `solve_all` will use, before the program starts a thread."""
    fork_ahead(_size(levels, workers), PRELOAD)


def _size(levels: int, workers: int | None) -> int:
    """The number of workers for a number of levels."""
    return min(workers or os.cpu_count() or 1, levels)


def _next(
    waiting: deque[tuple[int, Future[Result]]], attempts: dict[int, Attempt], look: Callable[[], None]
) -> Result:
    """Wait for the next result, and remove its level from those that wait."""
    number, future = waiting[0]
    result = result_of(future, look)
    waiting.popleft()
    attempts.pop(number, None)
    return result


def _known(
    future: Future[Result], pending: Result | None, attempt: Attempt | None, options: Options
) -> Result | None:
    """The result of a level, or the one that is pending, or the best solution so far, or the bound."""
    if future.done() and not future.cancelled() and future.exception() is None:
        return future.result()
    if pending is not None or attempt is None:
        return pending
    return attempt.so_far(unanswered(attempt.entry, options, 0.0))


def _show_progress(options: Options, heard: Callable[[str], None], attempt: Attempt) -> None:
    """Describe the bound and the best solution of a level."""
    entry, best = attempt.entry, attempt.best
    if entry.puzzle_name is None or entry.puzzle.game is not None:
        return
    metric = options.metric or entry.puzzle.metrics[0]
    words = [no_solution_below(attempt.bound, metric)] if attempt.bound else []
    if best is not None:
        cost = best.costs.get(first(metric))
        words.append("a solution is found" if cost is None else f"one of {counted(cost, metric)} is found")
    heard(f"{Path(entry.id).name}: {', '.join(words)}")


def _solved(worker: Worker, attempt: Attempt, entry: Entry, options: Options, cancelled: Event | None) -> Result:
    """The result of a level, also if its worker is killed or dies."""
    began = time.monotonic()

    def receive(news: tuple[str, Any]) -> None:
        kind, value = news
        if kind == "bound":
            attempt.prove(value)
        else:
            attempt.add(value)

    def lost() -> Result:
        return unanswered(entry, options, worker.seconds, time.monotonic() - began)

    def look(passed: float) -> None:
        if cancelled is not None and cancelled.is_set():
            raise LimitReached("cancelled")
        attempt.look(passed)

    limit = options.timeout or None
    try:
        look(0.0)
        return attempt.ended(
            worker.run(solve_in_worker, entry, options, seconds=limit, receive=receive, look=look)
        )
    except LimitReached as reached:
        return attempt.killed(reached, lost())
    except LevelError as error:  # a mistake in the code of a puzzle from a file
        return lost().failed(str(error), BAD_INPUT)
    except WorkerDied as death:
        return attempt.died(death, lost())
    finally:
        attempt.stop()


def _certify(entry: Entry, options: Options, result: Result, path: Path) -> Result:
    """Certify the level, then its minimal core, which was checked before and takes little time."""
    from puzzlemc.reports.certify.certify import certify, certify_part

    certified = certify(entry, options, result, path)
    if certified.verdict == "error":
        return certified
    done = certify_part(entry, options, certified, path)
    return (
        replace(done, checked=certified.checked, certificate=certified.certificate)
        if done.verdict != "error"
        else done
    )


def _given(worker: Worker, entry: Entry, options: Options, result: Result) -> Result:
    """The result, compared with the solutions in the level's file."""
    if result.verdict == "error" or entry.part is None:
        return result
    try:
        return compared(result, worker.run(solutions_of, entry, seconds=options.timeout or None))
    except LimitReached as limit:
        return result.noted(f"the solutions in its file were not checked: {limit.reason}")
    except LevelError as error:
        return result.failed(str(error), BAD_INPUT)
    except WorkerDied as death:
        return replace(result.failed(f"{entry.id}: {death}", REFUTED), died=True)


def _certified(worker: Worker, entry: Entry, options: Options, result: Result, path: Path) -> Result:
    """The result after an attempt to write its certificate, also if the worker is killed or dies.

    What such a worker has written is removed, since it is not checked. After a limit, another certificate shows
    the trace alone.
    """
    before = _files(path)
    try:
        certified: Result = worker.run(_certify, entry, options, result, path, seconds=options.timeout or None)
    except (OutputError, LevelError) as error:
        return uncertified(result, error, BAD_INPUT)
    except ModelError as error:
        return uncertified(result, error)
    except WorkerDied as death:
        _remove_new(path, before)
        return uncertified(result, death, REFUTED)
    except LimitReached as limit:
        _remove_new(path, before)
        return trace_certified(worker, entry, options, result, path, limit)
    return certified.light


def _remove_new(path: Path, before: Mapping[Path, tuple[int, int]]) -> None:
    """Remove the files of a certificate that differ from those of `before`."""
    for file, written in _files(path).items():
        if before.get(file) != written:
            file.unlink(missing_ok=True)


def _files(path: Path) -> dict[Path, tuple[int, int]]:
    """The files of a certificate, and for each what is new if it is written again."""
    files = {path, *(path.with_suffix(suffix) for suffix in SUFFIXES)}
    states = {file: file.stat() for file in files if file.is_file()}
    return {file: (state.st_ino, state.st_mtime_ns) for file, state in states.items()}
