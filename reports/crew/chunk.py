"""A chunk: levels that one worker solves in one call, each under limits of its own.

Answers arrive as they are found. When the worker is killed at a limit, or dies, the current level is answered (or
retried, if somebody else killed the worker), and the remaining levels go on in a new process. A call per level
would be simpler, as in `in_order`, but costs as much as a small level; `outcome` has what both share.
"""

import gc
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.puzzle.symmetry import between
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.certify.file_names import OF_CHANCE, STRATEGIES
from puzzlemc.reports.crew.identity import identify, unbuilt
from puzzlemc.reports.crew.jobs import Answer, Job, SymmetricResult
from puzzlemc.reports.crew.outcome import complete, trace_certified, unanswered, uncertified
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.solve.attempt import Attempt
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, UNKNOWN, Result
from puzzlemc.reports.solve.solve import solve_entry, warnings_of
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

YOUNG = 20_000  # objects that may wait for a collection: a level makes thousands, and leaves few
SEND_SECONDS = 0.1  # between two messages with answers
TRIES = 3  # attempts at a level whose worker somebody else kills


def run_chunk(
    worker: Worker, jobs: Sequence[Job], seconds: float | None, answer: Callable[[Sequence[Answer]], None]
) -> None:
    """Answer the jobs. `seconds` is the limit per job; `answer` gets groups of answers as they come."""
    left = {job.number: job for job in jobs}
    deaths: Counter[int] = Counter()
    certified = any(job.certified for job in jobs)
    with tempfile.TemporaryDirectory(prefix="puzzlemc-") if certified else nullcontext("") as scratch:
        while left:
            progress = _Progress(worker, left, answer, Path(scratch), seconds)
            try:
                called = tuple(left.values())
                worker.run(_work, called, scratch, seconds=seconds, receive=progress.receive, look=progress.look)
                progress.finish()
            except LimitReached as limit:
                progress.limited(limit)
            except WorkerDied as death:
                if worker.stopped:
                    raise
                deaths[worker.part] += 1
                if isinstance(death, Crashed) or deaths[worker.part] == TRIES:
                    progress.died(death)
            except LevelError as error:  # a mistake in the code of a puzzle from a file
                progress.end(str(error), BAD_INPUT)
            except (ModelError, FormulaError, Refuted, OutputError) as error:
                progress.end(f"{type(error).__name__}: {error}")
            finally:
                progress.stop()


