"""Freeze deadlocks: boxes that no solution moves.

Take a set of boxes each of which has, on both axes, a wall or a box of the set next to it, or dead squares on both
sides. The first of them to move would need a free axis, or would enter a dead square. So no solution moves any of
them. The largest such set remains after repeatedly removing boxes with a free axis.
"""

from puzzlemc.mc.jit import kernel


@kernel()
def freeze(near, dead_squares, boxes, count, stuck):  # type: ignore[no-untyped-def]
    """Set `stuck` to 1 for the boxes of the largest frozen set; return their number. Walls are stuck already."""
    for at in range(count):
        stuck[boxes[at]] = 1
    left, changed = count, True
    while changed and left:
        changed = False
        for at in range(count):
            box = boxes[at]
            if stuck[box] == 0:
                continue
            for d in range(2):
                one, other = near[box, d], near[box, d + 2]
                if not (stuck[one] or stuck[other] or (dead_squares[one] and dead_squares[other])):
                    stuck[box] = 0
                    left -= 1
                    changed = True
                    break
    return left


@kernel()
def thaw(boxes, count, stuck):  # type: ignore[no-untyped-def]
    """Set `stuck` back to 0."""
    for at in range(count):
        stuck[boxes[at]] = 0


@kernel()
def is_wedged(near, on, dead_squares, box):  # type: ignore[no-untyped-def]
    """Is the box blocked on both axes? If not, it is not frozen, and no box is frozen because of it."""
    for d in range(2):
        one, other = near[box, d], near[box, d + 2]
        if not (on[one] or on[other] or (dead_squares[one] and dead_squares[other])):
            return False
    return True


@kernel()
def is_frozen_off_goals(near, dead_squares, is_goal, boxes, count, stuck):  # type: ignore[no-untyped-def]
    """Is some frozen box not on a goal?"""
    found = False
    if freeze(near, dead_squares, boxes, count, stuck):
        for at in range(count):
            if stuck[boxes[at]] and is_goal[boxes[at]] == 0:
                found = True
    thaw(boxes, count, stuck)
    return found
