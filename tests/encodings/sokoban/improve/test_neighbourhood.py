"""Neighbourhoods of plans of Sokoban: free boxes are pushed as little as possible, the others as in the plan."""

import heapq
import random
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_rooms import level_of

from examples import examples
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, RULES, ahead
from puzzlemc.encodings.sokoban.improve import fewer_pushes, improvement
from puzzlemc.encodings.sokoban.improve.fewer_pushes import FewerPushes
from puzzlemc.encodings.sokoban.improve.neighbourhood import NONE, OPEN, Neighbourhood, improve
from puzzlemc.encodings.sokoban.improve.plans import Plan, letters_of
from puzzlemc.encodings.sokoban.puzzle import PUZZLE as SOKOBAN
from puzzlemc.screens.sokoban import Cell, Level, State

ENOUGH = 1 << 16  # expansions: more than the neighbourhoods of small levels have
HALL = """\
########
#      #
# $  $ #
# .  .*#
#  @   #
# .  . #
# $  $ #
#      #
########
"""
PASSAGE = """\
########
### $. #
#@*    #
###    #
########
"""


class Walked(NamedTuple):
    """A level whose goals are where its boxes are after a random walk, and the walk, which is a solution."""

    level: Level
    moves: list[str]

    @property
    def boxes(self) -> int:
        """The number of boxes."""
        return len(self.level.start.boxes)


@st.composite
def walked(draw: st.DrawFn) -> Walked:
    """A room of at most 4 x 5 cells, wide or narrow, with one to three boxes; one may be without a goal."""
    rng = random.Random(draw(st.integers(0, 1 << 20)))
    while True:
        density = rng.choice((0.65, 0.75, 0.9))
        floor = tuple((r, c) for r in range(4) for c in range(5) if rng.random() < density)
        player, *boxes = rng.sample(floor, 1 + rng.randint(1, 3))
        position = State(player, frozenset(boxes))
        level, moves = Level("", "", (), floor, frozenset(), position), []
        for _ in range(100):
            found = list(RULES.steps(level, position))
            if found:
                step = rng.choice(found)
                position = step.position
                moves.append(step.name)
        if any(letter.isupper() for letter in moves):
            goals = rng.sample(sorted(position.boxes), rng.randint(max(1, len(boxes) - 1), len(boxes)))
            return Walked(replace(level, goals=frozenset(goals)), moves)


def pushes_of(level: Level, plan: list[str]) -> list[tuple[State, Cell, Cell]]:
    """The position before each push of a plan, and the cells of the box before and after it."""
    found, position = [], level.start
    for letter, after in zip(plan, SOKOBAN.play(level, plan).positions[1:], strict=True):
        if letter.isupper():
            box = ahead(position.player, DIRECTIONS[letter.lower()])
            found.append((position, box, ahead(box, DIRECTIONS[letter.lower()])))
        position = after
    return found


def fewest(level: Level, plan: list[str], free: frozenset[int]) -> int:
    """The fewest pushes of a solution in which boxes that are not free are pushed as in the plan, in that order.

    By uniform-cost search, step by step. Boxes are numbered in the order of their cells at the start.
    """
    owner = {cell: number for number, cell in enumerate(sorted(level.start.boxes))}
    events = []
    for _, before, after in pushes_of(level, plan):
        owner[after] = number = owner.pop(before)
        if number not in free:
            events.append((before, after))
    cells = sorted(level.start.boxes)
    first = (level.start.player, frozenset(cells[number] for number in free), 0)
    rest = [frozenset(cells) - first[1]]
    for before, after in events:
        rest.append(rest[-1] - {before} | {after})
    queue: list[tuple[int, int, tuple[Cell, frozenset[Cell], int]]] = [(0, 0, first)]
    seen, number = set(), 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        player, boxes, time = state
        if time == len(events) and level.goals <= boxes | rest[time]:
            return cost
        if state in seen:
            continue
        seen.add(state)
        for direction in DIRECTIONS.values():
            there = ahead(player, direction)
            beyond = ahead(there, direction)
            if there not in level.cells:
                continue
            held = boxes | rest[time]
            if there not in held:
                after_step, step = (there, boxes, time), 0
            elif beyond not in level.cells or beyond in held:
                continue
            elif there in boxes:
                after_step, step = (there, boxes - {there} | {beyond}, time), 1
            elif time < len(events) and events[time] == (there, beyond):
                after_step, step = (there, boxes, time + 1), 1
            else:
                continue
            number += 1
            heapq.heappush(queue, (cost + step, number, after_step))
    raise AssertionError("the plan itself is in the neighbourhood")


