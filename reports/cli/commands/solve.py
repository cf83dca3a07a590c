"""`check` and `solve`: verdicts, and shortest solutions."""

import json
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.building import failing_of, report_of
from puzzlemc.reports.cli.common.linted import lint
from puzzlemc.reports.cli.common.options import (
    ASKED,
    OUTPUT,
    Build,
    Certificates,
    Details,
    Jobs,
    Levels,
    Rules,
    Search,
    Shown,
    flag,
    option,
)
from puzzlemc.reports.cli.common.session import Warned, bad_usage, in_worker, interruptible, refuse_inputs, require
from puzzlemc.reports.cli.common.watch import watch
from puzzlemc.reports.output.files import STANDARD_OUTPUT, make_folder
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clock, describe, progress
from puzzlemc.reports.workers.interrupt import exit_code as interrupted
from puzzlemc.reports.workers.interrupt import interrupt_taken
from puzzlemc.screens.base.source import is_standard_input

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Never

    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.reports.cli.common.remembered import Remembered
    from puzzlemc.reports.solve.known import Known
    from puzzlemc.reports.solve.options import Options
    from puzzlemc.reports.solve.result import Result


CHECKED = """
puzzlemc check levels.xsb
puzzlemc check levels --metric moves --timeout 10
puzzlemc check levels.xsb#2 --certificate proofs
puzzlemc check level.fold --count --json
puzzlemc check game.txt --lint
puzzlemc check levels --watch
puzzlemc check levels --format tap --fail-on unsolvable,error
"""
SOLVED = """
puzzlemc solve level.xsb
puzzlemc solve levels.xsb#2 --metric moves
puzzlemc solve level.xsb --format svg -o solution.svg
puzzlemc solve levels.xsb --format lurd -o traces
"""


class _Checks(NamedTuple):
    """The options of `check` alone."""

    given: Annotated[
        bool,
        flag(
            ASKED,
            "--solutions",
            "Check the solutions in the files by the plain rules, too: a wrong one ends with 2.",
        ),
    ] = False
    layout: Annotated[
        Path | None,
        option(
            ASKED,
            "FILE",
            "Do not solve one level, but judge the layout in FILE: ends with 0 valid, 4 refuted, 3 unknown.",
        ),
    ] = None
    lint: Annotated[
        bool,
        flag(
            ASKED,
            "--lint",
            "Warn of what a game holds in vain, such as a rule that can never apply. Not of every puzzle.",
        ),
    ] = False
    watch: Annotated[
        bool,
        flag(
            OUTPUT,
            "--watch",
            "Go on until Ctrl-C: when the files change, check the levels that are new or have changed.",
        ),
    ] = False
    build: Build = Build()


def check(
    levels: Levels,
    *,
    search: Search,
    certificate: Certificates = None,
    details: Details,
    checks: _Checks,
    jobs: Jobs = None,
    shown: Shown,
) -> None:
    """Solve levels and show the verdicts."""
    if checks.build.form is not None and (checks.watch or checks.layout is not None):
        message = f"levels are checked once for it, expected no {'--watch' if checks.watch else '--layout'}"
        raise typer.BadParameter(message, param_hint="--format")
    if checks.layout is not None:
        if checks.watch:
            message = "a layout is judged once, expected one of --layout and --watch"
            raise typer.BadParameter(message, param_hint="--watch")
        _judge(levels, search, checks.layout, as_json=shown.as_json)
    options = search.options(**details._asdict(), given=checks.given)

    def run(remembered: "Remembered | None" = None) -> None:
        _run(levels, search.rules, options, certificate, jobs, shown, checks, remembered)

    if checks.watch:
        watch(levels, search.rules, run, as_json=shown.as_json, quiet=shown.quiet)
    run()


class _Traces(NamedTuple):
    """The options of `solve` alone."""

    improve: Annotated[
        Path | None,
        option(
            ASKED,
            "PATH",
            "Begin with the solutions in PATH, as replay reads them, or in a folder of traces that -o wrote: "
            "no answer is worse.",
            "--improve",
        ),
    ] = None
    form: Annotated[
        str | None,
        option(
            OUTPUT,
            "FORMAT",
            "How traces are written: lurd, moves (one a line), plan (of planners), frames (drawings), json, "
            "svg or gif. "
            "Then standard output has the traces alone, and verdicts without one go to standard error.",
            "--format",
            autocompletion=values.one_of(*values.TRACE_FORMATS),
        ),
    ] = None
    output: Annotated[
        Path | None,
        option(
            OUTPUT,
            "PATH",
            "Write traces in the --format to that file, or, of several levels, each to a file in that "
            "folder. - is standard output.",
            "--output",
            "-o",
        ),
    ] = None


