"""The assignment bound of a state, computed from the assignment of another one."""

import random
from itertools import permutations

import numpy as np
from small_rooms import level_of, prepared, rooms

from puzzlemc.mc.astar import search
from puzzlemc.mc.astar.problem import Problem, Side
from puzzlemc.mc.astar.search import estimates
from puzzlemc.mc.astar.sides import Goal, Progress
from puzzlemc.mc.heuristics.build_tables import no_frozen, no_pairs, no_stubborn_sets
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.packed.layout import PackedStates

SEVEN_BOXES = level_of(
    "##########", "#  #   . #", "# $$ #$. #", "#@$  # $.#", "## $##$ .#", "#   .#.  #", "#  #  . ##", "##########"
)


def seen(side: Side, problem: Problem, steps: int) -> PackedStates:
    """States that a search of the side alone sees in that many expansions."""
    goal, progress = Goal(problem.goal_mask[:0], problem.goal_value[:0]), Progress(1)
    for _ in range(steps):
        side.grow()
        search.search(side, goal, progress, 1, False)
    states: PackedStates = np.asarray(side.space.rows)[: side.size].copy()
    return states


def by_all_assignments(side: Side, problem: Problem, states: PackedStates) -> list[int]:
    """The bound of each state: the least cost of all assignments."""
    distance, layout = np.asarray(side.tables.distance).astype(np.int64), problem.layout
    targets = distance.shape[2]
    if not targets:
        return [0] * len(states)
    every = np.array([*permutations(range(targets))])
    objects = layout.unpacked(states & layout.objects)
    costs = (
        distance[int(state[0]) & layout.key][np.flatnonzero(held)][np.arange(targets), every].sum(axis=1).min()
        for state, held in zip(states, objects, strict=True)
    )
    return [min(INFINITE, int(cost)) for cost in costs]


def check(problem: Problem, steps: int) -> int:
    """Compare bounds of states in the order of a search and in a random one; return the number of dead states."""
    dead = 0
    for side in problem.sides:
        alone = Side(
            side.tables, no_frozen(problem.layout), no_stubborn_sets(problem.layout), no_pairs(), side.space
        )
        states = seen(alone, problem, steps)
        expected = by_all_assignments(alone, problem, states)
        assert estimates(alone, states, with_pairs=False).tolist() == expected
        order = random.Random(steps).sample(range(len(states)), len(states))
        assert estimates(alone, states[order], with_pairs=False).tolist() == [expected[at] for at in order]
        dead += expected.count(INFINITE)
    return dead


def test_bounds_from_the_assignment_of_another_state_are_right() -> None:
    _, problem = prepared(SEVEN_BOXES, "pushes")
    assert check(problem, 300) > 0
    for level in rooms(60):
        check(prepared(level, "pushes")[1], 60)
    for level in rooms(20):
        check(prepared(level, "moves")[1], 60)


def test_bounds_beside_frozen_objects_do_not_depend_on_the_state_before() -> None:
    _, problem = prepared(SEVEN_BOXES, "pushes")
    states = seen(problem.forward, problem, 3000)
    side = problem.forward

    def fresh(state: PackedStates) -> int:
        new = Side(side.tables, side.frozen, side.stubborn, side.pairs, side.space)
        return int(estimates(new, state[None, :], with_pairs=False)[0])

    some = states[:: max(1, len(states) // 2000)]
    assert estimates(side, some, with_pairs=False).tolist() == [fresh(state) for state in some]
