"""Random Tetravex levels with a known number of solutions.

The colours of all edges of a board are drawn at random. They determine the tiles, which are then shuffled. So
there is a solution, and with many colours it is usually the only one.
"""

import random
from collections.abc import Callable

from puzzlemc.encodings.tetravex.count import count, count_by_runs
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.tetravex import MAX_COLOUR, MAX_SIDE, Level, Tile

MOST_DRAWS = 1000
MOST_STATES = 200_000  # of the dynamic programming that checks a number of solutions


def generate(
    rows: int,
    columns: int,
    colours: int,
    seed: int,
    budget: Budget,
    *,
    unique: bool = False,
    drawn: Callable[[Level], None] = lambda _: None,
) -> tuple[Level, int | None]:
    """A square level with colours from 0 to `colours - 1`, and the number of its solutions.

    `drawn` receives each level before its solutions are counted. The same arguments give the same level. The
    number is None if a limit ends the count. With `unique`, levels are drawn until one has exactly
    one solution. Raises ModelError for an invalid size, or if no draw has one solution;
    LimitReached with `unique`.
    """
    size = rows
    if rows != columns:
        raise ModelError(f"found {rows}×{columns} cells, expected a square")
    if not 1 <= size <= MAX_SIDE or not 1 <= colours <= MAX_COLOUR + 1:
        message = f"expected a size from 1 to {MAX_SIDE} and 1 to {MAX_COLOUR + 1} colours"
        raise ModelError(f"found size {size} and {colours} colours, {message}")
    chance = random.Random(seed)
    for _ in range(MOST_DRAWS):
        level = random_level(size, colours, chance)
        drawn(level)
        try:
            number = certain(level, budget)
        except LimitReached:
            if unique:
                raise
            return level, None
        if number == 1 or not unique:
            return level, number
    raise ModelError(f"found no level with one solution among {MOST_DRAWS}, expected more colours or another size")


def random_level(size: int, colours: int, chance: random.Random) -> Level:
    """A level with a solution."""
    across = [[chance.randrange(colours) for _ in range(size + 1)] for _ in range(size)]
    down = [[chance.randrange(colours) for _ in range(size)] for _ in range(size + 1)]
    tiles = [
        Tile(down[row][column], down[row + 1][column], across[row][column + 1], across[row][column])
        for row in range(size)
        for column in range(size)
    ]
    chance.shuffle(tiles)
    return Level("", "", size, tuple(tiles))


def certain(level: Level, budget: Budget) -> int:
    """The number of solutions, by SAT, and by dynamic programming if that stays below a number of states.

    Raises Refuted if the two differ, and LimitReached.
    """
    number = count(level, budget)
    try:
        again = count_by_runs(level, budget, MOST_STATES)
    except LimitReached as limit:
        if limit.reason != "bound":
            raise
        return number
    if again != number:
        raise Refuted(f"{number} solutions by SAT, {again} by dynamic programming")
    return number
