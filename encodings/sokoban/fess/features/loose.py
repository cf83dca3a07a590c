"""Loose plans: targets are filled in any order in which no box bars the way to an empty target.

A target is *packed* if it is filled and all targets that must be filled before it are packed. Packed boxes count
as walls. They divide the floor into components, and the other boxes and targets are useful only in the component
of the player. If a target there is reached by no box, or a box reaches no target, some box must be unpacked again.
Distances ignore these walls: one table of distances suffices, whereas there are as many sets of packed boxes as
positions.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.numbered import Shorts
from puzzlemc.encodings.sokoban.fess.domain.counters import Counters
from puzzlemc.encodings.sokoban.fess.domain.pairing import Pairing
from puzzlemc.encodings.sokoban.fess.features.lanes import Lanes
from puzzlemc.encodings.sokoban.fess.features.plan import Plan
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.encodings.sokoban.board.lone_box import NEVER
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes
    from puzzlemc.encodings.sokoban.fess.domain.pairing import augment, clear, find_gains
    from puzzlemc.encodings.sokoban.fess.features.lanes import FAR, lane_of
    from puzzlemc.mc.words import ALL, Bytes, Flag, Index, Ints, Word, Words, Words2, bit, lowest_bit


class Evaluation:
    """The packed targets of a position, and an evaluation of its other boxes.

    packed    the packed targets as bits
    nearest   by target: the steps of the nearest box, 0 if it is packed
    steps     by box: the steps to its nearest target, NEVER if it reaches none; -1 if it is packed or lifted
    lane      of the packed targets; lane 0 if packed boxes are not walls
    stage     the number of packed targets
    distance  the sum of the steps of each box to its nearest target
    astray    the number of boxes out of plan
    lost      the number of boxes that reach no target
    apart     the sum of `nearest`
    missed    the number of targets that no box reaches
    alone     in an exact plan, the number of targets that get no box of their own, in a largest matching of boxes
              and targets that they reach
    """

    packed: Words  # readonly
    nearest: Ints  # readonly
    steps: Ints  # readonly
    lane: Index  # readonly
    stage: Index  # readonly
    distance: Index  # readonly
    astray: Index  # readonly
    lost: Index  # readonly
    apart: Index  # readonly
    missed: Index  # readonly
    alone: Index  # readonly

    def __init__(self, targets: int, boxes: int) -> None:
        """An evaluation to fill in."""
        self.packed = view(np.zeros(targets // 64 + 1, np.uint64))
        self.nearest, self.steps = view(np.zeros(targets, np.int32)), view(np.zeros(boxes, np.int32))
        self.lane = self.stage = self.distance = self.astray = self.lost = self.apart = 0
        self.missed = self.alone = 0


class LoosePlan:
    """The loose plan of a side, and evaluations of a position.

    order      the targets as they are filled
    is_target  by cell
    need       by target: the targets that must be filled before it, as bits
    bars       by cell: the targets to which a box there would bar the way, as bits
    lanes      the targets that a box can reach
    pairing    of unpacked boxes and targets; its gains are those of `rest`
    walled     the penalty for a target or box that is lost while packed boxes stay; 0: packed boxes are no walls
    exact      whether each target needs a box of its own, and the player walks around the box; not without walls
    whole      the evaluation of the position; its distance includes the steps of targets to their nearest boxes
    rest       the evaluation of the position without its lifted box
    """

    order: Ints  # readonly
    is_target: Bytes  # readonly
    need: Words2  # readonly
    bars: Words2  # readonly
    lanes: Lanes  # readonly
    pairing: Pairing  # readonly
    walled: Index  # readonly
    exact: Flag  # readonly
    whole: Evaluation  # readonly
    rest: Evaluation  # readonly

    def __init__(
        self, near: Shorts, kind: int, made: Plan, walled: int, exact: bool, boxes: int, counters: Counters
    ) -> None:
        """The plan for `boxes` boxes; the work for lanes is added to the counters."""
        is_target = np.zeros(len(near), np.uint8)
        is_target[made.order] = 1
        self.order, self.is_target, self.walled = view(made.order), view(is_target), walled
        self.need, self.bars = view(_as_bits(made.need)), view(_as_bits(made.bars.T))
        self.exact = exact and walled > 0
        self.lanes = Lanes(near, kind, made.order, made.reach, self.exact, counters)
        self.pairing = Pairing(boxes, len(made.order))
        self.whole, self.rest = (Evaluation(len(made.order), boxes) for _ in range(2))


def _as_bits(flags: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Each row of flags as bits."""
    count, width = flags.shape
    result = np.zeros((count, width // 64 + 1), np.uint64)
    bits = np.packbits(flags, axis=1, bitorder="little")
    result.view(np.uint8)[:, : bits.shape[1]] = bits
    return result


def judge_rest(plan: LoosePlan, floor: Floor, boxes: Boxes, leave: Index, player: Index) -> None:  # public
    """Evaluate the position without the box of number `leave`, which is lifted: `plan.rest`."""
    _pack(plan, plan.rest, floor)
    plan.rest.lane = lane_of(plan.lanes, plan.rest.packed) if plan.walled else 0
    _judge_unpacked(plan, plan.rest, floor, boxes, leave, player)
    word: Index
    if plan.exact:
        for word in range(plan.rest.packed.shape[0]):
            plan.pairing.gains[word] = ALL ^ (plan.rest.packed[word] | plan.pairing.taken[word])
        find_gains(plan.pairing, plan.lanes.comes, plan.rest.lane, boxes)


def judge(plan: LoosePlan, floor: Floor, boxes: Boxes, player: Index) -> None:  # public
    """Evaluate a position from scratch: `plan.whole`."""
    _pack(plan, plan.whole, floor)
    plan.whole.lane = lane_of(plan.lanes, plan.whole.packed) if plan.walled else 0
    _judge_unpacked(plan, plan.whole, floor, boxes, -1, player)
    _sum_up(plan)


def judge_child(
    plan: LoosePlan, floor: Floor, boxes: Boxes, target: Index, begun: Index, player: Index
) -> None:  # public
    """Evaluate a position (`plan.whole`) from `judge_rest` of its parent without the box that is on `target` now.

    begun, player  the cell of the player before and after the move
    """
    if plan.is_target[target]:
        _pack(plan, plan.whole, floor)
        if plan.whole.stage != plan.rest.stage:
            plan.whole.lane = lane_of(plan.lanes, plan.whole.packed) if plan.walled else 0
            if plan.whole.stage == plan.rest.stage + 1 and _bars_nothing(plan, boxes, begun, player):
                _judge_packed(plan, boxes, target, player)
            else:
                _judge_unpacked(plan, plan.whole, floor, boxes, -1, player)
            _sum_up(plan)
            return
    # The lanes of other children may have taken the place of this one.
    plan.rest.lane = lane_of(plan.lanes, plan.rest.packed) if plan.walled else 0
    if plan.lanes.parts[plan.rest.lane, begun] != plan.lanes.parts[plan.rest.lane, player]:
        judge(plan, floor, boxes, player)
    else:
        _add_box(plan, target, player)


def _pack(plan: LoosePlan, result: Evaluation, floor: Floor) -> None:
    """Find the packed targets."""
    words: Index = result.packed.shape[0]
    at: Index
    word: Index
    result.stage = 0
    for word in range(words):
        result.packed[word] = 0
    for at in range(plan.order.shape[0]):
        if floor.on[plan.order[at]] == 0:
            continue
        missing: Word = 0
        for word in range(words):
            missing |= plan.need[at, word] & (ALL ^ result.packed[word])
        if missing == 0:
            result.packed[at >> 6] |= bit(at & 63)
            result.stage += 1


def _sum_up(plan: LoosePlan) -> None:
    """Set the distance and the stage of `plan.whole`, whose boxes are evaluated."""
    plan.whole.distance += plan.whole.apart
    if plan.walled:
        lost: Index = plan.whole.alone if plan.exact else max(plan.whole.missed, plan.whole.lost)
        plan.whole.stage = max(0, plan.whole.stage - plan.walled * lost)


def _bars_nothing(plan: LoosePlan, boxes: Boxes, begun: Index, player: Index) -> Flag:
    """Do the boxes of `plan.rest` reach the same unpacked targets in the lane of `plan.whole`?

    False, too, if another lane has taken the place of that of `plan.rest`.
    """
    lane: Index = plan.whole.lane
    before: Index = plan.rest.lane
    part: Index = plan.lanes.parts[lane, player]
    part_before: Index = plan.lanes.parts[before, begun]
    at: Index
    word: Index
    for word in range(plan.rest.packed.shape[0]):
        if plan.walled and plan.lanes.sets[before, word] != plan.rest.packed[word]:
            return False
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        if plan.rest.steps[at] < 0:
            continue
        if (plan.lanes.parts[lane, box] == part) != (plan.lanes.parts[before, box] == part_before):
            return False
        for word in range(plan.rest.packed.shape[0]):
            changed: Word = plan.lanes.comes[lane, box, word] ^ plan.lanes.comes[before, box, word]
            if changed & (ALL ^ plan.whole.packed[word]):
                return False
    return True


def _judge_packed(plan: LoosePlan, boxes: Boxes, target: Index, player: Index) -> None:
    """Evaluate the boxes of `plan.rest` after the lifted one has been packed on `target`, and bars nothing."""
    lane: Index = plan.whole.lane
    part: Index = plan.lanes.parts[lane, player]
    number: Index = 0
    at: Index
    word: Index
    _clear(plan, plan.whole)
    while plan.order[number] != target:
        number += 1
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        if plan.rest.steps[at] < 0:
            continue
        if plan.lanes.parts[lane, box] != part:
            plan.whole.lost += 1
            plan.whole.distance += FAR
            continue
        barred: Word = 0
        for word in range(plan.whole.packed.shape[0]):
            barred |= plan.bars[box, word] & (ALL ^ plan.whole.packed[word])
        plan.whole.astray += barred != 0
        least: Index = plan.rest.steps[at]
        if plan.lanes.reach[box, number] == least:
            least = _nearest_steps(plan, lane, box)
        plan.whole.distance += min(least, FAR)
        plan.whole.lost += least == NEVER
        if plan.exact:
            augment(plan.pairing, plan.lanes.comes, lane, boxes, at)
    for at in range(plan.order.shape[0]):
        plan.whole.nearest[at] = 0
        if plan.whole.packed[at >> 6] & bit(at & 63) == 0:
            plan.whole.nearest[at] = plan.rest.nearest[at]
    _count_targets(plan, plan.whole)


def _nearest_steps(plan: LoosePlan, lane: Index, box: Index) -> Index:
    """The steps of a box to the nearest target that is not packed in `plan.whole`, or NEVER."""
    least: Index = NEVER
    word: Index
    for word in range(plan.whole.packed.shape[0]):
        left: Word = plan.lanes.comes[lane, box, word] & (ALL ^ plan.whole.packed[word])
        while left:
            least = min(least, plan.lanes.reach[box, 64 * word + lowest_bit(left)])
            left &= left - 1
    return least


def _clear(plan: LoosePlan, result: Evaluation) -> None:
    """Begin an evaluation; no box has a target."""
    result.distance = result.astray = result.lost = result.apart = result.missed = result.alone = 0
    clear(plan.pairing)


def _count_targets(plan: LoosePlan, result: Evaluation) -> None:
    """Sum up what is known of the targets."""
    target: Index
    for target in range(plan.order.shape[0]):
        own: Word = bit(target & 63)
        if plan.exact and (result.packed[target >> 6] | plan.pairing.taken[target >> 6]) & own == 0:
            result.alone += 1
        result.apart += result.nearest[target]
        result.missed += result.nearest[target] == FAR


def _judge_unpacked(
    plan: LoosePlan, result: Evaluation, floor: Floor, boxes: Boxes, leave: Index, player: Index
) -> None:
    """Evaluate the boxes that are not packed, except the box of number `leave`.

    The floor is marked with 2 meanwhile where a box is packed.
    """
    target: Index
    at: Index
    lane: Index = result.lane
    part: Index = plan.lanes.parts[lane, player]
    _clear(plan, result)
    for target in range(plan.order.shape[0]):
        packed: Flag = result.packed[target >> 6] & bit(target & 63) != 0
        result.nearest[target] = 0 if packed else FAR
        if packed:
            floor.on[plan.order[target]] = 2
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        result.steps[at] = -1
        if floor.on[box] == 2 or at == leave:
            continue
        result.steps[at] = NEVER
        if plan.lanes.parts[lane, box] != part:
            result.lost += 1
            result.distance += FAR
            continue
        least: Index = _near_targets(plan, result, lane, box)
        result.steps[at] = least
        result.distance += min(least, FAR)
        result.lost += least == NEVER
        if plan.exact:
            augment(plan.pairing, plan.lanes.comes, lane, boxes, at)
    for target in range(plan.order.shape[0]):
        if result.packed[target >> 6] & bit(target & 63):
            floor.on[plan.order[target]] = 1
    _count_targets(plan, result)


def _near_targets(plan: LoosePlan, result: Evaluation, lane: Index, box: Index) -> Index:
    """Let unpacked targets have this box if it is nearer, and count it if it is out of plan.

    Returns its steps to the nearest of them, or NEVER.
    """
    least: Index = NEVER
    barred: Word = 0
    word: Index
    for word in range(result.packed.shape[0]):
        barred |= plan.bars[box, word] & (ALL ^ result.packed[word])
        left: Word = plan.lanes.comes[lane, box, word] & (ALL ^ result.packed[word])
        while left:
            target: Index = 64 * word + lowest_bit(left)
            left &= left - 1
            steps: Index = plan.lanes.reach[box, target]
            least = min(least, steps)
            result.nearest[target] = min(result.nearest[target], steps)
    result.astray += barred != 0
    return least


def _add_box(plan: LoosePlan, box: Index, player: Index) -> None:
    """Evaluate the position with one more unpacked box."""
    word: Index
    lane: Index = plan.rest.lane
    least: Index = NEVER
    barred: Word = 0
    gained: Flag = False
    missed: Index = plan.rest.missed
    apart: Index = plan.rest.apart
    is_here: Flag = plan.lanes.parts[lane, player] == plan.lanes.parts[lane, box]
    for word in range(plan.rest.packed.shape[0]):
        barred |= plan.bars[box, word] & (ALL ^ plan.rest.packed[word])
        left: Word = plan.lanes.comes[lane, box, word] & (ALL ^ plan.rest.packed[word]) if is_here else 0
        gained = gained or left & plan.pairing.gains[word] != 0
        while left:
            target: Index = 64 * word + lowest_bit(left)
            left &= left - 1
            steps: Index = plan.lanes.reach[box, target]
            nearest: Index = plan.rest.nearest[target]
            least = min(least, steps)
            if steps < nearest:
                apart -= nearest - steps
                missed -= nearest == FAR
    plan.whole.distance = plan.rest.distance + apart + min(least, FAR)
    plan.whole.astray = plan.rest.astray + (barred != 0)
    plan.whole.stage = plan.rest.stage
    if plan.walled:
        lost: Index = max(missed, plan.rest.lost + (least == NEVER))
        if plan.exact:
            lost = plan.rest.alone - gained
        plan.whole.stage = max(0, plan.rest.stage - plan.walled * lost)
