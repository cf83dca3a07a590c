"""All boards that solve a Tetravex level, and their exact number. Boards that look the same are one."""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.encodings.puzzles import Solutions
from puzzlemc.encodings.tetravex import compact, tiles
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.runs import count_runs
from puzzlemc.mc.solutions import solutions
from puzzlemc.screens.tetravex import EMPTY, Level

MOST_STATES = 200_000  # of the construction with so many used tiles; from there on solutions are found one by one


def count(level: Level, watch: Watch) -> int:
    """How many boards solve the level: by dynamic programming, or one by one where that has too many states.

    Of a game, the boards on which it can end. Raises LimitReached.
    """
    arranged = _arranged(level)
    try:
        return count_runs(tiles(arranged).model, watch, MOST_STATES)
    except LimitReached as limit:
        if limit.reason != "bound":
            raise
    return sum(1 for _ in boards(level, watch))


def boards(level: Level, watch: Watch) -> Iterator[list[str]]:
    """The boards that solve the level, as numbers of tiles in reading order. Raises LimitReached."""
    encoded = compact(_arranged(level))
    for state in solutions(encoded.model, watch):
        board = encoded.decode(state)
        assert isinstance(board, tuple)
        yield [str(number) for number in board]


def _arranged(level: Level) -> Level:
    """The level as a constraint, with the tiles that a game never moves in their places."""
    fixed = level.start if level.rules == "put" else ()
    return replace(level, rules="", start=fixed if any(tile != EMPTY for tile in fixed) else ())


SOLUTIONS = Solutions(count, boards)
