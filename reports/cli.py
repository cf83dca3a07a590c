"""The command line: a thin layer over `puzzlemc.reports.pool` and its results.

Results go to standard output, everything else to standard error. What takes time to import is imported in
the commands that need it, so that `--help` stays quick.
"""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.interrupt import catch_interrupts, interrupt_taken

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from puzzlemc.reports.result import Result
    from puzzlemc.reports.solve import Options

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C

app = typer.Typer(
    help="A symbolic model checker for puzzles: shortest solutions, or proofs that there is none.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Levels = Annotated[list[str], typer.Argument(help="Files, folders, FILE#N for the N-th level of a file, or -.")]
PuzzleName = Annotated[
    str | None, typer.Option("--puzzle", help="The puzzle, where suffix and content do not tell.")
]
Metric = Annotated[
    str | None,
    typer.Option(help="What a shortest trace has fewest of, as `puzzlemc puzzles` lists; any = the first found."),
]
Engine = Annotated[
    str, typer.Option(help="auto, forward, backward, bidirectional, best-first, explicit, bmc or ic3.")
]
Diagrams = Annotated[str, typer.Option(help="auto, cudd or zdd: the decision-diagram package.")]
Encoding = Annotated[str, typer.Option(help="compact or tiles.")]
Timeout = Annotated[float, typer.Option(min=0, help="Seconds of wall clock for each level; 0 = no limit.")]
Memory = Annotated[float, typer.Option(min=0.0625, max=65536, help="GiB for each level.")]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON object a level on standard output, nothing else there.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="What the engines did, on standard error.")]


def _solver(*, traces: bool) -> "Callable[..., None]":
    """The command that solves levels, with or without showing traces."""

    def run(
        levels: Levels,
        puzzle: PuzzleName = None,
        metric: Metric = None,
        engine: Engine = "auto",
        diagrams: Diagrams = "auto",
        encoding: Encoding = "compact",
        timeout: Timeout = 60.0,
        memory: Memory = 4.0,
        as_json: Json = False,
        quiet: Quiet = False,
        verbose: Verbose = False,
    ) -> None:
        from puzzlemc.reports.solve import Options

        options = Options(metric, engine, diagrams, encoding, timeout, memory)
        _run(levels, puzzle, options, as_json=as_json, quiet=quiet, verbose=verbose, traces=traces)

    return run


CODES = "Ends with 0: all are solvable, 1: some is not, 2: bad usage or input, 3: some unknown, 4: a bug."
app.command("check", help=f"Is each level solvable? {CODES}")(_solver(traces=False))
app.command("solve", help=f"Like check, with a shortest trace of each solvable level. {CODES}")(
    _solver(traces=True)
)


@app.command()
def puzzles() -> None:
    """The puzzles, their suffixes, metrics and encodings, and where the levels that come with them are."""
    from importlib import import_module
    from importlib.resources import files

    from puzzlemc.encodings.puzzles import PUZZLES, puzzle
    from puzzlemc.screens.source import PUZZLES as SCREENS

    for name in PUZZLES:
        rules = puzzle(name)
        print(name)
        print(f"  suffixes   {' '.join(import_module(SCREENS[name]).SUFFIXES)}")
        print(f"  metrics    {' '.join(rules.metrics)} any")
        print(f"  encodings  {' '.join(rules.encodings)}")
        print(f"  levels     {files('puzzlemc.screens') / 'levels' / name}")


def main() -> None:
    """Run the command line; ends the process with the exit code."""
    catch_interrupts()
    try:
        app()
    except KeyboardInterrupt:
        interrupt_taken()
        sys.exit(INTERRUPTED)


def _run(
    levels: "Sequence[str]",
    puzzle: str | None,
    options: "Options",
    *,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    traces: bool,
) -> None:
    from puzzlemc.mc.diagrams import DIAGRAMS
    from puzzlemc.mc.engines import ENGINES
    from puzzlemc.reports.pool import solve_all
    from puzzlemc.reports.progress import progress
    from puzzlemc.reports.result import BAD_INPUT, exit_code
    from puzzlemc.reports.table import Table
    from puzzlemc.screens.source import load

    _require("--engine", options.engine, ("auto", *ENGINES))
    _require("--diagrams", options.diagrams, ("auto", *DIAGRAMS))
    entries = load(levels, puzzle)
    results: list[Result] = []
    table = None if as_json else Table(entries, traces=traces)
    try:
        with progress(len(entries), shown=not quiet) as advance:
            for result in solve_all(entries, options):
                results.append(result)
                if table is None:
                    print(json.dumps(result.as_json()), flush=True)
                else:
                    table.add(result)
                if verbose:
                    print(f"{result.id}: {result.log or result.reason}", file=sys.stderr)
                advance()
        if table is not None:
            table.close(results)
    except KeyboardInterrupt:
        interrupt_taken()
        print(f"interrupted after {len(results)} of {len(entries)} levels", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    except OSError as error:
        # Standard output takes no more; the interpreter must not try again at exit.
        sys.stdout = None
        if not isinstance(error, BrokenPipeError):
            print(f"standard output: {error.strerror}", file=sys.stderr)
            raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(exit_code(results))


def _require(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise typer.BadParameter(f"{value!r} is unknown, expected one of {', '.join(known)}", param_hint=option)
