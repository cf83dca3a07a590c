"""Groups: a box and those nearest to it, without all others. Where they come to no targets, the position is dead.

Nearly all positions that a search comes to on a hard level are dead by some such group, so the box that has come
to its place last is looked at, in small groups first. What is found out is remembered, and patterns are learned.
"""

import numpy as np

from puzzlemc.encodings.sokoban.fess.patterns import DEAD, FEW, MANY, clear_marks, is_dead
from puzzlemc.encodings.sokoban.fess.sides import BURIED, EXPANDED, GAME, TESTED, WORK
from puzzlemc.mc.jit import kernel

MOST = 8  # boxes of a group
ENOUGH = 2_000_000  # cells looked at for one box, where a level is large
BEGINS = 3  # as of `is_dead_group`
SHARE = 3  # long searches take no more than one part in so many of the work


@kernel()
def is_dead_group(near, on, never, game, is_target, codes, patterns, nearest, box, player, begins, most):  # type: ignore[no-untyped-def]
    """Is some group of a position dead that this box is in? Gives the answer and the work.

    begins   with so many of the boxes next to it as those to whom the others are nearest
    most     positions that a search sees
    nearest  by cell, the cells nearest to it in their order
    player   the least cell that the player reaches
    """
    boxes = patterns.boxes[0]
    wall = len(near) - 1
    work = np.int64(0)
    clear_marks(patterns)
    begun = 0
    for begin in nearest[box]:
        if on[begin] == 0 or begin == wall:
            continue
        count, key, has_box = 0, codes[0, wall], False
        for cell in nearest[begin]:
            if on[cell] == 0 or cell == wall:
                continue
            boxes[count] = cell
            count += 1
            key ^= codes[0, cell]
            has_box = has_box or cell == box
            if has_box and count > 1:
                found, done = is_dead(near, never, game, is_target, codes, patterns, count, key, player, -1, most)
                work += done
                if found == DEAD:
                    return True, work
            if count == MOST or work > ENOUGH:
                break
        begun += 1
        if begun == begins or work > ENOUGH:
            break
    return False, work


@kernel()
def has_dead_group(side, room, patterns, number, count):  # type: ignore[no-untyped-def]
    """Has a position, which is on the board, a dead group? Gives the answer and the work.

    Looked at are groups around the box that has come to its place last, and around one more, another each time.
    """
    boxes, scalars, player = room.boxes, side.scalars, side.players[number]
    parent = side.parents[number]
    one = (scalars[EXPANDED] + scalars[BURIED]) % count
    work = np.int64(0)
    for at in range(count):
        box = boxes[at]
        stood = parent >= 0 and side.bits[parent, box >> 6] >> np.uint64(box & 63) & np.uint64(1)
        if stood and at != one:
            continue
        for most in (FEW, MANY):
            if most == MANY and SHARE * scalars[TESTED] > scalars[WORK]:
                continue
            dead, done = is_dead_group(
                *(side.near, room.on, side.never, scalars[GAME], side.is_target, side.codes),
                *(patterns, room.nearby, box, player, BEGINS, most),
            )
            work += done
            if most == MANY:
                scalars[TESTED] += done
            if dead:
                return True, work
    return False, work
