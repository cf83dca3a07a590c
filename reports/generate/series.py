"""A series of generated levels: drawn by the puzzle, solved by an engine, replayed by the plain rules, in workers.

Draws are numbered, and the result of a draw depends only on the request and its number. Workers draw chunks of
consecutive numbers. The chunks are taken in the order of their numbers, levels that were seen before are dropped,
and the others are solved. So the levels do not depend on the number of workers or the size of the chunks.
"""

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.design.generation import Candidate, GenerationRequest, SeriesGeneration
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.file_names import CERTIFICATE, file_stems
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import REFUTED, Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.crew import WorkerCrew, result_of
from puzzlemc.reports.workers.interrupt import interrupt_taken
from puzzlemc.reports.workers.worker import Worker, next_stage
from puzzlemc.screens.base.part import Part

IN_VAIN = 50_000  # the series ends after this number of draws without a new level
AHEAD = 3  # chunks that wait for each worker
CHUNK_SECONDS = 0.3  # target for the time that a worker needs for a chunk
MOST_DRAWS = 2048  # in a chunk
MOST_SOLVED = 16  # levels that a worker gets to solve at a time
PRELOAD = ("puzzlemc.reports.generate.series",)

Drawn = list[tuple[int, Candidate]]


@dataclass(frozen=True)
class Series:
    """Which levels are generated, and how they are solved.

    options       of the solver, with its limits
    certificates  the folder, which exists, for a certificate of each level; None for no certificates
    """

    puzzle: str
    request: GenerationRequest
    options: Options = field(default_factory=Options)
    certificates: Path | None = None


@dataclass(frozen=True)
class Generated:
    """A level as text, with its result and its measures."""

    text: str
    result: Result
    measures: Mapping[str, object]

    def as_json(self) -> dict[str, object]:
        """The fields of the result, the measures, and the level."""
        return {**self.result.as_json(), **self.measures, "level": self.text}


@dataclass
class Tally:
    """The progress of a series.

    draws    that were taken
    copies   levels that had been generated before
    dropped  levels that no engine solved within the limits
    seconds  processor time of the workers
    stopped  why the series ended early; empty if it did not
    reason   the limit of that: `timeout`, `memory` or `bound`
    """

    draws: int = 0
    copies: int = 0
    dropped: int = 0
    stopped: str = ""
    reason: str = "bound"
    _seconds: list[float] = field(default_factory=list)  # threads append to it

    @property
    def seconds(self) -> float:
        """Processor time of the workers."""
        return sum(self._seconds)

    def spent(self, seconds: float) -> None:
        """Add processor time of a worker."""
        self._seconds.append(seconds)


class Pool:
    """The workers of a series, with the time limit of a level. `look` is that of `Worker.run`."""

    def __init__(
        self, crew: WorkerCrew, timeout: float, tally: Tally, look: Callable[[float], None] = lambda _: None
    ) -> None:
        self._look = look
        self.size = crew.size
        self._crew = crew
        self._seconds = timeout or None
        self._tally = tally

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """The future result of a function in a worker."""

        def task(worker: Worker) -> Any:
            try:
                return worker.run(function, *arguments, seconds=self._seconds, look=self._look)
            finally:
                self._tally.spent(worker.seconds)

        return self._crew.submit(task)


def generate_series(
    series: Series,
    count: int,
    tally: Tally,
    *,
    workers: int | None = None,
    look: Callable[[float], None] = lambda _: None,
) -> Generator[Generated, None, None]:
    """Yield up to `count` levels; fewer if no new level is found within the time limit of one level.

    `tally` is kept up to date. `look` is called while workers run, and may raise LimitReached, which ends the
    series. Raises Refuted if an engine contradicts a level, WorkerDied, OutputError. Closing the iterator kills
    the workers.
    """
    options = series.options
    size = max(1, workers or os.cpu_count() or 1)
    with WorkerCrew(size, options.memory, PRELOAD) as crew:
        try:
            yield from _generated(series, count, tally, Pool(crew, options.timeout, tally, look))
        except BaseException:
            interrupt_taken()
            raise


