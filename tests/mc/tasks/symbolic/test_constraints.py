"""The sets of states without facts that exclude each other have just these states; no plan is lost by them."""

from collections.abc import Callable, Sequence
from itertools import accumulate, combinations, product

import pytest
from random_tasks import least_costs, random_task, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.semantics import completed
from puzzlemc.mc.tasks.symbolic import constraints as constraining
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.symbolic.constraints import constraints
from puzzlemc.mc.tasks.symbolic.derived import define_derived
from puzzlemc.mc.tasks.symbolic.order import variable_order
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import State, Task


def sets_of(task: Task, together: Sequence[int] | None) -> tuple[Coding, list[StateSet]]:
    """The sets, and the diagrams that they are made of."""
    coding = Coding(task, variable_order(task), Budget())
    define_derived(task, coding, Budget())
    return coding, constraints(task, coding, Budget(), together)


def every_state(task: Task) -> list[State]:
    """All states, also those that are not reachable."""
    values = [[0] if v in task.derived else range(size) for v, size in enumerate(task.domains)]
    return [completed(task, each) for each in product(*values)]


@pytest.mark.parametrize("most_nodes", [1, 20_000])
@pytest.mark.parametrize("make", [random_task, token_task])
def test_they_have_the_states_without_facts_that_exclude_each_other(
    make: Callable[[int], Task], most_nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constraining, "MOST_NODES", most_nodes)
    most = excluded = 0
    for seed in range(25):
        task = make(seed)
        smaller = reduction(task, Budget())
        assert smaller is not None
        first = [0, *accumulate(task.domains)]
        for together in (None, smaller.together):
            coding, found = sets_of(task, together)
            most = max(most, len(found))
            living = least_costs(task)
            for state in every_state(task)[:200]:
                facts = {*enumerate(state)}
                fits = all(len(facts & group) < 2 for group in inductive_groups(task))
                if together is not None:
                    numbers = [first[v] + value for v, value in enumerate(state) if v not in task.derived]
                    fits &= all(together[one] >> other & 1 for one, other in combinations(numbers, 2))
                assert all(coding.contains(each, state) for each in found) == fits
                assert fits or state not in living
                excluded += not fits
    assert excluded > 100
    assert (most > 1) == (most_nodes == 1)


def test_a_search_within_them_finds_a_cheapest_plan() -> None:
    found = [0, 0]
    for seed in range(120):
        task = random_task(seed) if seed % 2 else token_task(seed)
        smaller = reduction(task, Budget())
        assert smaller is not None
        search = SymbolicSearch(smaller.task, Budget(), smaller.together)
        for _ in search.turns():
            pass
        behind = search._sides[1]
        assert all(behind.closed & ~each == behind.images.empty for each in behind.images.constraints)
        plan, expected = search.plan(), uniform_cost(task, Budget())
        found[plan is None] += 1
        assert (plan is None) == (expected.plan is None)
        assert plan is None or check_plan(task, smaller.plan(plan)) == expected.bound
    assert min(found) > 10


def test_a_task_without_such_facts_has_no_sets() -> None:
    assert sets_of(switches(4), None)[1] == []
