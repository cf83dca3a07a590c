"""`report`: what all states of a level tell."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from puzzlemc.reports.cli.options import (
    OUTPUT,
    Diagrams,
    Encoding,
    Engine,
    Level,
    Memory,
    Metric,
    PuzzleName,
    Quiet,
    Timeout,
    Within,
)
from puzzlemc.reports.cli.session import in_worker, interruptible, notify, placed, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clock

EXAMPLES = """
puzzlemc report level.xsb -o report.html
puzzlemc report levels.xsb#2 -o report.json
puzzlemc report level.fold -o -
"""


def report(
    level: Level,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="What to write: .html, .json or .md; - is Markdown on standard output.",
        ),
    ],
    puzzle: PuzzleName = None,
    metric: Metric = None,
    engine: Engine = "auto",
    diagrams: Diagrams = "auto",
    encoding: Encoding = "compact",
    within: Within = None,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    quiet: Quiet = False,
) -> None:
    """Write what all states of a level tell, and where players get stuck.

    The verdict and its proof, a shortest solution to play, heat maps, plots, the state graph.
    Search, proof and analysis each have the limits of time and memory. Ends with 0, or with 3 where something is
    missing in the report; the report tells what. 2: bad usage or input, 4: a bug.
    """
    from puzzlemc.mc.engines.registry import ENGINES
    from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
    from puzzlemc.mc.sets.diagrams import DIAGRAMS
    from puzzlemc.reports.page.report import solved
    from puzzlemc.reports.page.written import FORMATS
    from puzzlemc.reports.page.written import write as write_report
    from puzzlemc.reports.run.result import BAD_INPUT, REFUTED, SOLVABLE, UNKNOWN
    from puzzlemc.reports.run.single import OneLevel, itself
    from puzzlemc.reports.run.solve import Options, choices

    suffix = ".md" if output == STANDARD_OUTPUT else output.suffix
    require("--output", suffix, tuple(FORMATS))
    require("--engine", engine, ("auto", *ENGINES))
    require("--diagrams", diagrams, ("auto", *DIAGRAMS))
    options = Options(metric, engine, diagrams, encoding, timeout, memory, within=within)
    with (
        interruptible(lambda: "interrupted"),
        in_worker(memory, "puzzlemc.reports.page.written", quiet=quiet) as worker,
        clock(f"{Path(level).name}: search", shown=not quiet) as say,
    ):

        def stage(what: str) -> None:
            say(f"{Path(level).name}: {what}")

        try:
            one = OneLevel(worker, level, puzzle, timeout or None)
            rules = one.puzzle
            choices(rules, options)
            result = solved(one.run(itself), options, None if quiet else notify, say)
            stage("all states")
            with placed(output, suffix) as place:
                try:
                    missing = one.run_anew(write_report, options, result, place, receive=stage)
                except LimitReached as limit:
                    missing = one.run_anew(write_report, options, result, place, limit.reason, receive=stage)
        except LimitReached as limit:
            print(plain(f"{level}: no report: {limit.reason} came first"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None
        except Refuted as refuted:
            print(f"error: {plain(str(refuted))}", file=sys.stderr)
            raise typer.Exit(REFUTED) from None
        except ModelError as error:
            print(f"error: {plain(str(error))}", file=sys.stderr)
            raise typer.Exit(BAD_INPUT) from None
        if output != STANDARD_OUTPUT:
            print(plain(str(output)))
        for what in missing:
            print(plain(f"{result.id}: missing: {what}"), file=sys.stderr)
    raise typer.Exit(UNKNOWN if missing else SOLVABLE)
