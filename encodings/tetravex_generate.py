"""Random Tetravex levels with a number of solutions that is known.

The colours of all edges of a board are drawn, which makes its tiles, and the tiles are shuffled: so there is a
solution. Most boards with many colours have no other.
"""

import random

from puzzlemc.encodings.tetravex_count import boards, count
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.tetravex import MAX_COLOUR, MAX_SIDE, Level, Tile

MOST_DRAWS = 1000
MOST_LISTED = 100  # solutions that are listed to check their number


def generate(size: int, colours: int, seed: int, watch: Watch, *, unique: bool = False) -> tuple[Level, int]:
    """A level of `size` rows, with colours from 0 to `colours - 1`, and the number of its solutions.

    The same arguments give the same level. With `unique`, levels are drawn until one has one solution. Raises
    ModelError for sizes that do not go, or where no draw has one solution; LimitReached.
    """
    if not 1 <= size <= MAX_SIDE or not 1 <= colours <= MAX_COLOUR + 1:
        message = f"expected a size from 1 to {MAX_SIDE} and 1 to {MAX_COLOUR + 1} colours"
        raise ModelError(f"found size {size} and {colours} colours, {message}")
    chance = random.Random(seed)
    for _ in range(MOST_DRAWS):
        level = random_level(size, colours, chance)
        number = certain(level, watch)
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


def certain(level: Level, watch: Watch) -> int:
    """The number of solutions, a small one found twice. Raises Refuted where that differs; LimitReached."""
    number = count(level, watch)
    if number <= MOST_LISTED and (listed := sum(1 for _ in boards(level, watch))) != number:
        raise Refuted(f"{number} solutions by dynamic programming, {listed} by SAT")
    return number
