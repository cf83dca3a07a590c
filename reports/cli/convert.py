"""`convert`: levels from one file format to another."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from puzzlemc.reports.cli.options import OUTPUT, Memory, PuzzleName, Quiet
from puzzlemc.reports.cli.session import in_worker, interruptible
from puzzlemc.reports.output.files import STANDARD_OUTPUT, write
from puzzlemc.reports.output.plain import plain

EXAMPLES = """
puzzlemc convert levels.xsb levels.slc
puzzlemc convert levels.xsb#1-2 levels.sok.zip
puzzlemc convert levels.xsb - --to sok
"""


def convert(
    levels: Annotated[
        str, typer.Argument(metavar="FROM", help="A file, a folder, levels of a file such as FILE#3-7, or -.")
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TO", help="The file. Its suffix tells the format; .gz or .zip behind it packs it."
        ),
    ],
    puzzle: PuzzleName = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="SUFFIX",
            show_default="that of the file",
            rich_help_panel=OUTPUT,
            help="The suffix of the format, such as sok.",
        ),
    ] = None,
    memory: Memory = 4.0,
    quiet: Quiet = False,
) -> None:
    """Write levels in another format, with titles, authors, comments and solutions.

    What the format cannot hold is told on standard error. Ends with 0, or 2: bad usage or input; levels that are
    sound are written all the same.
    """
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.run.convert import Converted, Target, converted
    from puzzlemc.reports.run.result import BAD_INPUT
    from puzzlemc.reports.run.single import standard_input

    chosen = Target.of(str(target), form)
    data = standard_input([levels])
    with (
        interruptible(lambda: "interrupted"),
        in_worker(memory, "puzzlemc.reports.run.convert", quiet=quiet) as worker,
    ):
        try:
            done: Converted = worker.run(converted, levels, puzzle, data, chosen)
        except ModelError as error:
            raise typer.BadParameter(plain(str(error))) from None
    for message in done.wrong:
        print(plain(f"error: {message}"), file=sys.stderr)
    if done.data is None:
        raise typer.Exit(BAD_INPUT)
    write(target, done.data)
    if done.lost and not quiet:
        print(plain(f"{target}: lost: {', '.join(done.lost)}"), file=sys.stderr)
    if target != STANDARD_OUTPUT and not quiet:
        print(plain(f"{target}: {done.levels} level{'s' * (done.levels != 1)}"))
    raise typer.Exit(done.exit_code)
