"""The warnings of lint about the games of the levels that a command has loaded."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.cli.common.session import Warned, in_worker, interruptible
from puzzlemc.reports.output.plain import plain
from puzzlemc.screens.base.selection import SIGN
from puzzlemc.screens.base.source import is_standard_input

if TYPE_CHECKING:
    from puzzlemc.reports.solve.options import Options

OPTION = "--lint"


def lint(levels: Sequence[str], entries: Sequence[Entry], options: "Options", warned: Warned) -> None:
    """Write the warnings of lint. They are about all levels of a file, also if some of them are asked for.

    A limit that ends it is said, and the command goes on. Raises typer.BadParameter if no puzzle has lint.
    """
    from puzzlemc.mc.errors import LimitReached, words_of

    for name in levels:
        if is_standard_input(name) and SIGN in name:
            message = f"found {name}, expected all levels of standard input: lint is about the whole game"
            raise typer.BadParameter(plain(message), param_hint=OPTION)
    games = [each for each in entries if each.puzzle_name is not None and each.puzzle.text.lint is not None]
    if not games and any(entry.puzzle_name is not None for entry in entries):
        raise typer.BadParameter(
            "the puzzle of these levels has no lint, expected games with rules of their own", param_hint=OPTION
        )
    if not games:
        return
    from puzzlemc.reports.ask.lint import lint_games

    with interruptible(), in_worker(options.memory, "puzzlemc.reports.ask.lint") as worker:
        try:
            warned.write(worker.run(lint_games, games, seconds=options.timeout or None))
        except LimitReached as limit:
            print(plain(f"lint was not finished: {words_of(limit)}"), file=sys.stderr)
