"""Evaluation of a position by the stages of a packing plan. Compiled: see `mc/words.py`."""

import cython

from puzzlemc.encodings.sokoban.fess.features.plan import Plan
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes
    from puzzlemc.encodings.sokoban.fess.features.lanes import FAR
    from puzzlemc.mc.words import Bytes2, Index, Ints, Ints2


class Stages:
    """The targets of a side in their order, and the distances at each stage.

    order, far, next, out_of_plan  as in `Plan`
    """

    order: Ints  # readonly
    far: Ints2  # readonly
    next: Ints2  # readonly
    out_of_plan: Bytes2  # readonly

    def __init__(self, made: Plan) -> None:
        self.order, self.far = view(made.order), view(made.far)
        self.next, self.out_of_plan = view(made.next), view(made.out_of_plan)


def stage_of(stages: Stages, floor: Floor) -> Index:  # public
    """The number of targets filled in the order of the plan."""
    stage: Index = 0
    while stage < stages.order.shape[0] and floor.on[stages.order[stage]]:
        stage += 1
    return stage


def distance_at(stages: Stages, stage: Index, boxes: Boxes, weight: Index) -> Index:  # public
    """The sum of distances of boxes to empty targets, plus `weight` times that of the next target to a box."""
    at: Index
    total: Index = 0
    nearest: Index = FAR
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        total += min(stages.far[stage, box], FAR)
        if stages.next[stage, box] > 0:
            nearest = min(nearest, stages.next[stage, box])
    return total + weight * nearest


def count_astray(stages: Stages, stage: Index, boxes: Boxes) -> Index:  # public
    """The number of boxes out of plan."""
    at: Index
    total: Index = 0
    for at in range(boxes.count):
        total += stages.out_of_plan[stage, boxes.cells[at]]
    return total