def solve(
    levels: Levels,
    *,
    search: Search,
    certificate: Certificates = None,
    details: Details,
    traces: _Traces,
    jobs: Jobs = None,
    shown: Shown,
) -> None:
    """Solve levels and show the traces."""
    if traces.form is not None:
        require("--format", traces.form, values.TRACE_FORMATS)
    elif traces.output is not None:
        raise typer.BadParameter("an output needs a format, such as --format lurd", param_hint="--output")
    if traces.form is not None and traces.output in (None, STANDARD_OUTPUT) and shown.as_json:
        raise typer.BadParameter(
            "traces and --json cannot share standard output, expected -o", param_hint="--format"
        )
    options = search.options(**details._asdict())
    if traces.form is not None and details.plans != Details().plans:
        raise typer.BadParameter("a trace is one plan: --json has all that --plans lists", param_hint="--format")
    _run(levels, search.rules, options, certificate, jobs, shown, traces)


def _run(
    levels: "Sequence[str]",
    rules: Rules,
    options: "Options",
    certificates: Path | None,
    jobs: int | None,
    shown: Shown,
    own: _Traces | _Checks,
    remembered: "Remembered | None" = None,
) -> None:
    """Solve levels and show the results; of `solve`, whose options `own` are then, also the solutions.

    `remembered` holds earlier results; programs get only the new ones.
    """
    from puzzlemc.encodings.puzzles import files, load
    from puzzlemc.reports.certify.file_names import CERTIFICATE, SUFFIXES, file_stems
    from puzzlemc.reports.findings.failing import code_of
    from puzzlemc.reports.solve.options import wrong_choices
    from puzzlemc.reports.solve.result import unreadable

    build = own.build if isinstance(own, _Checks) else Build()
    failing = failing_of(build)
    if certificates is not None:
        make_folder(certificates)
    entries = load(levels, rules.puzzle)
    puzzles = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}
    if puzzles:
        from puzzlemc.reports.crew.in_order import fork_workers, solve_all

        fork_workers(sum(entry.puzzle_name is not None for entry in entries), jobs)
    from puzzlemc.reports.cli.common.table import Table  # imported while the workers import what they need

    traces = own if isinstance(own, _Traces) else None
    warned = Warned()
    report = report_of(build, shown)
    if isinstance(own, _Checks) and own.lint:
        lint(levels, entries, options, warned)
        if report is not None:
            report.remark(warned.written)
    stems = file_stems([entry.id for entry in entries])
    results: list[Result] = []
    left: list[tuple[Entry, Result]] = []
    known: dict[str, Known] | None = None
    if traces is not None and traces.improve is not None:
        from puzzlemc.reports.formats.earlier import known_of

        if is_standard_input(str(traces.improve)) and any(map(is_standard_input, levels)):
            raise typer.BadParameter("levels and solutions cannot both be standard input", param_hint="--improve")
        with bad_usage("--improve", levels=True):
            known = known_of(stems, traces.improve)
    with bad_usage():
        example = None if known is None else next(iter(known.values()))
        wrong = wrong_choices(puzzles.values(), replace(options, known=example))
    for message in wrong.values():  # once, not for each level
        print(f"error: {message}", file=sys.stderr)
    writer = None
    written: list[Path] = []
    if traces is not None and traces.form is not None:
        from puzzlemc.reports.formats.traces import Traces

        with bad_usage("--format"):
            writer = Traces(entries, stems, traces.form, traces.output, options.limits)
        written += writer.paths
    paths: dict[str, Path] | None = None
    if certificates is not None:
        written += [certificates / (stem + suffix) for suffix in SUFFIXES for stem in stems.values()]
        paths = {id: certificates / (stem + CERTIFICATE) for id, stem in stems.items()}
    refuse_inputs(written, files(levels))
    alone = writer is not None and writer.to_standard_output
    rows = Table(entries, options.metric, traces=traces is not None and writer is None, left_out=wrong)
    table = None if shown.as_json or alone or report is not None else rows
    single = len(entries) == 1
    # The trace of a level that asks for a best position is that position as text: a table shows it as a drawing.
    best = {name for name, each in puzzles.items() if each.optimisation is not None}
    draws = bool(best) and traces is not None and table is not None
    asked = replace(options, draw=True) if draws else options

    def show(entry: "Entry", found: "Result") -> None:
        misfit = found.verdict == "error" and entry.puzzle_name in wrong
        result = found if writer is None or misfit else writer.add(entry, found)
        results.append(result)
        if draws and not options.draw and entry.puzzle_name not in best:
            result = replace(result, drawing=None)
        if report is not None:
            report.judge(entry, result, failing)
        if table is not None:
            table.add(result)
        elif shown.as_json and (remembered is None or result.id in remembered.solved):
            print(json.dumps(result.as_json()), flush=True)
        warned.write(found.warnings)
        note = result.note if table is None or result.best is None else ""  # a table has it
        for words in (note, result.search_in_words if shown.verbose else ""):
            if words and table is not None and sys.stderr.isatty():
                print(table.folded(result.id, words), file=sys.stderr)
            elif words:
                print(plain(f"{result.id}: {words}"), file=sys.stderr)

    with interruptible(partial(_interrupted, results, len(entries))):
        with (
            writer or nullcontext(),
            progress(len(entries), shown=not shown.quiet and not single) as advance,
            clock(Path(entries[0].id).name if single else "", shown=not shown.quiet and single) as say,
        ):
            heard = say if single else describe
            look = (lambda: None) if remembered is None else remembered.alarm.look

            def solve_some(some: "Sequence[Entry]") -> "Generator[Result, None, None]":
                if not puzzles:  # none of them needs a worker, and nothing that solves is imported
                    return (unreadable(entry) for entry in some)
                return solve_all(some, asked, jobs, paths, heard, left, known=known, look=look)

            if remembered is None:
                solved = solve_some(entries)
            else:
                solved = remembered.results(entries, solve_some, certified=certificates is not None)
            try:
                for entry, result in zip(entries, solved, strict=True):
                    show(entry, result)
                    advance()
            except KeyboardInterrupt:
                interrupt_taken()
                solved.close()
                for entry, result in left:
                    show(entry, result)
                if report is not None:
                    report.close(interrupted(), _interrupted(results, len(entries)))
                raise
        code = code_of(results, failing)
        if report is not None:
            report.close(code)
            if not shown.quiet:
                print(rows.summary(results), file=sys.stderr)
        if table is not None:
            table.close(results)
            for path in writer.written if writer is not None and not shown.quiet else ():
                print(plain(str(path)))
    raise typer.Exit(code)


