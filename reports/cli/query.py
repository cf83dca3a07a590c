"""`query`: does a formula hold?"""

import json
import sys
from typing import Annotated

import typer

from puzzlemc.reports.cli.options import (
    SEARCH,
    Level,
    Memory,
    PuzzleName,
    Timeout,
)
from puzzlemc.reports.cli.session import in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain

EXAMPLES = """
puzzlemc query level.xsb 'AG EF solved'
puzzlemc query level.xsb 'E[boxes_on_goal < 1 U solved]'
puzzlemc query level.xsb -f formulas.ctl --json
"""


def query(
    level: Level,
    formula: Annotated[
        str, typer.Argument(help="CTL, as 'AG EF solved': see `puzzlemc puzzles NAME` for the atoms.")
    ],
    puzzle: PuzzleName = None,
    engine: Annotated[
        str,
        typer.Option(
            metavar="ENGINE",
            rich_help_panel=SEARCH,
            help="auto, explicit (state by state) or symbolic (decision diagrams).",
        ),
    ] = "auto",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Does a CTL formula hold? Ends with 0: yes, 1: no, 2: bad usage or input, 3: unknown, 4: a bug."""
    from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.mc.temporal.check import ENGINES
    from puzzlemc.reports.run.query import answered, unanswered
    from puzzlemc.reports.run.result import REFUTED
    from puzzlemc.reports.run.single import OneLevel

    require("--engine", engine, ("auto", *ENGINES))
    limits = Limits(timeout or None, int(memory * GIB))
    with interruptible(lambda: "interrupted"), in_worker(memory, "puzzlemc.reports.run.query") as worker:
        try:
            one = OneLevel(worker, level, puzzle, limits.seconds)
            data, text, code = one.run(answered, formula, limits, engine)
        except LimitReached as limit:
            told = unanswered(level, puzzle or "", formula, limit.reason, worker.seconds)
            data, text, code = told.as_json(), told.as_text(), told.exit_code
        except FormulaError as error:
            before, after = (plain(part) for part in (formula[: error.column - 1], formula[error.column - 1 :]))
            mark = f"{before}{after}\n  {' ' * len(before)}^"
            raise typer.BadParameter(f"{plain(str(error))}\n  {mark}", param_hint="FORMULA") from None
        except ModelError as error:
            raise typer.BadParameter(plain(str(error))) from None
        except Refuted as error:
            print(plain(str(error)), file=sys.stderr)
            raise typer.Exit(REFUTED) from None
        print(json.dumps(data) if as_json else text, flush=True)
    raise typer.Exit(code)
