"""Levels made in numbers, in workers: drawn by the puzzle, solved by an engine, replayed by the plain rules.

Draws are numbered, and what one gives depends on the request and on its number alone. Workers draw chunks of them;
the chunks are taken in the order of their numbers, levels that were there before are left out, and what is left is
solved. So the levels are the same however many workers there are, and whatever the chunks.
"""

import hashlib
import os
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.generation import Candidate, GenerationRequest, SeriesGeneration
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import GIB, Budget
from puzzlemc.reports.certify.certify import certify, file_names
from puzzlemc.reports.solve.result import REFUTED, Result
from puzzlemc.reports.solve.solve import Options, solve_entry
from puzzlemc.reports.workers.interrupt import interrupt_taken
from puzzlemc.reports.workers.worker import Worker, next_stage
from puzzlemc.screens.base.part import Part

IN_VAIN = 50_000  # draws without a new level, after which no more are made
AHEAD = 3  # chunks that wait for each worker
CHUNK_SECONDS = 0.3  # that drawing a chunk takes, about
MOST_DRAWS = 2048  # of a chunk
MOST_SOLVED = 16  # levels that a worker solves at a time
PRELOAD = ("puzzlemc.reports.generate.making",)

Drawn = list[tuple[int, Candidate]]


@dataclass(frozen=True)
class Made:
    """A level, as text, with its result and what it is measured by."""

    text: str
    result: Result
    measures: Mapping[str, object]

    def as_json(self) -> dict[str, object]:
        """The result, with the level and what it is measured by."""
        return {**self.result.as_json(), **self.measures, "level": self.text}


@dataclass
class Tally:
    """What came of the draws so far.

    draws    taken into account
    copies   levels that were there before
    dropped  levels that no engine has confirmed within its limits
    seconds  of processor time of the workers
    stopped  why there are fewer levels than were asked for
    """

    draws: int = 0
    copies: int = 0
    dropped: int = 0
    stopped: str = ""
    _seconds: list[float] = field(default_factory=list)  # threads append to it

    @property
    def seconds(self) -> float:
        """Of processor time of the workers."""
        return sum(self._seconds)

    def spent(self, seconds: float) -> None:
        """Count them."""
        self._seconds.append(seconds)


def make(
    puzzle: str,
    request: GenerationRequest,
    count: int,
    options: Options,
    tally: Tally,
    *,
    workers: int | None = None,
    certificates: Path | None = None,
    notify: Callable[[str], None] | None = None,
) -> Iterator[Made]:
    """Make so many levels, or as many as are found before no new one comes for the time of one level.

    With `certificates`, a folder that is there, each gets a certificate in it. `tally` is kept up to date. Raises
    Refuted where an engine contradicts a level, WorkerDied, OutputError. Closing the iterator kills the workers.
    """
    size = max(1, workers or os.cpu_count() or 1)
    crew = [Worker(int(options.memory * GIB), PRELOAD, notify) for _ in range(size)]
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in crew:
        idle.put(worker)
    seconds = options.timeout or None

    def on_worker(function: Callable[..., Any], *arguments: Any) -> Any:
        worker = idle.get()
        try:
            return worker.run(function, *arguments, seconds=seconds)
        finally:
            tally.spent(worker.seconds)
            idle.put(worker)

    with ThreadPoolExecutor(size) as threads:
        try:
            yield from _made(puzzle, request, count, options, tally, size, certificates, threads, on_worker)
        except BaseException:
            interrupt_taken()
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in crew:
                worker.stop()


