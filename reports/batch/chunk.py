"""Some levels, one after the other, in one worker: what each may take is limited, and no other pays for it.

An answer is told as soon as it is there. Where the worker has to be killed, or dies, the level that it was at
has an answer, too, or is tried again where somebody else killed it, and the rest goes on in a new process.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.symmetry import between
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.batch.identity import Identity, identify, unbuilt
from puzzlemc.reports.batch.pool import unanswered
from puzzlemc.reports.certify.certify import STRATEGIES, certify, needs_certificate
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.solve.attempt import Attempt
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, UNKNOWN, Result
from puzzlemc.reports.solve.solve import Options, solve_entry
from puzzlemc.reports.workers.worker import (
    Crashed,
    Worker,
    WorkerDied,
    elapsed,
    is_full,
    mark,
    mark_bound,
    next_stage,
    tell,
)
from puzzlemc.screens.base.errors import LevelError

SEND_SECONDS = 0.1  # between two messages with answers
TRIES = 3  # of a level whose worker somebody kills


@dataclass(frozen=True)
class Twin:
    """The answer for a level that is the same, once turned: by the turns of those numbers both become the same.

    level  the number of the twin in the store
    """

    result: Result
    turn: int
    own_turn: int
    level: int


@dataclass(frozen=True)
class Job:
    """What is to be done with a level: say what it is where there are no options, else solve it.

    number     by which the answer is known
    twin       what is to be turned, instead of a search
    certified  a certificate is wanted, too
    """

    number: int
    entry: Entry
    options: Options | None
    twin: Twin | None = None
    certified: bool = False


@dataclass(frozen=True)
class Answer:
    """What came of a job: what the level is, or the result, with its certificate if one was wanted and made.

    better  instead: the best solution so far, of a job whose answer is still to come
    """

    number: int
    identity: Identity | None = None
    result: Result | None = None
    certificate: bytes | None = None
    better: Result | None = None


def run_chunk(
    worker: Worker, jobs: Sequence[Job], seconds: float | None, answer: Callable[[Sequence[Answer]], None]
) -> None:
    """Do the jobs, each of them within so many seconds, and give answers as they come, some at a time."""
    left = {job.number: job for job in jobs}
    deaths: Counter[int] = Counter()
    certified = any(job.certified for job in jobs)
    with tempfile.TemporaryDirectory(prefix="puzzlemc-") if certified else nullcontext("") as scratch:
        while left:
            seen = _Seen(worker, left, answer, Path(scratch), seconds)
            try:
                called = tuple(left.values())
                worker.run(_work, called, scratch, seconds=seconds, receive=seen.receive, look=seen.look)
                seen.finish()
            except LimitReached as limit:
                seen.limited(limit)
            except WorkerDied as death:
                if worker.stopped:
                    raise
                deaths[worker.part] += 1
                if isinstance(death, Crashed) or deaths[worker.part] == TRIES:
                    seen.died(death)
            except LevelError as error:  # a mistake in the code of a puzzle from a file
                seen.end(str(error), BAD_INPUT)
            except (ModelError, FormulaError, Refuted, OutputError) as error:
                seen.end(f"{type(error).__name__}: {error}")
            finally:
                seen.stop()


class _Seen:
    """What a worker has told of its jobs. `left` are those without an answer, which it takes them out of."""

    def __init__(
        self,
        worker: Worker,
        left: dict[int, Job],
        answer: Callable[[Sequence[Answer]], None],
        scratch: Path,
        seconds: float | None,
    ) -> None:
        self._worker = worker
        self._left = left
        self._answer = answer
        self._scratch = scratch
        self._seconds = seconds
        self._results: dict[int, Result] = {}  # that are there, but for their certificates
        self._attempts: dict[int, Attempt] = {}
        self._undecided: tuple[int, Result] | None = None

    def receive(self, told: tuple[str, int, Any]) -> None:
        """What the worker tells."""
        kind, number, value = told
        if kind == "result":
            self._results = {number: value}
        elif kind == "undecided":
            self._undecided = number, value
        elif kind == "better":
            self._attempt(number).add(value)
        else:
            self._done(value)

    def look(self, passed: float) -> None:
        """Look after the job that the worker is at. Raises LimitReached."""
        number = self._worker.part
        for other in [other for other in self._attempts if other != number]:
            self._attempts.pop(other).stop()
        job = self._left.get(number)
        if job is not None and job.options is not None and job.twin is None and number not in self._results:
            attempt = self._attempt(number)
            attempt.bound = max(attempt.bound, self._worker.bound(number))
            attempt.look(passed)

    def stop(self) -> None:
        """End what looks for solutions beside the worker."""
        for attempt in self._attempts.values():
            attempt.stop()

    def finish(self) -> None:
        """Answer for the job whose search came to no end, once nothing looks for a solution any more."""
        if self._undecided is not None:
            number, result = self._undecided
            self._answered(number, self._attempt(number).ended(result))

    def limited(self, limit: LimitReached) -> None:
        """Answer for the job at which the worker was killed at a limit."""
        job = self._current()
        if job is None or job.options is None or job.number in self._results:
            self.end(limit.reason, UNKNOWN)
            return
        attempt = self._attempt(job.number)
        attempt.bound = max(attempt.bound, self._worker.bound(job.number))
        lost = unanswered(job.entry, job.options, self._worker.seconds)
        self._answered(job.number, attempt.killed(limit, lost))

    def died(self, death: WorkerDied) -> None:
        """Answer for the job at which the worker died."""
        job = self._current()
        if job is None or job.options is None or job.number in self._results:
            self.end(str(death))
            return
        lost = unanswered(job.entry, job.options, self._worker.seconds)
        self._done([Answer(job.number, result=self._attempt(job.number).died(death, lost))])

    def end(self, reason: str, code: int = REFUTED) -> None:
        """Answer for the job that the worker was at, where that was no search."""
        job = self._current()
        if job is None:
            return
        if job.options is None:
            self._done([Answer(job.number, identity=unbuilt(job.entry))])
        elif result := self._results.get(job.number):  # that a certificate takes long must not cost the verdict
            self._done([Answer(job.number, result=_without_certificate(result, reason, code))])
        else:
            lost = unanswered(job.entry, job.options, self._worker.seconds)
            result = replace(lost, verdict="error", reason=f"{job.entry.id}: {reason}", exit_code=code)
            self._done([Answer(job.number, result=result)])

    def _current(self) -> Job | None:
        """The job that the worker was at, or the first one, if it was at none yet."""
        return self._left.get(self._worker.part) or next(iter(self._left.values()), None)

    def _attempt(self, number: int) -> Attempt:
        """What is known of the level of a job."""
        if number not in self._attempts:
            job = self._left[number]
            assert job.options is not None
            self._attempts[number] = Attempt(job.entry, job.options, self._worker, partial(self._better, number))
        return self._attempts[number]

    def _better(self, number: int, attempt: Attempt) -> None:
        """Hand a better solution on."""
        if (best := attempt.so_far()) is not None:
            self._answer([Answer(number, better=best.light)])

    def _answered(self, number: int, result: Result) -> None:
        """Give the answer for a job, once its certificate is made if one is wanted."""
        job = self._left[number]
        if job.certified and needs_certificate(result):
            arguments = job, result, str(self._scratch)
            try:
                result = self._worker.run(_certified, *arguments, seconds=self._seconds)
            except LimitReached as limit:
                result = _without_certificate(result, limit.reason, UNKNOWN)
            except WorkerDied as death:
                if self._worker.stopped:
                    raise
                result = _without_certificate(result, str(death), REFUTED)
        self._done([Answer(number, result=result.light)])

    def _done(self, answers: Sequence[Answer]) -> None:
        new = []
        for answer in answers:
            job = self._left.pop(answer.number, None)
            if job is None:
                continue  # it came before
            if answer.result is not None and job.certified:
                path = self._scratch / str(job.number)
                for one in (path, path.with_suffix(STRATEGIES)):
                    if one.is_file():
                        answer = replace(answer, certificate=one.read_bytes())
                        one.unlink()
            new.append(answer)
        self._answer(new)


def _without_certificate(result: Result, reason: str, code: int) -> Result:
    """The result, whose certificate was not made for this reason."""
    gravest = REFUTED if code == REFUTED else result.exit_code
    return replace(result, note=f"no certificate: {reason}", exit_code=gravest)


def _work(jobs: Sequence[Job], scratch: str) -> None:
    """In a worker: the jobs, until so much is left over that the next one needs a new process.

    It ends at a job whose search comes to no end, too: another worker may have found a solution. Answers are sent
    some at a time. Those that a kill takes with it are found again.
    """
    answers: list[Answer] = []
    sent = time.monotonic()
    for job in jobs:
        mark(job.number)
        answer = _answered(job, scratch)
        if answer is not None:
            answers.append(answer)
        full = answer is None or is_full()
        if full or time.monotonic() - sent > SEND_SECONDS:
            tell(("answers", 0, answers))
            answers, sent = [], time.monotonic()
        if full:
            return
    tell(("answers", 0, answers))


def _answered(job: Job, scratch: str) -> Answer | None:
    """The answer for a job; None where its search came to no end: then what came of it has been told."""
    if job.options is None:
        return Answer(job.number, identity=identify(job.entry))
    options = replace(job.options, prove=job.certified)
    if job.twin is not None:
        result = _turned(job, job.twin)
    else:
        result = solve_entry(job.entry, options, mark_bound, partial(_tell_better, job.number), elapsed())
        if result.verdict == "unknown" or (result.is_unproved and result.metric != ANY):
            tell(("undecided", job.number, result if job.certified else result.light))
            return None
    if job.certified and needs_certificate(result):
        tell(("result", job.number, result.light))
        next_stage()
        result = _certified(job, result, scratch)
    return Answer(job.number, result=result.light)


def _tell_better(number: int, solution: Result) -> None:
    tell(("better", number, solution.light))


def _certified(job: Job, result: Result, scratch: str) -> Result:
    """The result with what came of its certificate."""
    assert job.options is not None
    try:
        options = replace(job.options, prove=True)
        return certify(job.entry, options, result, Path(scratch) / str(job.number)).light
    except OutputError as error:
        return replace(result, note=f"no certificate: {error}", exit_code=BAD_INPUT).light
    except ModelError as error:  # of a puzzle that has none
        return replace(result, note=f"no certificate: {error}").light


def _turned(job: Job, twin: Twin) -> Result:
    """The result of the twin as one of this level: its trace turned, and replayed by the plain rules."""
    rules, level, found = job.entry.puzzle, job.entry.level, twin.result
    assert rules.symmetry is not None
    result = replace(found, id=job.entry.id, title=job.entry.title, note="", checked=False)
    if found.verdict == "unknown":
        return result
    if found.verdict != "solvable":
        return replace(result, reason=rules.explanation.obvious(level) or None)
    turned = between(twin.turn, twin.own_turn)
    moves = [rules.symmetry.move(name, turned) for name in found.trace or ()]
    try:
        played = rules.replay(level, moves)
        if dict(played.costs) != dict(found.costs):
            raise Refuted(f"the turned trace costs {dict(played.costs)}, not {dict(found.costs)}")
    except Refuted as error:
        reason = f"{job.entry.id}: refuted: the trace of its twin, turned: {error}"
        return replace(result, verdict="error", reason=reason, exit_code=REFUTED)
    return replace(result, trace=rules.text.write_moves(moves), checked=True)
