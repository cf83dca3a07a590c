"""Levels in worker processes that can be killed at their limit; results come in the order of the levels."""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.auto import load_compiled
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.certify import certify, file_names
from puzzlemc.reports.files import OutputError
from puzzlemc.reports.interrupt import interrupt_taken
from puzzlemc.reports.memory import limit_address_space
from puzzlemc.reports.result import BAD_INPUT, REFUTED, UNKNOWN, Result
from puzzlemc.reports.solve import Options, solve_entry
from puzzlemc.screens.source import Entry

START_SECONDS = 5.0  # for a worker to start, at most
GRACE_SECONDS = 1.0  # an engine looks at the clock by itself; after this much more its worker is killed
SPARE_BYTES = 4 * GIB  # of addresses, for libraries beside what the engine may fill
MANY = 25  # levels a worker, from which on compiled code is loaded before the first of them
AHEAD = 4  # levels that wait for each worker

_bounds: Any = None  # in a worker: the bound proved so far, by slot, shared with the parent


def solve_all(
    entries: Sequence[Entry], options: Options, workers: int | None = None, certificates: Path | None = None
) -> Iterator[Result]:
    """Solve the levels, each in a worker process, and yield the results in order as they come.

    With `certificates`, a folder that is there, each verdict gets a certificate in it. `workers` is by default the
    number of cores. Closing the iterator kills the workers.
    """
    size = max(1, min(workers or os.cpu_count() or 1, len(entries)))
    slots = size * AHEAD
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["puzzlemc.reports.solve"])
    _start_server()
    started = context.Semaphore(0)
    bounds = context.Array("q", slots, lock=False)
    timeout = options.timeout + GRACE_SECONDS if options.timeout else None
    pool = ProcessPool(size, initializer=_start, initargs=(bounds, options, started, os.getpid()), context=context)
    if options.engine == "auto" and len(entries) > size * MANY:
        for _ in range(size):
            pool.schedule(load_compiled)
    waiting: deque[tuple[Entry, int, ProcessFuture[Result]]] = deque()
    names = iter(file_names(entries))

    def finished() -> Result:
        entry, slot, future = waiting.popleft()
        result = _finished(entry, slot, future, bounds, options)
        path = certificates / next(names) if certificates is not None else None
        if path is None or result.verdict not in {"solvable", "unsolvable"}:
            return result
        # On its own clock: that a proof takes long must not cost the verdict.
        return _certified(result, pool.schedule(certify, args=(entry, options, result, path), timeout=timeout))

    try:
        for number, entry in enumerate(entries):
            slot = number % slots
            if len(waiting) == slots:
                yield finished()
            bounds[slot] = 0
            waiting.append((entry, slot, pool.schedule(_work, args=(entry, options, slot), timeout=timeout)))
        while waiting:
            yield finished()
    except BaseException:
        interrupt_taken()
        _wait(started, size)
        pool.stop()  # type: ignore[no-untyped-call]
        raise
    else:
        _wait(started, size)
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        pool.join()


def _wait(started: Any, size: int) -> None:
    """Wait for workers that are still starting: they must not find their pool gone."""
    for _ in range(size):
        started.acquire(timeout=START_SECONDS)


def _start_server() -> None:
    """Start the process that forks workers, deaf to Ctrl-C: that is for the parent, which ends its workers."""
    if threading.current_thread() is not threading.main_thread():
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, handler)


def _start(bounds: Any, options: Options, started: Any, parent: int) -> None:
    global _bounds
    _bounds = bounds
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_address_space(int(options.memory * GIB) + SPARE_BYTES)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    started.release()


def _follow(parent: int) -> None:
    """End this worker when its parent is gone, however that went."""
    while True:
        time.sleep(1)
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os._exit(1)


def _work(entry: Entry, options: Options, slot: int) -> Result:
    def report(bound: int) -> None:
        _bounds[slot] = bound

    return solve_entry(entry, options, report)


def _finished(entry: Entry, slot: int, future: "ProcessFuture[Result]", bounds: Any, options: Options) -> Result:
    """The result of a level, also of one whose worker had to be killed or died."""
    rules = puzzle(entry.puzzle) if entry.puzzle else None
    lost = replace(
        Result(entry.id, entry.title, entry.puzzle),
        metric=options.metric or (rules.metrics[0] if rules else None),
        costs=dict.fromkeys(rules.metrics if rules else ()),
        engine=options.engine,
        diagrams=options.diagrams,
        encoding=options.encoding,
        bound=bounds[slot],
        seconds=options.timeout,
    )
    try:
        return future.result()
    except FutureTimeout:
        return replace(lost, verdict="unknown", reason="timeout", exit_code=UNKNOWN)
    except MemoryError:
        return replace(lost, verdict="unknown", reason="memory", exit_code=UNKNOWN)
    except ProcessExpired as death:
        # The kernel kills (9) and allocators abort (6) when there is no more memory.
        if death.exitcode in (-signal.SIGKILL, -signal.SIGABRT):
            return replace(lost, verdict="unknown", reason="memory", exit_code=UNKNOWN)
        return replace(lost, bound=None, reason=f"{entry.id}: the worker died: {death}", exit_code=REFUTED)


def _certified(result: Result, future: "ProcessFuture[Result]") -> Result:
    """The result with what came of its certificate, also where the worker had to be killed or died."""
    try:
        return future.result()
    except FutureTimeout:
        return replace(result, note="no certificate: timeout")
    except MemoryError:
        return replace(result, note="no certificate: memory")
    except OutputError as error:
        return replace(result, note=f"no certificate: {error}", exit_code=BAD_INPUT)
    except ProcessExpired as death:
        return replace(result, note=f"no certificate: the worker died: {death}")
