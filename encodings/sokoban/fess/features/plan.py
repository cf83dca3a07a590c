"""Packing plans: the order in which a side fills its targets, and the distances and barred cells at each stage.

Starting from full targets, repeatedly remove the box with the shortest reversed way to a square where a box of
this side starts. The order of filling is the reverse of the order of removal.
"""

from typing import Any, NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.fess.domain.boards import NEVER, Bytes, Numbers, Shorts
from puzzlemc.encodings.sokoban.fess.domain.floods import flood
from puzzlemc.mc.jit import cached, kernel
from puzzlemc.mc.limits import Budget

MOST_WORK = 1 << 23  # cells visited for one target of a plan: some hundredths of a second


class Plan(NamedTuple):
    """The targets of a side in their order. At stage k the first k of them hold boxes, and the next one does not.

    order  the targets as they are filled
    far    (stages, cells + 1): the steps of a lone box to the nearest target that is empty; the full ones are
           walls
    next   (stages, cells + 1): likewise to the next target
    out_of_plan  (stages, cells + 1): is a box there useless for every target up to one whose way it bars?

    And without stages, where a target may be filled as soon as that bars the way to no other:

    reach  (targets, cells + 1): the steps of a lone box to that target, without walls
    need   (targets, targets): must the second be filled before the first?
    bars   (targets, cells + 1): would a box there bar the way to the target, and not come there itself?
    """

    order: Shorts
    far: Shorts
    next: Shorts
    out_of_plan: Bytes
    reach: Shorts
    need: Bytes
    bars: Bytes


def plan(
    near: Numbers, game: int, targets: Shorts, sources: Shorts, variant: int, loose: bool, budget: Budget
) -> Plan:
    """The plan of a side; a loose one has no stages. Raises LimitReached."""
    cells, count = len(near) - 1, len(targets)
    order, source = packing_order(near, game, targets, sources, variant, budget)
    stages = 0 if loose else count + 1
    far, following = np.zeros((2, stages, cells + 1), np.int32)
    out_of_plan = np.zeros((stages, cells + 1), np.uint8)
    walls = np.zeros(cells + 1, np.uint8)
    walls[cells] = 1
    reach = np.zeros((count, cells + 1), np.int32)
    bars = np.zeros((count, cells + 1), np.uint8)
    for at in range(count):
        budget.check()
        measure(near, game, walls, order[at : at + 1], reach[at])
        mark_bars(near, game, walls, order[at], source, bars[at])
    need = np.tril(bars[:, order].T, -1)
    bars[reach < NEVER] = 0
    if not loose:
        for at in range(count):
            budget.check()
            measure(near, game, walls, targets, far[at])
            measure(near, game, walls, order[at : at + 1], following[at])
            mark_bars(near, game, walls, order[at], source[at:], out_of_plan[at])
            walls[order[at]] = 1
        gather_out_of_plan(order, far, following, out_of_plan)
    return Plan(order, far, following, out_of_plan, reach, np.ascontiguousarray(need), bars)


def packing_order(
    near: Numbers, game: int, targets: Shorts, sources: Shorts, variant: int, budget: Budget
) -> tuple[Shorts, Shorts]:
    """The targets in the order in which they are filled, and the source from which each gets its box, or -1.

    The bits of `variant`: 1, the player may be anywhere before each way; 2, the farthest box goes first. Raises
    LimitReached.
    """
    cells, count = len(near) - 1, len(targets)
    on, is_source, is_target = (np.zeros(cells + 1, np.uint8) for _ in range(3))
    on[cells] = on[targets] = is_target[targets] = is_source[sources] = 1
    was_source = is_source.copy()
    steps, waiting = np.empty(cells * 4, np.int32), np.empty(cells * 4, np.int32)
    reached, queue = np.zeros(cells + 1, np.uint8), np.empty(cells + 1, np.int32)
    take: Any = take_away
    order, source = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    player = -1
    for place in range(count - 1, -1, -1):
        budget.check()
        now = -1 if variant & 1 else player
        arrays = (variant, steps, waiting, reached, queue)
        box, end, player = take(near, game, targets, on, is_source, is_target, now, 0, 1, *arrays)
        if box < 0:
            # The next box may come from a source that is in use already.
            box, end, player = take(near, game, targets, on, was_source, is_target, now, 0, 1, *arrays)
        if box < 0:
            box, end, player = take(near, game, targets, on, is_source, is_target, now, 1, 3, *arrays)
        order[place], source[place] = box, end
        on[box] = 0
        if end >= 0:
            is_source[end] = 0
    return order, source