def pushes_after(walk: Walked, plan: Plan) -> int:
    """The pushes of the plan, which must be a solution by the plain rules."""
    return SOKOBAN.replay(walk.level, letters_of(plan)).costs["pushes"]


@given(walk=walked(), chosen=st.sets(st.integers(0, 5), min_size=1))
def test_free_boxes_take_the_fewest_pushes(walk: Walked, chosen: set[int]) -> None:
    level, moves = walk
    free = frozenset(number % walk.boxes for number in chosen)
    plan = improvement.plan_of(level, moves, "pushes")
    area = Neighbourhood(plan, ENOUGH)
    area.set_free(free)
    before = plan.count - 1
    found = improve(plan, area, 0, before, ENOUGH)
    assert found != OPEN
    least = fewest(level, moves, free)
    assert (before if found == NONE else found) == least == plan.count - 1
    assert pushes_after(walk, plan) == least


@settings(max_examples=examples(100, 500))
@given(
    walk=walked(),
    ends=st.tuples(st.integers(0, 100), st.integers(0, 100)),
    most=st.integers(1, 100),
)
def test_segments_stay_solutions(walk: Walked, ends: tuple[int, int], most: int) -> None:
    plan = improvement.plan_of(walk.level, walk.moves, "pushes")
    before = plan.count - 1
    first, last = sorted(end % (before + 1) for end in ends)
    area = Neighbourhood(plan, most)
    found = improve(plan, area, first, last, most)
    assert area.used <= most
    assert plan.count - 1 == (before if found < 0 else before - (last - first) + found)
    assert pushes_after(walk, plan) == plan.count - 1
    scale = len(walk.moves) + before * len(walk.level.floor) + 1
    assert plan.cost == scale * (plan.count - 1) + len(letters_of(plan))


@given(walk=walked())
def test_the_search_ends_with_the_fewest_pushes(walk: Walked) -> None:
    plan = improvement.plan_of(walk.level, walk.moves, "pushes")
    fewer, most = FewerPushes(plan), 1
    while not fewer.is_least:
        assert all(searched.expansions <= most for searched in fewer.search(most))
        most *= 2
    assert plan.count - 1 == fewest(walk.level, walk.moves, frozenset(range(walk.boxes)))
    assert not list(fewer.search(most))
    assert pushes_after(walk, plan) == plan.count - 1


def test_a_segment_ends_in_the_region_of_the_player() -> None:
    walk = Walked(level_of(PASSAGE), [*"RRdrruLLuR"])  # the player passes the box, which comes back
    plan = improvement.plan_of(walk.level, walk.moves, "pushes")
    area = Neighbourhood(plan, ENOUGH)
    assert improve(plan, area, 0, 4, ENOUGH) == NONE
    assert pushes_after(walk, plan) == 5


def free_boxes(most: int) -> set[int]:
    """The numbers of free boxes in the neighbourhoods that are searched in the hall."""
    plan = improvement.plan_of(level_of(HALL), [*"lluuRurDllddddRdrUruuuuurDldLrddLrddrU"], "pushes")
    return {searched.free for searched in FewerPushes(plan).search(most)}


def test_larger_neighbourhoods_wait_until_smaller_ones_are_exhausted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert free_boxes(1) == {1, 2, 5}  # most pairs are too large; five boxes are in windows
    assert free_boxes(ENOUGH) == {1, 2, 3, 4, 5}
    monkeypatch.setattr(fewer_pushes, "MOST_SETS", 4)
    assert free_boxes(ENOUGH) == {1, 2, 3, 5}


def test_four_boxes_are_free_only_if_no_three_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter([OPEN])

    def search(_plan: Plan, area: Neighbourhood, *_: int) -> int:
        return next(results, NONE) if sum(area.free) == 3 else NONE

    monkeypatch.setattr(fewer_pushes, "improve", search)
    assert free_boxes(ENOUGH) == {1, 2, 3, 5}
    assert free_boxes(ENOUGH) == {1, 2, 3, 4, 5}
