"""Group deadlocks: a box and the boxes nearest to it that cannot reach targets even without all other boxes.

On hard levels nearly every position that a search meets has a dead group. So the groups around the box that moved
last are tested, small ones first. Results are cached, and dead groups become patterns.
"""

import numpy as np

from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import DEAD, FEW, MANY, clear_marks, is_dead
from puzzlemc.encodings.sokoban.fess.domain.counters import BURIED, EXPANDED, GAME, TESTED, WORK
from puzzlemc.mc.jit import kernel

MOST = 8  # boxes of a group
ENOUGH = 2_000_000  # the most cells visited for one box
BEGINS = 3  # neighbouring boxes tried as centres of a group
SHARE = 3  # long tests take at most one SHARE-th of the work


@kernel()
def is_dead_group(near, on, dead_squares, game, is_target, codes, patterns, nearest, box, player, begins, most):  # type: ignore[no-untyped-def]
    """Is a group with this box dead in a position? Returns the answer and the work.

    begins   number of neighbouring boxes tried as centres of a group
    most     the limit of positions of each test
    nearest  the cells nearest to each cell, in order
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
                found, done = is_dead(
                    near, dead_squares, game, is_target, codes, patterns, count, key, player, -1, most
                )
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
    """Does the position on the board have a dead group? Returns the answer and the work.

    Tests groups around the box that moved last, and around one more box, a different one each time.
    """
    boxes, counters, player = room.boxes, side.counters, side.players[number]
    parent = side.parents[number]
    one = (counters[EXPANDED] + counters[BURIED]) % count
    work = np.int64(0)
    for at in range(count):
        box = boxes[at]
        stood = parent >= 0 and side.bits[parent, box >> 6] >> np.uint64(box & 63) & np.uint64(1)
        if stood and at != one:
            continue
        for most in (FEW, MANY):
            if most == MANY and SHARE * counters[TESTED] > counters[WORK]:
                continue
            dead, done = is_dead_group(
                *(side.near, room.on, side.dead_squares, counters[GAME], side.is_target, side.codes),
                *(patterns, room.nearby, box, player, BEGINS, most),
            )
            work += done
            if most == MANY:
                counters[TESTED] += done
            if dead:
                return True, work
    return False, work
