"""Improves a solution of Sokoban with the anytime window search in `window_search.py`.

Under the metric `pushes`, solutions are compared by pushes and then by moves; under `moves`, by moves and then by
pushes. The result is never worse than the solution given. It depends on the arguments only, not on the machine,
because the limit is a number of expansions and not a time.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.improve import window_search
from puzzlemc.encodings.sokoban.improve.plans import Board, Plan, steps_of
from puzzlemc.screens.sokoban import Level

LETTERS = "".join(DIRECTIONS)
MOST_CELLS = 1 << 12  # the search stores a distance for each pair of cells


def improve(level: Level, moves: Sequence[str], metric: str, expansions: int) -> list[str]:
    """A solution no worse than this one, in LURD letters, found with at most `expansions` expanded positions.

    The moves must be a solution of the level; otherwise the result is undefined.
    """
    cells = len(level.floor)
    if not moves or expansions <= 0 or cells > MOST_CELLS:
        return list(moves)
    number = {cell: place for place, cell in enumerate(level.floor)}
    ways = DIRECTIONS.values()
    around = [[number.get((row + down, column + right), cells) for down, right in ways] for row, column in number]
    near = np.array([*around, [cells] * len(ways)], np.int32)
    is_goal = np.zeros(cells + 1, np.uint8)
    is_goal[[number[cell] for cell in level.goals]] = 1
    boxes = sorted(number[cell] for cell in level.start.boxes)
    start = np.array([number[level.start.player], *boxes], np.int32)
    directions = np.array([LETTERS.index(letter.lower()) for letter in moves], np.uint8)
    pushes = sum(letter.isupper() for letter in moves)
    # Costs are scalarised: scale × first metric + second metric. No plan in the search has a second cost of
    # `scale` or more. A plan with fewer pushes can have more moves, but its walks are shorter than the number of
    # cells.
    scale = len(moves) + 1 if metric == "moves" else len(moves) + pushes * cells + 1
    push, walk = (scale + 1, scale) if metric == "moves" else (scale + 1, 1)
    board = Board(near, is_goal)
    plan = Plan(board, start, directions, push, walk)
    assert plan.count == pushes + 1
    window_search.improve(board, plan, expansions)
    letters = [LETTERS[d] for d in steps_of(board, plan)]
    return _with_pushes(level, letters)


def _with_pushes(level: Level, letters: Sequence[str]) -> list[str]:
    """The letters of the steps, in upper case for pushes."""
    player, boxes, found = level.start.player, set(level.start.boxes), []
    for letter in letters:
        player = ahead(player, DIRECTIONS[letter])
        if player in boxes:
            boxes.remove(player)
            boxes.add(ahead(player, DIRECTIONS[letter]))
            letter = letter.upper()
        found.append(letter)
    return found
