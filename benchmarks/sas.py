"""Solves one planning task in the format of planners' translators (`output.sas`, version 3).

    python benchmarks/sas.py FILE SECONDS cost|any

`cost` asks for a cheapest plan, `any` for some plan. One line goes to standard output, whatever happens:
FILE,VERDICT,COST,SECONDS, where the verdict is `solvable`, `unsolvable` or `unknown`, the cost is that of the plan
or empty, and the seconds are wall clock, reading included. Messages go to standard error. Each plan
is replayed.

Searches run in processes of their own, which are killed when the time is up. For `cost` on two cores, there are
two: A* with patterns, after a short look for an invariant; and later, decision diagrams, whose single
operations may take any time. On one core (`taskset -c 0`), both take turns in one process, as each of two would
have half of the time. For `any`, invariants have some turns beside the searches.

Ends with 0, 2: bad usage or a file that cannot be read, 4: a search crashed, and no other one answered.
"""

import argparse
import csv
import gc
import math
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for work only take processor time

from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning.satisficing.improvement import Improvement
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.task import Searched, Task
from puzzlemc.reports.formats import sas
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_text

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from task_reference import check_plan, uniform_cost

UNKNOWN = "unknown"
BAD_INPUT, CRASHED = 2, 4  # exit codes
GRACE_SECONDS = 0.5  # for a search that ends at its own limit to answer
HEAD_START_SECONDS = 0.5  # of the first search
PAIRS_WORK = 1 << 28  # before diagrams, about 2 ns each


@dataclass(frozen=True)
class Answer:
    """A verdict, the cost of a plan, a message, and the exit code of the program."""

    verdict: str
    cost: int | None = None
    message: str = ""
    code: int = 0


def by_estimates(task: Task, budget: Budget) -> Searched:
    """A cheapest plan, by A* with patterns, unless the first look for an invariant shows that there is none."""
    from puzzlemc.mc.planning.optimal import cheapest_plan

    try:
        is_shown = next(refuting(task, budget))
    except LIMITS as limit:
        return Searched(None, 0, budget.bound, reason_of(limit))
    if is_shown:
        return Searched(None, 0, budget.bound)
    return cheapest_plan(task, budget)


def by_diagrams(task: Task, budget: Budget) -> Searched:
    """A cheapest plan, by decision diagrams from both ends."""
    from puzzlemc.mc.planning.reduction import Reduction, reduction
    from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch

    try:
        smaller = reduction(task, budget, PAIRS_WORK) or Reduction.whole(task)
        search = SymbolicSearch(smaller.task, budget, smaller.together)
        for _ in search.turns():
            pass
        plan = search.plan()
        return Searched(None if plan is None else smaller.plan(plan), 0, budget.bound)
    except LIMITS as limit:
        return Searched(None, 0, budget.bound, reason_of(limit))


def in_turns(task: Task, budget: Budget) -> Searched:
    """A cheapest plan, by both in turns, unless the first look for an invariant shows that there is none."""
    from puzzlemc.mc.planning.portfolio import Portfolio

    search = Portfolio(task, budget, Improvement)
    try:
        if next(refuting(task, budget)):
            return Searched(None, 0, budget.bound)
        for _ in search.turns():
            pass
        return Searched(search.plan(), 0, budget.bound)
    except LIMITS as limit:
        return Searched(None, 0, budget.bound, reason_of(limit))


def by_any_search(task: Task, budget: Budget) -> Searched:
    """Some plan."""
    return some_plan(task, budget, refuting(task, budget))


def refuting(task: Task, budget: Budget) -> Iterator[bool]:
    """After each turn, whether an invariant shows that the task has no plan."""
    from puzzlemc.mc.invariants.refutation import Refutation  # its import takes as long as many a search

    yield from Refutation(task, [task.goal], task.domains).turns(budget)


Search = Callable[[Task, Budget], Searched]


def searches(question: str) -> list[Search]:
    """The searches that share the time."""
    if question == "any":
        return [by_any_search]
    return [in_turns] if len(os.sched_getaffinity(0)) == 1 else [by_estimates, by_diagrams]


