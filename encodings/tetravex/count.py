"""All boards that solve a Tetravex level, and their exact number. Boards that look the same count once.

The functions import the search when they are called, so that the checker of certificates does not load it.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from puzzlemc.encodings.puzzle.questions import Counting
from puzzlemc.encodings.tetravex.constraint import constraint
from puzzlemc.encodings.tetravex.filling import filling
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.tetravex import EMPTY, Level

MOST_LISTED = 100  # solutions that are found one by one


def count(level: Level, budget: Budget) -> int:
    """The number of boards that solve the level; for a game, of boards on which it can end. Raises LimitReached.

    Up to MOST_LISTED boards are found one by one; if there are more, dynamic programming counts them.
    """
    number = sum(1 for _ in islice(boards(level, budget), MOST_LISTED + 1))
    return number if number <= MOST_LISTED else count_by_runs(level, budget)


def count_by_runs(level: Level, budget: Budget, most_states: int | None = None) -> int:
    """The number of solutions by dynamic programming: each run of the model `filling` is one board.

    Raises LimitReached, with the reason `bound` if a cell has more than `most_states` states.
    """
    from puzzlemc.mc.graph.runs import count_runs

    return count_runs(filling(_arranged(level)).model, budget, most_states)


def boards(level: Level, budget: Budget) -> Iterator[list[str]]:
    """The boards that solve the level, as numbers of tiles in reading order. Raises LimitReached."""
    from puzzlemc.mc.sat.solutions import solutions

    encoded = constraint(_arranged(level))
    for state in solutions(encoded.model, budget):
        board = encoded.decode(state)
        assert isinstance(board, tuple)
        yield [str(number) for number in board]


def _arranged(level: Level) -> Level:
    """The level as a constraint, with the tiles that a game never moves in their places."""
    fixed = level.start if level.rules == "put" else ()
    return replace(level, rules="", start=fixed if any(tile != EMPTY for tile in fixed) else ())


COUNTING = Counting("full boards on which the edges agree; tiles that look the same are one", count, boards)
