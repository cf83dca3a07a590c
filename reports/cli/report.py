"""`report`: what all states of a level tell."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.options import Diagrams, Encoding, Engine, Memory, Metric, PuzzleName, Timeout, Within
from puzzlemc.reports.cli.session import in_worker, interruptible, notify, placed, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT
from puzzlemc.reports.output.plain import plain

if TYPE_CHECKING:
    pass


def report(
    level: Annotated[str, typer.Argument(help="One level: a file with one, or FILE#N.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
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
) -> None:
    """Write what all states of a level tell: the verdict and its proof, where players get stuck, and more.

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
    with interruptible(lambda: "interrupted"), in_worker(memory, "puzzlemc.reports.page.written") as worker:
        try:
            one = OneLevel(worker, level, puzzle, timeout or None)
            rules = one.puzzle
            choices(rules, options)
            result = solved(one.run(itself), options, notify)
            with placed(output, suffix) as place:
                try:
                    missing = one.run_anew(write_report, options, result, place)
                except LimitReached as limit:
                    missing = one.run_anew(write_report, options, result, place, limit.reason)
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
