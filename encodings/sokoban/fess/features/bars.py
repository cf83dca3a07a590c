"""Boxes that bar the way of others to their targets. Compiled: see `mc/words.py`."""

import cython

from puzzlemc.encodings.sokoban.board.lone_box import LoneBox

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import PUSH
    from puzzlemc.encodings.sokoban.board.lone_box import NEVER, spread_from
    from puzzlemc.mc.words import Bytes2, Flag, Index, Ints, Ints2


def mark_bars(lone: LoneBox, goal: Index, source: Ints, first: Index, bars: Bytes2, row: Index) -> None:  # public
    """Mark in a row of `bars` the squares on which a box bars the way from all sources to the goal.

    source  sources from number `first` on; -1 is no source
    """
    cell: Index
    at: Index
    spread_from(lone, goal)
    _mark_way(lone, goal, source, first, bars, row)
    for cell in range(lone.cells):
        if bars[row, cell] == 0:
            continue
        bars[row, cell] = 0
        if lone.walls[cell] or cell == goal:
            continue
        lone.walls[cell] = 1
        spread_from(lone, goal)
        lone.walls[cell] = 0
        others: Flag = False
        found: Flag = False
        for at in range(first, source.shape[0]):
            if source[at] >= 0 and source[at] != cell:
                others = True
                found = found or lone.steps[source[at]] < NEVER
        if others and not found:
            bars[row, cell] = 1


def _mark_way(lone: LoneBox, goal: Index, source: Ints, first: Index, bars: Bytes2, row: Index) -> None:
    """Mark a nearest source's way to the goal, and the cells that its player needs; all cells if there is none.

    No other cell bars the way from all sources. The steps to the goal are known.
    """
    nearest: Index = lone.cells
    cell: Index
    at: Index
    d: Index
    for at in range(first, source.shape[0]):
        if source[at] >= 0 and lone.steps[source[at]] < lone.steps[nearest]:
            nearest = source[at]
    if nearest == lone.cells:
        for cell in range(lone.cells):
            bars[row, cell] = 1
        return
    bars[row, nearest] = 1
    while nearest != goal:
        for d in range(4):
            cell = lone.near[nearest, d]
            player: Index = lone.near[nearest, d ^ 2] if lone.kind == PUSH else lone.near[cell, d]
            if lone.steps[cell] == lone.steps[nearest] - 1 and lone.walls[player] == 0:
                bars[row, player] = 1
                bars[row, cell] = 1
                nearest = cell
                break


def gather_out_of_plan(order: Ints, far: Ints2, following: Ints2, out_of_plan: Bytes2) -> None:  # public
    """Turn the barred cells of each stage into `out_of_plan`: a box there bars a target before it can be used.

    The arrays are those of `Plan`; `following` is `next`.
    """
    stage: Index
    cell: Index
    later: Index
    at: Index
    count: Index = order.shape[0]
    for stage in range(count):
        for cell in range(far.shape[1] - 1):
            result: Index = 1 if far[stage, cell] >= NEVER else 0
            for later in range(stage, count):
                if following[later, cell] < NEVER:
                    break
                if out_of_plan[later, cell]:
                    result = 1
                    break
            # Only later stages are read from here on.
            out_of_plan[stage, cell] = result
        for at in range(stage):
            out_of_plan[stage, order[at]] = 0
