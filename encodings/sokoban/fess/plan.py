"""Packing plans: in which order the targets of a side are filled, and what is far or in the way at each stage.

From the full targets backward, again and again the box is taken away that needs the fewest steps, against the
rules of the game, to a square where a box of this side starts; it vanishes there. The order of filling is the
reverse.
"""

from typing import Any, NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.fess.boards import NEVER, Bytes, Numbers, Shorts, Words
from puzzlemc.encodings.sokoban.fess.floods import flood
from puzzlemc.encodings.sokoban.fess.parking import Parking
from puzzlemc.mc.jit import cached, kernel
from puzzlemc.mc.limits import Watch

MOST_WORK = 1 << 23  # cells that are looked at for one target of a plan: some hundredths of a second


class Plan(NamedTuple):
    """What a side knows of its targets. At stage k the first k steps of the plan are done, and not the next one.

    held   (stages, words): the squares on which boxes stand then, as bits
    far    (stages, cells + 1): the steps of a lone box to the nearest target that is empty; the full ones are
           walls
    next   (stages, cells + 1): likewise to the square that the next step fills
    stray  (stages, cells + 1): would a box there be of no use for the targets up to one whose way it bars?

    And without stages, where a target may be filled as soon as that bars the way to no other:

    order  the targets as they are filled
    reach  (targets, cells + 1): the steps of a lone box to that target, without walls
    need   (targets, targets): must the second be filled before the first?
    bars   (targets, cells + 1): would a box there bar the way to the target, and not come there itself?
    """

    held: Words
    far: Shorts
    next: Shorts
    stray: Bytes
    order: Shorts
    reach: Shorts
    need: Bytes
    bars: Bytes


class Step(NamedTuple):
    """A step of a plan: the square that is filled, and what is left for it by a box that was parked there, or -1.

    source  where a box that was not parked starts, or -1
    """

    square: int
    left: int
    source: int


def plan(
    near: Numbers, game: int, targets: Shorts, sources: Shorts, variant: int, loose: bool, watch: Watch
) -> Plan:
    """The plan of a side; a loose one has no stages but the first and the last. Raises LimitReached."""
    cells, count = len(near) - 1, len(targets)
    steps = packing_steps(near, game, targets, sources, variant, not loose, watch)
    last = {step.square: at for at, step in enumerate(steps)}
    order = np.array(sorted(targets.tolist(), key=lambda target: last[target]), np.int32)
    reach = np.zeros((count, cells + 1), np.int32)
    bars = np.zeros((count, cells + 1), np.uint8)
    first = np.array([step.source for step in steps], np.int32)
    nothing = np.zeros(cells + 1, np.uint8)
    nothing[cells] = 1
    for target in range(count):
        watch.check()
        measure(near, game, nothing, order[target : target + 1], reach[target])
        mark_bars(near, game, nothing, order[target], first, bars[target])
    need = np.tril(bars[:, order].T, -1)
    bars[reach < NEVER] = 0
    if loose:
        full = np.zeros((2, cells + 1), np.uint8)
        full[1, targets] = 1
        none = np.zeros((0, cells + 1), np.int32)
        stages = (_as_bits(full), none, none, none.astype(np.uint8))
    else:
        stages = _stages(near, game, targets, steps, watch)
    return Plan(*stages, order, reach, np.ascontiguousarray(need), bars)


def _stages(
    near: Numbers, game: int, targets: Shorts, steps: list[Step], watch: Watch
) -> tuple[Words, Shorts, Shorts, Bytes]:
    """What stands where at each stage, what is far from its targets and its next square, and what is a stray."""
    cells = len(near) - 1
    stages = len(steps) + 1
    far = np.zeros((stages, cells + 1), np.int32)
    following = np.zeros((stages, cells + 1), np.int32)
    stray = np.zeros((stages, cells + 1), np.uint8)
    full = np.zeros((stages, cells + 1), np.uint8)
    full[:, cells] = 1
    for stage, step in enumerate(steps):
        full[stage + 1] = full[stage]
        full[stage + 1, step.square] = 1
        if step.left >= 0:
            full[stage + 1, step.left] = 0
    source = np.array([step.left if step.left >= 0 else step.source for step in steps], np.int32)
    for stage, step in enumerate(steps):
        watch.check()
        walls = full[stage].copy()
        measure(near, game, walls, targets, far[stage])
        if step.left >= 0:
            walls[step.left] = 0
        measure(near, game, walls, np.array([step.square], np.int32), following[stage])
        mark_bars(near, game, walls, step.square, source[stage:], stray[stage])
    gather_strays(full, far, following, stray)
    return _as_bits(full), far, following, stray


