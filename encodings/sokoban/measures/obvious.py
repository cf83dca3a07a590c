"""What a player sees at once: boxes that are stuck for good, and positions that are lost by them. Compiled."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Shorts2


class Sight:
    """What positions are judged by.

    near     (cells + 1, 4): as in `NumberedLevel`
    goal     by cell: is it a goal?
    dead     by cell: can a lone box there be pushed to no goal? The wall is not dead
    blocked  by cell: the wall, or a box that may be stuck; only the wall between two uses
    goals    the number of goals
    """

    near: Shorts2
    goal: Bytes
    dead: Bytes
    blocked: Bytes
    goals: Index

    def __init__(
        self, near: npt.NDArray[np.int16], goals: npt.NDArray[np.int32], dead: npt.NDArray[np.uint8]
    ) -> None:
        goal, blocked = np.zeros(len(near), np.uint8), np.zeros(len(near), np.uint8)
        goal[goals] = 1
        blocked[len(near) - 1] = 1
        self.near, self.goal, self.dead, self.blocked = view(near), view(goal), view(dead), view(blocked)
        self.goals = len(goals)


def plainly_lost(
    sight: Sight, packed: npt.NDArray[np.int16], lost: npt.NDArray[np.bool_], first: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Which of the lost positions are plainly lost. Shape (positions,).

    There is no push, or fewer boxes than goals are left without those off the goals that are stuck or on dead
    cells. Stuck boxes are the largest set of boxes each of which has the wall or a box of the set beside it on
    both axes: none of them can ever be pushed.
    """
    plain = np.zeros(len(packed), np.uint8)
    _judge(sight, view(packed), view(lost.view(np.uint8)), view(first), view(plain))
    return plain.view(np.bool_)


def _judge(sight: Sight, packed: Shorts2, lost: Bytes, first: Numbers, plain: Bytes) -> None:
    """`plainly_lost` in compiled code."""
    at: Index
    for at in range(packed.shape[0]):
        if lost[at] and (first[at] == first[at + 1] or _useful(sight, packed, at) < sight.goals):
            plain[at] = 1


def _useful(sight: Sight, packed: Shorts2, at: Index) -> Index:
    """The number of boxes that are on goals, or neither stuck nor on dead cells."""
    boxes: Index = packed.shape[1] - 1
    count: Index = 0
    changed: Flag = True
    k: Index
    for k in range(boxes):
        sight.blocked[packed[at, k]] = 1
    while changed:
        changed = False
        for k in range(boxes):
            if sight.blocked[packed[at, k]] and _can_leave(sight, packed[at, k]):
                sight.blocked[packed[at, k]] = 0
                changed = True
    for k in range(boxes):
        cell: Index = packed[at, k]
        if sight.goal[cell] or (sight.blocked[cell] == 0 and sight.dead[cell] == 0):
            count += 1
        sight.blocked[cell] = 0
    return count


def _can_leave(sight: Sight, cell: Index) -> Flag:
    """Are both cells beside a box free on one axis, except for boxes that are not stuck?"""
    d: Index
    for d in range(2):
        if sight.blocked[sight.near[cell, d]] == 0 and sight.blocked[sight.near[cell, d + 2]] == 0:
            return True
    return False
