"""Closed cells: a level with them has the solutions that use none of them, whatever is cut off."""

import random
from collections import Counter

from wished_levels import NOTHING, plain_solution, pushes

from examples import examples
from puzzlemc.encodings.sokoban.changes.closing import avoiding
from puzzlemc.screens import sokoban
from puzzlemc.screens.sokoban import Level

HEIGHT, WIDTH = 2, 6


def narrow_level(choose: random.Random) -> Level | None:
    """A level with a box on a goal, another box and another goal or none; None if it has a fault."""
    inner = [(row, column) for row in range(HEIGHT) for column in range(WIDTH)]
    pieces = choose.choice(["@$.*##", "@$*##", "@$.*#", "@$$.*#", "@*$.*"])
    signs = dict(zip(choose.sample(inner, len(pieces)), pieces, strict=True))
    rows = ["".join(signs.get((row, column), " ") for column in range(WIDTH)) for row in range(HEIGHT)]
    edge = "#" * (WIDTH + 2)
    (level,) = sokoban.parse("\n".join([edge, *(f"#{row}#" for row in rows), edge]), "test")
    return level if isinstance(level, Level) else None


def test_a_level_with_closed_cells_has_the_solutions_that_avoid_them() -> None:
    choose = random.Random(1)
    kinds = Counter[tuple[bool, int]]()
    for _ in range(examples(400, 4000)):
        level = narrow_level(choose)
        if level is None:
            continue
        closed = frozenset(choose.sample(level.floor, min(len(level.floor), choose.randint(1, 2))))
        found = avoiding(level, closed)
        is_used = closed & {level.start.player, *level.start.boxes}
        expected = None if is_used else plain_solution(level, closed)
        solution = None if found is None else plain_solution(found, NOTHING)
        assert pushes(solution) == pushes(expected), (level.rows, closed)
        cut_off = 0 if found is None else len(level.start.boxes) - len(found.start.boxes)
        kinds[expected is not None, cut_off] += 1
    assert min(kinds[True, 0], kinds[True, 1], kinds[False, 0], kinds[False, 1]) > 2
