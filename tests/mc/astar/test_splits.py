"""The splits of a search from both sides: which side expands its next layer, and where both begin."""

import random
from collections.abc import Iterator

import numpy as np
from oracle import least_cost_by_rules
from small_rooms import level_of, prepared, rooms

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar.problem import Side
from puzzlemc.mc.astar.search import meet
from puzzlemc.mc.astar.sides import Progress
from puzzlemc.mc.heuristics.build_tables import no_pairs
from puzzlemc.mc.search.state_table import PAUSED
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")
SEEDS = 18, 48, 65, 91, 121, 125, 130, 147, 222, 271, 348, 375, 448, 533  # several limits, both sides
# The player must go around, and the boxes must not block the way: three limits are too low.
WIDE = level_of("##########", "#        #", "# $ ##   #", "#@$  # . #", "# $    . #", "#   #  . #", "##########")
WIDE_PUSHES = 20  # a search by the plain rules takes five seconds for it: only long runs do it again


def larger_rooms() -> Iterator[Level]:
    """Rooms with four boxes in which the first limits are too low."""
    for seed in SEEDS:
        dice = random.Random(seed)
        cells = [(row, column) for row in range(6) for column in range(6)]
        marks = dict(zip(dice.sample(cells, 12), "@$$$$....###", strict=True))
        lines = ["".join(marks.get((row, column), " ") for column in range(6)) for row in range(6)]
        yield level_of("#" * 8, *(f"#{line}#" for line in lines), "#" * 8)


def lowest(side: Side) -> tuple[int, int]:
    """The least g of the open entries of a side, and how many have it."""
    buckets, entries = np.asarray(side.space.open_buckets), np.asarray(side.space.entries)
    cost = int(np.flatnonzero(buckets >= 0)[0])
    count, number = 0, int(buckets[cost])
    while number >= 0:
        count, number = count + 1, int(entries[number, 1])
    return cost, count


def steps(level: Level) -> Iterator[tuple[list[Side], Progress]]:
    """The sides and the progress after each expansion, without the bound of pairs, which puts states off."""
    _, problem = prepared(level, "pushes")
    if problem.backward is None:
        return
    sides = [Side(each.tables, each.frozen, each.stubborn, no_pairs(), each.space) for each in problem.sides]
    progress, status = Progress(), PAUSED
    while status == PAUSED:
        for side in sides:
            side.grow()
        status = meet(*sides, progress, problem.least_step_cost, 1)
        yield sides, progress


def test_the_side_whose_next_two_layers_are_smaller_raises_its_split() -> None:
    """The next layer is that of the open states of least g, and the one after it grows as this one has grown."""
    raised, growing = [0, 0], 0
    for level in larger_rooms():
        last: list[int | None] = [0, 0]  # None: a layer that no call has ended before
        sizes, before, limit = None, [0, 0], -1
        for sides, progress in steps(level):
            splits = [progress.split, progress.other_split]
            if progress.limit != limit:
                limit, last = progress.limit, [None if split else 0 for split in splits]
            elif sizes is not None:
                chosen = 0 if splits[0] != before[0] else 1
                assert splits[1 - chosen] == before[1 - chosen]
                if last[0] is not None and last[1] is not None:
                    both = [
                        size + (size**2 // old if old else size) for size, old in zip(sizes, last, strict=True)
                    ]
                    assert chosen == int(both[0] > both[1])
                    raised[chosen] += 1
                    growing += chosen != int(sizes[0] > sizes[1])
                last[chosen] = sizes[chosen]
            before, sizes = splits, None
            if all(side.space.open_count for side in sides):
                (cost, size), (other_cost, other_size) = map(lowest, sides)
                if cost >= splits[0] and other_cost >= splits[1] and cost + other_cost < limit:
                    sizes = [size, other_size]
    assert min(raised) > 10
    assert growing > 5


def test_splits_begin_at_0_again_with_each_limit() -> None:
    smaller = [0, 0]
    for level in larger_rooms():
        limit, before = 0, [0, 0]
        for _, progress in steps(level):
            splits = [progress.split, progress.other_split]
            for side in range(2):
                smaller[side] += progress.limit > limit and splits[side] < before[side]
            limit, before = progress.limit, splits
    assert min(smaller) > 1


def test_the_least_cost_is_found_whatever_the_order() -> None:
    is_known = bool(examples(1, 0))
    for level in [*rooms(examples(10, 150)), WIDE]:
        found = [progress.best for _, progress in steps(level)]
        known = level is WIDE and is_known
        least = WIDE_PUSHES if known else least_cost_by_rules(RULES, level, "pushes")
        if found and least is not None:
            assert found[-1] == least
