"""Improves a solution of Sokoban with the anytime searches in `fewer_pushes.py` and `window_search.py`.

Under the metric `pushes`, solutions are compared by pushes and then by moves; under `moves`, by moves and then by
pushes. The search for fewer pushes knows no moves, so it has far fewer states; the window search compares both.
The result is never worse than the solution given. It depends on the arguments only, not on the machine, because
the limit is a number of expansions and not a time.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.encodings.sokoban.board.numbered import LETTERS, numbered
from puzzlemc.encodings.sokoban.improve import window_search
from puzzlemc.encodings.sokoban.improve.fewer_pushes import FewerPushes
from puzzlemc.encodings.sokoban.improve.plans import Plan, letters_of
from puzzlemc.screens.sokoban import Level

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
    plan = plan_of(level, moves, metric)
    if metric != "moves" and not is_optimal:
        expansions -= _push_less(plan, expansions - expansions // SHARE)
    window_search.improve(plan, expansions)
    return letters_of(plan)


def _push_less(plan: Plan, expansions: int) -> int:
    """Search for fewer pushes with about `expansions` expansions; return the number used.

    Neighbourhoods may use one part in SHARE of the expansions that are left, so they become smaller again when
    few are left.
    """
    fewer, most, used = FewerPushes(plan), FEWEST, 0
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


def plan_of(level: Level, moves: Sequence[str], metric: str) -> Plan:
    """The moves as a plan with scalarised costs."""
    letters = "".join(moves)
    directions = np.array([*map(LETTERS.index, letters.lower())], np.uint8)
    pushes = sum(map(str.isupper, letters))
    # Costs are scalarised: scale × first metric + second metric. No plan in the search has a second cost of
    # `scale` or more. A plan with fewer pushes can have more moves, but its walks are shorter than the number of
    # cells.
    scale = len(moves) + 1 if metric == "moves" else len(moves) + pushes * len(level.floor) + 1
    push, walk = (scale + 1, scale) if metric == "moves" else (scale + 1, 1)
    plan = Plan(numbered(level), directions, push, walk)
    assert plan.count == pushes + 1
    return plan
