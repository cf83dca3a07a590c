"""Times configurations on sets of levels, and compares their answers with each other.

    python benchmarks/run.py LEVELS… [--config NAME …] [--metric NAME …] [--in-process] --out results.json

Each LEVELS argument, a file or a folder, is one set. By default each level runs in a worker that is killed at its
limit. With `--in-process` one process for each set parses it and solves its levels one after another; the mean is
then the processor time of a level, with parsing and without imports. The exit code is 1 if configurations
contradict each other or the answers in `<levels>.optimal.tsv` and `<levels>.answers.tsv` beside the levels.
"""

import argparse
import csv
import functools
import importlib.metadata
import json
import math
import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import puzzlemc.mc
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.mc.engines.registry import variants
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.system.memory import limit_address_space
from puzzlemc.mc.system.signals import held_back
from puzzlemc.reports.crew.in_order import MANY, solve_all
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import REFUTED, Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import ADDRESSES, SPARE_BYTES

# Name -> engine and diagrams.
CONFIGURATIONS: dict[str, tuple[str, str]] = {
    "auto": ("auto", "auto"),
    **{str(each): (each.engine.name, str(each.options.get("diagrams", "auto"))) for each in variants()},
}

SAVE_SECONDS = 2.0  # between two writes of the results
INTERRUPTED = 130
UNKNOWN_COST = sys.maxsize  # the cost of a solution, if only the verdict is known


@dataclass
class Run:
    """One configuration on one set under one metric.

    expected    the number of levels in the set
    seconds     processor time of all levels; with `--in-process`, including their parsing
    start       with `--in-process`: processor time from the start of the process to the end of its first level
    failure     the reason, if the run ended before its last level
    """

    set: str
    metric: str
    configuration: str
    expected: int
    seconds: float = 0.0
    start: float | None = None
    failure: str | None = None
    results: list[Result] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The run in words."""
        return f"{self.set} {self.metric} {self.configuration}"

    def as_json(self) -> dict[str, object]:
        """The run with its levels, without traces."""
        levels = [result.as_json() | {"seconds": round(result.effort.seconds, 6)} for result in self.results]
        for level in levels:
            del level["trace"]
        fields = {name: value for name, value in vars(self).items() if name != "results"}
        return fields | {"levels": levels}


# Comparison of answers


class Claim(NamedTuple):
    """Bounds on the least cost of a level, and their source; infinity means unsolvable."""

    source: str
    at_least: float
    at_most: float

    @property
    def words(self) -> str:
        """The claim in words."""
        if self.at_least == math.inf:
            return "unsolvable"
        if self.at_least == self.at_most:
            return str(self.at_least)
        if self.at_most == math.inf:
            return f"at least {self.at_least}"
        return "solvable" if self.at_most == UNKNOWN_COST else f"at most {self.at_most}"


def claim(source: str, result: Result, metric: str) -> Claim | None:
    """The claim of a result about the least cost under a metric, which need not be the metric of the result."""
    if result.verdict == "unsolvable":
        return Claim(source, math.inf, math.inf)
    if result.verdict == "solvable":
        cost = result.costs.get(metric)
        if cost is None:
            return Claim(source, 0, UNKNOWN_COST)
        return Claim(source, cost if result.optimal and result.metric == metric else 0, cost)
    if result.verdict == "unknown" and result.metric == metric:
        return Claim(source, result.bound or 0, math.inf)
    return None


def known_claims(id: str, metric: str) -> Iterator[Claim]:
    """The claims about a level in the tables beside its file."""
    path, _, number = id.rpartition("#")
    for source, rows in _answers(path):
        row = rows.get(number, {})
        cost = row.get(f"min_{metric}") or row.get(metric) or "?"
        if row.get("verdict") == "unsolvable":
            yield Claim(source, math.inf, math.inf)
        elif cost.isdigit():
            yield Claim(source, int(cost), int(cost))
        elif row.get("verdict") == "solvable":
            yield Claim(source, 0, UNKNOWN_COST)


@functools.cache
def _answers(path: str) -> list[tuple[str, dict[str, dict[str, str]]]]:
    """The tables beside a file of levels: the name of each, and its rows by the number of the level."""
    found = []
    for suffix in (".optimal.tsv", ".answers.tsv"):
        table = Path(path).with_suffix(suffix)
        if table.is_file():
            with table.open(encoding="utf-8", newline="") as file:
                rows = csv.DictReader(file, delimiter="\t")
                found.append((table.name, {row["level"]: row for row in rows}))
    return found


def contradictions(runs: Iterable[Run]) -> tuple[list[str], int]:
    """All contradictions in words, and the number of levels with a known answer."""
    found = []
    by_level: dict[str, list[tuple[Run, Result]]] = {}
    for run in runs:
        for result in run.results:
            by_level.setdefault(result.id, []).append((run, result))
            if result.exit_code == REFUTED:
                found.append(f"{run.name} {result.reason}")
    known_levels = set()
    for id, results in by_level.items():
        for metric in puzzle(results[0][1].puzzle).metrics if results[0][1].puzzle else ():
            claims = [claim(_source(run, metric), result, metric) for run, result in results]
            sound = [each for each in claims if each is not None]
            known = list(known_claims(id, metric))
            if sound and known:
                known_levels.add(id)
            sound += known
            if sound and max(each.at_least for each in sound) > min(each.at_most for each in sound):
                by_words: dict[str, list[str]] = {}
                for each in sound:
                    by_words.setdefault(each.words, []).append(each.source)
                words = "; ".join(f"{words} ({', '.join(by_words[words])})" for words in by_words)
                found.append(f"{id} {metric}: {words}")
    return found, len(known_levels)


def _source(run: Run, metric: str) -> str:
    return run.configuration if run.metric == metric else f"{run.configuration} for {run.metric}"


# Measuring


def measure_in_process(argument: str, first: int | None, options: Options) -> tuple[list[Result], float, float]:
    """The results of a set in this process, their processor time, and the processor time of the start.

    The first level is solved once before the measurement, so imports are not included.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    limit_address_space(ADDRESSES * int(options.memory * GIB) + SPARE_BYTES)
    good = [entry for entry in load([argument])[:first] if entry.error is None]
    for entry in good[:1]:
        solve_entry(entry, options)
    if options.engine == "auto" and len(good) > MANY:
        options = replace(options, many=True)
    start = time.process_time()
    results = [solve_entry(entry, options) for entry in load([argument])[:first]]
    return results, time.process_time() - start, start


