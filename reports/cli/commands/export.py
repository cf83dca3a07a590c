"""`export`: the model of a level for other tools."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    ASKED,
    LIMITS,
    OUTPUT,
    Encoding,
    Level,
    LevelLimits,
    Metric,
    Rules,
)
from puzzlemc.reports.cli.common.session import bad_usage, in_worker, interruptible, placed, refuse_inputs, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT
from puzzlemc.reports.output.plain import plain

EXAMPLES = """
puzzlemc export level.xsb --to smv -o level.smv
puzzlemc export level.xsb --to dimacs --bound 12 -o -
puzzlemc export level.fold --to graphml -o states.graphml
"""


def export(
    level: Level,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            autocompletion=values.export_formats,
            rich_help_panel=OUTPUT,
            help="aiger, dimacs, dot, graphml, pddl, sas or smv; "
            "minizinc, or blueprint and json, for some puzzles.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="- is standard output. PDDL and MiniZinc become two files of that name; "
            "blueprints become NAME.2.0.txt and NAME.1.1.txt.",
        ),
    ],
    *,
    rules: Rules,
    metric: Metric = None,
    encoding: Encoding = "compact",
    bound: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="STEPS",
            rich_help_panel=ASKED,
            help="For dimacs: satisfiable exactly if there is a solution of at most STEPS steps.",
        ),
    ] = None,
    states: Annotated[
        int,
        typer.Option(min=1, metavar="N", rich_help_panel=LIMITS, help="For dot and graphml: the most states."),
    ] = 100_000,
    limits: LevelLimits,
) -> None:
    """Write the model of a level, or its state graph, for other tools.

    Ends with 0: written, 2: bad usage or input, 3: a limit came first, 4: a bug.
    """
    from puzzlemc.mc.errors import LimitReached, words_of
    from puzzlemc.reports.formats.export import formats, in_two_files, write_level
    from puzzlemc.reports.solve.result import UNKNOWN
    from puzzlemc.reports.workers.single import OneLevel

    with (
        interruptible(lambda: "interrupted"),
        in_worker(limits.memory, "puzzlemc.reports.formats.export") as worker,
        bad_usage(),
    ):
        try:
            one = OneLevel(worker, level, rules.puzzle, limits.timeout or None)
            puzzle = one.puzzle
            puzzle.need_model()
            require("--to", to, tuple(sorted(formats(puzzle))))
            if output == STANDARD_OUTPUT and in_two_files(puzzle, to):
                raise typer.BadParameter("found '-', expected a name for two files", param_hint="--output")
            require("--encoding", encoding, tuple(puzzle.encodings))
            metric = metric or puzzle.metrics[0]
            require("--metric", metric, (*puzzle.metrics, "any"))
            refuse_inputs([output], [level])
            with placed(output) as place:
                written = one.run(write_level, to, encoding, metric, place, bound, states)
        except LimitReached as limit:
            print(plain(f"{level}: not written: {words_of(limit)}"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None
    for path in written if output != STANDARD_OUTPUT else ():
        print(plain(str(path)))
