"""From positions to moves: the walks and pushes that lead from each position to the next."""

import numpy as np

from puzzlemc.encodings.sokoban.fess.domain.floods import flood
from puzzlemc.mc.jit import cached


@cached()
def lead(near, on, player, box, target, ends, before, waiting):  # type: ignore[no-untyped-def]
    """The fewest moves that bring a box to `target` and the player into the component of the cell `ends`.

    The board `on` has the other boxes only. Return directions, plus 4 for pushes; empty if there is no path, or if
    the box and the player are there already.
    """
    cells = len(near) - 1
    seen = np.zeros(cells + 1, np.int32)
    queue = np.empty(cells + 1, np.uint16)
    on[target] = 1
    flood(near, on, ends, queue, seen, 1)
    on[target] = 0
    before[:] = -1
    begin = player * cells + box
    before[begin] = begin
    waiting[0] = begin
    head, tail, last = 0, 1, -1
    while head < tail:
        state = waiting[head]
        head += 1
        here, there = state // cells, state % cells
        if there == target and seen[here] == 1:
            last = state
            break
        for d in range(4):
            step = np.int64(near[here, d])
            place = there
            if on[step]:
                continue
            if step == there:
                place = np.int64(near[there, d])
                if on[place]:
                    continue
            code = step * cells + place
            if before[code] < 0:
                before[code] = state
                waiting[tail] = code
                tail += 1
    moves = np.empty(tail, np.int32)
    count = 0
    while last >= 0 and last != begin:
        state = before[last]
        here, there = state // cells, state % cells
        d = 0
        while near[here, d] != last // cells:
            d += 1
        moves[count] = d if there == last % cells else d + 4
        count += 1
        last = state
    return moves[:count][::-1]