class _Progress:
    """What a worker has reported on a chunk; removes from `left` each job that is answered."""

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
        self._results: dict[int, Result] = {}  # results whose certificates are being made
        self._attempts: dict[int, Attempt] = {}
        self._undecided: tuple[int, Result] | None = None

    def receive(self, message: tuple[str, int, Any]) -> None:
        """Take a message of the worker: its kind, the number of the job, and a value."""
        kind, number, value = message
        if kind == "result":
            self._results = {number: value}
        elif kind == "undecided":
            self._undecided = number, value
        elif kind == "better":
            attempt = self._attempt(number)
            attempt.prove(self._worker.bound(number))  # proved before the solution was sent
            attempt.add(value)
        else:
            self._done(value)

    def look(self, passed: float) -> None:
        """Update the attempt at the current job after `passed` seconds. Raises LimitReached."""
        number = self._worker.part
        for other in [other for other in self._attempts if other != number]:
            self._attempts.pop(other).stop()
        job = self._left.get(number)
        if job is not None and job.options is not None and job.symmetric is None and number not in self._results:
            attempt = self._attempt(number)
            attempt.prove(self._worker.bound(number))
            attempt.look(passed)

    def stop(self) -> None:
        """Stop the second workers, which look for any solution."""
        for attempt in self._attempts.values():
            attempt.stop()

    def finish(self) -> None:
        """Answer the job whose search ended without a verdict, after its second worker has ended, too."""
        if self._undecided is not None:
            number, result = self._undecided
            self._answered(number, self._attempt(number).ended(result))

    def limited(self, limit: LimitReached) -> None:
        """Answer the job whose worker was killed at a limit."""
        job = self._current()
        if job is None or job.options is None:
            self.end(limit.reason, UNKNOWN)
            return
        if result := self._results.get(job.number):  # a certificate that takes long does not cost the verdict
            self._done([Answer(job.number, result=self._trace_certified(job, result, limit))])
            return
        attempt = self._attempt(job.number)
        attempt.bound = max(attempt.bound, self._worker.bound(job.number))
        lost = unanswered(job.entry, job.options, self._worker.seconds)
        self._answered(job.number, attempt.killed(limit, lost))

    def died(self, death: WorkerDied) -> None:
        """Answer the job whose worker died."""
        job = self._current()
        if job is None or job.options is None or job.number in self._results:
            self.end(str(death))
            return
        lost = unanswered(job.entry, job.options, self._worker.seconds)
        result = self._attempt(job.number).died(death, lost)
        self._done([Answer(job.number, result=self._complete(job, result))])

    def end(self, reason: str, code: int = REFUTED) -> None:
        """Answer the current job: with an error of this exit code, unless only its certificate is missing."""
        job = self._current()
        if job is None:
            return
        if job.measured is not None:
            self._done([Answer(job.number, measures={})])
        elif job.options is None:
            self._done([Answer(job.number, identity=unbuilt(job.entry))])
        elif result := self._results.get(job.number):
            self._remove_unchecked(job)
            gravest = REFUTED if code == REFUTED else None
            self._done([Answer(job.number, result=uncertified(result, reason, gravest))])
        else:
            lost = unanswered(job.entry, job.options, self._worker.seconds)
            result = lost.failed(f"{job.entry.id}: {reason}", code)
            self._done([Answer(job.number, result=result)])

    def _current(self) -> Job | None:
        """The job that the worker has marked, or the first one before any is marked."""
        return self._left.get(self._worker.part) or next(iter(self._left.values()), None)

    def _attempt(self, number: int) -> Attempt:
        """The attempt at a job; made when it is first needed."""
        if number not in self._attempts:
            job = self._left[number]
            assert job.options is not None
            self._attempts[number] = Attempt(job.entry, job.options, self._worker, partial(self._better, number))
        return self._attempts[number]

    def _better(self, number: int, attempt: Attempt) -> None:
        """Send what is known so far: the best solution, or a bound."""
        job = self._left[number]
        assert job.options is not None
        if (known := attempt.so_far(unanswered(job.entry, job.options, 0.0))) is not None:
            self._answer([Answer(number, better=known.light)])

    def _answered(self, number: int, result: Result) -> None:
        """Answer a job, after its certificate is made if one is wanted."""
        job = self._left[number]
        if job.certified and _needs_certificate(result):
            arguments = job, result, str(self._scratch)
            try:
                result = self._worker.run(_certified, *arguments, seconds=self._seconds)
            except LimitReached as limit:
                result = self._trace_certified(job, result, limit)
            except WorkerDied as death:
                if self._worker.stopped:
                    raise
                self._remove_unchecked(job)
                result = uncertified(result, death, REFUTED)
        self._done([Answer(number, result=self._complete(job, result).light)])

    def _trace_certified(self, job: Job, result: Result, limit: LimitReached) -> Result:
        """The result after an attempt to certify its trace alone, as its worker was killed at a limit."""
        assert job.options is not None
        self._remove_unchecked(job)
        path = self._scratch / str(job.number)
        return trace_certified(self._worker, job.entry, job.options, result, path, limit).light

    def _remove_unchecked(self, job: Job) -> None:
        """Remove the files of a certificate whose worker has ended before they were checked."""
        for path in self._files(job):
            path.unlink(missing_ok=True)

    def _files(self, job: Job) -> list[Path]:
        """The files that a certificate may have."""
        path = self._scratch / str(job.number)
        return [path, *(path.with_suffix(each) for each in (STRATEGIES, *OF_CHANCE.values()))]

    def _complete(self, job: Job, result: Result) -> Result:
        """The result with a remark for each answer that was asked for and is not there."""
        assert job.options is not None
        limit = self._attempt(job.number).limit
        return complete(job.entry, job.options, result, limit, certified=job.certified)

    def _done(self, answers: Sequence[Answer]) -> None:
        """Send the answers that are new, each with its certificate."""
        new = []
        for answer in answers:
            job = self._left.pop(answer.number, None)
            if job is None:
                continue  # it was answered before
            if answer.result is not None and job.certified:
                for one in self._files(job):
                    if one.is_file():
                        answer = replace(answer, certificate=one.read_bytes())
                        one.unlink()
            new.append(answer)
        self._answer(new)


