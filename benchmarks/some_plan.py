"""Compares finders of some plan: `sas.py … any` of one or more checkouts, and a configuration of Fast Downward.

    python benchmarks/some_plan.py FILE|FOLDER... [--finder lama-first --finder . --finder ../older] [--seconds 10]
        [--tables FOLDER] [--jobs 1]

A finder is the folder of a checkout, whose `.venv` runs its `benchmarks/sas.py`, or an alias of the Fast Downward
in the package `up-fast-downward`. Files are tasks in the format of planners' translators, `*.sas` in folders. The
limit and all times are processor time: of all processes of the command for a checkout, and of the planner for Fast
Downward, reading the task included.

`--tables` keeps a table for each finder: what is in it already is not measured again, so its limit must have
been as long. The printed table compares each finder with the first: tasks solved, found unsolvable, solved by
one of the two alone; on the tasks that both solve the geometric mean of the ratio of costs (plus one each, for
costs of zero), and the sums of processor time. Exit code 1: finders contradict each other.
"""

import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pddl import SOLVED, UNSOLVABLE, usual_driver

SOLVABLE, IMPOSSIBLE, UNKNOWN = "solvable", "unsolvable", "unknown"
WALL = 20  # wall clock that a process gets for each second of processor time: the machine may be crowded
TICKS = os.sysconf("SC_CLK_TCK")


class Result(NamedTuple):
    """A verdict, the cost of a plan, and seconds of processor time."""

    verdict: str
    cost: int | None
    seconds: float