def _as_bits(full: Bytes) -> Words:
    """Sets of cells, the wall among them, as bits of the cells."""
    cells = full.shape[1] - 1
    held = np.zeros((len(full), cells // 64 + 1), np.uint64)
    held.view(np.uint8)[:, : (cells + 7) // 8] = np.packbits(full[:, :cells], axis=1, bitorder="little")
    return held


def packing_steps(
    near: Numbers, game: int, targets: Shorts, sources: Shorts, variant: int, with_parking: bool, watch: Watch
) -> list[Step]:
    """The steps in which the targets are filled, among them those of boxes that are parked elsewhere before.

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
    found: list[Step] = []
    parking: Parking | None = None
    left = targets.copy()
    player, parked = -1, 0
    while len(left):
        watch.check()
        now = -1 if variant & 1 else player
        arrays = (variant, steps, waiting, reached, queue)
        box, end, player = take(near, game, left, on, is_source, is_target, now, 0, 1, *arrays)
        if box < 0:
            # The next may be where one started that is on its way already.
            box, end, player = take(near, game, left, on, was_source, is_target, now, 0, 1, *arrays)
        if box < 0 and with_parking and parked <= 2 * count:
            parking = parking or Parking(near, game, targets, was_source)
            ways = parking.ways(on, left, now, watch)
            if ways and ways[0]:
                for here, there in ways[0]:
                    found.append(Step(here, there, -1))
                    on[here], on[there] = 0, 1
                    left[left == here] = there
                    parked += 1
                player = ways[1]
                continue
            parked = 2 * count + 1
        if box < 0:
            box, end, player = take(near, game, left, on, is_source, is_target, now, 1, 3, *arrays)
        found.append(Step(box, -1, end))
        left = left[left != box]
        on[box] = 0
        if end >= 0:
            is_source[end] = 0
    return found[::-1]


@kernel()
def take_away(  # type: ignore[no-untyped-def]
    near, game, targets, on, is_source, is_target, player, since, until, variant, steps, waiting, reached, queue
):
    """The box that is taken away next, the source to which it comes or -1, and where the player is then.

    Where no box comes to a source, one goes to a square that is no target; after MOST_WORK, or where none does,
    any.
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
                # The player walks round the box: to the other sides that are reached without crossing it.
                reached[:] = 0
                reached[here] = 1
                many, _ = flood(near, on, near[here, side], queue, reached, 1)
                work += many
                for new in range(4):
                    stand = near[here, new]
                    if on[stand] or reached[stand] == 0:
                        continue
                    # Against the rules of the game: a push is taken back by a pull.
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
    """Fill in the steps of a lone box to the squares that stand in `waiting`, against the rules, breadth first."""
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
    """How far a lone box is from the targets that are no walls. Where walls are, 0."""
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
    """Mark the squares on which a box bars the way of every box that is still to come to a goal."""
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
def gather_strays(full, far, following, stray):  # type: ignore[no-untyped-def]
    """From the bars of each stage make the strays: no use until then, and in the way."""
    count = len(full) - 1
    cells = far.shape[1] - 1
    for stage in range(count):
        for cell in range(cells):
            result = 1 if far[stage, cell] >= 32767 else 0
            for later in range(stage, count):
                if following[later, cell] < 32767:
                    break
                if stray[later, cell]:
                    result = 1
                    break
            # Only later stages are read from here on.
            stray[stage, cell] = result
        for cell in range(cells):
            if full[stage, cell]:
                stray[stage, cell] = 0