def in_other_process(argument: str, first: int | None, options: Options) -> tuple[list[Result], float, float]:
    """What `measure_in_process` returns in a new process, which is killed if this one is interrupted meanwhile.

    Raises the error of the function, and EOFError if the process dies.
    """
    context = multiprocessing.get_context("spawn")
    mine, its = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(its, argument, first, options))
    if os.name == "posix":
        resource_tracker.ensure_running()  # which lets signals through after its start
    try:
        with held_back(signal.SIGINT, signal.SIGTERM):  # otherwise a process may begin that nobody knows
            process.start()
        its.close()
        answer = mine.recv()
    except EOFError:
        process.join()
        raise EOFError(f"its process has ended with code {process.exitcode}") from None
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
    if isinstance(answer, Exception):
        raise answer
    found: tuple[list[Result], float, float] = answer
    return found


def _send(connection: Connection, argument: str, first: int | None, options: Options) -> None:
    """Send what `measure_in_process` returns, or the error that it raises."""
    try:
        connection.send(measure_in_process(argument, first, options))
    except Exception as error:  # of any kind: the parent reports it
        connection.send(error)


def measure(run: Run, entries: Sequence[Entry], arguments: argparse.Namespace, step: Callable[[], None]) -> None:
    """Fill a run with results; `step` is called after each."""
    engine, diagrams = CONFIGURATIONS[run.configuration]
    options = Options(run.metric, engine, diagrams, timeout=arguments.timeout, memory=arguments.memory)
    if not arguments.in_process:
        for result in solve_all(entries, options, arguments.workers):
            run.results.append(result)
            run.seconds += result.effort.seconds
            step()
        return
    run.results, run.seconds, run.start = in_other_process(run.set, arguments.first, options)
    for _ in entries:
        step()


# Writing


