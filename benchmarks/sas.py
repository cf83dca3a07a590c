"""Solves one planning task in the format of planners' translators (`output.sas`, version 3).

    python benchmarks/sas.py FILE SECONDS cost|any

`cost` asks for a cheapest plan, `any` for some plan. One line goes to standard output, whatever happens:
FILE,VERDICT,COST,SECONDS, where the verdict is `solvable`, `unsolvable` or `unknown`, the cost is that of the plan
or empty, and the seconds are wall clock, reading included. Messages go to standard error. Each plan
is replayed.

The search runs in a process of its own, which is killed when the time is up. Ends with 0, or with 2 for bad usage
or a file that cannot be read.
"""

import argparse
import csv
import gc
import math
import multiprocessing
import sys
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from puzzlemc.mc.errors import LIMITS, Refuted, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.patterns.mutexes import inductive_groups
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.tasks.semantics import check_plan
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.tasks.textbook import Searched, uniform_cost
from puzzlemc.reports.formats import sas
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_text

UNKNOWN = "unknown"
GRACE_SECONDS = 0.5  # for a search that ends at its own limit to answer


@dataclass(frozen=True)
class Answer:
    """A verdict, the cost of a plan, and a message; `bad` if the file cannot be read."""

    verdict: str
    cost: int | None = None
    message: str = ""
    bad: bool = False


def cheapest(task: Task, budget: Budget) -> Searched:
    """A cheapest plan, by the searches of the portfolio in turns. Mutex groups that may be wrong are ignored."""
    # Of all that is imported, diagrams take longest: half of the time of an easy task.
    from puzzlemc.mc.planning.portfolio import Portfolio

    search = Portfolio(replace(task, mutexes=tuple(map(tuple, inductive_groups(task)))), budget)
    try:
        for _ in search.turns():
            budget.check()
        return Searched(search.plan(), 0, budget.bound)
    except LIMITS as limit:
        return Searched(None, 0, budget.bound, reason_of(limit))


def solve(task: Task, question: str, budget: Budget) -> Answer:
    """Search for a plan."""
    try:
        found = some_plan(task, budget) if question == "any" else cheapest(task, budget)
    except Unsuitable:
        found = uniform_cost(task, budget)
    if found.limit is not None:
        return Answer(UNKNOWN, message=found.limit)
    if found.plan is None:
        return Answer("unsolvable")
    return Answer("solvable", check_plan(task, found.plan))


def answer(path: str, question: str, budget: Budget) -> Answer:
    """Read the file and solve the task in it."""
    try:
        return solve(sas.read(read_text(path, sas.MOST_BYTES, "a planning task"), path), question, budget)
    except LevelError as error:
        return Answer(UNKNOWN, message=str(error), bad=True)
    except (MemoryError, RecursionError, Refuted) as error:
        return Answer(UNKNOWN, message=f"{type(error).__name__} {error}")


def send(connection: Connection, path: str, question: str, budget: Budget) -> None:
    """Send the answer to the parent process."""
    gc.disable()  # a task has many objects, without cycles, and lives as long as the process
    connection.send(answer(path, question, budget))


def within(path: str, question: str, seconds: float) -> Answer:
    """The answer of another process; unknown if there is none in time."""
    ours, other = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=send, args=(other, path, question, Budget(Limits(seconds=seconds))))
    process.start()
    other.close()
    try:
        if not ours.poll(seconds + GRACE_SECONDS):
            return Answer(UNKNOWN, message="timeout")
        found: Answer = ours.recv()
        return found
    except EOFError:
        return Answer(UNKNOWN, message="the search ended without an answer")
    finally:
        process.kill()
        process.join()


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
    return 2 if found.bad else 0


if __name__ == "__main__":
    sys.exit(main())
