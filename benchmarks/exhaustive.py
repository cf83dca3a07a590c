"""All positions of a small level of Sokoban, and what each is from the goal and from the start, in compiled code.

A set of boxes is a number with a bit for each cell; a position is `player << cells | boxes`. Nothing here is
shared with the searches: cells have neighbours, a step walks or pushes, and costs spread until none gets less.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

Longs: TypeAlias = npt.NDArray[np.int64]

MOST_CELLS = 16
NEVER = 1 << 30  # the cost of what cannot be done


class Truth(NamedTuple):
    """What is true of the positions of a level.

    near     (cells + 1, 4): the next cell in each direction, that of the wall the last
    places   (positions, 2): the player, at the least cell that it reaches, and the boxes
    left     by metric and position: the least cost to the goal, or NEVER
    spent    likewise from the start
    """

    near: Any
    places: Longs
    left: dict[str, Longs]
    spent: dict[str, Longs]

    def number(self, player: int, boxes: int) -> int:
        """The number of a position."""
        return player << len(self.near) - 1 | boxes


def truth(near: Any, boxes: Any, goals: Any, player: int) -> Truth:
    """What is true of a level with these cells. It may have more boxes than goals."""
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
        left[metric] = np.where(is_solved & is_whole, 0, NEVER)
        spent[metric] = np.where(is_start, 0, NEVER)
        _spread(near, left[metric], walk, back=True)
        _spread(near, spent[metric], walk, back=False)
    return Truth(near, places, left, spent)


@njit  # type: ignore[misc]
def _places(near, count):  # type: ignore[no-untyped-def]
    """Every set of so many boxes with every part of the floor between them, by its least cell."""
    cells = len(near) - 1
    told = [(0, 0)][:0]
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
            told.append((player, boxes))
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
    return told


@njit  # type: ignore[misc]
def _spread(near, cost, walk, back):  # type: ignore[no-untyped-def]
    """Spread costs from the positions that have some, by steps; with `back`, against them."""
    cells = len(near) - 1
    ring, waits = np.empty(len(cost), np.int64), np.zeros(len(cost), np.bool_)
    size, head = 0, 0
    for number in range(len(cost)):
        if cost[number] < NEVER:
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
                if pushed:  # the box in front, which a step forth takes on, and one back to the player
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
    """How many pushes can be made from a position, after walking, and how many of them can still be solved."""
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
                    alive += left[to << cells | boxes ^ (1 << to) ^ (1 << beyond)] < NEVER
            elif not seen >> to & 1:
                seen |= 1 << to
                waiting[tail] = to
                tail += 1
    return total, alive
