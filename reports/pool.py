"""Levels in worker processes that can be killed at their limit; results come in the order of the levels."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from puzzlemc.mc.auto import FIRST_LEVELS, load_compiled
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.memory import limit_address_space
from puzzlemc.reports.result import UNKNOWN, Result
from puzzlemc.reports.solve import Options, solve_entry
from puzzlemc.screens.source import Entry

GRACE_SECONDS = 1.0  # an engine looks at the clock by itself; after this much more its worker is killed
SPARE_BYTES = GIB  # for the interpreter and libraries, beside what the engine may fill
AHEAD = 4  # levels that wait for each worker

_bounds: Any = None  # in a worker: the bound proved so far, by slot, shared with the parent


def solve_all(entries: Sequence[Entry], options: Options, workers: int | None = None) -> Iterator[Result]:
    """Solve the levels, each in a worker process, and yield the results in order as they come.

    `workers` is by default the number of cores. Closing the iterator kills the workers.
    """
    size = workers or os.cpu_count() or 1
    slots = size * AHEAD
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["puzzlemc.reports.solve"])
    bounds = context.Array("q", slots, lock=False)
    timeout = options.timeout + GRACE_SECONDS if options.timeout else None
    pool = ProcessPool(size, initializer=_start, initargs=(bounds, options), context=context)
    if options.engine == "auto" and len(entries) > size * FIRST_LEVELS:
        for _ in range(size):
            pool.schedule(load_compiled)
    waiting: deque[tuple[Entry, int, ProcessFuture[Result]]] = deque()
    try:
        for number, entry in enumerate(entries):
            slot = number % slots
            if len(waiting) == slots:
                yield _finished(*waiting.popleft(), bounds, options)
            bounds[slot] = 0
            waiting.append((entry, slot, pool.schedule(_work, args=(entry, options, slot), timeout=timeout)))
        while waiting:
            yield _finished(*waiting.popleft(), bounds, options)
    except BaseException:
        pool.stop()  # type: ignore[no-untyped-call]
        raise
    else:
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        pool.join()


def _start(bounds: Any, options: Options) -> None:
    global _bounds
    _bounds = bounds
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which kills its workers
    limit_address_space(int(options.memory * GIB) + SPARE_BYTES)


def _work(entry: Entry, options: Options, slot: int) -> Result:
    def report(bound: int) -> None:
        _bounds[slot] = bound

    return solve_entry(entry, options, report)


def _finished(entry: Entry, slot: int, future: "ProcessFuture[Result]", bounds: Any, options: Options) -> Result:
    """The result of a level, also of one whose worker had to be killed."""
    try:
        return future.result()
    except FutureTimeout:
        reason, seconds = "timeout", options.timeout
    except ProcessExpired as death:
        # The kernel kills (9) and allocators abort (6) when there is no more memory.
        if death.exitcode not in (-signal.SIGKILL, -signal.SIGABRT):
            raise
        reason, seconds = "memory", 0.0
    return replace(
        Result(entry.id, entry.title, entry.puzzle),
        verdict="unknown",
        metric=options.metric,
        engine=options.engine,
        diagrams=options.diagrams,
        encoding=options.encoding,
        reason=reason,
        bound=bounds[slot],
        seconds=seconds,
        exit_code=UNKNOWN,
    )
