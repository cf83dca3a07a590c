"""All positions of a small level of Sokoban with their true costs to the goal and from the start (compiled).

A set of boxes is a number with a bit for each cell; a position is `player << cells | boxes`. This module shares no
code with the searches, which `deadlocks.py` compares with it: costs are propagated along steps until none
decreases.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

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
    standing, wanted = (sum(1 << int(cell) for cell in some) for some in (boxes, goals))
    places = np.array(_places(near, len(boxes)), np.int64)
    numbers = np.arange(cells << cells)
    held = numbers & (1 << cells) - 1
    is_solved = (held & wanted == wanted) & (held >> (numbers >> cells) & 1 == 0)
    is_whole = sum(held >> cell & 1 for cell in range(cells)) == len(boxes)
    is_start = numbers == player << cells | standing
    left, spent = {}, {}
    for metric, walk in (("pushes", 0), ("moves", 1)):
        left[metric] = np.where(is_solved & is_whole, 0, INFINITE)
        spent[metric] = np.where(is_start, 0, INFINITE)
        _spread(near, left[metric], walk, back=True)
        _spread(near, spent[metric], walk, back=False)
    return Truth(near, places, left, spent)


@njit  # type: ignore[misc]
def _places(near, count):  # type: ignore[no-untyped-def]
    """Each set of `count` boxes with each component of the free floor, given by its least cell: (cell, boxes)."""
    cells = len(near) - 1
    found = [(0, 0)][:0]  # an empty list whose type numba can infer
    waiting = np.empty(cells, np.int64)
    for boxes in range(1 << cells):
        held = 0
        for cell in range(cells):
            held += boxes >> cell & 1
        if held != count:
            continue
        seen = boxes
        for player in range(cells):
            if seen >> player & 1:
                continue
            found.append((player, boxes))
            seen |= 1 << player
            waiting[0], head, tail = player, 0, 1
            while head < tail:
                for d in range(4):
                    other = near[waiting[head], d]
                    if other < cells and not seen >> other & 1:
                        seen |= 1 << other
                        waiting[tail] = other
                        tail += 1
                head += 1
    return found


@njit  # type: ignore[misc]
def _spread(near, cost, walk, back):  # type: ignore[no-untyped-def]
    """Propagate finite costs along steps, or with `back` against them, until none decreases."""
    cells = len(near) - 1
    ring, waits = np.empty(len(cost), np.int64), np.zeros(len(cost), np.bool_)
    size, head = 0, 0
    for number in range(len(cost)):
        if cost[number] < INFINITE:
            ring[size], waits[number] = number, True
            size += 1
    while size:
        number = ring[head]
        head, size = (head + 1) % len(ring), size - 1
        waits[number] = False
        player, boxes = number >> cells, number & (1 << cells) - 1
        for d in range(4):
            front = near[player, d]
            to, beyond = (near[player, d ^ 2], player) if back else (front, near[front, d])
            if to == cells:
                continue
            for pushed in range(2):
                after, price = boxes, walk
                if pushed:  # the box in front moves on; with `back`, it moves to the cell of the player
                    if not boxes >> front & 1 or beyond == cells or boxes >> beyond & 1:
                        continue
                    after, price = boxes ^ (1 << front) ^ (1 << beyond), 1
                new = to << cells | after
                if after >> to & 1 or cost[number] + price >= cost[new]:
                    continue
                cost[new] = cost[number] + price
                if not waits[new]:
                    waits[new] = True
                    ring[(head + size) % len(ring)] = new
                    size += 1


@njit  # type: ignore[misc]
def pushes_from(near, left, player, boxes):  # type: ignore[no-untyped-def]
    """The numbers of pushes from a position, after walking, and of pushes to solvable positions."""
    cells = len(near) - 1
    waiting = np.empty(cells, np.int64)
    waiting[0], head, tail, seen = player, 0, 1, 1 << player
    total = alive = 0
    while head < tail:
        here = waiting[head]
        head += 1
        for d in range(4):
            to = near[here, d]
            if to == cells:
                continue
            if boxes >> to & 1:
                beyond = near[to, d]
                if beyond < cells and not boxes >> beyond & 1:
                    total += 1
                    alive += left[to << cells | boxes ^ (1 << to) ^ (1 << beyond)] < INFINITE
            elif not seen >> to & 1:
                seen |= 1 << to
                waiting[tail] = to
                tail += 1
    return total, alive