def about() -> dict[str, object]:
    """The date, machine, revision and packages of the measurement."""
    packages = {each.metadata["Name"]: each.version for each in importlib.metadata.distributions()}
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "cpu": _cpu(),
        "revision": _revision(),
        "packages": dict(sorted(packages.items(), key=lambda item: item[0].lower())),
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _revision() -> str | None:
    """The revision of the measured code; None if it is not under version control."""
    code = Path(puzzlemc.mc.__file__).resolve()
    git = ["git", "-C", str(code.parent)]
    try:
        # An installed copy may lie inside another repository.
        subprocess.run([*git, "ls-files", "--error-unmatch", code.name], capture_output=True, check=True)
        done = subprocess.run(
            [*git, "describe", "--always", "--dirty", "--abbrev=12"], capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def save(path: Path, document: dict[str, object]) -> None:
    """Replace the file atomically, so that readers find old or new results, never a part of them."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    os.replace(beside, path)


def show(runs: Iterable[Run]) -> None:
    """Print a row for each run."""
    table = Table(box=None, header_style="")
    for head in ("set", "metric", "configuration"):
        table.add_column(head)
    for head in ("levels", "solved", "unsolvable", "unknown", "error", "CPU s", "mean ms", "max ms", "start s"):
        table.add_column(head, justify="right")
    for run in runs:
        verdicts = Counter(result.verdict for result in run.results)
        reasons = Counter(result.reason for result in run.results if result.verdict == "unknown")
        unknown = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items(), key=str))
        count = len(run.results)
        table.add_row(
            run.set,
            run.metric,
            run.configuration,
            str(count) if count == run.expected else f"{count} of {run.expected}",
            str(verdicts["solvable"]),
            str(verdicts["unsolvable"]),
            unknown or "0",
            f"{verdicts['error']}, failed" if run.failure else str(verdicts["error"]),
            f"{run.seconds:.2f}",
            f"{1000 * run.seconds / count:.2f}" if count else "-",
            f"{1000 * max(result.effort.seconds for result in run.results):.1f}" if count else "-",
            "-" if run.start is None else f"{run.start:.2f}",
        )
    # Wider than any table, so that nothing is cut if the output is not a terminal.
    Console(width=1000, highlight=False, markup=False, emoji=False).print(table)


# The command


def arguments_and_sets() -> tuple[argparse.Namespace, dict[str, list[Entry]]]:
    """The command line, and the entries of each set. Ends the program if one of them is invalid."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("levels", nargs="+", metavar="LEVELS", help="a file or a folder: one set of levels")
    parser.add_argument(
        "--config",
        action="append",
        choices=CONFIGURATIONS,
        metavar="NAME",
        help=f"{', '.join(CONFIGURATIONS)}",
    )
    parser.add_argument("--metric", action="append", metavar="NAME", help="pushes, moves, any …; the puzzle's own")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of wall clock for each level; 0: none")
    parser.add_argument("--memory", type=float, default=4, help="GiB for each level")
    parser.add_argument("--workers", type=int, default=1, help="levels at the same time")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N levels of each set")
    parser.add_argument("--in-process", action="store_true", help="each set in one process, parsing timed")
    parser.add_argument("--out", type=Path, required=True, help="the JSON file, written as the run goes on")
    arguments = parser.parse_args()
    sets = {}
    for argument in dict.fromkeys(arguments.levels):
        sets[argument] = load([argument])[: arguments.first]
        names = {entry.puzzle for entry in sets[argument] if entry.error is None}
        if len(names) != 1:
            parser.error(f"{argument}: found levels of {len(names)} puzzles, expected one puzzle")
        metrics = (*names.pop().metrics, ANY)
        if wrong := set(arguments.metric or ()).difference(metrics):
            parser.error(f"{argument}: found metric {wrong.pop()!r}, expected one of {', '.join(metrics)}")
    return arguments, sets


def planned(arguments: argparse.Namespace, sets: dict[str, list[Entry]]) -> list[Run]:
    """The runs that the command line asks for."""
    runs = []
    for name, entries in sets.items():
        own = next(entry.puzzle.metrics[0] for entry in entries if entry.error is None)
        for metric in dict.fromkeys(arguments.metric or [own]):
            for configuration in dict.fromkeys(arguments.config or CONFIGURATIONS):
                runs.append(Run(name, metric, configuration, len(entries)))
    return runs


def main() -> int:
    """Measure, print the table, and return the exit code."""
    arguments, sets = arguments_and_sets()
    settings = {name: getattr(arguments, name) for name in ("timeout", "memory", "workers", "first", "in_process")}
    document: dict[str, object] = about() | {"settings": settings}
    plan = planned(arguments, sets)
    begun: list[Run] = []
    saved = 0.0

    def write(*, now: bool) -> None:
        nonlocal saved
        if now or time.monotonic() - saved > SAVE_SECONDS:
            save(arguments.out, document | {"runs": [run.as_json() for run in begun]})
            saved = time.monotonic()

    write(now=True)  # fails before the measurements if the file cannot be written
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    interrupted = False
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("levels", total=sum(run.expected for run in plan))

            def step() -> None:
                bar.advance(task)
                write(now=False)

            for run in plan:
                bar.update(task, description=run.name)
                begun.append(run)
                try:
                    measure(run, sets[run.set], arguments, step)
                except Exception as error:  # of any kind: the other configurations still run
                    run.failure = f"{type(error).__name__}: {error}"
                    console.print(f"{run.name} failed: {run.failure}")
                write(now=True)
                console.print(f"{run.name}: {len(run.results)} levels, {run.seconds:.2f} s")
                errors = [result.reason for result in run.results if result.verdict == "error"]
                for reason in errors[:1]:
                    console.print(f"  {len(errors)} errors, the first: {reason}")
    except KeyboardInterrupt:
        interrupted = True
    found, known = contradictions(begun)
    document["contradictions"] = found
    write(now=True)

    show(begun)
    print(f"{known} levels compared with known answers, {len(found)} contradictions")
    for line in found:
        print(f"CONTRADICTION {line}")
    if interrupted:
        print(f"interrupted in run {len(begun)} of {len(plan)}", file=sys.stderr)
        return INTERRUPTED
    return int(bool(found) or any(run.failure for run in begun))


if __name__ == "__main__":
    sys.exit(main())
