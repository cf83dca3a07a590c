"""The bound of triples: on drawn levels, against exact costs, and in the search."""

import numpy as np
import pytest
from oracle import least_cost_by_rules
from small_rooms import all_rows, level_of, open_rooms, prepared, rooms

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar.problem import Side
from puzzlemc.mc.astar.search import estimates, estimates_by_triples, meet
from puzzlemc.mc.astar.sides import Progress
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.heuristics import build_triples
from puzzlemc.mc.heuristics.build_triples import _prices, no_triples
from puzzlemc.mc.heuristics.triples import sorted_number, triple_number
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.packed.costs import INFINITE, NEVER
from puzzlemc.mc.search.state_table import FULL, PAUSED
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")
# In some positions of these rooms, three boxes block each other, and no two of them.
LARGER = level_of("########", "#      #", "#      #", "#@$$$..#", "#     .#", "#      #", "########")
SMALLER = level_of("#######", "##  .@#", "# $$  #", "#  #$.#", "#   . #", "#######")
THREE_IN_LINE = level_of("########", "#      #", "#@$$$..#", "#     .#", "########")


def test_numbers_of_triples_count_them() -> None:
    triples = [(one, two, three) for three in range(6) for two in range(three) for one in range(two)]
    assert [triple_number(*some) for some in triples] == list(range(20))
    assert {sorted_number(*some) for some in [(1, 3, 4), (3, 1, 4), (4, 3, 1), (3, 4, 1)]} == {
        triple_number(1, 3, 4)
    }


def test_prices_are_dual_variables_of_an_assignment() -> None:
    """Both objects are nearest to the first target; its price is what the second best costs more."""
    costs = np.array([[[1, 5], [1, 9]]], np.int64)
    prices = _prices(costs)
    assert (costs[0] - prices).min(axis=1).sum() + prices.sum() == 6
    assert _prices(np.full((1, 2, 2), INFINITE, np.int64)).tolist() == [0, 0]


@pytest.mark.parametrize("side", [0, 1])
def test_triples_are_never_above_the_least_cost(side: int) -> None:
    """Of each state, from both sides: another search knows the exact cost."""
    above_pairs = infinite = 0
    for level in [*rooms(examples(20, 40)), LARGER, SMALLER]:
        if len(level.start.boxes) < 3:
            continue
        _, problem = prepared(level, "pushes")
        _, other = prepared(level, "pushes")
        if other.backward is None:  # a goal that no box reaches
            continue
        exact = all_rows(other.sides[1 - side])
        cost = np.asarray(other.sides[1 - side].space.node_info)[:, 2]
        least = {row.tobytes(): int(cost[number]) for number, row in enumerate(exact)}
        rows = all_rows(problem.sides[side])
        problem.sides[side].use_triples(problem.layout, Budget())
        assert problem.sides[side].triples.at.shape[0] > 0
        bounds = estimates_by_triples(problem.sides[side], rows)
        pairs = estimates(problem.sides[side], rows, with_pairs=True)
        for row, bound, by_pairs in zip(rows, bounds.tolist(), pairs.tolist(), strict=True):
            if row.tobytes() in least:
                assert bound <= least[row.tobytes()]
                above_pairs += bound > by_pairs
        infinite += int((bounds >= INFINITE).sum())
    assert above_pairs
    assert infinite


@pytest.mark.parametrize("side", [0, 1])
def test_triples_that_are_skipped_add_nothing(side: int) -> None:
    skipped = 0
    for level in [*rooms(examples(20, 40)), LARGER]:
        if len(level.start.boxes) < 3:
            continue
        _, problem = prepared(level, "pushes")
        if problem.backward is None:
            continue
        rows = all_rows(problem.sides[side])
        problem.sides[side].use_triples(problem.layout, Budget())
        bounds = estimates_by_triples(problem.sides[side], rows).tolist()
        adding = np.asarray(problem.sides[side].triples.adding)
        every = [(1 << second) - 1 for third in range(1, len(adding)) for second in range(third)][: len(adding)]
        skipped += int((adding[:, 0] != every).sum())
        adding[:, 0] = every
        assert estimates_by_triples(problem.sides[side], rows).tolist() == bounds
    assert skipped


