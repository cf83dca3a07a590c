"""The pair excess: the bound on drawn levels, and in the search."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from oracle import least_cost_by_rules
from small_rooms import all_rows, level_of, open_rooms, prepared, rooms

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar import problem as rows_problem
from puzzlemc.mc.astar.problem import Problem, Side
from puzzlemc.mc.astar.search import EARNING, LOOKED, RESTED, estimates, search
from puzzlemc.mc.astar.sides import Goal, Progress
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.best_first import best_first
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.heuristics.build_tables import _is_bipartite, no_pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.search.state_table import PAUSED
from puzzlemc.mc.verdict import Reachable
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")
# The box on the right can move on only after the other one has made room, and that one must return.
IN_LINE = level_of("#######", "#     #", "#     #", "#@$$..#", "#     #", "#     #", "#######")

# Of the dual variables of an assignment, those at an end of their ranges show no pair that adds to the bound.
SEVERAL_DUALS = [
    level_of("########", "#    # #", "#.   $ #", "#     @#", "#.$$.  #", "##     #", "########"),
    level_of("########", "#.  @# #", "#    $ #", "#  $$  #", "#. #   #", "#.   # #", "########"),
    level_of("########", "#    . #", "#  . $ #", "#   #$##", "# $  .@#", "##     #", "########"),
]

APART = level_of(
    "##############",
    "#     ##     #",
    "# $ . ## . $ #",
    "#     ##     #",
    "#     ##     #",
    "### ###### ###",
    "#     @      #",
    "### ###### ###",
    "#     ##     #",
    "#     ##     #",
    "# $ . ## . $ #",
    "#     ##     #",
    "##############",
)


def bounds_of(side: Side) -> tuple[int, int]:
    """The bound of the first packed state of a side by single objects, and by pairs."""
    start = np.asarray(side.space.rows)[:1]
    alone, by_pairs = (int(estimates(side, start, with_pairs=with_pairs)[0]) for with_pairs in (False, True))
    return alone, by_pairs


def test_two_boxes_in_line_cost_two_pushes_more() -> None:
    _, problem = prepared(IN_LINE, "pushes")
    assert least_cost_by_rules(RULES, IN_LINE, "pushes") == 6
    assert bounds_of(problem.forward) == (4, 6)
    assert problem.backward is not None
    assert bounds_of(problem.backward)[0] == 4
    assert bounds_of(problem.backward)[1] in (4, 6)  # it depends on the player's location


@pytest.mark.parametrize("level", SEVERAL_DUALS)
def test_the_bound_takes_dual_variables_in_the_middle_of_their_ranges(level: Level) -> None:
    _, problem = prepared(level, "pushes")
    alone, by_pairs = bounds_of(problem.forward)
    assert by_pairs == alone + 2 == least_cost_by_rules(RULES, level, "pushes")


@pytest.mark.parametrize("side", [0, 1])
def test_pairs_are_never_above_the_least_cost(side: int) -> None:
    """Of each state, from both sides, in any order: another search knows the exact cost."""
    added = exact = 0
    for level in open_rooms(examples(15, 40)):
        _, problem = prepared(level, "pushes")
        _, other = prepared(level, "pushes")
        if problem.backward is None or other.backward is None or not problem.forward.pairs.at.shape[0]:
            continue
        known = all_rows(other.sides[1 - side])
        cost = np.asarray(other.sides[1 - side].space.node_info)[: len(known), 2]
        least = {row.tobytes(): paid for row, paid in zip(known, cost.tolist(), strict=True)}
        rows = np.array([row for row in all_rows(problem.sides[side]) if row.tobytes() in least], np.uint64)
        if not len(rows):
            continue
        rows = rows[np.random.default_rng(0).permutation(len(rows))]
        alone = estimates(problem.sides[side], rows, with_pairs=False)
        for row, low, high in zip(rows, alone, estimates(problem.sides[side], rows, with_pairs=True), strict=True):
            assert low <= high <= least[row.tobytes()]
            added += high > low
            exact += high == least[row.tobytes()] > low
    assert added > examples(300, 1000)
    assert exact > examples(300, 1000)


@pytest.mark.parametrize(
    ("ways", "has"),
    [
        ([(0, 1), (1, 2), (2, 3), (3, 0)], True),
        ([(0, 1), (1, 2), (2, 0)], False),
        ([(0, 1), (2, 3), (3, 4), (4, 2)], False),
        ([(0, 1), (2, 3)], True),
        ([(1, 1)], False),
    ],
)
def test_a_graph_is_bipartite_if_it_has_no_odd_cycle(ways: list[tuple[int, int]], *, has: bool) -> None:
    before, after = np.array(ways, np.int64).T
    assert _is_bipartite(5, before, after) is has


def test_no_pair_tables_are_made_if_walks_cost() -> None:
    _, problem = prepared(IN_LINE, "moves")
    assert not any(side.pairs.at.shape[0] for side in problem.sides)


def test_pairs_rest_where_they_defer_next_to_nothing() -> None:
    """Boxes in rooms of their own are seldom in each other's way; in one room they are."""
    _, problem = prepared(APART, "pushes")
    goal, progress = Goal(problem.goal_mask[:0], problem.goal_value[:0]), Progress(1)
    side = problem.forward
    looks = []
    for _ in range(4 * LOOKED):
        if side.rest:
            break
        looks.append((side.looked, side.deferred))
        side.grow()
        assert search(side, goal, progress, 1, False) == PAUSED
    looked, deferred = looks[-1]
    assert looked == LOOKED - 1
    assert EARNING * deferred < looked
    assert (side.looked, side.deferred) == (0, 0)
    side.grow()
    search(side, goal, progress, 10, False)
    assert (side.looked, side.rest) == (0, RESTED - 10)

    _, problem = prepared(IN_LINE, "pushes")
    side, progress = problem.forward, Progress(1)
    side.grow()
    search(side, goal, progress, 2, False)
    assert side.deferred > 0


