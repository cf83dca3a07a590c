"""Boxes that nothing can move any more.

Take any set of boxes each of which has on both axes a wall or a box of the set beside it, or squares on both
sides from which no box comes to a goal. The first of them to move would need a free axis, or comes to such a
square. So none ever moves in a run to a goal. The largest such set is what is left when boxes with a free axis
are taken out again and again.
"""

from puzzlemc.mc.jit import kernel


@kernel()
def freeze(near, never, boxes, count, stuck):  # type: ignore[no-untyped-def]
    """Set `stuck` to 1 for the boxes of the largest frozen set: how many they are. The wall is stuck, too."""
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
                if not (stuck[one] or stuck[other] or (never[one] and never[other])):
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
def is_wedged(near, on, never, box):  # type: ignore[no-untyped-def]
    """Has the box something beside it on both axes? Else it is not frozen, nor is any box on its account."""
    for d in range(2):
        one, other = near[box, d], near[box, d + 2]
        if not (on[one] or on[other] or (never[one] and never[other])):
            return False
    return True


@kernel()
def is_frozen_off_goals(near, never, is_goal, boxes, count, stuck):  # type: ignore[no-untyped-def]
    """Is some frozen box not on a goal?"""
    found = False
    if freeze(near, never, boxes, count, stuck):
        for at in range(count):
            if stuck[boxes[at]] and is_goal[boxes[at]] == 0:
                found = True
    thaw(boxes, count, stuck)
    return found
