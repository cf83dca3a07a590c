"""`tournament`: bots play each other."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import ASKED, LIMITS, OUTPUT, Quiet, flag, option
from puzzlemc.reports.cli.common.session import failed, in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import progress
from puzzlemc.reports.workers.interrupt import interrupt_taken

if TYPE_CHECKING:
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
            help="One of `puzzlemc puzzles` that is a game of two sides.",
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
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.mc.errors import LimitReached, Refuted
    from puzzlemc.reports.ask import tournament as run
    from puzzlemc.reports.solve.result import REFUTED, UNKNOWN
    from puzzlemc.reports.workers.single import OneLevel, itself

    known = {name: each for name, each in puzzles().items() if each.game is not None}
    require("GAME", game, tuple(known))
    puzzle = known[game]
    assert puzzle.game is not None
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
            start = (
                puzzle.game.initial_level
                if level is None
                else OneLevel(worker, level, game, None).run(itself).level
            )
            with progress(games, "games", shown=not quiet) as advance:
                for number in range(games):
                    matches.append(worker.run(run.game, puzzle, start, (first, second), seed, number))
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