def answer(search: Search, task: Task, budget: Budget) -> Answer:
    """Search for a plan."""
    try:
        try:
            found = search(task, budget)
        except Unsuitable:
            found = uniform_cost(task, budget)
        if found.limit is not None:
            return Answer(UNKNOWN, message=found.limit)
        if found.plan is None:
            return Answer("unsolvable")
        return Answer("solvable", check_plan(task, found.plan))
    except (MemoryError, RecursionError, Refuted) as error:
        return Answer(UNKNOWN, message=f"{type(error).__name__} {error}")


def send(pipe: int, search: Search, task: Task, budget: Budget) -> NoReturn:
    """Write the answer to a pipe and end the process: with CRASHED, if there is no answer."""
    code = CRASHED
    try:
        with open(pipe, "wb") as file:
            pickle.dump(answer(search, task, budget), file)
        code = 0
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def timeout(*_: object) -> NoReturn:
    """End the reading of a file."""
    raise LimitReached("timeout")


def read(path: str, seconds: float) -> Task:
    """The task in a file. Mutex groups that may be wrong are left out. Raises LevelError, LimitReached."""
    signal.signal(signal.SIGALRM, timeout)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        task = sas.read(read_text(path, sas.MOST_BYTES, "a planning task"), path)
        return replace(task, mutexes=tuple(map(tuple, inductive_groups(task))))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def within(path: str, question: str, seconds: float) -> Answer:
    """The first answer of several processes; unknown if there is none in time."""
    end = time.perf_counter() + seconds
    gc.disable()  # a task has many objects, without cycles, and lives as long as the process
    try:
        task = read(path, seconds)
    except LevelError as error:
        return Answer(UNKNOWN, message=str(error), code=BAD_INPUT)
    except (LimitReached, MemoryError, RecursionError) as error:
        return Answer(UNKNOWN, message=str(error))
    waiting, running = searches(question), dict[int, int]()  # processes by the pipes of their answers
    last = Answer(UNKNOWN, message="timeout")
    try:
        while waiting or running:
            if waiting:
                search, budget = waiting.pop(0), Budget(Limits(seconds=max(0.0, end - time.perf_counter())))
                ours, other = os.pipe()
                process = os.fork()
                if process == 0:
                    send(other, search, task, budget)
                running[ours] = process
                os.close(other)
            left = end + GRACE_SECONDS - time.perf_counter()
            if left <= 0:
                return last if last.code else Answer(UNKNOWN, message="timeout")
            for pipe in select.select([*running], [], [], min(left, HEAD_START_SECONDS) if waiting else left)[0]:
                found = received(pipe, running[pipe])
                stop(running.pop(pipe))
                if found.verdict != UNKNOWN:
                    return found
                last = last if last.code else found
        return last
    finally:
        for process in running.values():
            stop(process)


def received(pipe: int, process: int) -> Answer:
    """The answer of a process."""
    with open(pipe, "rb") as file:
        try:
            found: Answer = pickle.load(file)
        except (EOFError, pickle.UnpicklingError):
            end = os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
            crashed = end is not None and (end.si_code, end.si_status) == (os.CLD_EXITED, CRASHED)
            return Answer(UNKNOWN, message="the search ended without an answer", code=CRASHED if crashed else 0)
    return found


def stop(process: int) -> None:
    """End a process."""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def limit(text: str) -> float:
    """A number of seconds. Raises ValueError."""
    seconds = float(text)
    if not 0 <= seconds < math.inf:
        raise ValueError
    return seconds


def main() -> int:
    """Print the line; return the exit code."""
    started = time.perf_counter()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("seconds", type=limit)
    parser.add_argument("question", choices=["cost", "any"])
    options = parser.parse_args()
    try:
        found = within(options.file, options.question, options.seconds)
    except KeyboardInterrupt:
        return 130
    if found.message:
        print(f"{options.file}: {found.message}", file=sys.stderr)
    cost = "" if found.cost is None else found.cost
    row = [options.file, found.verdict, cost, f"{time.perf_counter() - started:.2f}"]
    csv.writer(sys.stdout, lineterminator="\n").writerow(row)
    return found.code


if __name__ == "__main__":
    sys.exit(main())
