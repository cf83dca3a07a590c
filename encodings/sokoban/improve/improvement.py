"""Improves a solution of Sokoban with the anytime searches in `fewer_pushes.py` and `window_search.py`.

Under the metric `pushes`, solutions are compared by pushes and then by moves; under `moves`, by moves and then by
pushes. The search for fewer pushes knows no moves, so it has far fewer states; the window search compares both.
The result is never worse than the solution given. It depends on the arguments only, not on the machine, because
the limit is a number of expansions and not a time.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.improve import window_search
from puzzlemc.encodings.sokoban.improve.fewer_pushes import FewerPushes
from puzzlemc.encodings.sokoban.improve.plans import Board, Plan, steps_of
from puzzlemc.screens.sokoban import Level

LETTERS = "".join(DIRECTIONS)
MOST_CELLS = 1 << 12  # the search stores a distance for each pair of cells
FEWEST = 1 << 6  # expansions in one of the first neighbourhoods
GROWTH = 4  # of this number, each time that neighbourhoods of that size improve nothing more
SHARE = 4  # the windows that look at moves, too, get at least one SHARE-th of the expansions under `pushes`


def improve(
    level: Level, moves: Sequence[str], metric: str, expansions: int, *, is_optimal: bool = False
) -> list[str]:
    """A solution no worse than this one, in LURD letters, found with at most `expansions` expanded positions.

    The moves must be a solution of the level; otherwise the result is undefined. If it `is_optimal` by the metric,
    only the other metric is improved.
    """
    if expansions <= 0 or not can_improve(level, moves):
        return list(moves)
    board, plan = board_and_plan(level, moves, metric)
    if metric != "moves" and not is_optimal:
        expansions -= _push_less(board, plan, expansions - expansions // SHARE)
    window_search.improve(board, plan, expansions)
    return letters_of(level, board, plan)


def _push_less(board: Board, plan: Plan, expansions: int) -> int:
    """Search for fewer pushes with about that many expansions; return their number.

    Neighbourhoods may use one part in SHARE of the expansions that are left, so they become smaller again when
    few are left.
    """
    fewer, most, used = FewerPushes(board, plan), FEWEST, 0
    while used < expansions and not fewer.is_least:
        most = min(most, max(1, (expansions - used) // SHARE))
        for searched in fewer.search(most):
            used += 1 + searched.expansions
            if used >= expansions:
                break
        most *= GROWTH
    return used


def can_improve(level: Level, moves: Sequence[str]) -> bool:
    """Has the solution any move, and is the level small enough?"""
    return bool(moves) and len(level.floor) <= MOST_CELLS


def board_and_plan(level: Level, moves: Sequence[str], metric: str) -> tuple[Board, Plan]:
    """The board of the level, and the moves as a plan with scalarised costs."""
    cells = len(level.floor)
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
    return board, plan


def letters_of(level: Level, board: Board, plan: Plan) -> list[str]:
    """The plan in LURD letters."""
    return _with_pushes(level, [LETTERS[d] for d in steps_of(board, plan)])


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
