"""`check` and `solve`: verdicts, and shortest solutions."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.options import (
    ASKED,
    OUTPUT,
    Certificates,
    Count,
    Diagrams,
    Draw,
    Encoding,
    Engine,
    Every,
    Jobs,
    Json,
    Levels,
    Memory,
    Metric,
    PuzzleName,
    Quiet,
    Timeout,
    Verbose,
    Within,
)
from puzzlemc.reports.cli.session import in_worker, interruptible, notify, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT, make_folder
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clock, progress

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Never

    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.reports.formats.traces import Traces
    from puzzlemc.reports.run.result import Result
    from puzzlemc.reports.run.solve import Options


CHECKED = """
puzzlemc check levels.xsb
puzzlemc check levels --metric moves --timeout 10
puzzlemc check levels.xsb#2 --certificate proofs
puzzlemc check level.fold --count --json
"""
SOLVED = """
puzzlemc solve level.xsb
puzzlemc solve levels.xsb#2 --metric moves
puzzlemc solve level.xsb --format svg -o solution.svg
puzzlemc solve levels.xsb --format lurd -o traces
"""


def check(
    levels: Levels,
    puzzle: PuzzleName = None,
    metric: Metric = None,
    engine: Engine = "auto",
    diagrams: Diagrams = "auto",
    encoding: Encoding = "compact",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    certificate: Certificates = None,
    count: Count = False,
    every: Every = False,
    draw: Draw = False,
    within: Within = None,
    why: Annotated[
        bool,
        typer.Option(
            "--why",
            rich_help_panel=ASKED,
            help="Of an unsolvable level, the smallest part that already cannot be done.",
        ),
    ] = False,
    given: Annotated[
        bool,
        typer.Option(
            "--solutions",
            rich_help_panel=ASKED,
            help="Check the solutions in the files by the plain rules, too: a wrong one ends with 2.",
        ),
    ] = False,
    layout: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=ASKED,
            help="Do not solve, but judge the layout in that file: ends with 0 valid, 4 refuted. One level.",
        ),
    ] = None,
    jobs: Jobs = None,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Solve levels and show the verdicts."""
    if layout is not None:
        _judge(levels, puzzle, layout, timeout, memory, as_json=as_json)
    from puzzlemc.reports.run.solve import Options

    options = Options(
        metric,
        engine,
        diagrams,
        encoding,
        timeout,
        memory,
        count,
        every,
        draw,
        why=why,
        within=within,
        given=given,
    )
    show = {"as_json": as_json, "quiet": quiet, "verbose": verbose, "traces": False}
    _run(levels, puzzle, options, certificate, jobs, None, None, **show)


