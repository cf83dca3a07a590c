"""`puzzles` and `new-puzzle`: the list of puzzles, and the files of one of your own to start from."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import OUTPUT, option
from puzzlemc.reports.cli.common.session import bad_usage, require
from puzzlemc.reports.output.plain import plain

LISTED = """
puzzlemc puzzles
puzzlemc puzzles sokoban
puzzlemc puzzles own_puzzle.py
"""
STARTED = """
puzzlemc new-puzzle frost
puzzlemc new-puzzle river_crossing --kind pieces --directory crossing
"""


def puzzles(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=values.puzzles,
            help="One puzzle, or a Python file with one: with the atoms that formulas speak of.",
        ),
    ] = None,
) -> None:
    """List the puzzles, their options, and the folders of their levels.

    Each has its suffixes, metrics and encodings.
    """
    from importlib.resources import files

    from puzzlemc.encodings.puzzles import puzzle
    from puzzlemc.encodings.puzzles import puzzles as registered
    from puzzlemc.mc.temporal.property import NAMED

    with bad_usage("NAME"):
        shown = list(registered().values()) if name is None else [puzzle(name)]
    for each in shown:
        print(each.name)
        print(f"  suffixes   {' '.join(each.screen.SUFFIXES)}")
        if each.game is None:
            print(f"  metrics    {' '.join((*each.metrics, *each.orders))} any")
            print(f"  encodings  {' '.join(each.encodings) or 'none: it has rules alone'}")
        else:
            print(f"  metrics    {' '.join(each.metrics)}")
            print(f"  sides      {' '.join(each.game.sides)}")
            print(f"  bots       {' '.join(each.game.bots)}")
        levels = files("puzzlemc.screens") / "levels" / each.name
        if levels.is_dir():
            print(f"  levels     {levels}")
        if name is not None and each.game is None:
            print(
                f"  atoms of {f'the encoding {each.vocabulary.encoding}' if each.encodings else 'its positions'}"
            )
            for atom, meaning in {**each.vocabulary.atoms, **NAMED}.items():
                print(f"    {atom:<14} {meaning}")
            if each.vocabulary.counts:
                print("  numbers, to be compared")
            for name_of, meaning in each.vocabulary.counts.items():
                print(f"    {name_of:<14} {meaning}")


def new_puzzle(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Small letters, digits and _; it becomes the suffix of levels.")
    ],
    kind: Annotated[
        str,
        option(
            OUTPUT,
            "KIND",
            "What it shows: `grid`, a board with a legend; `numbers`; `pieces`; or `rules`, alone in Python.",
            autocompletion=values.starters,
        ),
    ] = "grid",
    directory: Annotated[
        Path | None,
        option(
            OUTPUT, "FOLDER", "The folder to write to. Files that exist are never replaced.", show_default="NAME"
        ),
    ] = None,
) -> None:
    """Write a puzzle of your own to start from, with tests that pass.

    It is a working puzzle with levels, in at most 40 lines, its tests, and what makes a package of it.
    """
    from puzzlemc.reports.starter.writing import KINDS, write_puzzle

    require("--kind", kind, KINDS)
    with bad_usage("NAME"):
        paths = write_puzzle(name, kind, directory)
    for path in paths:
        print(plain(str(path)))
    file, tests = (
        shlex.quote(plain(str(next(path for path in paths if path.name == each))))
        for each in (f"{name}.py", f"test_{name}.py")
    )
    print("Next:")
    print(f"  puzzlemc solve --puzzle {file}")
    print(f"  pytest {tests}")
