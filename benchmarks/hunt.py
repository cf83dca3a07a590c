"""Hunts for wrong answers, tracebacks, broken limits and raw output with random cases (fuzzing).

    python benchmarks/hunt.py --cases 100000 --seed 1 --seconds 28800 --keep failures
    python benchmarks/hunt.py --kind levels --first 5000 --cases 5000 --seed 1

Kind, seed and number determine a case, so a run can continue another one (`--first`), and a failure can be
repeated alone. The kinds are `levels` and `certificates` (`hunt_levels.py`), `bytes` and `commands`
(`hunt_files.py`), and planning `tasks` (`hunt_tasks.py`); `all` mixes them. Cases run in a worker: a crash or a
hang is a failure, and the hunt continues with the next case.

The script prints counts, and each sort of failure with its first case. `--keep DIR` writes the inputs of the first
failures of each sort, reduced if possible, with the command that repeats them. The exit code is 1 on any failure.
The cases do not depend on the machine, but whether an engine reaches its limit does.
"""

import argparse
import multiprocessing
import random
import re
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path

import hunt_files
import hunt_levels
import hunt_tasks
from outcome import KINDS, OVERRUN, TRACEBACK, Failure, Outcome, crash
from pebble import ProcessExpired, ProcessPool

HUNTS = ("levels", "certificates", "bytes", "commands", "tasks")
MIX = (4, 33, 52, 1, 10)  # cases of each kind among a hundred cases of `all`
CASE_SECONDS = 240  # the time limit of a case; no case should come near it
KEPT = 3  # inputs that are kept of each sort of failure


def case(kind: str, seed: int, number: int) -> Outcome:
    """Run one case; an unexpected exception is a failure, too."""
    choice = random.Random(f"{seed} {kind} {number}")
    try:
        if kind == "levels":
            return hunt_levels.levels(choice)
        if kind == "certificates":
            return hunt_levels.certificates(seed, number)
        if kind == "bytes":
            return hunt_files.bytes_case(choice, seed)
        if kind == "tasks":
            return hunt_tasks.tasks(choice)
        return hunt_files.commands(choice, seed)
    except Exception as error:
        return Outcome(failures=[Failure(TRACEBACK, f"{kind} {crash(error)}", repr(error))])


def kind_of(kind: str, seed: int, number: int) -> str:
    """The kind of a case; random for `all`."""
    return random.Random(f"{seed} kind {number}").choices(HUNTS, MIX)[0] if kind == "all" else kind


def finished(pool: ProcessPool, kind: str, seed: int, number: int) -> Outcome:
    """Run one case in the worker; it is a failure if the worker is killed or dies."""
    try:
        found: Outcome = pool.schedule(case, args=(kind, seed, number), timeout=CASE_SECONDS).result()
        return found
    except FutureTimeout:
        return Outcome(failures=[Failure(OVERRUN, f"{kind}: more than {CASE_SECONDS} s", "")])
    except ProcessExpired as death:
        return Outcome(failures=[Failure(TRACEBACK, f"{kind}: the worker died: {death.exitcode}", str(death))])


def keep(folder: Path, kind: str, failure: Failure, name: str, command: str) -> None:
    """Write the input of a failure, and beside it a description with the command that repeats it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (re.sub(r"\W+", "-", f"{failure.what[:40]}-{name}", flags=re.ASCII) + failure.suffix)
    path.write_bytes(hunt_files.smaller(failure) if kind == "bytes" else failure.data)
    text = f"{failure.kind}: {failure.what}\n{command}\n\n{failure.detail}\n"
    path.with_suffix(".why").write_bytes(text.encode("utf-8", "surrogatepass"))


def main() -> int:
    """Hunt, print, and return 1 if there are failures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cases", type=int, default=1000)
    arguments.add_argument("--first", type=int, default=0, help="the number of the first case")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--kind", choices=[*HUNTS, "all"], default="all")
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="start no case after this time")
    arguments.add_argument("--keep", type=Path, metavar="DIR", help="a folder for failing inputs")
    options = arguments.parse_args()

    started = time.perf_counter()
    cases: Counter[str] = Counter()
    answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
    failures: Counter[tuple[str, str]] = Counter()
    context = multiprocessing.get_context("forkserver")
    with ProcessPool(1, context=context) as pool:
        try:
            for number in range(options.first, options.first + options.cases):
                if time.perf_counter() - started > options.seconds:
                    break
                kind = kind_of(options.kind, options.seed, number)
                outcome = finished(pool, kind, options.seed, number)
                cases[kind] += 1
                answers[kind] += outcome.answers
                for failure in outcome.failures:
                    sort = failure.kind, failure.what
                    failures[sort] += 1
                    command = (
                        f"python benchmarks/hunt.py --kind {kind} --seed {options.seed} --first {number} --cases 1"
                    )
                    if failures[sort] == 1:
                        print(f"{failure.kind}: {failure.what}\n  {command}", flush=True)
                    if options.keep is not None and failures[sort] <= KEPT:
                        keep(options.keep, kind, failure, f"{options.seed}-{number}", command)
        except KeyboardInterrupt:  # report the failures found so far
            pool.stop()
    for kind in HUNTS:
        if cases[kind]:
            counts = ", ".join(f"{count} {answer}" for answer, count in sorted(answers[kind].items()) if count)
            print(f"{kind}: {cases[kind]} cases; {counts}")
    by_kind: Counter[str] = Counter()
    for (sort, what), count in failures.most_common():
        by_kind[sort] += count
        print(f"{count:7} {sort}: {what}")
    summary = ", ".join(f"{name} {by_kind[name]}" for name in KINDS)
    took = time.perf_counter() - started
    last = options.first + cases.total() - 1
    print(f"{cases.total()} cases up to {last} of seed {options.seed} in {took:.0f} s: {summary}")
    return int(failures.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
