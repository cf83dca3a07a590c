"""Random Folding Blocks levels: blocks are folded at random first, and the folds are then undone."""

import random
from collections.abc import Callable
from typing import cast

from puzzlemc.encodings.folding.count import solutions
from puzzlemc.encodings.folding.rules import Cell, start, steps
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.folding import EMPTY, MAX_SIDE, NO_CELL, Level, Matrix

MOST_DRAWS = 1000
SMALL_BLOCKS = (1, 1, 2, 3)  # initial numbers of cells of a block


def random_level(rows: int, columns: int, colours: int, seed: int, *, loose: float = 0.0) -> Level:
    """A level of that size: random blocks of up to three cells are folded at random until no fold is legal.

    The cells that the folds cover are the empty cells of the level. Each other cell is empty, too, with a
    probability of `loose`, and otherwise not part of the board. Without loose cells there is a solution; most
    levels with loose cells are unsolvable.
    """
    choice = random.Random(seed)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    own: dict[Cell, int] = dict(zip(choice.sample(cells, colours), range(1, colours + 1), strict=True))
    for cell, colour in list(own.items()):
        block = [cell]
        for _ in range(choice.choice(SMALL_BLOCKS) - 1):
            near = sorted({(r + dr, c + dc) for r, c in block for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))})
            free = [place for place in near if place in cells and place not in own]
            if free:
                block.append(choice.choice(free))
                own[block[-1]] = colour
    level = Level("", "", _matrix(rows, columns, own))
    folded = start(level)
    while moves := list(steps(level, folded)):
        folded = cast(Matrix, choice.choice(moves).position)
    left = {cell: NO_CELL for cell in cells if folded[cell[0]][cell[1]] == EMPTY and choice.random() >= loose}
    return Level("", "", _matrix(rows, columns, own | left))


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
    """A level with a solution, and the number of its final positions.

    `drawn` receives each level before its solutions are counted. The same arguments give the same level. The
    number is None if a limit ends the count. With `unique`, levels are drawn until one has exactly
    one final position. Raises ModelError for an invalid size, or if no draw has one; LimitReached with `unique`.
    """
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 1 <= colours <= rows * columns):
        sides = f"expected sides from 1 to {MAX_SIDE} and at most one colour for each cell"
        raise ModelError(f"found {rows}×{columns} cells and {colours} colours, {sides}")
    for draw in range(MOST_DRAWS if unique else 1):
        level = random_level(rows, columns, colours, seed + (draw << 32))
        drawn(level)
        try:
            pictures = solutions(level, budget).pictures
        except LimitReached:
            if unique:
                raise
            return level, None
        if pictures == 1 or not unique:
            return level, pictures
    raise ModelError(f"found no level with one solution among {MOST_DRAWS}, expected another size")


def _matrix(rows: int, columns: int, values: dict[Cell, int]) -> Matrix:
    return tuple(tuple(values.get((r, c), EMPTY) for c in range(columns)) for r in range(rows))