def _work(jobs: Sequence[Job], scratch: str) -> None:
    """In a worker: answer the jobs until the resident memory is so high that the worker must be replaced.

    Also returns at a job whose search ends without a verdict: a second worker may have found a solution. Answers
    are sent in groups. Jobs whose answers are lost by a kill are done again.
    """
    gc.set_threshold(YOUNG)
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
    """The answer to a job; None if its search ends without a verdict, which is sent as `undecided`."""
    if job.measured is not None:
        return Answer(job.number, measures=_measured(job.entry, job.measured))
    if job.options is None:
        return Answer(job.number, identity=identify(job.entry))
    options = replace(job.options, prove=job.certified)
    is_explained = options.why and job.symmetric is not None and job.symmetric.result.verdict == "unsolvable"
    if job.symmetric is not None and not is_explained:  # the part without a solution has other places here
        result = _transformed(job, job.symmetric)
    else:
        result = solve_entry(job.entry, options, mark_bound, partial(_tell_better, job.number), elapsed())
        if result.verdict == "unknown" or (result.is_unproved and result.metric != ANY):
            tell(("undecided", job.number, result if job.certified else result.light))
            return None
    if job.certified and _needs_certificate(result):
        tell(("result", job.number, result.light))
        next_stage()
        result = _certified(job, result, scratch)
    return Answer(job.number, result=result.light)


def _measured(entry: Entry, limits: Limits) -> dict[str, Number]:
    """The measures of a level; none of one that cannot be read."""
    from puzzlemc.reports.measures.measure import measured_within

    try:
        return measured_within(entry, limits, passed=elapsed())
    except (LevelError, ModelError):
        return {}


def _tell_better(number: int, solution: Result) -> None:
    tell(("better", number, solution.light))


def _needs_certificate(result: Result) -> bool:
    from puzzlemc.reports.certify.certify import needs_certificate

    return needs_certificate(result)


def _certified(job: Job, result: Result, scratch: str) -> Result:
    """The result after an attempt to write its certificate."""
    from puzzlemc.reports.certify.certify import certify

    assert job.options is not None
    try:
        options = replace(job.options, prove=True)
        return certify(job.entry, options, result, Path(scratch) / str(job.number)).light
    except OutputError as error:
        return uncertified(result, error, BAD_INPUT).light
    except ModelError as error:  # the puzzle has no certificates
        return uncertified(result, error).light


def _transformed(job: Job, symmetric: SymmetricResult) -> Result:
    """The result of a symmetric level as one of this level; its trace is transformed and replayed."""
    rules, level, found = job.entry.puzzle, job.entry.level, symmetric.result
    assert rules.symmetry is not None
    result = replace(found, id=job.entry.id, title=job.entry.title, note="", checked=False)
    result = replace(result, warnings=warnings_of(job.entry))
    if found.verdict == "unknown":
        return result
    if found.verdict != "solvable":
        return replace(result, reason=rules.explanation.obvious(level) or None)
    turn = between(symmetric.turn, symmetric.own_turn)
    moves = [rules.symmetry.move(name, turn) for name in found.trace or ()]
    try:
        played = rules.replay(level, moves)
        if dict(played.costs) != dict(found.costs):
            raise Refuted(f"the transformed trace costs {dict(played.costs)}, not {dict(found.costs)}")
    except Refuted as error:
        reason = f"{job.entry.id}: refuted: the transformed trace of a symmetric level: {error}"
        return result.failed(reason, REFUTED)
    assert found.solution is not None
    return replace(result, solution=replace(found.solution, trace=rules.text.write_moves(moves)), checked=True)
