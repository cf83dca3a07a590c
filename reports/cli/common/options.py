"""Options that several commands have, alone and in groups, and the headings under which help shows the options."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.session import bad_usage, require

if TYPE_CHECKING:
    from puzzlemc.reports.solve.options import Options

# The headings. An option that none fits stands under "Options".
ASKED = "What is asked"
SEARCH = "How it is searched"
LIMITS = "Limits"
OUTPUT = "Output"
MADE = "What is made"

LEVELS = "Files, folders, FILE#3, FILE#3-7, FILE#3,5 or FILE#Title for levels of a file, or - for standard input."

Levels = Annotated[list[str], typer.Argument(metavar="LEVELS", autocompletion=values.levels, help=LEVELS)]
Level = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL", autocompletion=values.levels, help="One level: a file with one, FILE#N, or -#N."
    ),
]
PuzzleName = Annotated[
    str | None,
    typer.Option(
        "--puzzle",
        metavar="NAME",
        autocompletion=values.puzzles,
        show_default="found by suffix and content",
        rich_help_panel=ASKED,
        help="The puzzle, one of `puzzlemc puzzles`, or a Python file with one.",
    ),
]


def _chosen(path: Path | None) -> Path | None:
    """Take the domain before any level is read."""
    if path is not None:
        from puzzlemc.encodings.puzzles import choose_domain

        with bad_usage(levels=True):
            choose_domain(str(path))
    return path


class Rules(NamedTuple):
    """The rules of the levels."""

    puzzle: PuzzleName = None
    domain: Annotated[
        Path | None,
        typer.Option(
            "--domain",
            metavar="FILE",
            callback=_chosen,
            show_default="the one beside each problem",
            rich_help_panel=ASKED,
            help="The domain of all planning problems.",
        ),
    ] = None


Metric = Annotated[
    str | None,
    typer.Option(
        metavar="METRIC",
        autocompletion=values.metrics,
        show_default="the puzzle's own",
        rich_help_panel=ASKED,
        help="What a shortest trace has fewest of, as `puzzlemc puzzles` lists; any = the first found.",
    ),
]
Encoding = Annotated[
    str,
    typer.Option(
        metavar="ENCODING",
        autocompletion=values.encodings,
        rich_help_panel=SEARCH,
        help="compact or tiles, as `puzzlemc puzzles` lists.",
    ),
]
Memory = Annotated[
    float, typer.Option(min=0.0625, max=65536, metavar="GIB", rich_help_panel=LIMITS, help="GiB for each level.")
]


class LevelLimits(NamedTuple):
    """The limits of each level."""

    timeout: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="SECONDS",
            rich_help_panel=LIMITS,
            help="Seconds of wall clock for each level; 0 = no limit.",
        ),
    ] = 60.0
    memory: Memory = 4.0


class Search(NamedTuple):
    """How levels are searched, and under which limits."""

    rules: Rules
    metric: Metric = None
    engine: Annotated[
        str,
        typer.Option(
            metavar="ENGINE",
            autocompletion=values.engines,
            rich_help_panel=SEARCH,
            help="auto, forward, backward, bidirectional, best-first, explicit, bmc, k-induction or ic3.",
        ),
    ] = "auto"
    diagrams: Annotated[
        str,
        typer.Option(
            metavar="PACKAGE",
            autocompletion=values.diagrams,
            rich_help_panel=SEARCH,
            help="auto, cudd or zdd: the decision-diagram package.",
        ),
    ] = "auto"
    encoding: Encoding = "compact"
    limits: LevelLimits = LevelLimits()

    def options(self, **details: Any) -> "Options":
        """The options of a question about levels, with fields of `Options` as details.

        Raises typer.BadParameter for an engine or a package that there is not. The defaults load no registry.
        """
        from puzzlemc.reports.solve.options import Options

        if self.engine != "auto":
            from puzzlemc.mc.engines.registry import ENGINES

            require("--engine", self.engine, ("auto", *ENGINES))
        if self.diagrams != "auto":
            from puzzlemc.mc.symbolic.packages import DIAGRAMS

            require("--diagrams", self.diagrams, ("auto", *DIAGRAMS))
        return Options(self.metric, self.engine, self.diagrams, self.encoding, *self.limits, **details)


Certificates = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        help="Write a certificate of each verdict, and check it.",
    ),
]
Why = Annotated[
    bool,
    typer.Option(
        "--why",
        rich_help_panel=ASKED,
        help="Of an unsolvable level, the smallest part that already cannot be done.",
    ),
]
Within = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="TURNS",
        rich_help_panel=ASKED,
        help="Of a game of two sides: can the side to move win within that many turns of its own?",
    ),
]


class Details(NamedTuple):
    """What is asked of each level beside its verdict; fields of `Options`."""

    count: Annotated[
        bool,
        typer.Option(
            "--count",
            rich_help_panel=ASKED,
            help="Count the solutions, of some puzzles; the summary says what counts as one.",
        ),
    ] = False  # type: ignore[assignment]  # it hides a method of tuples
    every: Annotated[
        bool, typer.Option("--all", rich_help_panel=ASKED, help="All solutions. Not of every puzzle.")
    ] = False
    draw: Annotated[
        bool, typer.Option("--draw", rich_help_panel=OUTPUT, help="Draw the position after the last move.")
    ] = False
    within: Within = None
    why: Why = False


Json = Annotated[
    bool,
    typer.Option(
        "--json",
        rich_help_panel=OUTPUT,
        help="One JSON object a level on standard output, nothing else there.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=4096,
        metavar="N",
        show_default="as many as cores",
        rich_help_panel=LIMITS,
        help="Levels at a time.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", rich_help_panel=OUTPUT, help="No progress on standard error.")]


class Shown(NamedTuple):
    """What is written where."""

    as_json: Json = False
    quiet: Quiet = False
    verbose: Annotated[
        bool, typer.Option("--verbose", rich_help_panel=OUTPUT, help="What the engines did, on standard error.")
    ] = False