def spent(process: int) -> float:
    """Processor time of a process and of its descendants that run or have been waited for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    except OSError:  # it has ended
        return 0
    return sum(map(int, fields[11:15])) / TICKS + sum(map(spent, map(int, children)))


def by_checkout(checkout: str, file: Path, seconds: float) -> Result:
    """The answer of `sas.py … any` of a checkout."""
    python, script = (str(Path(checkout).absolute() / name) for name in (".venv/bin/python", "benchmarks/sas.py"))
    command = [python, script, str(file.absolute()), str(seconds * WALL), "any"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:
        process = subprocess.Popen(
            command, cwd=checkout, stdout=answer, stderr=subprocess.DEVNULL, start_new_session=True
        )
        used = 0.0
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            used = spent(process.pid)
            if used > seconds:
                os.killpg(process.pid, 9)
                ended = os.wait4(process.pid, 0)
                break
            time.sleep(0.02)
        process.returncode = ended[1]
        used = max(used, ended[2].ru_utime + ended[2].ru_stime)
        answer.seek(0)
        rows = list(csv.reader(answer))
    verdict, cost = rows[-1][1:3] if rows else (UNKNOWN, "")
    if verdict == UNKNOWN or used > seconds:
        return Result(UNKNOWN, None, used)
    return Result(verdict, int(cost) if cost else None, used)


def by_fast_downward(alias: str, file: Path, seconds: float) -> Result:
    """The answer of a configuration of Fast Downward."""
    with tempfile.TemporaryDirectory() as folder:
        limit = ("--search-time-limit", f"{math.ceil(seconds)}s")
        command = [sys.executable, usual_driver(), "--alias", alias, *limit, str(file.absolute())]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    cost = re.search(r"Plan cost: ([0-9]+)", done.stdout)
    used = re.search(r"Total time: ([0-9.e-]+)s", done.stdout)
    time_used = float(used[1]) if used else seconds
    if done.returncode in SOLVED and cost is not None and time_used <= seconds:
        return Result(SOLVABLE, int(cost[1]), time_used)
    return Result(IMPOSSIBLE if done.returncode in UNSOLVABLE else UNKNOWN, None, time_used)


def measured(finder: str, file: Path, seconds: float) -> Result:
    """The answer of a finder."""
    return (by_checkout if Path(finder).is_dir() else by_fast_downward)(finder, file, seconds)


def table_of(folder: Path, finder: str) -> Path:
    """Where the results of a finder are kept."""
    resolved = str(Path(finder).resolve()) if Path(finder).is_dir() else finder
    return folder / (resolved.strip("/").replace("/", "-") + ".tsv")


def read_table(path: Path, seconds: float = math.inf) -> dict[str, Result]:
    """The results in a table, as far as they were found within some seconds; none without the file."""
    if not path.exists():
        return {}
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    found = {name: Result(verdict, int(cost) if cost else None, float(used)) for name, verdict, cost, used in rows}
    return {
        name: each if each.seconds <= seconds else Result(UNKNOWN, None, seconds) for name, each in found.items()
    }


def append(path: Path, name: str, result: Result) -> None:
    """Write a result to a table."""
    head = "" if path.exists() else "file\tverdict\tcost\tseconds\n"
    cost = "" if result.cost is None else result.cost
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{head}{name}\t{result.verdict}\t{cost}\t{result.seconds:.2f}\n")


def compared(first: Mapping[str, Result], other: Mapping[str, Result], names: Iterable[str]) -> tuple[object, ...]:
    """What the second finder solves alone and the first alone; ratio of costs; seconds of both on common tasks."""
    ours, theirs = ({name for name in names if each[name].verdict == SOLVABLE} for each in (other, first))
    both = sorted(ours & theirs)
    logarithms = [math.log(((other[n].cost or 0) + 1) / ((first[n].cost or 0) + 1)) for n in both]
    ratio = math.exp(sum(logarithms) / len(both)) if both else math.nan
    seconds = (sum(each[name].seconds for name in both) for each in (other, first))
    return len(ours - theirs), len(theirs - ours), ratio, *seconds


def report(results: Mapping[str, Mapping[str, Result]], names: Sequence[str]) -> int:
    """Print the comparison; return the number of tasks on which finders contradict each other."""
    reference = next(iter(results))
    print(f"{'':40} solved  unsolvable  alone  first alone  cost ratio  seconds  first's")
    for finder, found in results.items():
        verdicts = [found[name].verdict for name in names]
        alone, missed, ratio, seconds, others = compared(results[reference], found, names)
        print(
            f"{finder:40} {verdicts.count(SOLVABLE):6} {verdicts.count(IMPOSSIBLE):11} {alone:6} {missed:12}"
            f" {ratio:11.3f} {seconds:8.1f} {others:8.1f}"
        )
    wrong = 0
    for name in names:
        verdicts_of_task = {found[name].verdict for found in results.values()} - {UNKNOWN}
        if len(verdicts_of_task) > 1:
            wrong += 1
            print(f"{name}: finders contradict each other", file=sys.stderr)
    return wrong


def main() -> int:
    """Measure and compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--finder", action="append", help="by default lama-first, and this checkout")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--tables", type=Path, help="a folder")
    parser.add_argument("--jobs", type=int, default=1, help="tasks at a time")
    options = parser.parse_args()
    finders = options.finder or ["lama-first", str(Path(__file__).parents[1])]
    if not usual_driver() and not all(Path(finder).is_dir() for finder in finders):
        parser.error("found no Fast Downward, expected pip install up-fast-downward")
    files = {
        each.name: each
        for path in options.paths
        for each in (sorted(path.glob("*.sas")) if path.is_dir() else [path])
    }
    tables = options.tables or Path(tempfile.mkdtemp())
    tables.mkdir(parents=True, exist_ok=True)
    results = {finder: read_table(table_of(tables, finder), options.seconds) for finder in finders}
    missing = [(finder, name) for name in files for finder in finders if name not in results[finder]]
    with ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda each: measured(each[0], files[each[1]], options.seconds), missing)
        for (finder, name), result in zip(missing, answers, strict=True):
            results[finder][name] = result
            append(table_of(tables, finder), name, result)
            print(finder, name, *result, sep="\t", file=sys.stderr, flush=True)
    return int(report(results, list(files)) > 0)


if __name__ == "__main__":
    sys.exit(main())
