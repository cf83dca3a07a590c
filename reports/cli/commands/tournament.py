"""`tournament`: bots play each other."""

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import ASKED, LIMITS, OUTPUT, Quiet, flag, option
from puzzlemc.reports.cli.common.session import bad_usage, failed, in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import progress
from puzzlemc.reports.workers.interrupt import interrupt_taken

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import Puzzle
    from puzzlemc.mc.games.match import Match


EXAMPLES = """
puzzlemc tournament fabrik --bots greedy,random
puzzlemc tournament fabrik --bots greedy,random --games 4 --seed 7 --json
"""


def tournament(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            autocompletion=values.games,
            help="One of `puzzlemc puzzles` that is a game of two sides, or FILE.py with one of your own.",
        ),
    ],
    bots: Annotated[
        str, option(ASKED, "A,B", "The two bots, as `puzzlemc puzzles` lists them.", autocompletion=values.bots)
    ],
    games: Annotated[int, option(ASKED, "N", "How many; the bots swap sides.", min=1, max=1_000_000)] = 20,
    seed: Annotated[int, option(ASKED, "N", "The same seed gives the same games.")] = 0,
    level: Annotated[
        str | None,
        option(
            ASKED,
            "LEVEL",
            "Begin at the position of that level: a file with one, or FILE#N.",
            autocompletion=values.levels,
        ),
    ] = None,
    memory: Annotated[float, option(LIMITS, "GIB", "GiB for all games together.", min=0.0625, max=65536)] = 4.0,
    as_json: Annotated[
        bool, flag(OUTPUT, "--json", "One JSON object on standard output, nothing else there.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Let two bots play each other.

    Ends with 0, 2: bad usage or input, 3: out of memory, 4: a bot broke the rules, 130: Ctrl-C.
    """
    from puzzlemc.mc.errors import LimitReached, Refuted
    from puzzlemc.reports.ask import tournament as run
    from puzzlemc.reports.solve.result import REFUTED, UNKNOWN
    from puzzlemc.reports.workers.single import OneLevel

    puzzle = _game_called(game)
    assert puzzle.game is not None
    if level is None and puzzle.game.initial_level is None:
        if not puzzle.levels:
            expected = f"a level, since {plain(puzzle.name)} has no initial one"
            raise typer.BadParameter(f"found none, expected {expected}", param_hint="--level")
        level = f"{game}#1"
    names = bots.split(",")
    if len(names) != 2:
        raise typer.BadParameter(f"found {plain(repr(bots))}, expected two bots: A,B", param_hint="--bots")
    first, second = names
    for name in names:
        require("--bots", name, tuple(puzzle.game.bots))
    matches: list[Match] = []

    def tell() -> None:
        if as_json:
            print(json.dumps(run.as_json(puzzle, (first, second), seed, games, matches)))
        else:
            print(run.as_text(puzzle, (first, second), matches))

    with (
        interruptible(lambda: f"interrupted after {len(matches)} of {games} games"),
        in_worker(memory, "puzzlemc.reports.ask.tournament") as worker,
    ):
        try:
            play: Callable[..., Match] = (
                partial(worker.run, run.game, puzzle, puzzle.game.initial_level)
                if level is None
                else partial(OneLevel(worker, level, game, None).run, run.game_of)
            )
            with progress(games, "games", shown=not quiet) as advance:
                for number in range(games):
                    matches.append(play((first, second), seed, number))
                    advance()
        except KeyboardInterrupt:
            interrupt_taken()
            tell()
            raise
        except LimitReached as limit:
            print(plain(f"{game}: stopped after {len(matches)} of {games} games: {limit.reason}"), file=sys.stderr)
            tell()
            raise typer.Exit(UNKNOWN) from None
        except Refuted as error:
            raise failed(error, REFUTED) from None
    tell()


def _game_called(name: str) -> "Puzzle":
    """The game of that name, or of that Python file; another one ends the program."""
    from puzzlemc.encodings.puzzles import puzzle, puzzles

    if not name.endswith(".py"):
        known = {each.name: each for each in puzzles().values() if each.game is not None}
        require("GAME", name, tuple(known))
        return known[name]
    with bad_usage("GAME"):
        found = puzzle(name)
    if found.game is None:
        expected = "a game of two sides, as puzzle(…, sides=(…, …))"
        raise typer.BadParameter(f"found {plain(found.name)}, expected {expected}", param_hint="GAME")
    return found