def _interrupted(results: "Sequence[Result]", levels: int) -> str:
    """The message after Ctrl-C."""
    from puzzlemc.reports.solve.attempt import INTERRUPTED

    known = Counter(result.verdict for result in results if result.reason == INTERRUPTED)
    words = f"interrupted after {len(results) - known.total()} of {levels} levels"
    for verdict, what in (("solvable", "a solution"), ("unknown", "a bound")):
        if more := known[verdict]:
            words += f"; {more} more {'has' if more == 1 else 'have'} {what}"
    return words


def _judge(levels: "Sequence[str]", search: Search, layout: Path, *, as_json: bool) -> "Never":
    """Show the faults of a layout of a level, and end the program."""
    from puzzlemc.mc.errors import LimitReached
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.ask.layout import judge, judge_flow, stopped
    from puzzlemc.reports.workers.single import OneLevel

    if len(levels) != 1:
        raise typer.BadParameter(f"found {len(levels)} levels, expected one for a layout", param_hint="LEVELS")
    limits = Limits.of(*search.limits)
    with (
        interruptible(),
        in_worker(search.limits.memory, "puzzlemc.reports.ask.layout", f"{layout}: not judged") as worker,
        bad_usage("--layout"),
    ):
        one = OneLevel(worker, levels[0], search.rules.puzzle, limits.seconds)
        found = one.run(judge, str(layout))
        if not as_json:
            print(found.as_text(), flush=True)
        try:
            found = one.run(judge_flow, found, limits)
        except LimitReached as limit:
            found = stopped(found, limit.reason)
    text = json.dumps(found.as_json()) if as_json else found.flow_as_text()
    if text:
        print(text)
    raise typer.Exit(found.exit_code)