def _made(
    puzzle: str,
    request: GenerationRequest,
    count: int,
    options: Options,
    tally: Tally,
    size: int,
    certificates: Path | None,
    threads: ThreadPoolExecutor,
    on_worker: Callable[..., Any],
) -> Iterator[Made]:
    drawing: deque[tuple[range, Future[Any]]] = deque()
    solving: deque[Future[Any]] = deque()
    seen = set[bytes]()
    found, waiting = 0, 0  # levels; the latter are being solved
    following, newest, chunk = 0, -1, 1  # numbers of draws: the next one, that of the last new level; and how many
    last, stopped = time.monotonic(), ""
    while found < count:
        is_enough = bool(stopped) or found + waiting >= count or len(solving) > AHEAD * size
        if solving and (is_enough or solving[0].done()):
            results: list[Made | None] = solving.popleft().result()
            waiting -= len(results)
            tally.dropped += results.count(None)
            for made in filter(None, results):
                found, last = found + 1, time.monotonic()
                yield made
            continue
        if stopped:
            tally.stopped = stopped
            return
        while len(drawing) < AHEAD * size:
            numbers = range(following, following + chunk)
            following = numbers.stop
            drawing.append((numbers, threads.submit(on_worker, _draw, puzzle, request, numbers)))
        numbers, drawn = drawing.popleft()
        left = None  # the first draws may wait for code that is compiled, under no limit
        if options.timeout and tally.draws and not waiting:
            left = max(0.0, last + options.timeout - time.monotonic())
        try:
            seconds, candidates = drawn.result(left)
        except TimeoutError:
            stopped = f"no new level within {options.timeout:g} s"
            continue
        except LimitReached as limit:
            stopped = f"a draw came to its limit: {limit.reason}"
            continue
        chunk = max(1, min(MOST_DRAWS, 2 * len(numbers), int(len(numbers) * CHUNK_SECONDS / max(seconds, 1e-4))))
        if not tally.draws:
            last = time.monotonic()  # code may have been compiled, under no limit
        tally.draws += len(numbers)
        fresh: Drawn = []
        for number, candidate in candidates:
            if number - newest > IN_VAIN or found + waiting + len(fresh) == count:
                break
            key = hashlib.blake2b(candidate.key.encode(), digest_size=16).digest()
            if key in seen:
                tally.copies += 1
                continue
            seen.add(key)
            fresh.append((number, candidate))
            newest = number
        for start in range(0, len(fresh), MOST_SOLVED):
            part = fresh[start : start + MOST_SOLVED]
            waiting += len(part)
            solving.append(threads.submit(on_worker, _solve, puzzle, request, part, options, certificates))
        if numbers[-1] - newest >= IN_VAIN:
            stopped = f"no new level among {IN_VAIN} draws"
        elif options.timeout and not waiting and time.monotonic() - last > options.timeout:
            stopped = f"no new level within {options.timeout:g} s"


def _draw(puzzle: str, request: GenerationRequest, numbers: range) -> tuple[float, Drawn]:
    """In a worker: the draws of these numbers that are levels, and the seconds that they took."""
    generation = puzzle_of(puzzle).generation
    assert isinstance(generation, SeriesGeneration)
    generator, started = generation.load(), time.process_time()
    drawn = []
    for number in numbers:
        next_stage()
        candidate = generator.draw(request, number, Budget())
        if candidate is not None:
            drawn.append((number, candidate))
    return time.process_time() - started, drawn


def _solve(
    puzzle: str, request: GenerationRequest, drawn: Drawn, options: Options, folder: Path | None
) -> list[Made | None]:
    """In a worker: the levels with their results; None where a limit came first. Raises Refuted, OutputError."""
    made: list[Made | None] = []
    for number, candidate in drawn:
        next_stage()
        made.append(_confirmed(puzzle, request, number, candidate, options, folder))
    return made


def _confirmed(
    puzzle: str,
    request: GenerationRequest,
    number: int,
    candidate: Candidate,
    options: Options,
    folder: Path | None,
) -> Made | None:
    """The level as it is read from its text, solved. Raises Refuted where the answer is not the one expected."""
    rules = puzzle_of(puzzle)
    assert isinstance(rules.generation, SeriesGeneration)
    cost = candidate.cost
    about = "unsolvable" if cost is None else f"{cost} {rules.metrics[0]}"
    title = f"Seed {request.seed}, draw {number}: {about}"
    text = rules.generation.load().titled(candidate.level, title)
    id = f"seed-{request.seed}#{number}"
    (part,) = rules.screen.cut(text + "\n", id)
    assert isinstance(part, Part)
    entry = Entry(id, title, rules, part=part)
    result = solve_entry(entry, replace(options, many=True))
    if result.verdict == "unknown":
        return None
    if (result.verdict, result.cost) != ("solvable" if cost is not None else "unsolvable", cost):
        found = result.reason or f"{result.verdict} {result.cost}"
        raise Refuted(f"a level that was made to be {about} is found to be: {found}\n{text}")
    if folder is not None:
        next_stage()
        (name,) = file_names([entry])
        result = certify(entry, options, result, folder / name)
        if result.exit_code == REFUTED:
            raise Refuted(result.reason or "its certificate")
    return Made(text, replace(result, proof=None), candidate.measures)
