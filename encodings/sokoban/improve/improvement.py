"""Improves a solution of Sokoban with the anytime searches in `fewer_pushes.py` and `window_search.py`.

Under the metric `pushes`, solutions are compared by pushes and then by moves; under `moves`, by moves and then by
pushes. The search for fewer pushes knows no moves, so it has far fewer states; the window search compares both.
The result is never worse than the solution given. It depends on the arguments only, not on the machine, because
the limit is a number of expansions and not a time. `improvements` goes on until somebody stops it.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.improve import neighbourhood, window_search
from puzzlemc.encodings.sokoban.improve.bound import Bound
from puzzlemc.encodings.sokoban.improve.fewer_pushes import FewerPushes
from puzzlemc.encodings.sokoban.improve.plans import Board, Plan, steps_of
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

LETTERS = "".join(DIRECTIONS)
MOST_CELLS = 1 << 12  # the search stores a distance for each pair of cells
FEWEST = 1 << 6  # expansions in one of the first neighbourhoods of `improvements`
GROWTH = 4  # of this number, each time that these neighbourhoods improve nothing more
SHARE = 4  # the windows that look at moves, too, get at least one SHARE-th of the expansions under `pushes`
AT_ONCE = 1 << 12  # expansions between two looks at the limits, if no window takes more
MEMORY_SHARE = 8


def improve(
    level: Level, moves: Sequence[str], metric: str, expansions: int, *, is_optimal: bool = False
) -> list[str]:
    """A solution no worse than this one, in LURD letters, found with at most `expansions` expanded positions.

    The moves must be a solution of the level; otherwise the result is undefined. If it `is_optimal` by the metric,
    only the other metric is improved.
    """
    if expansions <= 0 or not _can_improve(level, moves):
        return list(moves)
    board, plan = _board_and_plan(level, moves, metric)
    if metric != "moves" and not is_optimal:
        expansions -= _push_less(board, plan, expansions - expansions // SHARE, lambda: None)
    window_search.improve(board, plan, expansions)
    return _with_pushes(level, [LETTERS[d] for d in steps_of(board, plan)])


def push_less(level: Level, moves: Sequence[str], expansions: int, budget: Budget) -> list[str]:
    """A solution with no more pushes, in LURD letters, found with about `expansions` expanded positions.

    The moves must be a solution of the level. Raises LimitReached.
    """
    if not _can_improve(level, moves):
        return list(moves)
    board, plan = _board_and_plan(level, moves, "pushes")
    _push_less(board, plan, expansions, budget.check)
    return _with_pushes(level, [LETTERS[d] for d in steps_of(board, plan)])


def improvements(level: Level, moves: Sequence[str], metric: str, budget: Budget) -> Iterator[list[str]]:
    """Yield solutions in LURD letters, each better than the one before, as long as the search finds any.

    The first neighbourhoods are small; each time that they improve nothing more, they grow, until a search needs a
    MEMORY_SHARE-th of the memory. The moves must be a solution of the level. Raises LimitReached.
    """
    if not _can_improve(level, moves):
        return
    board, plan = _board_and_plan(level, moves, metric)
    best = plan.cost
    for _ in _rounds(board, plan, metric, budget.limits.memory // MEMORY_SHARE):
        budget.check()
        if plan.cost < best:
            best = plan.cost
            yield _with_pushes(level, [LETTERS[d] for d in steps_of(board, plan)])


def _rounds(board: Board, plan: Plan, metric: str, memory: int) -> Iterator[None]:
    """Improve the plan by ever larger neighbourhoods, with a pause after each."""
    width = np.asarray(plan.vertices).shape[1]
    bound, slide, fewer = Bound(board.cells, width - 1), window_search.Slide(plan), FewerPushes(board, plan)
    most = FEWEST
    while max(window_search.bytes_of(width, most), neighbourhood.bytes_of(width, most)) <= memory:
        if metric != "moves":
            before = plan.count
            for _ in fewer.search(most):
                yield
            if plan.count < before:
                slide = window_search.Slide(plan)
        before, is_going_on = plan.cost, True
        window = window_search.Window(plan, window_search.SHARE * most)
        while is_going_on:
            is_going_on = window_search.advance(board, plan, bound, window, slide, AT_ONCE, most)
            yield
        if slide.is_optimal(plan):
            return
        if plan.cost < before:
            fewer.changed()
        slide.start_again()
        most *= GROWTH


def _push_less(board: Board, plan: Plan, expansions: int, check: Callable[[], None]) -> int:
    """Search for fewer pushes with about that many expansions; return their number.

    `check` is called after each neighbourhood. Neighbourhoods may use one part in SHARE of the expansions that are
    left, so they get smaller again when few are left.
    """
    fewer, most, used = FewerPushes(board, plan), FEWEST, 0
    while used < expansions and not fewer.is_least:
        most = min(most, max(1, (expansions - used) // SHARE))
        for each in fewer.search(most):
            check()
            used += 1 + each
            if used >= expansions:
                break
        most *= GROWTH
    return used


def _can_improve(level: Level, moves: Sequence[str]) -> bool:
    return bool(moves) and len(level.floor) <= MOST_CELLS


def _board_and_plan(level: Level, moves: Sequence[str], metric: str) -> tuple[Board, Plan]:
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
