"""Some levels, one after the other, in one worker: what each may take is limited, and no other pays for it.

An answer is told as soon as it is there. Where the worker has to be killed, or dies, the level that it was at
has an answer, too, or is tried again where somebody else killed it, and the rest goes on in a new process.
"""

import tempfile
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.turns import between
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.reports.batch.identity import Identity, identify, unbuilt
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.run.certify import certify
from puzzlemc.reports.run.pool import unanswered
from puzzlemc.reports.run.result import BAD_INPUT, REFUTED, UNKNOWN, Result
from puzzlemc.reports.run.solve import Options, solve_entry
from puzzlemc.reports.run.worker import Crashed, Worker, WorkerDied, is_full, next_stage, tell, tell_and_go_on
from puzzlemc.screens.errors import LevelError

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
    worker: Worker, jobs: Sequence[Job], seconds: float | None, answer: Callable[[Answer], None]
) -> None:
    """Do the jobs, each of them within so many seconds, and give each answer as it comes."""
    left = deque(jobs)
    deaths: Counter[int] = Counter()
    with tempfile.TemporaryDirectory(prefix="puzzlemc-") as scratch:
        while left:
            seen = _Seen(left, answer, Path(scratch))
            try:
                worker.run(_work, tuple(left), scratch, seconds=seconds, receive=seen.receive)
            except LimitReached as limit:
                seen.end(limit.reason, worker.seconds, UNKNOWN)
            except WorkerDied as death:
                if worker.stopped:
                    raise
                if not left:
                    return
                deaths[left[0].number] += 1
                if isinstance(death, Crashed) or deaths[left[0].number] == TRIES:
                    seen.end(str(death), worker.seconds, REFUTED)
            except (ModelError, FormulaError, Refuted, LevelError, OutputError) as error:
                seen.end(f"{type(error).__name__}: {error}", worker.seconds, REFUTED)


class _Seen:
    """What a worker has told of the job that it is at."""

    def __init__(self, left: deque[Job], answer: Callable[[Answer], None], scratch: Path) -> None:
        self._left = left
        self._answer = answer
        self._scratch = scratch
        self._bound = 0
        self._result: Result | None = None

    def receive(self, told: tuple[str, int, Any]) -> None:
        """What the worker tells: of a job that was answered already nothing is new."""
        kind, number, value = told
        if not self._left or number != self._left[0].number:
            return
        if kind == "bound":
            self._bound = value
        elif kind == "result":
            self._result = value
        else:
            self._done(value)

    def end(self, reason: str, seconds: float, code: int) -> None:
        """Answer for a job that will not."""
        job = self._left[0]
        if job.options is None:
            self._done(Answer(job.number, identity=unbuilt(job.entry)))
        elif self._result is not None:  # that a certificate takes long must not cost the verdict
            note = f"no certificate: {reason}"
            gravest = REFUTED if code == REFUTED else self._result.exit_code
            self._done(Answer(job.number, result=replace(self._result, note=note, exit_code=gravest)))
        else:
            verdict, told = ("unknown", reason) if code == UNKNOWN else ("error", f"{job.entry.id}: {reason}")
            lost = unanswered(job.entry, job.options, seconds)
            bound = self._bound if code == UNKNOWN else None
            result = replace(lost, verdict=verdict, reason=told, bound=bound, exit_code=code)
            self._done(Answer(job.number, result=result))

    def _done(self, answer: Answer) -> None:
        job = self._left.popleft()
        self._bound, self._result = 0, None
        path = self._scratch / str(job.number)
        if answer.result is not None and job.certified and path.is_file():
            answer = replace(answer, certificate=path.read_bytes())
            path.unlink()
        self._answer(answer)


def _work(jobs: Sequence[Job], scratch: str) -> None:
    """In a worker: the jobs, until so much is left over that the next one needs a new process."""
    for job in jobs:
        tell_and_go_on(("answer", job.number, _answered(job, Path(scratch))))
        if is_full():
            return


def _answered(job: Job, scratch: Path) -> Answer:
    if job.options is None:
        return Answer(job.number, identity=identify(job.entry))
    options = replace(job.options, prove=job.certified)
    if job.twin is not None:
        result = _turned(job, job.twin)
    else:
        result = solve_entry(job.entry, options, lambda bound: tell(("bound", job.number, bound)))
    if job.certified and result.verdict in {"solvable", "unsolvable"}:
        tell(("result", job.number, _light(result)))
        next_stage()
        try:
            result = certify(job.entry, options, result, scratch / str(job.number))
        except OutputError as error:
            result = replace(result, note=f"no certificate: {error}", exit_code=BAD_INPUT)
        except ModelError as error:  # of a puzzle that has none
            result = replace(result, note=f"no certificate: {error}")
    return Answer(job.number, result=_light(result))


def _light(result: Result) -> Result:
    """The result without what stays in the worker."""
    return replace(result, proof=None)


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
