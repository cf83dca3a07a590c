"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Levels = Annotated[
    list[str],
    typer.Argument(help="Files, folders, FILE#3, FILE#3-7, FILE#3,5 or FILE#Title for levels of a file, or -."),
]
PuzzleName = Annotated[
    str | None, typer.Option("--puzzle", help="The puzzle, where suffix and content do not tell.")
]
Metric = Annotated[
    str | None,
    typer.Option(help="What a shortest trace has fewest of, as `puzzlemc puzzles` lists; any = the first found."),
]
Engine = Annotated[
    str,
    typer.Option(help="auto, forward, backward, bidirectional, best-first, explicit, bmc, k-induction or ic3."),
]
Diagrams = Annotated[str, typer.Option(help="auto, cudd or zdd: the decision-diagram package.")]
Encoding = Annotated[str, typer.Option(help="compact or tiles, as `puzzlemc puzzles` lists.")]
Timeout = Annotated[float, typer.Option(min=0, help="Seconds of wall clock for each level; 0 = no limit.")]
Memory = Annotated[float, typer.Option(min=0.0625, max=65536, help="GiB for each level.")]
Certificates = Annotated[
    Path | None,
    typer.Option("--certificate", metavar="DIR", help="Write a certificate of each verdict, and check it."),
]
Count = Annotated[bool, typer.Option("--count", help="How many solutions are there? Not of every puzzle.")]
Every = Annotated[bool, typer.Option("--all", help="All solutions. Not of every puzzle.")]
Draw = Annotated[bool, typer.Option("--draw", help="Draw the position after the last move.")]
Within = Annotated[
    int | None,
    typer.Option(min=1, help="Of a game of two sides: look for a win within so many turns of one's own."),
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON object a level on standard output, nothing else there.")
]
Jobs = Annotated[int | None, typer.Option(min=1, max=4096, help="Levels at a time [default: cores].")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="What the engines did, on standard error.")]

CODES = "Ends with 0: all are solvable, 1: some is not, 2: bad usage or input, 3: some unknown, 4: a bug."
