"""`play`: a level on the terminal."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import ASKED, LevelLimits, Levels, Rules, option
from puzzlemc.reports.cli.common.session import in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.play.levels import Levels as Collection
    from puzzlemc.reports.play.levels import Opened

PRELOAD = "puzzlemc.reports.play.answers"
EXAMPLES = """
puzzlemc play level.xsb
puzzlemc play levels.xsb
puzzlemc play levels.xsb#2 --load saved.game
puzzlemc play level.fabrik --players person,strong
"""


def play(
    levels: Levels,
    *,
    rules: Rules,
    record: Annotated[Path | None, option(ASKED, "FILE", "Go on with a game that was saved.", "--load")] = None,
    players: Annotated[
        str | None,
        option(
            ASKED,
            "A,B",
            "Of a game of two sides, who plays the first and the second: person, or a bot.",
            autocompletion=values.players,
            show_default="two persons",
        ),
    ] = None,
    seed: Annotated[int, option(ASKED, "N", "The same seed, the same moves of bots.")] = 0,
    limits: LevelLimits,
) -> None:
    """Play levels in the terminal, with hints, and a note when lost.

    The first unsolved level comes first. Solved levels and their least costs are kept
    in puzzlemc/played.json in the folder that XDG_STATE_HOME names, else in ~/.local/state.

    Ends with 0, or 2: bad usage or input.
    """
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stdout__)):
        raise typer.BadParameter("standard input and standard output have to be a terminal to play on")
    from puzzlemc.encodings.puzzles import load
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.crew.identity import of_text
    from puzzlemc.reports.play.app import Play
    from puzzlemc.reports.play.levels import Levels as Collection
    from puzzlemc.reports.play.progress import Progress, usual_place
    from puzzlemc.reports.play.view import prefers_dark
    from puzzlemc.reports.solve.result import REFUTED
    from puzzlemc.reports.workers.interrupt import catch_interrupts

    with interruptible(), in_worker(limits.memory, PRELOAD):
        entries = load(levels, rules.puzzle)
        if record is not None and len(entries) != 1:
            raise typer.BadParameter(f"found {len(entries)} levels, expected one", param_hint="--load")
        bots = _bots(entries, players)
        opened = partial(_opened, entries, bots, seed, Limits.of(*limits))
        digests = ["" if entry.text is None else of_text(entry).hex() for entry in entries]
        names = [f"{entry.title}  " * bool(entry.title) + entry.id for entry in entries]
        collection = Collection(names, digests, opened, Progress(usual_place()))
        number, first = _first(collection)
        if record is not None:
            first.session.open(record)
            first = replace(first, record=record)
        app = Play(collection, number, first, dark=prefers_dark())
        try:
            code = app.run(mouse=False)
        finally:
            app.helper.close()
            catch_interrupts()
    raise typer.Exit(REFUTED if code is None else code)


def _first(levels: "Collection") -> "tuple[int, Opened]":
    """The level to begin with, and its number: the first unsolved one, or a later one that can be played.

    Raises LevelError if no level can be played.
    """
    from puzzlemc.screens.base.errors import LevelError

    start, fault = levels.first_unsolved, None
    for number in (*range(start, len(levels.names)), *range(start)):
        try:
            return number, levels.open(number)
        except LevelError as error:
            fault = fault or error
    assert fault is not None
    raise fault


def _opened(
    entries: "Sequence[Entry]", bots: "Mapping[int, str]", seed: int, limits: "Limits", number: int
) -> "Opened":
    """A level to play, with two workers. Raises LevelError for a level that cannot be played."""
    from puzzlemc.mc.errors import LimitReached
    from puzzlemc.reports.play.advisor import Advisor
    from puzzlemc.reports.play.answers import built
    from puzzlemc.reports.play.levels import Opened
    from puzzlemc.reports.play.referee import Referee
    from puzzlemc.reports.play.session import Session
    from puzzlemc.reports.workers.worker import Worker, WorkerDied
    from puzzlemc.screens.base.errors import LevelError

    entry = entries[number]
    if entry.part is None and entry.error is not None:
        raise entry.error
    if entry.puzzle.optimisation is not None:
        message = f"{entry.puzzle.name} asks for the best layout, and is not played move by move"
        raise LevelError(message, source=entry.id)
    workers = (Worker(limits.memory, (PRELOAD,)), Worker(limits.memory, (PRELOAD,)))
    try:
        workers[0].run(built, entry, seconds=limits.seconds)
    except (LimitReached, WorkerDied) as error:
        workers[0].stop()
        raise LevelError(f"cannot be read: {error}", source=entry.id) from None
    except LevelError:
        workers[0].stop()
        raise
    session = Session(entry.puzzle, entry.level)
    place = Path(f"{Path(entry.id).name.replace('#', '-')}.game")
    title = f"{entry.title}  " * bool(entry.title) + entry.id
    if len(entries) > 1:
        title = f"{number + 1}/{len(entries)}  {title}"
    make: Any = partial(Advisor, entry, workers, limits)
    if entry.puzzle.game is not None:
        make = partial(Referee, entry, workers, limits, bots, seed)
    return Opened(session, title, place, make)


def _bots(entries: "Sequence[Entry]", players: str | None) -> dict[int, str]:
    """For each side the bot that plays it. Raises typer.BadParameter for an unknown name."""
    if players is None:
        return {}
    names = players.split(",")
    for entry in entries:
        if entry.puzzle_name is None:
            continue
        if entry.puzzle.game is None:
            raise typer.BadParameter(f"{entry.puzzle.name} is played by one person", param_hint="--players")
        if len(names) != 2:
            raise typer.BadParameter(f"found {plain(repr(players))}, expected two names", param_hint="--players")
        for name in names:
            require("--players", name, (values.PERSON, *entry.puzzle.game.bots))
    return {side: name for side, name in enumerate(names) if name != values.PERSON}


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
