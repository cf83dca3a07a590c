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


def option(heading: str, value: str, help: str, *names: str, **more: Any) -> Any:
    """An option of typer: the heading under which help shows it, what its value is called, and what it does.

    names  the names of the option; without any, the name of the parameter
    """
    return typer.Option(*names, metavar=value, rich_help_panel=heading, help=help, **more)


def flag(heading: str, name: str, help: str) -> Any:
    """An option without a value."""
    return typer.Option(name, rich_help_panel=heading, help=help)


def levels_if_any(name: str, help: str) -> Any:
    """An argument that may be missing: files or folders of levels."""
    return typer.Argument(metavar=f"[{name}]", autocompletion=values.levels, show_default=False, help=help)


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
    option(
        ASKED,
        "NAME",
        "The puzzle, one of `puzzlemc puzzles`, or a Python file with one; without LEVELS, those in that file.",
        "--puzzle",
        autocompletion=values.puzzles,
        show_default="found by suffix and content",
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
        option(
            ASKED,
            "FILE",
            "The domain of all planning problems.",
            "--domain",
            callback=_chosen,
            show_default="the one beside each problem",
        ),
    ] = None


Metric = Annotated[
    str | None,
    option(
        ASKED,
        "METRIC",
        "What a shortest trace has fewest of, as `puzzlemc puzzles` lists; any = the first found.",
        autocompletion=values.metrics,
        show_default="the puzzle's own",
    ),
]
Encoding = Annotated[
    str,
    option(SEARCH, "ENCODING", "compact or tiles, as `puzzlemc puzzles` lists.", autocompletion=values.encodings),
]
Memory = Annotated[float, option(LIMITS, "GIB", "GiB for each level.", min=0.0625, max=65536)]


class LevelLimits(NamedTuple):
    """The limits of each level."""

    timeout: Annotated[
        float, option(LIMITS, "SECONDS", "Seconds of wall clock for each level; 0 = no limit.", min=0)
    ] = 60.0
    memory: Memory = 4.0


class Search(NamedTuple):
    """How levels are searched, and under which limits."""

    rules: Rules
    metric: Metric = None
    engine: Annotated[
        str,
        option(
            SEARCH,
            "ENGINE",
            "auto, forward, backward, bidirectional, best-first, explicit, bmc, k-induction or ic3.",
            autocompletion=values.engines,
        ),
    ] = "auto"
    diagrams: Annotated[
        str,
        option(
            SEARCH, "PACKAGE", "auto, cudd or zdd: the decision-diagram package.", autocompletion=values.diagrams
        ),
    ] = "auto"
    encoding: Encoding = "compact"
    limits: LevelLimits = LevelLimits()

    def options(self, **details: Any) -> "Options":
        """The options of a question about levels, with fields of `Options` as details.

        Raises typer.BadParameter for an engine or a package that there is not. The defaults load no registry.
        """
        from puzzlemc.reports.solve.options import Options

        if "chance" in details:
            require("--chance", details["chance"], values.CHANCES)
        if self.engine != "auto":
            from puzzlemc.mc.engines.registry import ENGINES

            require("--engine", self.engine, ("auto", *ENGINES))
        if self.diagrams != "auto":
            from puzzlemc.mc.symbolic.packages import PACKAGES, check_name

            require("--diagrams", self.diagrams, ("auto", *PACKAGES))
            with bad_usage("--diagrams"):
                check_name(self.diagrams)
        return Options(self.metric, self.engine, self.diagrams, self.encoding, *self.limits, **details)


Certificates = Annotated[
    Path | None, option(OUTPUT, "DIR", "Write a certificate of each verdict, and check it.", "--certificate")
]
Why = Annotated[
    bool, flag(ASKED, "--why", "Of an unsolvable level, the smallest part that already cannot be done.")
]
Measures = Annotated[
    bool, flag(ASKED, "--measures", "Also how hard each level is, in numbers: see the page on measures.")
]
Within = Annotated[
    int | None,
    option(
        ASKED,
        "TURNS",
        "Of a game of two sides: can the side to move win within that many turns of its own?",
        min=1,
    ),
]


Chance = Annotated[
    str,
    option(
        ASKED,
        "WORD",
        "Of games with chance: lucky, does some outcome win; surely, does a strategy win whatever is drawn; "
        "almost, does one win with probability 1, by playing on; or probability, the best one of winning.",
        autocompletion=values.one_of(*values.CHANCES),
    ),
]


class Details(NamedTuple):
    """What is asked of each level beside its verdict; fields of `Options`."""

    count: Annotated[
        bool, flag(ASKED, "--count", "Count the solutions, of some puzzles; the summary says what counts as one.")
    ] = False  # type: ignore[assignment]  # it hides a method of tuples
    every: Annotated[bool, flag(ASKED, "--all", "All solutions. Not of every puzzle.")] = False
    plans: Annotated[
        int,
        option(
            ASKED,
            "N",
            "The N best plans of models and planning tasks; none visits a position twice. 0: all of least cost.",
            min=0,
        ),
    ] = 1
    loops: Annotated[
        bool, flag(ASKED, "--loops", "With --plans: all plans, also those that visit a position again.")
    ] = False
    draw: Annotated[bool, flag(OUTPUT, "--draw", "Draw the position after the last move.")] = False
    within: Within = None
    why: Why = False
    chance: Chance = "lucky"


Json = Annotated[bool, flag(OUTPUT, "--json", "One JSON object a level on standard output, nothing else there.")]
Jobs = Annotated[
    int | None, option(LIMITS, "N", "Levels at a time.", min=1, max=4096, show_default="as many as cores")
]
Quiet = Annotated[bool, flag(OUTPUT, "--quiet", "No progress on standard error.")]


class Shown(NamedTuple):
    """What is written where."""

    as_json: Json = False
    quiet: Quiet = False
    verbose: Annotated[bool, flag(OUTPUT, "--verbose", "What the engines did, on standard error.")] = False


class Build(NamedTuple):
    """What a build server is shown of levels, and which of them fail a build."""

    form: Annotated[
        str | None,
        option(
            OUTPUT,
            "FORMAT",
            "What was found, for a build server: github, sarif, junit or tap, with file, line and column; nothing "
            "else on standard output.",
            "--format",
            autocompletion=values.one_of(*values.FINDING_FORMATS),
        ),
    ] = None
    fail_on: Annotated[
        str | None,
        option(
            OUTPUT,
            "WORDS",
            "Answers that end with another code than 0: unsolvable, unknown, error, changed (of batch --expect), "
            "with commas; or none.",
            "--fail-on",
            show_default="all of them",
        ),
    ] = None
