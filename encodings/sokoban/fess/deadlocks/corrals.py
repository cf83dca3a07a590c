"""Corral deadlocks: components of the floor that the player can neither enter nor clear.

A search over the boxes around a corral, without the other boxes, decides whether these boxes can let the player in
or reach targets. If they can do neither, the position is dead, and a pattern is learned from it.
"""

import numpy as np

from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import BOXES, DEAD, MANY, clear_marks, is_dead, stamp_of
from puzzlemc.mc.jit import kernel


@kernel()
def is_dead_corral(near, on, dead_squares, game, is_target, codes, patterns, player, listed, starts, number):  # type: ignore[no-untyped-def]
    """Does a position have a dead corral? Returns the answer and the work.

    listed, starts, number  the corrals, from `list_regions`
    player                  the least cell that the player reaches
    """
    inside = patterns.inside
    boxes = patterns.boxes[0]
    wall = len(near) - 1
    work = np.int64(0)
    clear_marks(patterns)
    for corral in range(number):
        stamp = stamp_of(patterns.used)
        count, at_home, key = 0, True, codes[1, wall]
        work += np.int64(starts[corral + 1]) - np.int64(starts[corral])
        for at in range(starts[corral], starts[corral + 1]):
            for d in range(4):
                box = near[listed[at], d]
                if on[box] and box != wall and inside[box] != stamp:
                    inside[box] = stamp
                    if count < BOXES:
                        boxes[count] = box
                    count += 1
                    key ^= codes[0, box]
                    if is_target[box] == 0:
                        at_home = False
        for at in range(min(count, BOXES)):
            inside[boxes[at]] = 0
        if at_home or count > BOXES:
            continue
        for at in range(starts[corral], starts[corral + 1]):
            inside[listed[at]] = stamp
        found, done = is_dead(
            near, dead_squares, game, is_target, codes, patterns, count, key, player, stamp, MANY
        )
        work += done
        if found == DEAD:
            return True, work
    return False, work
