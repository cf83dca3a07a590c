"""`batch`: whole collections, which can be interrupted and continued."""

import contextlib
import json
import sys
import threading
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.building import failing_of, report_of
from puzzlemc.reports.cli.common.options import (
    OUTPUT,
    SEARCH,
    Build,
    Certificates,
    Chance,
    Jobs,
    Levels,
    Measures,
    Search,
    Shown,
    Why,
    flag,
    option,
)
from puzzlemc.reports.cli.common.session import Warned, bad_usage, failed, interruptible, refuse_inputs, require
from puzzlemc.reports.output.files import make_folder, write
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.output.terminal import STYLES, show, ticker
from puzzlemc.reports.output.words import number, verdict_counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from puzzlemc.reports.batch.expect import Changes
    from puzzlemc.reports.batch.orders import Listener, Named, Progress
    from puzzlemc.reports.batch.store import Store
    from puzzlemc.reports.findings.of_batch import FoundByBatch
    from puzzlemc.reports.solve.result import Result

RETRIED = ("unknown", "error")
EXAMPLES = """
puzzlemc batch levels --store levels.sqlite
puzzlemc batch levels --store levels.sqlite --retry unknown --timeout 600
puzzlemc batch levels.xsb --store levels.sqlite --certify --junit found.xml
puzzlemc batch levels --store levels.sqlite --measures
puzzlemc batch levels --store levels.sqlite --dataset answers
puzzlemc batch levels --store levels.sqlite --format sarif
"""
MOST_BROKEN = 10  # levels that the summary names
RATE_SECONDS = 30.0  # the least period over which the rate is measured


class _Answers(NamedTuple):
    """Which levels are solved, and what is kept."""

    certificate: Certificates = None
    certify: Annotated[
        bool, flag(OUTPUT, "--certify", "Make certificates, check them, and keep them in the store.")
    ] = False
    why: Why = False
    measures: Measures = False
    chance: Chance = "lucky"
    symmetry: Annotated[
        bool,
        flag(
            SEARCH,
            "--symmetry",
            "Solve levels that are the same up to rotation and mirror once; turn the solution.",
        ),
    ] = False
    retry: Annotated[
        list[str] | None,
        option(
            SEARCH,
            "VERDICT",
            "Solve again: unknown, or not proved to be least, with larger limits than before; or error. "
            "Repeatable.",
            autocompletion=values.one_of(*RETRIED),
        ),
    ] = None


class _Findings(NamedTuple):
    """What becomes of the answers of a run."""

    dataset: Annotated[
        Path | None,
        option(
            OUTPUT,
            "DIR",
            "Write the answers as Parquet in parts, and a manifest with digests of the parts and of the levels' "
            "files (extra: parquet).",
        ),
    ] = None
    junit: Annotated[Path | None, option(OUTPUT, "FILE", "Write what was found as JUnit XML, for CI.")] = None
    expect: Annotated[
        Path | None,
        option(
            OUTPUT,
            "FILE",
            "What `puzzlemc results --json` wrote, or an older store. Ends with 0 if all levels are as "
            "there, with 1 where a verdict or a cost has changed; levels that are new there count as in check.",
        ),
    ] = None
    build: Build = Build()


