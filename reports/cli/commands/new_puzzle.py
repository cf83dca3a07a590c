"""`new-puzzle`: the files of a puzzle of one's own to start from."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from puzzlemc.reports.cli.common.options import OUTPUT
from puzzlemc.reports.output.plain import plain

EXAMPLES = """
puzzlemc new-puzzle frost
puzzlemc new-puzzle river_crossing --directory crossing
"""


def new_puzzle(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Small letters, digits and _; it becomes the suffix of levels.")
    ],
    directory: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            show_default="NAME",
            rich_help_panel=OUTPUT,
            help="The folder to write to. Files that exist are never replaced.",
        ),
    ] = None,
) -> None:
    """Write a puzzle of your own to start from, with tests that pass.

    It is a working puzzle: rules, a model, levels, tests, and what makes a package of it.
    """
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.starter.writing import write_puzzle

    try:
        paths = write_puzzle(name, directory)
    except ModelError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="NAME") from None
    for path in paths:
        print(plain(str(path)))
    file, levels, tests = (
        shlex.quote(plain(str(next(path for path in paths if path.name == each))))
        for each in (f"{name}.py", f"levels.{name}", f"test_{name}.py")
    )
    print("Next:")
    print(f"  puzzlemc solve {levels} --puzzle {file}")
    print(f"  pytest {tests}")
