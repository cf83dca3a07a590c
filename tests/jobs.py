"""Jobs of workers in tests, which the workers import by name."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from detours import detour

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.crew.jobs import Answer, Job
from puzzlemc.reports.solve import reachability
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Effort, Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import elapsed, mark, mark_bound, next_stage, tell

MIB = 1 << 20
HANGING = "PUZZLEMC_TESTS_HANGING"  # the folder in which hanging processes list themselves


def fill(megabytes: int) -> int:
    """Allocate memory and use it, without checking a limit."""
    held = []
    for _ in range(megabytes // 8):
        held.append(np.ones(MIB, np.float64))
        tell(8 * len(held))
    return len(held)


def spin(seconds: float) -> None:
    """Use processor time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def fail(*_: object) -> None:
    """Crash like a bug."""
    raise KeyError("no such thing")


def complain() -> None:
    """Raise an exception that a function may raise."""
    raise FormulaError("odd", 3)


def crash(*_: object) -> None:
    """End like a library that detects corrupted memory."""
    os.kill(os.getpid(), signal.SIGABRT)


def certify_and_crash(entry: Entry, options: Options, result: Result, path: Path) -> None:
    """Write a certificate, and end before anybody knows whether it is valid."""
    certify(entry, options, result, path)
    crash()


def certify_and_hang(entry: Entry, options: Options, result: Result, path: Path) -> None:
    """Write a certificate, and check it for ever."""
    certify(entry, options, result, path)
    hang()


def certify_and_hang_at_work(jobs: Sequence[Job], scratch: str) -> None:
    """Solve the first job of a batch, write its certificate, and check it for ever."""
    job = jobs[0]
    assert job.options is not None
    next_stage(60)  # for the search, on a busy machine
    result = solve_entry(job.entry, replace(job.options, prove=True))
    mark(job.number)
    tell(("result", job.number, result.light))
    certify_and_hang(job.entry, job.options, result, Path(scratch, str(job.number)))


def solution(entry: Entry, options: Options) -> Result:
    """Any solution of a level, not proved optimal."""
    return replace(solve_entry(entry, replace(options, some=True)), bound=None)


def hang(*_: object) -> None:
    """Search for ever without a look at the clock."""
    if folder := os.environ.get(HANGING):
        Path(folder, str(os.getpid())).touch()
    time.sleep(600)


def find_and_hang(entry: Entry, options: Options) -> None:
    """Prove a bound, find a solution, and continue for ever."""
    tell(("bound", 1))
    tell(("solution", solution(entry, options)))
    hang()


def begin_and_hang(entry: Entry, options: Options) -> None:
    """Report the known solution, and continue for ever."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reachability, "auto", lambda *_, **__: hang())
        solve_entry(entry, options, better=lambda found: tell(("solution", found)))


def prove_and_hang(*_: object) -> None:
    """Prove the least cost of the room with two pushes, and continue for ever."""
    tell(("bound", 2))
    hang()


def find_a_detour_and_hang(entry: Entry, options: Options) -> None:
    """Find a solution that costs more than others, and continue for ever."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reachability, "auto", lambda *_, **__: detour("pushes", 1, "timeout"))
        tell(("solution", solve_entry(entry, options)))
    hang()


def find_and_be_killed(entry: Entry, options: Options) -> None:
    """The same, until the process is killed."""
    tell(("bound", 1))
    tell(("solution", solution(entry, options)))
    os.kill(os.getpid(), signal.SIGKILL)


def find_and_crash(entry: Entry, options: Options) -> None:
    """Find a solution, and crash like a bug."""
    tell(("solution", solution(entry, options)))
    fail()


def find_and_fill(entry: Entry, options: Options) -> None:
    """Find a solution, and fill the memory."""
    tell(("solution", solution(entry, options)))
    held = [np.ones(MIB, np.float64) for _ in range(1 << 12)]
    assert held


def solve_late(entry: Entry, options: Options) -> Result:
    """Solve a level after half of the time."""
    time.sleep(0.5 * options.timeout)
    return solve_entry(entry, options)


def refuse_late(entry: Entry, options: Options) -> Result:
    """Claim wrongly, after half of the time, that a level has no solution."""
    time.sleep(0.5 * options.timeout)
    return replace(solve_entry(entry, options), verdict="unsolvable", solution=None)


def spin_and_run_out_of_memory(entry: Entry, options: Options) -> Result:
    """Search for a second, and end for lack of memory."""
    spin(1.0)
    return replace(run_out_of_memory(entry, options), effort=Effort(1.0, 1.0))


def spin_and_run_out_of_time(entry: Entry, options: Options) -> Result:
    """Search for a second, and end at the limit of time."""
    return replace(spin_and_run_out_of_memory(entry, options), reason="timeout")


def spin_and_refuse(entry: Entry, options: Options) -> Result:
    """Search for a second, and solve the level."""
    spin(1.0)
    return solve_entry(entry, options)


def find_and_be_killed_late(entry: Entry, options: Options) -> None:
    """Find a solution, and be killed after two more seconds."""
    tell(("solution", solution(entry, options)))
    time.sleep(2)
    os.kill(os.getpid(), signal.SIGKILL)


def run_out_of_memory(entry: Entry, options: Options) -> Result:
    """End at once for lack of memory."""
    return Result(entry.id, entry.title, "sokoban", "unknown", "pushes", bound=1, reason="memory")


def give_up(entry: Entry, _: Options) -> Result:
    """End at once for lack of memory, at a level of any puzzle."""
    rules = entry.puzzle
    metrics = tuple(rules.metrics)
    return Result(entry.id, entry.title, rules.name, "unknown", metrics[0], metrics, bound=0, reason="memory")


def give_up_at_work(jobs: Sequence[Job], _: str) -> None:
    """End at once for lack of memory, at the first job of a batch."""
    job = jobs[0]
    assert job.options is not None
    mark(job.number)
    tell(("undecided", job.number, give_up(job.entry, job.options)))


def hang_at_work(jobs: Sequence[Job], _: str) -> None:
    """Search for ever at the first job of a batch, with a bound and without a solution."""
    assert jobs[0].options is not None
    mark(jobs[0].number)
    mark_bound(1)
    hang()


def spin_and_hang_at_work(jobs: Sequence[Job], _: str) -> None:
    """Search for a second at the first job of a batch, and for ever at the second one."""
    mark(jobs[0].number)
    spin(1.0)
    assert jobs[0].options is not None
    tell(("answers", 0, [Answer(jobs[0].number, result=run_out_of_memory(jobs[0].entry, jobs[0].options))]))
    mark(jobs[1].number)
    hang()


def note_known_at_work(jobs: Sequence[Job], _: str) -> None:
    """Write the known solution of the first job of a batch beside its level, and crash."""
    assert jobs[0].options is not None
    known = jobs[0].options.known
    Path(jobs[0].entry.id).with_name("known").write_text("none" if known is None else known.text)
    fail()


def find_and_hang_at_work(jobs: Sequence[Job], _: str) -> None:
    """The same, with a solution."""
    mark(jobs[0].number)
    mark_bound(1)
    assert jobs[0].options is not None
    tell(("better", jobs[0].number, solution(jobs[0].entry, jobs[0].options)))
    hang()


def fail_at_work(*_: object) -> None:
    """Crash in a batch."""
    fail()


class Slow:
    """An object that takes half a second to arrive in a worker."""

    def __reduce__(self) -> tuple[Callable[[float], None], tuple[float]]:
        """It sleeps when it is unpickled."""
        return time.sleep, (0.5,)


def passed(_: object) -> float:
    """The seconds of the time limit that have passed when a function starts."""
    return elapsed()