def test_search_for_any_plan_uses_neither_pairs_nor_stubborn_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def noted(name: str) -> None:
        there = getattr(rows_problem, name)

        def call(*arguments: object) -> object:
            looked.append(name)
            return there(*arguments)

        monkeypatch.setattr(rows_problem, name, call)

    noted("pairs_of")
    noted("stubborn_sets_of")
    model, _ = prepared(IN_LINE, "pushes")
    assert set(looked) == {"pairs_of", "stubborn_sets_of"}
    looked.clear()
    assert isinstance(best_first(model, ANY, Budget()), Reachable)
    assert not looked


@pytest.mark.parametrize("side", [0, 1])
def test_pairs_that_are_skipped_add_nothing(side: int) -> None:
    skipped = 0
    for level in [*rooms(examples(25, 60)), IN_LINE]:
        _, problem = prepared(level, "pushes")
        if problem.backward is None or not problem.sides[side].pairs.at.shape[0]:
            continue
        rows = all_rows(problem.sides[side])
        bounds = estimates(problem.sides[side], rows, with_pairs=True).tolist()
        hinders = np.asarray(problem.sides[side].pairs.hinders)
        skipped += int((hinders == 0).sum())
        hinders[:] = 1
        assert estimates(problem.sides[side], rows, with_pairs=True).tolist() == bounds
    assert skipped


def without_pairs(problem: Problem) -> Problem:
    """The same problem without the bound of pairs."""
    forward, backward = (
        side and Side(side.tables, side.frozen, side.stubborn, no_pairs(), side.space)
        for side in (problem.forward, problem.backward)
    )
    assert forward is not None
    return replace(problem, forward=forward, backward=backward)


@pytest.mark.parametrize("both_ends", [True, False])
def test_pairs_do_not_change_least_costs(both_ends: bool) -> None:
    """And the search visits fewer positions with them."""
    seen = {True: 0, False: 0}
    prepare = explicit.prepare
    for level in [*rooms(examples(50, 120)), IN_LINE]:
        model = RULES.encodings["compact"](level).model
        least = least_cost_by_rules(RULES, level, "pushes")
        for known in seen:

            def made(*arguments: Any, known: bool = known, **options: Any) -> Any:
                problem = prepare(*arguments, **options, both_ends=both_ends)
                return problem if known else without_pairs(problem)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(explicit, "PATTERNS", {1: 1})
                patch.setattr(explicit, "prepare", made)
                patch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
                verdict = astar(model, "pushes", Budget())
            if isinstance(verdict, Reachable):
                assert verdict.optimal
                assert verdict.cost == least
                verdict.trace.check(model)
                seen[known] += verdict.statistics.states
            else:
                assert least is None
    assert seen[True] < seen[False]
