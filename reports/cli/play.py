"""`play`: a level on the terminal."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from puzzlemc.reports.cli.options import ASKED, Level, Memory, PuzzleName, Timeout
from puzzlemc.reports.cli.session import in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import TwoSides

PERSON = "person"
EXAMPLES = """
puzzlemc play level.xsb
puzzlemc play levels.xsb#2 --load saved.game
puzzlemc play level.fabrik --players person,strong
"""


def play(
    level: Level,
    puzzle: PuzzleName = None,
    record: Annotated[
        Path | None,
        typer.Option("--load", metavar="FILE", rich_help_panel=ASKED, help="Go on with a game that was saved."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            show_default="two persons",
            rich_help_panel=ASKED,
            help="Of a game of two sides, who plays the first and the second: person, or a bot.",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="N", rich_help_panel=ASKED, help="The same seed, the same moves of bots."),
    ] = 0,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Play a level in the terminal, with hints, and told what loses it.

    Ends with 0, or 2: bad usage or input.
    """
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stdout__)):
        raise typer.BadParameter("standard input and standard output have to be a terminal to play on")
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.play.advisor import Advisor
    from puzzlemc.reports.play.app import Play, prefers_dark
    from puzzlemc.reports.play.referee import Referee
    from puzzlemc.reports.play.session import Session
    from puzzlemc.reports.run.interrupt import catch_interrupts
    from puzzlemc.reports.run.result import REFUTED
    from puzzlemc.reports.run.single import OneLevel, itself
    from puzzlemc.reports.run.worker import Worker
    from puzzlemc.screens.errors import LevelError

    limits = Limits(timeout or None, int(memory * GIB))
    preload = "puzzlemc.reports.play.answers"
    with interruptible(lambda: "interrupted"), in_worker(memory, preload) as first:
        entry = OneLevel(first, level, puzzle, limits.seconds).run(itself)
        if entry.puzzle.best is not None:
            raise typer.BadParameter(
                f"{entry.puzzle.name} asks for the best layout, and is not played move by move"
            )
        session = Session(entry.puzzle, entry.level)
        if record is not None:
            try:
                session.load(record.read_text(encoding="utf-8"), str(record))
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "expected text in UTF-8"
                raise LevelError(f"cannot be read: {reason}", source=str(record)) from None
        second = Worker(limits.memory, (preload,))
        place = record or Path(f"{Path(entry.id).name.replace('#', '-')}.game")
        title = f"{entry.title}  " * bool(entry.title) + entry.id
        make: Any = partial(Advisor, entry, (first, second), limits)
        if entry.puzzle.game is not None:
            make = partial(Referee, entry, (first, second), limits, _bots(entry.puzzle.game, players), seed)
        elif players is not None:
            raise typer.BadParameter(f"{entry.puzzle.name} is played by one person", param_hint="--players")
        app = Play(session, title, place, make, dark=prefers_dark())
        try:
            code = app.run(mouse=False)
        finally:
            app.helper.close()
            catch_interrupts()
    raise typer.Exit(REFUTED if code is None else code)


def _bots(game: "TwoSides", players: str | None) -> dict[int, str]:
    """By side, the bot that plays it. Raises typer.BadParameter for what is neither a person nor a bot."""
    if players is None:
        return {}
    names = players.split(",")
    known = (PERSON, *game.bots)
    if len(names) != 2:
        raise typer.BadParameter(f"found {plain(repr(players))}, expected two names", param_hint="--players")
    for name in names:
        require("--players", name, known)
    return {side: name for side, name in enumerate(names) if name != PERSON}


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