@pytest.mark.parametrize("both_ends", [True, False])
def test_triples_do_not_change_least_costs(both_ends: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the search visits fewer states with them."""
    prepare = explicit.prepare
    monkeypatch.setattr(explicit, "PATTERNS", {1: 1})
    monkeypatch.setattr(explicit, "prepare", lambda *args, **more: prepare(*args, **more, both_ends=both_ends))
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    seen = {True: 0, False: 0}
    for level in [*rooms(examples(40, 100)), THREE_IN_LINE]:
        model = RULES.encodings["compact"](level).model
        least = least_cost_by_rules(RULES, level, "pushes")
        for uses in seen:
            monkeypatch.setattr(explicit, "TRIPLES_FROM", 1 if uses else 1 << 60)
            verdict = astar(model, "pushes", Budget())
            if isinstance(verdict, Reachable):
                assert verdict.optimal
                assert verdict.cost == least
                verdict.trace.check(model)
                seen[uses] += verdict.statistics.states
            else:
                assert isinstance(verdict, Unreachable)
                assert least is None
    assert seen[True] < seen[False]


def cost_from_both_sides(level: Level, known: int, *, uses_triples: bool) -> int:
    """The least cost by bidirectional search if a plan of cost `known` is known, NEVER if there is none."""
    _, problem = prepared(level, "pushes")
    assert problem.backward is not None
    progress = Progress()
    progress.best = known
    for side in problem.sides if uses_triples else ():
        side.use_triples(problem.layout, Budget())
        assert side.triples.at.shape[0] > 0
    while meet(problem.forward, problem.backward, progress, 1, 1000) in (PAUSED, FULL):
        for side in problem.sides:
            side.grow()
    return int(progress.best)


def test_prices_do_not_change_the_least_cost_if_a_dearer_plan_is_known() -> None:
    tried = 0
    for level in open_rooms(examples(15, 40)):
        if prepared(level, "pushes")[1].backward is None:
            continue
        least = cost_from_both_sides(level, NEVER, uses_triples=False)
        if least < NEVER:
            assert cost_from_both_sides(level, least + 2, uses_triples=True) == least
            tried += 1
    assert tried > examples(5, 20)


def test_a_search_that_proves_uses_no_triples(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(explicit, "TRIPLES_FROM", 1)
    monkeypatch.setattr(Side, "use_triples", lambda *_: looked.append(True))
    model, _ = prepared(THREE_IN_LINE, "pushes")
    assert isinstance(astar(model, "pushes", Budget(), proving="bits"), Reachable)
    assert not looked
    monkeypatch.setattr(explicit, "PATTERNS", {1: 1})
    assert isinstance(astar(model, "pushes", Budget()), Reachable)
    assert looked


@pytest.mark.parametrize(("name", "value"), [("MOST_TRIPLES", 3), ("REGIONS", 0), ("SHARE", 1 << 60)])
def test_tables_that_are_too_large_are_not_made(name: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_triples, name, value)
    _, problem = prepared(THREE_IN_LINE, "pushes")
    problem.forward.use_triples(problem.layout, Budget())
    assert problem.forward.triples is no_triples()


def test_tables_look_at_the_clock() -> None:
    _, problem = prepared(THREE_IN_LINE, "pushes")
    with pytest.raises(LimitReached):
        problem.forward.use_triples(problem.layout, Budget(Limits(seconds=0.0)))


def test_two_boxes_have_no_triples() -> None:
    _, problem = prepared(level_of("######", "#@$$ #", "# .. #", "#    #", "######"), "pushes")
    problem.forward.use_triples(problem.layout, Budget())
    assert problem.forward.triples is no_triples()
