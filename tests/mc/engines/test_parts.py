"""Independent parts: pairings against all others, bounds against exact costs, and plans in turns."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise, permutations

import numpy as np
import pytest
from oracle import least_cost_by_rules
from small_rooms import level_of, prepared, rooms

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.engines.parts import Groups, Solve, bound_of_parts, groups_of, merged, part_of
from puzzlemc.mc.engines.plan_finder import PlanFinder
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.verdict import Reachable, Unknown

RULES = puzzle("sokoban")
# The upper box must let the player through, and then stay off the lower box until it is pushed.
IN_TURNS = level_of("###########", "##  #######", "#@$   .  ##", "#### # #  #", "#    $  . #", "###########")


def alone(model: Model, one: Bit, target: Bit) -> int:
    """The least cost of one object by itself, large if it cannot reach the target."""
    verdict = astar(part_of(model, [one], [target]), "pushes", Budget())
    return verdict.cost if isinstance(verdict, Reachable) else 1000


def test_other_pairings_cost_what_the_groups_say() -> None:
    """Of all pairings, the costs by single objects are added."""
    exact = 0
    for level in [*rooms(150), IN_TURNS]:
        model, problem = prepared(level, "pushes")
        for groups in groups_of(problem):
            objects = [each for group in groups.objects for each in group]
            targets = [each for group in groups.targets for each in group]
            number = [i for i, group in enumerate(groups.objects) for _ in group]
            cost = [[alone(model, one, target) for target in targets] for one in objects]
            others = [
                sum(cost[i][to] for i, to in enumerate(each))
                for each in permutations(range(len(objects)))
                if any(number[i] != number[to] for i, to in enumerate(each))
            ]
            assert min(others) >= min(groups.otherwise, 1000)
            exact += min(others) == groups.otherwise
    assert exact


def test_there_are_no_groups_where_walks_cost_something() -> None:
    """Two groups share their walks, so the sum of their costs is no bound."""
    assert any(groups_of(prepared(IN_TURNS, "pushes")[1]))
    assert not any(groups_of(prepared(IN_TURNS, "moves")[1]))


def test_there_are_no_groups_without_a_pairing() -> None:
    """Three boxes reach only the target on the right."""
    lines = "########", "##@ . ##", "#  $$# #", "# .  $.#", "# $ #  #", "#    #.#", "########"
    assert not any(groups_of(prepared(level_of(*lines), "pushes")[1]))


def test_objects_that_are_near_are_merged_through_others() -> None:
    near = np.zeros((5, 5), np.bool_)
    for one, other in ((0, 3), (3, 4)):
        near[one, other] = near[other, one] = True
    assert merged(near).tolist() == [0, 1, 2, 0, 0]


def test_bounds_of_parts_are_never_above_the_least_cost() -> None:
    """And with a plan, they are the least cost; whatever the groups, and if their searches end early."""
    planned = without = 0
    for level in [*rooms(examples(80, 300)), IN_TURNS]:
        model, problem = prepared(level, "pushes")
        least = least_cost_by_rules(RULES, level, "pushes")
        for groups in groups_of(problem):
            for most in (1, 20, None):
                solve = partial(astar, metric="pushes", budget=Budget(), most_states=most)
                bound, plan = bound_of_parts(problem, groups, solve, Budget())
                assert least is None or bound <= least
                if plan is None:
                    without += 1
                    continue
                planned += 1
                verdict = problem.reachable(plan, "pushes", optimal=True)
                verdict.trace.check(model)
                assert verdict.cost == bound == least
    assert planned > examples(3, 30)
    assert without > examples(5, 30)


def test_plans_of_parts_are_executed_in_turns() -> None:
    """No plan comes whole before the other one."""
    model, problem = prepared(IN_TURNS, "pushes")
    groups = next(groups_of(problem))
    assert [len(each) for each in groups.objects] == [1, 1]
    bound, plan = bound_of_parts(problem, groups, partial(astar, metric="pushes", budget=Budget()), Budget())
    assert plan is not None
    verdict = problem.reachable(plan, "pushes", optimal=True)
    verdict.trace.check(model)
    assert verdict.cost == bound == least_cost_by_rules(RULES, IN_TURNS, "pushes")
    pushes = [action.name for action in verdict.trace.actions if action.name[0].isupper()]
    rows = [name.split("(")[1].split(",")[0] for name in pushes]
    assert sum(one != other for one, other in pairwise(rows)) > 1


def test_parts_do_not_change_least_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explicit, "PATTERNS", {1: 1})
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
    monkeypatch.setattr(explicit, "TRIPLES_FROM", 1)
    used = 0

    def counted(problem: Problem, groups: Groups, solve: Solve, budget: Budget) -> tuple[int, list[int] | None]:
        nonlocal used
        used += 1
        return bound_of_parts(problem, groups, solve, budget)

    add = PlanFinder.add
    replayed: list[bool] = []

    def noted(self: PlanFinder, actions: Sequence[Action]) -> None:
        self.best = None
        add(self, actions)
        replayed.append(self.best is not None)

    monkeypatch.setattr(explicit, "bound_of_parts", counted)
    monkeypatch.setattr(PlanFinder, "add", noted)
    for level in [*rooms(examples(80, 300)), IN_TURNS]:
        model = RULES.encodings["compact"](level).model
        least = least_cost_by_rules(RULES, level, "pushes")
        verdict = astar(model, "pushes", Budget())
        assert not isinstance(verdict, Unknown)
        if isinstance(verdict, Reachable):
            assert verdict.optimal
            verdict.trace.check(model)
        assert (verdict.cost if isinstance(verdict, Reachable) else None) == least
    assert used > examples(2, 10)
    assert replayed
    assert all(replayed)  # the search has the plans of the groups