@kernel()
def take_away(  # type: ignore[no-untyped-def]
    near, game, targets, on, is_source, is_target, player, since, until, variant, steps, waiting, reached, queue
):
    """The box to remove next, its source or -1, and the cell of the player then.

    If no box reaches a source, it is a box that reaches a square other than a target; if there is none, or after
    MOST_WORK, it is any box.
    """
    count = len(targets)
    work = 0
    best, best_box, best_end, best_player = np.int64(1) << 40, -1, -1, -1
    for parked in range(since, until):
        # A source; else a square that is no target; at last, no way at all.
        for at in range(count):
            box = targets[at]
            if on[box] == 0:
                continue
            if parked == 2 or work > MOST_WORK:
                value = np.int64(at)
                if best_box < 0:
                    best, best_box, best_end, best_player = value, box, -1, player
                continue
            steps[:] = -1
            tail = 0
            reached[:] = 0
            if player >= 0:
                flood(near, on, player, queue, reached, 1)
            for side in range(4):
                cell = near[box, side]
                if on[cell] == 0 and (player < 0 or reached[cell]):
                    steps[box * 4 + side] = 0
                    waiting[tail] = box * 4 + side
                    tail += 1
            on[box] = 0
            head = 0
            while head < tail:
                state = waiting[head]
                head += 1
                here, side = state >> 2, state & 3
                cost = steps[state]
                ends = (is_source[here] == 1) if parked == 0 else (is_target[here] == 0)
                if ends:
                    value = np.int64(cost) * 4096 + at
                    if variant & 2:
                        value = np.int64(4095 - cost) * 4096 + at
                    if value < best:
                        best, best_box, best_player = value, box, near[here, side]
                        best_end = here if parked == 0 else -1
                    break
                # The player walks to the other sides of the box that it reaches without crossing the box.
                reached[:] = 0
                reached[here] = 1
                many, _ = flood(near, on, near[here, side], queue, reached, 1)
                work += many
                for new in range(4):
                    stand = near[here, new]
                    if on[stand] or reached[stand] == 0:
                        continue
                    # A step backward: a pull in the push game, and a push in the pull game.
                    if game == 0:
                        goes = on[near[stand, new]] == 0
                        there = stand
                    else:
                        there = near[here, new ^ 2]
                        goes = on[there] == 0
                    if goes and steps[there * 4 + new] < 0:
                        steps[there * 4 + new] = cost + 1
                        waiting[tail] = there * 4 + new
                        tail += 1
            on[box] = 1
        if best_box >= 0:
            break
    return best_box, best_end, best_player


@kernel()
def spread(near, game, walls, steps, waiting, tail):  # type: ignore[no-untyped-def]
    """Fill in the steps of a lone box to the squares in `waiting`, by backward breadth-first search."""
    head = 0
    while head < tail:
        cell = waiting[head]
        head += 1
        for d in range(4):
            before = near[cell, d]
            if walls[before] or steps[before] < 32767:
                continue
            # The push to `cell` needs the player beyond `before`; the pull needs it beyond `cell`.
            player = near[before, d] if game == 0 else near[cell, d ^ 2]
            if walls[player] == 0:
                steps[before] = steps[cell] + 1
                waiting[tail] = before
                tail += 1


@cached()
def measure(near, game, walls, targets, far):  # type: ignore[no-untyped-def]
    """Write to `far` the steps of a lone box to the nearest target that is not a wall; 0 on walls."""
    cells = len(near) - 1
    waiting = np.empty(cells, np.int32)
    far[:] = 32767
    tail = 0
    for at in range(len(targets)):
        if walls[targets[at]] == 0:
            far[targets[at]] = 0
            waiting[tail] = targets[at]
            tail += 1
    spread(near, game, walls, far, waiting, tail)
    for cell in range(cells):
        if walls[cell]:
            far[cell] = 0


@cached()
def mark_bars(near, game, walls, goal, source, bars):  # type: ignore[no-untyped-def]
    """Mark the squares on which a box bars the way from all sources to the goal."""
    cells = len(near) - 1
    waiting = np.empty(cells, np.int32)
    steps = np.empty(cells + 1, np.int32)
    for cell in range(cells):
        if walls[cell] or cell == goal:
            continue
        walls[cell] = 1
        steps[:] = 32767
        steps[goal] = 0
        waiting[0] = goal
        spread(near, game, walls, steps, waiting, 1)
        walls[cell] = 0
        found = others = 0
        for at in range(len(source)):
            if source[at] >= 0 and source[at] != cell:
                others += 1
                if steps[source[at]] < 32767:
                    found += 1
        if others and not found:
            bars[cell] = 1


@kernel()
def gather_out_of_plan(order, far, following, out_of_plan):  # type: ignore[no-untyped-def]
    """Turn the barred cells of each stage into `out_of_plan`: a box there bars a target before it can be used."""
    count = len(order)
    cells = far.shape[1] - 1
    for stage in range(count):
        for cell in range(cells):
            result = 1 if far[stage, cell] >= 32767 else 0
            for later in range(stage, count):
                if following[later, cell] < 32767:
                    break
                if out_of_plan[later, cell]:
                    result = 1
                    break
            # Only later stages are read from here on.
            out_of_plan[stage, cell] = result
        for at in range(stage):
            out_of_plan[stage, order[at]] = 0
