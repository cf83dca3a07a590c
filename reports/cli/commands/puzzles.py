"""`puzzles`: the list of puzzles."""

from typing import Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.output.plain import plain

EXAMPLES = """
puzzlemc puzzles
puzzlemc puzzles sokoban
puzzlemc puzzles own_puzzle.py
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
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.mc.temporal.property import NAMED

    try:
        shown = list(registered().values()) if name is None else [puzzle(name)]
    except ModelError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="NAME") from None
    for each in shown:
        print(each.name)
        print(f"  suffixes   {' '.join(each.screen.SUFFIXES)}")
        if each.game is None:
            print(f"  metrics    {' '.join((*each.metrics, *each.orders))} any")
            print(f"  encodings  {' '.join(each.encodings)}")
        else:
            print(f"  metrics    {' '.join(each.metrics)}")
            print(f"  sides      {' '.join(each.game.sides)}")
            print(f"  bots       {' '.join(each.game.bots)}")
        levels = files("puzzlemc.screens") / "levels" / each.name
        if levels.is_dir():
            print(f"  levels     {levels}")
        if name is not None and each.game is None:
            print(f"  atoms of the encoding {each.vocabulary.encoding}")
            for atom, meaning in {**each.vocabulary.atoms, **NAMED}.items():
                print(f"    {atom:<14} {meaning}")
            if each.vocabulary.counts:
                print("  numbers, to be compared")
            for name_of, meaning in each.vocabulary.counts.items():
                print(f"    {name_of:<14} {meaning}")
