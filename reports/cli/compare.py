"""`compare`: textbook searches beside the engines."""

import json
import sys
from typing import Annotated

import typer

from puzzlemc.reports.cli.options import (
    LIMITS,
    SEARCH,
    Json,
    Levels,
    Memory,
    PuzzleName,
    Quiet,
)
from puzzlemc.reports.cli.session import in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import progress

EXAMPLES = """
puzzlemc compare level.fold
puzzlemc compare level.xsb --method breadth-first --method auto
puzzlemc compare level.xsb --timeout 2 --json
"""


def compare(
    levels: Levels,
    puzzle: PuzzleName = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD",
            show_default="all of them",
            rich_help_panel=SEARCH,
            help="Only this search or engine. Repeatable.",
        ),
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="SECONDS",
            rich_help_panel=LIMITS,
            help="Seconds of wall clock for each way on each level; 0 = no limit.",
        ),
    ] = 10.0,
    memory: Memory = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Textbook searches beside the engines: time and visited states.

    The searches run by the plain rules. Ends with 0, 2: bad usage or input, 4: a bug.
    """
    from puzzlemc.encodings.puzzles import load
    from puzzlemc.mc.errors import ModelError, Refuted
    from puzzlemc.reports.cli.table import compared
    from puzzlemc.reports.run.compare import Row, attempt_in, compare, ways
    from puzzlemc.reports.run.result import BAD_INPUT, REFUTED, SOLVABLE

    entries = load(levels, puzzle)
    try:
        known = [name for entry in entries if entry.puzzle_name is not None for name in ways(entry.puzzle)]
    except ModelError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="LEVELS") from None
    for name in method or []:
        require("--method", name, tuple(dict.fromkeys(known)))
    rows: list[Row] = []
    code = SOLVABLE
    alone = sys.stdout.isatty()  # there a row has no room for the id of its level
    if known and not as_json:
        first = plain(next(entry.id for entry in entries if entry.puzzle_name is not None))
        print(Row.heading(None if alone else len(first)))
    with (
        interruptible(lambda: f"interrupted after {len(rows)} rows"),
        in_worker(memory, "puzzlemc.reports.run.compare", quiet=quiet) as worker,
    ):
        attempt = attempt_in(worker, timeout, memory)
        with progress(len(entries), shown=not quiet) as advance:
            for entry in entries:
                if entry.error is not None:
                    print(f"error: {plain(str(entry.error))}", file=sys.stderr)
                    code = max(code, BAD_INPUT)
                    continue
                if alone and not as_json:
                    print(plain(entry.id))
                try:
                    for row in compare(entry, method or ways(entry.puzzle), attempt):
                        rows.append(row)
                        code = REFUTED if row.verdict == "error" else code
                        print(json.dumps(row.as_json()) if as_json else row.as_text(alone=alone), flush=True)
                except Refuted as error:
                    print(f"error: {plain(str(error))}", file=sys.stderr)
                    code = REFUTED
                advance()
        if not as_json:
            compared(rows)
    raise typer.Exit(code)