def batch(
    levels: Levels,
    store: Annotated[Path, option(OUTPUT, "FILE", "Where answers are kept; created if it does not exist.")],
    *,
    search: Search,
    answers: _Answers,
    jobs: Jobs = None,
    cluster: Annotated[
        str | None,
        option(
            SEARCH,
            "ADDRESS",
            "Solve on a Dask cluster: tcp://HOST:PORT, or local for one on this machine.",
            autocompletion=values.one_of("local"),
        ),
    ] = None,
    findings: _Findings,
    shown: Shown,
) -> None:
    """Solve thousands of levels, each once; a store keeps the results.

    The same command continues a run that was stopped. Exit codes are those of check.
    """
    from puzzlemc.encodings.puzzles import files
    from puzzlemc.reports.batch.batch import batch as solved
    from puzzlemc.reports.batch.dataset import Asked, digests, pyarrow, write_dataset
    from puzzlemc.reports.batch.expect import Expected, ExpectError, compared
    from puzzlemc.reports.batch.orders import Orders
    from puzzlemc.reports.batch.store import Store, StoreError
    from puzzlemc.reports.crew.jobs import CrewError
    from puzzlemc.reports.findings.junit import document
    from puzzlemc.reports.findings.of_batch import FoundByBatch
    from puzzlemc.reports.solve.result import BAD_INPUT

    options = search.options(why=answers.why, chance=answers.chance)
    puzzle, (dataset, junit, expect, build) = search.rules.puzzle, findings
    failing = failing_of(build)
    report = report_of(build, shown)
    certificate, retry = answers.certificate, answers.retry or []
    for verdict in retry:
        require("--retry", verdict, RETRIED)
    if certificate is not None:
        make_folder(certificate)
    inputs: dict[str, str] = {}
    if dataset is not None:
        with bad_usage("--dataset"):
            pyarrow()
        make_folder(dataset)
        inputs = digests(files(levels))
    certified = answers.certify or certificate is not None
    orders = Orders(options, frozenset(retry), answers.symmetry, certificate, certified, answers.measures)
    refuse_inputs([] if junit is None else [junit], chain(filter(None, (expect, store)), files(levels)))
    try:
        expected = None if expect is None else Expected.read(expect)
        with Store(store, writing=True) as kept:
            found = None if report is None and junit is None else FoundByBatch(failing)
            display = _Display(kept, found, as_json=shown.as_json, verbose=shown.verbose)
            with ticker(shown=not shown.quiet) as tick, interruptible(display.interrupted):
                display.tick = tick
                if not shown.quiet:
                    threading.Thread(target=_count, args=(display, levels, puzzle), daemon=True).start()
                progress, run = solved(
                    levels,
                    kept,
                    orders,
                    puzzle=puzzle,
                    workers=jobs,
                    cluster=cluster,
                    listener=display.listener(),
                )
            changed = None if expected is None else compared(kept, run, expected)
            if dataset is not None:
                limits = {"timeout": options.timeout, "memory": options.memory}
                rows = write_dataset(kept, Asked(run, progress.choices, inputs, limits), dataset)
                if not shown.quiet:
                    print(plain(f"{dataset}: {number(rows)} rows"), file=sys.stderr)
            code = _code(progress, changed, failing)
            if report is None and not shown.as_json:
                display.close(progress, show)
            if found is not None:
                cases = found.cases(kept, run, expected)
                if junit is not None:
                    write(junit, "".join(document(cases)))
                if report is not None:
                    for case in cases:
                        report.add(case)
                    report.close(code)
                    if not shown.quiet:
                        display.close(progress, _on_standard_error)
            if kept.new and kept.is_empty:
                kept.discard()
    except (StoreError, ExpectError, CrewError) as error:
        raise failed(error, BAD_INPUT) from None
    if changed is not None:
        for line in changed.lines:
            print(plain(line), file=sys.stderr)
        print(plain(changed.summary), file=sys.stderr)
    raise typer.Exit(code)


def _code(progress: "Progress", changed: "Changes | None", failing: frozenset[str]) -> int:
    """The exit code. With expectations, it is that of changes, of levels that are new there, and of errors."""
    from puzzlemc.reports.findings.failing import failing_code
    from puzzlemc.reports.solve.result import BAD_INPUT, CODES, REFUTED, UNSOLVABLE, gravest

    if changed is None:
        of_verdicts = (CODES[verdict] for verdict, number in progress.verdicts.items() if number)
        return failing_code(progress.codes, failing) or failing_code(of_verdicts, failing)
    code = failing_code(changed.codes | (progress.codes & {REFUTED, BAD_INPUT}), failing)
    return gravest([code, UNSOLVABLE]) if changed.lines and "changed" in failing else code


def _on_standard_error(*parts: "str | tuple[str, str]") -> None:
    """Write a line of the summary, where standard output is for a report."""
    print(*(part if isinstance(part, str) else part[0] for part in parts), sep="", file=sys.stderr)


def _count(display: "_Display", levels: list[str], puzzle: str | None) -> None:
    """Count the levels while they are solved, for the progress."""
    from puzzlemc.reports.batch.batch import count

    with contextlib.suppress(Exception):  # what a puzzle from a file does wrong is met by the run, too
        display.expect(count(levels, puzzle))


