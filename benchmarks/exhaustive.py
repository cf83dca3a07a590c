"""All positions of a small level of Sokoban with their true costs to the goal and from the start.

A set of boxes is a number with a bit for each cell; a position is `player << cells | boxes`. This module shares no
code with the searches, which `deadlocks.py` compares with it: all steps are listed, and costs are propagated along
them until none decreases.
"""

from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Longs: TypeAlias = npt.NDArray[np.int64]

MOST_CELLS = 16
INFINITE = 1 << 30  # the cost if there is no path


class Truth(NamedTuple):
    """The true costs of the positions of a level.

    near     (cells + 1, 4): the neighbour in each direction; the last cell is the wall
    places   (positions, 2): the least cell that the player reaches, and the set of boxes
    left     by metric and position: the least cost to the goal, or INFINITE
    spent    by metric and position: the least cost from the start, or INFINITE
    """

    near: Any
    places: Longs
    left: dict[str, Longs]
    spent: dict[str, Longs]

    def number(self, player: int, boxes: int) -> int:
        """The number of a position."""
        return player << len(self.near) - 1 | boxes


def truth(near: Any, boxes: Any, goals: Any, player: int) -> Truth:
    """The true costs of a level with these cells; it may have more boxes than goals."""
    cells = len(near) - 1
    near = near.astype(np.int64)
    assert cells <= MOST_CELLS
    start = player << cells | sum(1 << int(cell) for cell in boxes)
    wanted = sum(1 << int(cell) for cell in goals)
    sets = np.array(sorted(sum(1 << cell for cell in some) for some in combinations(range(cells), len(boxes))))
    players, held = (each.ravel() for each in np.meshgrid(np.arange(cells), sets))
    is_free = held >> players & 1 == 0
    numbers = (players << cells | held)[is_free]
    is_goal = (held & wanted == wanted)[is_free]
    before, after, is_push = _steps(near, numbers)
    left, spent = {}, {}
    for metric, walk in (("pushes", 0), ("moves", 1)):
        price = np.where(is_push, 1, walk)
        left[metric] = _costs(numbers[is_goal], after, before, price, cells)
        spent[metric] = _costs(np.array([start]), before, after, price, cells)
    return Truth(near, _places(near, sets), left, spent)


def _steps(near: Longs, numbers: Longs) -> tuple[Longs, Longs, Any]:
    """All steps between positions: the positions before and after them, and whether they are pushes."""
    cells = len(near) - 1
    player, boxes = np.divmod(numbers, 1 << cells)
    steps = []
    for d in range(4):
        front = near[player, d]
        beyond = near[front, d]
        is_held = boxes >> front & 1 == 1
        walks = (front < cells) & ~is_held
        pushes = is_held & (beyond < cells) & (boxes >> beyond & 1 == 0)
        pushed = boxes ^ (1 << front) ^ (1 << beyond)
        for taken, then, push in ((walks, boxes, False), (pushes, pushed, True)):
            steps.append((numbers[taken], (front << cells | then)[taken], np.full(taken.sum(), push)))
    before, after, is_push = (np.concatenate(each) for each in zip(*steps, strict=True))
    return before, after, is_push


def _costs(known: Longs, before: Longs, after: Longs, price: Longs, cells: int) -> Longs:
    """The least costs from the known positions along the steps, by position."""
    cost = np.full(cells << cells, INFINITE)
    cost[known] = 0
    has_changed = np.zeros(len(cost), np.bool_)
    has_changed[known] = True
    while True:
        taken = np.flatnonzero(has_changed[before])
        there, new = after[taken], cost[before[taken]] + price[taken]
        is_less = new < cost[there]
        has_changed[before[taken]] = False
        if not is_less.any():
            return cost
        np.minimum.at(cost, there[is_less], new[is_less])
        has_changed[there[is_less]] = True


def _places(near: Longs, sets: Longs) -> Longs:
    """Each set of boxes with each component of the free floor, given by its least cell: (cell, boxes)."""
    cells = len(near) - 1
    is_free = sets[:, None] >> np.arange(cells) & 1 == 0
    least = np.full((len(sets), cells + 1), cells)  # by cell, the least cell known to be in its component
    least[:, :cells] = np.where(is_free, np.arange(cells), cells)
    while True:
        lower = np.minimum(least[:, :cells], least[:, near[:cells]].min(axis=2))
        lower[~is_free] = cells
        if (lower == least[:, :cells]).all():
            break
        least[:, :cells] = lower
    number, cell = np.nonzero(is_free & (lower == np.arange(cells)))
    return np.stack([cell, sets[number]], axis=1)


def pushes_from(near: Longs, left: Longs, player: Longs, boxes: Longs) -> tuple[Longs, Longs]:
    """By position, the number of pushes from it, after walking, and the number of pushes to solvable positions."""
    cells = len(near) - 1
    is_free = np.zeros((len(player), cells + 1), np.bool_)
    is_free[:, :cells] = boxes[:, None] >> np.arange(cells) & 1 == 0
    is_reached = np.zeros_like(is_free)
    is_reached[np.arange(len(player)), player] = True
    while True:
        # The cells that walking reaches: steps can be undone, so a neighbour of a cell leads to it.
        wider = is_free & (is_reached | is_reached[:, near].any(axis=2))
        if (wider == is_reached).all():
            break
        is_reached = wider
    total, alive = np.zeros(len(player), np.int64), np.zeros(len(player), np.int64)
    for here in range(cells):
        for front, beyond in zip(near[here], near[near[here], range(4)], strict=True):
            if front < cells and beyond < cells:
                pushes = np.flatnonzero(is_reached[:, here] & ~is_free[:, front] & is_free[:, beyond])
                after = front << cells | boxes[pushes] ^ (1 << front) ^ (1 << beyond)
                total[pushes] += 1
                alive[pushes] += left[after] < INFINITE
    return total, alive
