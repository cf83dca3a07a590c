"""Tasks without operators that are in no plan: all cheapest plans are kept, and some operators go."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate

import pytest
from random_tasks import least_costs, painted_corridor, random_task, reachable_states, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.invariants import fact_pairs
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted, database
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning import reduction as reducing
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.planning.satisficing import some
from puzzlemc.mc.planning.satisficing.finders import finders
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.tasks.semantics import applied, holds, initial_state, successors
from puzzlemc.mc.tasks.task import Effect, Operator, Searched, Task

QUICK, ALL = 60, 700


@pytest.fixture
def _late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The finders have no plan in their first round, as in large tasks."""

    def late(task: Task, budget: Budget, work: int) -> Iterator[Searched | None]:
        yield None
        yield from finders(task, budget, work)

    monkeypatch.setattr(some, "finders", late)


@pytest.mark.usefixtures("_late")
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [random_task, lambda seed: random_task(seed, plain=True), token_task])
def test_an_operator_that_goes_is_in_no_plan(make: Callable[[int], Task], seeds: range) -> None:
    """No operator that was left out leads from a state on a way to the goal to another one.

    And all facts of such a state may hold together.
    """
    gone = 0
    for seed in seeds:
        task = make(seed)
        smaller = reduction(task, Budget())
        assert smaller is not None
        left_out = set(range(len(task.operators))).difference(smaller.numbers)
        gone += len(left_out)
        first = [0, *accumulate(task.domains)]
        living = least_costs(task)
        states = [initial_state(task)]
        for state in states:
            if state in living and smaller.together is not None:
                facts = [first[v] + value for v, value in enumerate(state) if v not in task.derived]
                assert all(smaller.together[one] >> other & 1 for one in facts for other in facts), seed
            for number, after in successors(task, state):
                assert not (number in left_out and state in living and after in living), seed
                if after not in states:
                    states.append(after)
        assert [task.operators[n] for n in smaller.numbers] == [*smaller.task.operators]
        found = uniform_cost(smaller.task, Budget())
        assert (found.plan is None) == (states[0] not in living)
        if found.plan is not None:
            assert check_plan(task, smaller.plan(found.plan)) == living[states[0]]
            plan = some_plan(task, Budget()).plan
            assert plan is not None
            check_plan(task, plan)
    assert gone > len(seeds) // 3


@pytest.mark.usefixtures("_late")
def test_cells_are_not_painted_from_the_wrong_side() -> None:
    task = painted_corridor(8)
    smaller = reduction(task, Budget())
    assert smaller is not None
    names = {operator.name for operator in smaller.task.operators}
    assert {f"paint {c} {c + 1}" for c in range(7)} <= names
    assert names.isdisjoint(f"paint {c} {c - 1}" for c in range(1, 8))
    found = some_plan(task, Budget())
    assert found.plan is not None
    state = initial_state(task)
    for number in found.plan:
        state = applied(task, task.operators[number], state)
    assert holds(task.goal, state)


def test_facts_exclude_each_other_that_no_plan_has_together() -> None:
    """No cell is painted behind the painter. Of tokens, nothing is known beside variables and groups."""
    task = painted_corridor(4)
    smaller = reduction(task, Budget())
    assert smaller is not None
    assert smaller.together is not None
    first = [0, *accumulate(task.domains)]
    for at in range(4):
        for cell in range(1, 4):
            is_plain, is_painted = (smaller.together[at] >> first[1 + cell] + value & 1 for value in range(2))
            assert is_plain
            assert is_painted == (cell > at)
    token = token_task(5)
    groups = reduction(token, Budget())
    assert groups is not None
    assert (groups.is_smaller, groups.together) == (False, None)
    without = reduction(replace(token, mutexes=()), Budget())
    assert without is not None
    assert without.together is not None


def test_a_search_leaves_out_what_no_plan_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Abstract states with facts that exclude each other are dead, and the search is shorter."""
    task = painted_corridor(6)
    smaller = reduction(task, Budget())
    assert smaller is not None
    for together, is_dead in ((None, False), (smaller.together, True)):
        pattern = database(Abstracted(task, 1, together), (0, 1 + 2), 1000)
        assert pattern is not None
        distances = pattern.distances(task.arrays.costs, BucketQueue(1024))
        assert bool(distances[pattern.index((4, 0, 0, 1, 0, 0, 0))] >= INFINITE) == is_dead
    monkeypatch.setattr(optimal, "STAGES", [replace(stage, expansions=2, pattern_size=0) for stage in STAGES])
    expanded = []
    for reduces in (False, True):
        search = PatternSearch(task, Budget(), reduces=reduces)
        for _ in search.turns():
            pass
        assert check_plan(task, search.plan() or ()) == uniform_cost(task, Budget()).bound
        expanded.append(search.search.expanded)
    assert expanded[1] < expanded[0] / 2


def test_a_smaller_task_is_looked_for_before_the_last_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(optimal, "STAGES", [replace(stage, expansions=2, pattern_size=0) for stage in STAGES])
    monkeypatch.setattr(optimal, "IN_VAIN", 9)
    monkeypatch.setattr(optimal, "reduction", lambda _, __, work: asked.append(work))
    for _ in PatternSearch(painted_corridor(6), Budget(), reduces=True).turns():
        pass
    assert asked == [optimal.REDUCTION * stage.work for stage in STAGES[1:-1]]


def test_a_task_without_plan_has_no_operators_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """All states that are reachable in it count as closed."""
    task = painted_corridor(4)
    hopeless = replace(task, goal={**task.goal, 0: 3})
    smaller = reduction(hopeless, Budget())
    assert smaller is not None
    assert not smaller.task.operators
    assert some_plan(hopeless, Budget()).plan is None
    monkeypatch.setattr(optimal, "STAGES", [replace(stage, expansions=1, pattern_size=0) for stage in STAGES])
    given = Operator(
        "given", {0: 3, 4: 1}, (Effect(4, 0, {3: 1}),)
    )  # no stubborn sets where effects have conditions
    hopeless = replace(hopeless, operators=(*hopeless.operators, given))
    search = PatternSearch(hopeless, Budget(), reduces=True)
    for _ in search.turns():
        pass
    assert search.plan() is None
    assert not search.reduced.task.operators
    assert all(search.is_closed(state) for state in reachable_states(hopeless))


def test_it_is_left_where_it_takes_work(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reduction(painted_corridor(8), Budget(), 10_000) is None
    monkeypatch.setattr(fact_pairs, "SLICE", 50)
    assert reduction(painted_corridor(8), Budget(), reducing.RULES * 28 + reducing.SLICE) is None
    with pytest.raises(LimitReached):
        reduction(painted_corridor(8), Budget(Limits(seconds=0)))
    assert some_plan(painted_corridor(8), Budget(Limits(seconds=0))).limit == "timeout"
