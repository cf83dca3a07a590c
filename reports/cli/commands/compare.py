"""`compare`: textbook searches and engines on the same levels."""

import json
import sys
from typing import Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    LIMITS,
    SEARCH,
    Json,
    Levels,
    Memory,
    Metric,
    Quiet,
    Rules,
    option,
)
from puzzlemc.reports.cli.common.session import bad_usage, in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.output.terminal import progress, show

EXAMPLES = """
puzzlemc compare level.fold
puzzlemc compare level.xsb --method breadth-first --method auto
puzzlemc compare level.xsb --metric moves --timeout 2 --json
"""


def compare(
    levels: Levels,
    *,
    rules: Rules,
    metric: Metric = None,
    method: Annotated[
        list[str] | None,
        option(
            SEARCH,
            "METHOD",
            "Only this search or engine. Repeatable.",
            autocompletion=values.methods,
            show_default="all of them",
        ),
    ] = None,
    timeout: Annotated[
        float, option(LIMITS, "SECONDS", "Seconds of wall clock for each way on each level; 0 = no limit.", min=0)
    ] = 10.0,
    memory: Memory = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare textbook searches with the engines: time and states.

    The searches run by the plain rules, and know no metric. A cost that a method does not prove to be least is
    written with ≤. Ends with 0, 2: bad usage or input, 4: a bug.
    """
    from puzzlemc.encodings.puzzles import load
    from puzzlemc.mc.errors import Refuted
    from puzzlemc.reports.ask.compare import Row, attempt_in, compare, ways
    from puzzlemc.reports.cli.common.table import compared
    from puzzlemc.reports.solve.options import Options, choices
    from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, SOLVABLE

    entries = load(levels, rules.puzzle)
    puzzles = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}.values()
    with bad_usage("LEVELS"):
        known = [name for each in puzzles for name in ways(each)]
    with bad_usage("--metric"):
        for each in puzzles:
            choices(each, Options(metric))
    for name in method or []:
        require("--method", name, tuple(dict.fromkeys(known)))
    rows: list[Row] = []
    code = SOLVABLE
    alone = sys.stdout.isatty()  # there a row has no room for the id of its level
    if known and not as_json:
        first = plain(next(entry.id for entry in entries if entry.puzzle_name is not None))
        show(Row.heading(None if alone else len(first)), cut=True)
    with (
        interruptible(lambda: f"interrupted after {len(rows)} rows"),
        in_worker(memory, "puzzlemc.reports.ask.compare") as worker,
    ):
        attempt = attempt_in(worker, metric, timeout, memory)
        with progress(len(entries), shown=not quiet) as advance:
            for entry in entries:
                if entry.error is not None:
                    print(f"error: {plain_lines(str(entry.error))}", file=sys.stderr)
                    code = max(code, BAD_INPUT)
                    continue
                if alone and not as_json:
                    print(plain(entry.id))
                try:
                    for row in compare(entry, method or ways(entry.puzzle), attempt):
                        rows.append(row)
                        code = REFUTED if row.verdict == "error" else code
                        if as_json:
                            print(json.dumps(row.as_json()), flush=True)
                        else:
                            show(row.as_text(alone=alone), cut=True)
                except Refuted as error:
                    print(f"error: {plain_lines(str(error))}", file=sys.stderr)
                    code = REFUTED
                advance()
        if not as_json:
            compared(rows)
    raise typer.Exit(code)
