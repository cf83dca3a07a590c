"""Landmark cut is a lower bound in each reachable state, and its search agrees with the textbook search."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from random_tasks import least_costs, random_task, reachable_states, switches, token_task

from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.estimate import bound_of
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.landmark_cut import LandmarkCut
from puzzlemc.mc.planning.landmarks import LandmarkSearch
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.tasks.semantics import check_plan, initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable
from puzzlemc.mc.tasks.textbook import uniform_cost

QUICK, ALL = 200, 2500
COUNTED = Task(  # two lamps, each with a switch of its own, and one that switches both on at the cost of both
    (TaskVariable("a", ("off", "on")), TaskVariable("b", ("off", "on"))),
    (0, 0),
    {0: 1, 1: 1},
    (
        Operator("a", {}, (Effect(0, 1),), 2),
        Operator("b", {}, (Effect(1, 1),), 3),
        Operator("both", {}, (Effect(0, 1), Effect(1, 1)), 5),
    ),
)
# One operator with two conditional effects: its cost counts once, though each effect is a landmark.
ONCE = replace(COUNTED, operators=(Operator("both", {}, (Effect(0, 1, {0: 0}), Effect(1, 1, {1: 0})), 4),))


def without_axioms(seed: int) -> Task:
    """A random task with conditional effects: the first one from this seed on that has no axioms."""
    task = random_task(seed)
    while task.axioms or task.derived:
        seed += 10_000
        task = random_task(seed)
    return task


def cut_of(task: Task) -> LandmarkCut:
    return LandmarkCut(relaxation(task), Operators(task))


def searched(task: Task) -> LandmarkSearch:
    search = LandmarkSearch(task, Budget())
    for _ in search.turns():
        pass
    return search


@pytest.mark.parametrize(("task", "cost"), [(COUNTED, 5), (ONCE, 4)])
def test_disjoint_cuts_are_summed(task: Task, cost: int) -> None:
    assert bound_of(cut_of(task), (0, 0)) == cost
    assert bound_of(cut_of(task), (1, 1)) == 0


@pytest.mark.parametrize("make", [without_axioms, token_task])
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_no_state_costs_less_than_its_bound(make: Callable[[int], Task], seeds: range) -> None:
    kinds = Counter[str]()
    for seed in seeds:
        task = make(seed)
        cut, costs = cut_of(task), least_costs(task)
        for state in reachable_states(task):
            bound, cost = bound_of(cut, state), costs.get(state)
            assert cost is None or bound <= cost
            kinds["dead" if bound >= INFINITE else "exact" if bound == cost else "lower"] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) > len(seeds) // 20


@pytest.mark.parametrize("make", [without_axioms, token_task])
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_agrees_with_the_textbook(make: Callable[[int], Task], seeds: range) -> None:
    solvable = 0
    for seed in seeds:
        task = make(seed)
        search, expected = searched(task), uniform_cost(task, Budget())
        plan = search.plan()
        assert (plan is None) == (expected.plan is None)
        if plan is not None:
            solvable += 1
            assert check_plan(task, plan) == expected.bound >= search.first_bound
        else:
            assert all(search.is_closed(state) for state in reachable_states(task))
    assert len(seeds) // 20 < solvable < len(seeds) - len(seeds) // 20


def test_what_it_does_not_take() -> None:
    dear = replace(COUNTED, operators=(*COUNTED.operators, Operator("dear", {}, (), 2**28)))
    with pytest.raises(Unsuitable, match="costs"):
        LandmarkSearch(dear, Budget())
    assert searched(dear.with_costs([2**28] * 4)).plan() is not None  # the costs are divided by a common divisor
    with_axioms = next(task for task in map(random_task, range(100)) if task.axioms)
    with pytest.raises(Unsuitable, match="axioms"):
        LandmarkSearch(with_axioms, Budget())


@pytest.mark.parametrize(
    ("limits", "reason"), [(Limits(seconds=0.2), "timeout"), (Limits(memory=1 << 20), "memory")]
)
def test_limits(limits: Limits, reason: str) -> None:
    search = LandmarkSearch(switches(20), Budget(limits))
    with pytest.raises(LimitReached, match=reason):
        for _ in search.turns():
            pass


def test_it_says_what_it_found() -> None:
    assert "at least 5 from the goal" in searched(COUNTED).statistics().found[0]
    dead = searched(replace(COUNTED, operators=()))
    assert (dead.plan(), dead.statistics().found[0]) == (None, "landmark cut: the start is dead")
    assert dead.is_closed(initial_state(COUNTED))
