"""The sets of states without facts that exclude each other have just these states; no plan is lost by them."""

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import accumulate, combinations, product
from typing import TypeVar

import pytest
from random_tasks import least_costs, random_task, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.semantics import completed
from puzzlemc.mc.tasks.symbolic import coding as coded
from puzzlemc.mc.tasks.symbolic import constraints as constraining
from puzzlemc.mc.tasks.symbolic import images
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.symbolic.constraints import constraints, within
from puzzlemc.mc.tasks.symbolic.derived import define_derived
from puzzlemc.mc.tasks.symbolic.order import variable_order
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import State, Task, TaskVariable

T = TypeVar("T")


def sets_of(task: Task, together: Sequence[int] | None) -> tuple[Coding, list[StateSet]]:
    """The sets, and the diagrams that they are made of."""
    coding = Coding(task, variable_order(task), Budget())
    define_derived(task, coding, Budget())
    return coding, result(constraints(task, coding, Budget(), together))


def result(making: Generator[int, None, T]) -> T:
    """What a generator returns at its end."""
    made: list[T] = []

    def run() -> Iterator[int]:
        made.append((yield from making))

    for _ in run():
        pass
    return made[0]


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


@pytest.mark.parametrize("growth", [0, 1, 2])
def test_a_search_within_them_finds_a_cheapest_plan(growth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if each of them is left out before the first image, or after it."""
    if growth == 1:
        monkeypatch.setattr(images, "MOST_PRODUCT", 0)
    elif not growth:
        monkeypatch.setattr(images, "MOST_GROWTH", 0)
        monkeypatch.setattr(images, "MOST_NODES", 0)
    found, used = [0, 0], 0
    for seed in range(120):
        task = random_task(seed) if seed % 2 else token_task(seed)
        smaller = reduction(task, Budget())
        assert smaller is not None
        search = SymbolicSearch(smaller.task, Budget(), smaller.together)
        for _ in search.turns():
            pass
        behind = search._sides[1]
        assert all(behind.closed & ~each == behind.images.empty for each in behind.images.constraints)
        used += len(behind.images.constraints)
        plan, expected = search.plan(), uniform_cost(task, Budget())
        found[plan is None] += 1
        assert (plan is None) == (expected.plan is None)
        assert plan is None or check_plan(task, smaller.plan(plan)) == expected.bound
    assert min(found) > 10
    assert (used > 100) == (growth > 1)


def equal_bits(coding: Coding, numbers: Sequence[int]) -> StateSet:
    """The bits with these numbers are equal to the ones 20 places behind."""
    found = coding.universe
    for number in numbers:
        found &= coding.union(coding.condition({number: value, number + 20: value}) for value in (0, 1))
    return found


def test_a_set_that_would_make_others_too_large_is_left_out() -> None:
    bits = tuple(TaskVariable(f"v{n}", ("0", "1")) for n in range(40))
    coding = Coding(Task(bits, (0,) * 40, {}, ()), range(40), Budget())
    low, high = (equal_bits(coding, numbers) for numbers in (range(10), range(10, 20)))
    assert max(len(low), len(high)) < 20_000
    nodes = coding.nodes()
    small = [coding.condition({0: 1}), coding.condition({1: 1})]
    states, used = within(low, [small[0], high, small[1]])
    assert states == low & small[0] & small[1]
    assert used == small
    assert coding.nodes() - nodes < 10_000  # the intersection has a million


def test_sets_that_are_too_large_are_not_united(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = tuple(TaskVariable(f"v{n}", ("0", "1")) for n in range(40))
    coding = Coding(Task(bits, (0,) * 40, {}, ()), range(40), Budget())
    low, high = (equal_bits(coding, numbers) for numbers in (range(4), range(4, 8)))
    assert coding.union([low, high]) == low | high
    monkeypatch.setattr(coded, "MOST_UNITED", len(low) * len(high) - 1)
    assert coding.union([low]) == low
    with pytest.raises(LimitReached, match="too many nodes"):
        coding.union([low, high])


def test_a_task_without_such_facts_has_no_sets() -> None:
    assert sets_of(switches(4), None)[1] == []