class _Display:
    """The output of a run."""

    def __init__(self, store: "Store", found: "FoundByBatch | None", *, as_json: bool, verbose: bool) -> None:
        self.tick: Callable[[int, int | None, str], None] = lambda *_: None
        self._store = store
        self._found = found
        self._broken: list[str] = []  # names of levels that are errors
        self._as_json = as_json
        self._verbose = verbose
        self._total: int | None = None
        self._began = time.monotonic()
        self._marks = [(self._began, 0, 0)]  # when how many were done, and how many of them solved
        self._progress: Progress | None = None

    def listener(self) -> "Listener":
        """The listener of the run."""
        from puzzlemc.reports.batch.orders import Listener

        listener = Listener(self._committed, problem=self._problem, unread=self._unread, warned=Warned().write)
        if self._found is not None:
            listener.read = self._found.read
        return listener

    def expect(self, total: int | None) -> None:
        """Receive the number of levels."""
        self._total = total

    def interrupted(self) -> str:
        """The message after Ctrl-C."""
        done = 0 if self._progress is None else self._progress.done
        total = "" if self._total is None else f" of {number(self._total)}"
        return f"interrupted after {number(done)}{total} levels; the store has them"

    def close(self, progress: "Progress", show: "Callable[..., None]") -> None:
        """Write the summary; `show` takes a line in parts, some of them with a style."""
        verdicts = [
            (verdict_counted(progress.verdicts[verdict], verdict, progress.unproved), style)
            for verdict, style in STYLES.items()
            if progress.verdicts[verdict]
        ]
        parts: list[str | tuple[str, str]] = [_levels(progress.named)]
        for place, part in enumerate(verdicts):
            parts += [", " if place else ": ", part]
        seconds = time.monotonic() - self._began
        show(*parts)
        rate = f", {progress.solved / seconds:.1f} levels a second" if progress.solved else ""
        turned = f", {number(progress.turned)} of them by turning a solution" if progress.turned else ""
        show(f"solved in this run: {number(progress.solved)}{turned}; {seconds:.1f} s{rate}")
        if self._broken:
            most = ", ".join(self._broken[:MOST_BROKEN])
            more = len(self._broken) - MOST_BROKEN
            show(f"errors in {plain(most)}{f' and {number(more)} more' if more > 0 else ''}")
        for line in self._same(progress):
            show(line)
        if progress.tried:
            line = f"{_levels(progress.tried)} still unknown: tried before with limits as large; "
            show(line + "--timeout and --memory give larger ones")

    def _same(self, progress: "Progress") -> list[str]:
        """The remark on levels that are the same."""
        names, levels, shapes = self._store.counts_of_last_run()
        lines = []
        if names > levels:
            lines.append(f"the same as another: {number(names - levels)}")
        if levels > shapes:
            lines.append(f"the same as another, once rotated or mirrored: {number(levels - shapes)}")
        return lines

    def _committed(self, progress: "Progress", named: "list[Named]") -> None:
        from puzzlemc.reports.batch.rows import row

        self._progress = progress
        for each in named:
            if each.reason:
                is_own = each.reason.startswith(each.id.rpartition("#")[0])
                print(
                    plain_lines(f"error: {each.reason if is_own else f'{each.id}: {each.reason}'}"),
                    file=sys.stderr,
                )
                self._broken.append(each.id)
        for each in named if self._as_json or self._verbose else ():
            found = row(self._store, each.level, each.choice, each.id, each.title)
            if self._as_json:
                print(json.dumps(found), flush=True)
            if self._verbose:
                states = "" if found["states"] is None else f", {number(found['states'])} states"
                words = f"{each.id}: {found['verdict']} by {found['engine']}{states}, {found['seconds']} s"
                print(plain(words), file=sys.stderr)
        self.tick(progress.done, self._total, self._words(progress))

    def _problem(self, message: str, code: int) -> None:
        if self._found is not None:
            self._found.problem(message, code)
        print(plain_lines(f"error: {message}"), file=sys.stderr)

    def _unread(self, result: "Result") -> None:
        from puzzlemc.reports.batch.rows import named

        if self._found is not None:
            self._found.unread(result)
        print(plain_lines(f"error: {result.reason}"), file=sys.stderr)
        self._broken.append(result.id)
        if self._as_json:
            print(json.dumps(named(result, result.id, result.title)), flush=True)

    def _words(self, progress: "Progress") -> str:
        """The progress, in one line."""
        now = time.monotonic()
        if now - self._marks[-1][0] >= 1:
            self._marks.append((now, progress.done, progress.solved))
            while len(self._marks) > 2 and self._marks[1][0] <= now - RATE_SECONDS:
                self._marks.pop(0)
        then, done, solved = self._marks[0]
        passed = max(now - then, 1e-3)
        total = "" if self._total is None else f" of {number(self._total)}"
        words = [f"{number(progress.done)}{total} levels", f"{(progress.solved - solved) / passed:.1f}/s"]
        words += [f"{number(progress.verdicts[each])} {each}" for each in STYLES if progress.verdicts[each]]
        if self._total is not None and progress.done > done:
            words.append(f"{_span((self._total - progress.done) * passed / (progress.done - done))} left")
        return ", ".join(words)


def _levels(value: int) -> str:
    return "1 level" if value == 1 else f"{number(value)} levels"


def _span(seconds: float) -> str:
    """A duration for people."""
    if seconds < 90:
        return f"{max(seconds, 0):.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
