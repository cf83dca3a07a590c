"""`play`: a level on the terminal."""

import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from puzzlemc.reports.cli.options import Memory, PuzzleName, Timeout
from puzzlemc.reports.cli.session import in_worker, interruptible


def play(
    level: Annotated[str, typer.Argument(help="One level: a file with one, or FILE#N.")],
    puzzle: PuzzleName = None,
    record: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a game that was saved.")
    ] = None,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Play a level in the terminal, with hints, and told what loses it. Ends with 0, or 2: bad usage or input."""
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stdout__)):
        raise typer.BadParameter("standard input and standard output have to be a terminal to play on")
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.play.advisor import Advisor
    from puzzlemc.reports.play.app import Play, prefers_dark
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
        app = Play(
            session, title, place, lambda told: Advisor(entry, (first, second), limits, told), dark=prefers_dark()
        )
        try:
            code = app.run(mouse=False)
        finally:
            app.advisor.close()
            catch_interrupts()
    raise typer.Exit(REFUTED if code is None else code)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
