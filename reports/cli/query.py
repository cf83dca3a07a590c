"""`query`: does a formula hold?"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.options import ASKED, LIMITS, OUTPUT, SEARCH, Level, Memory, PuzzleName, Quiet
from puzzlemc.reports.cli.session import in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clock

if TYPE_CHECKING:
    from puzzlemc.mc.errors import FormulaError

EXAMPLES = """
puzzlemc query level.xsb 'AG EF solved'
puzzlemc query level.xsb 'E[boxes_on_goal < 1 U solved]'
puzzlemc query level.xsb -f formulas.ctl --json
"""


def query(
    level: Level,
    formula: Annotated[
        str | None,
        typer.Argument(
            metavar="FORMULA", help="CTL, as 'AG EF solved'; `puzzlemc puzzles NAME` lists atoms and numbers."
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            rich_help_panel=ASKED,
            help="Formulas, one a line; # begins a comment. Ends with the worst of their codes.",
        ),
    ] = None,
    puzzle: PuzzleName = None,
    engine: Annotated[
        str,
        typer.Option(
            metavar="ENGINE",
            rich_help_panel=SEARCH,
            help="auto, explicit (state by state) or symbolic (decision diagrams).",
        ),
    ] = "auto",
    timeout: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="SECONDS",
            rich_help_panel=LIMITS,
            help="Seconds of wall clock for each formula; 0 = no limit.",
        ),
    ] = 60.0,
    memory: Memory = 4.0,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            rich_help_panel=OUTPUT,
            help="One JSON object a formula on standard output, nothing else there.",
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Does a CTL formula hold?

    Ends with 0: yes, 1: no, 2: bad usage or input, 3: unknown, 4: a bug.
    """
    from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.mc.temporal.check import ENGINES
    from puzzlemc.reports.run.query import answered, named, unanswered, unreadable
    from puzzlemc.reports.run.result import BAD_INPUT, PRECEDENCE, REFUTED
    from puzzlemc.reports.run.single import OneLevel

    require("--engine", engine, ("auto", *ENGINES))
    if (formula is None) == (file is None):
        raise typer.BadParameter("expected one of a formula and --file", param_hint="FORMULA")
    formulas = [(1, formula)] if formula is not None else _lines(file)
    limits = Limits(timeout or None, int(memory * GIB))
    codes: set[int] = set()
    with (
        interruptible(lambda: "interrupted"),
        in_worker(memory, "puzzlemc.reports.run.query", quiet=quiet) as worker,
    ):
        try:
            one = OneLevel(worker, level, puzzle, limits.seconds)
        except LimitReached as limit:
            told = unanswered(level, puzzle or "", formula or "", limit.reason, worker.seconds)
            print(json.dumps(told.as_json()) if as_json else told.as_text(), flush=True)
            raise typer.Exit(told.exit_code) from None
        with clock("query", shown=not quiet):
            for number, text in formulas:
                try:
                    data, words, code = one.run_anew(answered, text, limits, engine)
                except LimitReached as limit:
                    told = unanswered(level, puzzle or "", text, limit.reason, worker.seconds)
                    data, words, code = told.as_json(), told.as_text(), told.exit_code
                except FormulaError as error:
                    if file is None:
                        raise typer.BadParameter(_marked(error, text), param_hint="FORMULA") from None
                    print(plain(f"error: {file}:{number}:{error.column}: {error.message}"), file=sys.stderr)
                    reason = f"{file}:{number}:{error.column}: {error.message}"
                    told = unreadable(one.run_anew(named), text, reason)
                    data, words, code = told.as_json(), "", BAD_INPUT
                except ModelError as error:
                    raise typer.BadParameter(plain(str(error))) from None
                except Refuted as error:
                    print(f"error: {plain(str(error))}", file=sys.stderr)
                    raise typer.Exit(REFUTED) from None
                if as_json:
                    print(json.dumps(data), flush=True)
                elif words:
                    print(f"\n{words}" if codes else words, flush=True)
                codes.add(code)
    raise typer.Exit(next((code for code in PRECEDENCE if code in codes), 0))


def _lines(file: Path | None) -> list[tuple[int, str]]:
    """The formulas of a file, with the numbers of their lines."""
    assert file is not None
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "expected text in UTF-8"
        raise typer.BadParameter(plain(f"{file}: cannot be read: {reason}"), param_hint="--file") from None
    found = [(number, line.partition("#")[0].rstrip()) for number, line in enumerate(lines, 1)]
    formulas = [(number, text) for number, text in found if text.strip()]
    if not formulas:
        raise typer.BadParameter(plain(f"{file}: found no formula, expected one a line"), param_hint="--file")
    return formulas


def _marked(error: "FormulaError", formula: str) -> str:
    """What is wrong with a formula, and where in it."""
    before, after = (plain(part) for part in (formula[: error.column - 1], formula[error.column - 1 :]))
    return f"{plain(str(error))}\n  {before}{after}\n  {' ' * len(before)}^"
