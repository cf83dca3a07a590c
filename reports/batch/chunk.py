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
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.turns import between
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.reports.batch.identity import Identity, identify, unbuilt
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.run.certify import STRATEGIES, certify, needs_certificate
from puzzlemc.reports.run.pool import unanswered
from puzzlemc.reports.run.result import BAD_INPUT, REFUTED, UNKNOWN, Result
from puzzlemc.reports.run.solve import Options, solve_entry
from puzzlemc.reports.run.worker import Crashed, Worker, WorkerDied, is_full, mark, mark_bound, next_stage, tell
from puzzlemc.screens.errors import LevelError

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
    """What came of a job: what the level is, or the result, with its certificate if one was wanted and made."""

    number: int
    identity: Identity | None = None
    result: Result | None = None
    certificate: bytes | None = None


def run_chunk(
    worker: Worker, jobs: Sequence[Job], seconds: float | None, answer: Callable[[Sequence[Answer]], None]
) -> None:
    """Do the jobs, each of them within so many seconds, and give answers as they come, some at a time."""
    left = {job.number: job for job in jobs}
    deaths: Counter[int] = Counter()
    certified = any(job.certified for job in jobs)
    with tempfile.TemporaryDirectory(prefix="puzzlemc-") if certified else nullcontext("") as scratch:
        while left:
            seen = _Seen(left, answer, Path(scratch))
            try:
                worker.run(_work, tuple(left.values()), scratch, seconds=seconds, receive=seen.receive)
            except LimitReached as limit:
                seen.end(worker, limit.reason, UNKNOWN)
            except WorkerDied as death:
                if worker.stopped:
                    raise
                deaths[worker.part] += 1
                if isinstance(death, Crashed) or deaths[worker.part] == TRIES:
                    seen.end(worker, str(death), REFUTED)
            except (ModelError, FormulaError, Refuted, LevelError, OutputError) as error:
                seen.end(worker, f"{type(error).__name__}: {error}", REFUTED)


class _Seen:
    """What a worker has told of its jobs. `left` are those without an answer, which it takes them out of."""

    def __init__(self, left: dict[int, Job], answer: Callable[[Sequence[Answer]], None], scratch: Path) -> None:
        self._left = left
        self._answer = answer
        self._scratch = scratch
        self._results: dict[int, Result] = {}

    def receive(self, told: tuple[str, int, Any]) -> None:
        """What the worker tells."""
        kind, number, value = told
        if kind == "result":
            self._results = {number: value}
        else:
            self._done(value)

    def end(self, worker: Worker, reason: str, code: int) -> None:
        """Answer for the job that the worker was at, or for the first one, if it was at none yet."""
        if not self._left:
            return
        job = self._left.get(worker.part) or next(iter(self._left.values()))
        if job.options is None:
            self._done([Answer(job.number, identity=unbuilt(job.entry))])
        elif result := self._results.get(job.number):  # that a certificate takes long must not cost the verdict
            gravest = REFUTED if code == REFUTED else result.exit_code
            result = replace(result, note=f"no certificate: {reason}", exit_code=gravest)
            self._done([Answer(job.number, result=result)])
        else:
            verdict, told = ("unknown", reason) if code == UNKNOWN else ("error", f"{job.entry.id}: {reason}")
            lost = unanswered(job.entry, job.options, worker.seconds)
            bound = worker.bound if code == UNKNOWN else None
            result = replace(lost, verdict=verdict, reason=told, bound=bound, exit_code=code)
            self._done([Answer(job.number, result=result)])

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


def _work(jobs: Sequence[Job], scratch: str) -> None:
    """In a worker: the jobs, until so much is left over that the next one needs a new process.

    Answers are sent some at a time. Those that a kill takes with it are found again.
    """
    answers: list[Answer] = []
    sent = time.monotonic()
    for job in jobs:
        mark(job.number)
        answers.append(_answered(job, Path(scratch)))
        full = is_full()
        if full or time.monotonic() - sent > SEND_SECONDS:
            tell(("answers", 0, answers))
            answers, sent = [], time.monotonic()
        if full:
            return
    tell(("answers", 0, answers))


def _answered(job: Job, scratch: Path) -> Answer:
    if job.options is None:
        return Answer(job.number, identity=identify(job.entry))
    options = replace(job.options, prove=job.certified)
    if job.twin is not None:
        result = _turned(job, job.twin)
    else:
        result = solve_entry(job.entry, options, mark_bound)
    if job.certified and needs_certificate(result):
        tell(("result", job.number, result.light))
        next_stage()
        try:
            result = certify(job.entry, options, result, scratch / str(job.number))
        except OutputError as error:
            result = replace(result, note=f"no certificate: {error}", exit_code=BAD_INPUT)
        except ModelError as error:  # of a puzzle that has none
            result = replace(result, note=f"no certificate: {error}")
    return Answer(job.number, result=result.light)


def _turned(job: Job, twin: Twin) -> Result:
    """The result of the twin as one of this level: its trace turned, and replayed by the plain rules."""
    rules, level, found = job.entry.puzzle, job.entry.level, twin.result
    assert rules.symmetry is not None
    result = replace(found, id=job.entry.id, title=job.entry.title, note="", checked=False)
    if found.verdict != "solvable":
        return replace(result, reason=rules.hopeless(level) or None)
    turned = between(twin.turn, twin.own_turn)
    moves = [rules.symmetry.move(name, turned) for name in found.trace or ()]
    try:
        played = rules.replay(level, moves)
        if dict(played.costs) != dict(found.costs):
            raise Refuted(f"the turned trace costs {dict(played.costs)}, not {dict(found.costs)}")
    except Refuted as error:
        reason = f"{job.entry.id}: refuted: the trace of its twin, turned: {error}"
        return replace(result, verdict="error", reason=reason, exit_code=REFUTED)
    return replace(result, trace=rules.write_trace(moves), checked=True)