def _generated(series: Series, count: int, tally: Tally, pool: Pool) -> Iterator[Generated]:
    """The loop of a series: keeps chunks of draws and of levels to solve in flight, and takes them in order."""
    drawing: deque[tuple[range, Future[Any]]] = deque()
    solving: deque[Future[Any]] = deque()
    seen = set[bytes]()
    found, waiting = 0, 0  # levels that were yielded, and levels that are being solved
    following, newest, chunk = 0, -1, 1  # next draw; draw of the newest level; draws in the next chunk
    timeout = series.options.timeout
    last, stopped = time.monotonic(), ""
    while found < count:
        is_enough = bool(stopped) or found + waiting >= count or len(solving) > AHEAD * pool.size
        if solving and (is_enough or solving[0].done()):
            results: list[Generated | None] = result_of(solving.popleft())
            waiting -= len(results)
            tally.dropped += results.count(None)
            for level in filter(None, results):
                found, last = found + 1, time.monotonic()
                yield level
            continue
        if stopped:
            tally.stopped = stopped
            return
        while len(drawing) < AHEAD * pool.size:
            numbers = range(following, following + chunk)
            following = numbers.stop
            drawing.append((numbers, pool.submit(_draw, series, numbers)))
        numbers, drawn = drawing.popleft()
        left = None  # the first draws wait for the start of workers, which no limit covers
        if timeout and tally.draws and not waiting:
            left = max(0.0, last + timeout - time.monotonic())
        try:
            seconds, candidates = result_of(drawn, seconds=left)
        except TimeoutError:
            stopped, tally.reason = f"no new level within {timeout:g} s", "timeout"
            continue
        except LimitReached as limit:
            stopped, tally.reason = f"a draw came to its limit: {limit.reason}", limit.reason
            continue
        chunk = max(1, min(MOST_DRAWS, 2 * len(numbers), int(len(numbers) * CHUNK_SECONDS / max(seconds, 1e-4))))
        if not tally.draws:
            last = time.monotonic()  # the workers have started
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
            solving.append(pool.submit(_solve, series, part))
        if numbers[-1] - newest >= IN_VAIN:
            stopped = f"no new level among {IN_VAIN} draws"
        elif timeout and not waiting and time.monotonic() - last > timeout:
            stopped, tally.reason = f"no new level within {timeout:g} s", "timeout"


def _draw(series: Series, numbers: range) -> tuple[float, Drawn]:
    """In a worker: the draws with these numbers that gave levels, and the processor time that they took."""
    generation = puzzle_of(series.puzzle).generation
    assert isinstance(generation, SeriesGeneration)
    generator, started = generation.load(), time.process_time()
    drawn = []
    for number in numbers:
        next_stage()
        candidate = generator.draw(series.request, number, Budget())
        if candidate is not None:
            drawn.append((number, candidate))
    return time.process_time() - started, drawn


def _solve(series: Series, drawn: Drawn) -> list[Generated | None]:
    """In a worker: the levels with their results; None if a limit came first. Raises Refuted, OutputError."""
    generated: list[Generated | None] = []
    for number, candidate in drawn:
        next_stage()
        generated.append(_confirmed(series, number, candidate))
    return generated


def _confirmed(series: Series, number: int, candidate: Candidate) -> Generated | None:
    """The level, read from its text and solved. Raises Refuted if the answer differs from the candidate's."""
    rules, seed = puzzle_of(series.puzzle), series.request.seed
    assert isinstance(rules.generation, SeriesGeneration)
    cost = candidate.cost
    about = "unsolvable" if cost is None else f"{cost} {rules.metrics[0]}"
    title = f"Seed {seed}, draw {number}: {about}"
    text = rules.generation.load().titled(candidate.level, title)
    id = f"seed-{seed}#{number}"
    (part,) = rules.screen.cut(text + "\n", id)
    assert isinstance(part, Part)
    entry = Entry(id, title, rules, part=part)
    result = solve_entry(entry, replace(series.options, many=True))
    if result.verdict == "unknown":
        return None
    if (result.verdict, result.cost) != ("solvable" if cost is not None else "unsolvable", cost):
        found = result.reason or f"{result.verdict} {result.cost}"
        raise Refuted(f"a level that was made to be {about} is found to be: {found}\n{text}")
    if series.certificates is not None:
        next_stage()
        path = series.certificates / (file_stems([id])[id] + CERTIFICATE)
        result = certify(entry, series.options, result, path)
        if result.exit_code == REFUTED:
            raise Refuted(result.reason or "its certificate")
    return Generated(text, replace(result, proof=None), candidate.measures)