def solve(
    levels: Levels,
    puzzle: PuzzleName = None,
    metric: Metric = None,
    engine: Engine = "auto",
    diagrams: Diagrams = "auto",
    encoding: Encoding = "compact",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    certificate: Certificates = None,
    count: Count = False,
    every: Every = False,
    draw: Draw = False,
    within: Within = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            rich_help_panel=OUTPUT,
            help="How traces are written: lurd, moves (one a line), frames (drawings), json, svg or gif. "
            "Then standard output has the traces alone, and verdicts without one go to standard error.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            rich_help_panel=OUTPUT,
            help="Write traces to that file, or, of several levels, each to a file in that folder. "
            "- is standard output.",
        ),
    ] = None,
    jobs: Jobs = None,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Solve levels and show the traces."""
    from puzzlemc.reports.run.solve import Options

    if form is None and output is not None:
        raise typer.BadParameter("an output needs a --format", param_hint="--output")
    if form is not None and output in (None, STANDARD_OUTPUT) and as_json:
        raise typer.BadParameter(
            "traces and --json cannot share standard output, expected -o", param_hint="--format"
        )
    options = Options(metric, engine, diagrams, encoding, timeout, memory, count, every, draw, within=within)
    show = {"as_json": as_json, "quiet": quiet, "verbose": verbose, "traces": True}
    _run(levels, puzzle, options, certificate, jobs, form, output, **show)


def _run(
    levels: "Sequence[str]",
    puzzle: str | None,
    options: "Options",
    certificates: Path | None,
    jobs: int | None,
    form: str | None,
    output: Path | None,
    *,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    traces: bool,
) -> None:
    from puzzlemc.encodings.puzzles import load
    from puzzlemc.mc.engines.registry import ENGINES
    from puzzlemc.mc.sets.diagrams import DIAGRAMS
    from puzzlemc.reports.cli.table import Table
    from puzzlemc.reports.run.pool import solve_all
    from puzzlemc.reports.run.result import exit_code

    require("--engine", options.engine, ("auto", *ENGINES))
    require("--diagrams", options.diagrams, ("auto", *DIAGRAMS))
    if certificates is not None:
        make_folder(certificates)
    entries = load(levels, puzzle)
    results: list[Result] = []
    wrong = _wrong_choices(entries, options)
    writer = None if form is None else _traces(entries, form, output)
    alone = writer is not None and writer.to_standard_output
    shown = Table(entries, options.metric, traces=traces and writer is None, left_out=wrong)
    table = None if as_json or alone else shown
    single = len(entries) == 1
    with interruptible(lambda: f"interrupted after {len(results)} of {len(entries)} levels"):
        with (
            progress(len(entries), shown=not quiet and not single) as advance,
            clock(Path(entries[0].id).name if single else "", shown=not quiet and single) as say,
        ):
            told = None if quiet else notify
            solved = solve_all(entries, options, jobs, certificates, notify=told, heard=say)
            for entry, result in zip(entries, solved, strict=True):
                results.append(result)
                if writer is not None and not (result.verdict == "error" and entry.puzzle_name in wrong):
                    writer.add(entry, result)
                if table is not None:
                    table.add(result)
                elif as_json:
                    print(json.dumps(result.as_json()), flush=True)
                if result.note and table is not None and sys.stderr.isatty():
                    print(table.folded(result.id, result.note), file=sys.stderr)
                elif result.note:
                    print(plain(f"{result.id}: {result.note}"), file=sys.stderr)
                if verbose:
                    print(plain(f"{result.id}: {result.statistics or result.reason}"), file=sys.stderr)
                advance()
        if table is not None:
            table.close(results)
    raise typer.Exit(exit_code(results))


def _judge(
    levels: "Sequence[str]", puzzle: str | None, layout: Path, timeout: float, memory: float, *, as_json: bool
) -> "Never":
    """Show what is right or wrong with the layout of a level, and end the program."""
    from puzzlemc.mc.errors import LimitReached, ModelError
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.run.layout import judged
    from puzzlemc.reports.run.result import UNKNOWN
    from puzzlemc.reports.run.single import OneLevel

    if len(levels) != 1:
        raise typer.BadParameter(f"found {len(levels)} levels, expected one for a layout", param_hint="LEVELS")
    with interruptible(lambda: "interrupted"), in_worker(memory, "puzzlemc.reports.run.layout") as worker:
        try:
            one = OneLevel(worker, levels[0], puzzle, timeout or None)
            limits = Limits(timeout or None, int(memory * GIB))
            told, text, code = one.run(judged, str(layout), limits)
        except LimitReached as limit:
            print(plain(f"{layout}: not judged: {limit.reason}"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None
        except ModelError as error:
            raise typer.BadParameter(plain(str(error)), param_hint="--layout") from None
    print(json.dumps(told) if as_json else text)
    raise typer.Exit(code)


def _traces(entries: "Sequence[Entry]", form: str, output: Path | None) -> "Traces":
    """What writes the traces."""
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.formats.traces import FORMATS, Traces

    require("--format", form, tuple(FORMATS))
    try:
        return Traces(entries, form, output)
    except ModelError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="--format") from None


def _wrong_choices(entries: "Sequence[Entry]", options: "Options") -> "Collection[str]":
    """Tell once, not once a level, what is wrong with metric and encoding; the puzzles that do not have them.

    Raises typer.BadParameter where no puzzle of the levels has them.
    """
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.run.solve import choices

    asked = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}
    wrong: dict[str, str] = {}
    for name, each in asked.items():
        try:
            choices(each, options)
        except ModelError as error:
            wrong[name] = str(error)
    if wrong and len(wrong) == len(asked):
        raise typer.BadParameter("; ".join(wrong.values()))
    for message in wrong.values():
        print(f"error: {message}", file=sys.stderr)
    return wrong
