"""Boxes that cannot all come to goals of their own, since those that are frozen stand in the way for good.

Each box that is not frozen, were it alone with them, comes to some of the goals without a frozen box. Where no
matching gives each of these goals a box of its own (Kuhn 1955, by augmenting paths), the position is dead.
"""

from puzzlemc.encodings.sokoban.fess.freeze import freeze, thaw
from puzzlemc.encodings.sokoban.fess.plan import spread
from puzzlemc.mc.jit import kernel


@kernel()
def cannot_match(  # type: ignore[no-untyped-def]
    near, never, game, targets, reach, boxes, count, stuck, ways, waiting, partner, path, tried
):
    """Is there no way to give each target a box of its own? Gives the answer and the work.

    reach     (targets, cells + 1): the steps of a lone box to each target where no box is frozen
    stuck     as for `freeze`; pull games know no frozen boxes
    ways, waiting, partner, path, tried  arrays to work in: (targets, cells + 1), over cells, targets, and boxes
                                         twice
    """
    frozen = freeze(near, never, boxes, count, stuck) if game == 0 else 0
    cells = len(near) - 1
    work = 4 * count
    if frozen:
        for target in range(len(targets)):
            goal = targets[target]
            ways[target, :] = 32767
            if stuck[goal] == 0:
                ways[target, goal] = 0
                waiting[0] = goal
                spread(near, game, stuck, ways[target], waiting, 1)
                work += cells
        reach = ways
    # partner: by box, the target that it has. path: the targets that look for one, and which box
    # each tries.
    for at in range(count):
        partner[at] = -1
    failed = False
    for first in range(len(targets)):
        if frozen and stuck[targets[first]]:
            continue
        for at in range(count):
            tried[at] = 0
        depth = 0
        path[0, 0] = first
        path[0, 1] = -1
        found = False
        while depth >= 0 and not found:
            target = path[depth, 0]
            path[depth, 1] += 1
            at = path[depth, 1]
            if at >= count:
                depth -= 1
                continue
            work += 1
            box = boxes[at]
            if tried[at] or reach[target, box] >= 32767 or (frozen and stuck[box]):
                continue
            tried[at] = 1
            if partner[at] < 0:
                found = True
            else:
                depth += 1
                path[depth, 0] = partner[at]
                path[depth, 1] = -1
        if not found:
            failed = True
            break
        for step in range(depth, -1, -1):
            partner[path[step, 1]] = path[step, 0]
    if game == 0:
        thaw(boxes, count, stuck)
    return failed, work >> 2
