"""Packing plans: the order in which a side fills its targets, and the distances and barred cells at each stage.

Starting from full targets, repeatedly remove the box with the shortest reversed way to a square where a box of
this side starts. The order of filling is the reverse of the order of removal.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.board.lone_box import NEVER, LoneBox, measure
from puzzlemc.encodings.sokoban.board.numbered import Bytes, Ints, Shorts
from puzzlemc.encodings.sokoban.fess.features.bars import gather_out_of_plan, mark_bars
from puzzlemc.encodings.sokoban.fess.features.removal import Removal, remove_box
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.words import view


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

    order: Ints
    far: Ints
    next: Ints
    out_of_plan: Bytes
    reach: Ints
    need: Bytes
    bars: Bytes


def plan(near: Shorts, game: int, targets: Ints, sources: Ints, variant: int, loose: bool, budget: Budget) -> Plan:
    """The plan of a side; a loose one has no stages. Raises LimitReached."""
    cells, count = len(near) - 1, len(targets)
    order, source = packing_order(near, game, targets, sources, variant, budget)
    lone = LoneBox(near, game)
    walls, steps = np.asarray(lone.walls), np.asarray(lone.steps)
    reach = np.zeros((count, cells + 1), np.int32)
    bars = np.zeros((count, cells + 1), np.uint8)
    for at in range(count):
        budget.check()
        measure(lone, view(order[at : at + 1]))
        reach[at] = steps
        mark_bars(lone, order[at], view(source), 0, view(bars), at)
    need = np.tril(bars[:, order].T, -1)
    bars[reach < NEVER] = 0
    stages = 0 if loose else count + 1
    far, following = np.zeros((2, stages, cells + 1), np.int32)
    out_of_plan = np.zeros((stages, cells + 1), np.uint8)
    if not loose:
        for at in range(count):
            budget.check()
            measure(lone, view(targets))
            far[at] = steps
            measure(lone, view(order[at : at + 1]))
            following[at] = steps
            mark_bars(lone, order[at], view(source), at, view(out_of_plan), at)
            walls[order[at]] = 1
        gather_out_of_plan(view(order), view(far), view(following), view(out_of_plan))
    return Plan(order, far, following, out_of_plan, reach, np.ascontiguousarray(need), bars)


def packing_order(
    near: Shorts, game: int, targets: Ints, sources: Ints, variant: int, budget: Budget
) -> tuple[Ints, Ints]:
    """The targets in the order in which they are filled, and the source from which each gets its box, or -1.

    The bits of `variant`: 1, the player may be anywhere before each way; 2, the farthest box goes first. Raises
    LimitReached.
    """
    count = len(targets)
    removal = Removal(near, game, targets, sources, variant)
    order, source = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    for place in range(count - 1, -1, -1):
        budget.check()
        remove_box(removal)
        order[place], source[place] = removal.box, removal.end
    return order, source
