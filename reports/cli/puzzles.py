"""`puzzles`: what there is."""

from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.session import require

if TYPE_CHECKING:
    pass


def puzzles(
    name: Annotated[str | None, typer.Argument(help="One puzzle, with the atoms that formulas speak of.")] = None,
) -> None:
    """The puzzles, their suffixes, metrics and encodings, and where the levels that come with them are."""
    from importlib import import_module
    from importlib.resources import files

    from puzzlemc.encodings.puzzles import PUZZLES, puzzle
    from puzzlemc.mc.temporal.check import STUCK
    from puzzlemc.screens.source import PUZZLES as SCREENS

    if name is not None:
        require("NAME", name, PUZZLES)
    for each in PUZZLES if name is None else [name]:
        rules = puzzle(each)
        print(each)
        print(f"  suffixes   {' '.join(import_module(SCREENS[each]).SUFFIXES)}")
        print(f"  metrics    {' '.join(rules.metrics)} any")
        print(f"  encodings  {' '.join(rules.encodings)}")
        print(f"  levels     {files('puzzlemc.screens') / 'levels' / each}")
        if name is not None:
            print(f"  atoms of the encoding {rules.faithful}")
            for atom, meaning in {**rules.atoms, STUCK: "no action is enabled"}.items():
                print(f"    {atom:<14} {meaning}")
