"""Symbolic search finds what the textbook search finds; its plans are plans."""

from collections.abc import Iterator

import pytest
from random_tasks import token_task
from task_reference import check_plan, uniform_cost
from walked_tasks import random_task

from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.tasks.symbolic import coding, relations
from puzzlemc.mc.tasks.symbolic.order import variable_order
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Axiom, Effect, Operator, State, Task, TaskVariable

SMALL = Limits(memory=1 << 25)


def plan_of(task: Task, budget: Budget) -> tuple[int, ...] | None:
    """The plan of a search; None if there is none. Raises LimitReached, Unsuitable."""
    search = SymbolicSearch(task, budget)
    for _ in search.turns():
        pass
    return search.plan()


def check(task: Task) -> tuple[int, ...] | None:
    """Compare a search with the textbook; return its plan."""
    expected, plan = uniform_cost(task, Budget()), plan_of(task, Budget(SMALL))
    assert (plan is None) == (expected.plan is None)
    assert plan is None or check_plan(task, plan) == expected.bound
    return plan


@pytest.mark.parametrize("block", range(4))
def test_random_tasks(block: int) -> None:
    plans = [check(random_task(seed)) for seed in range(100 * block, 100 * (block + 1))]
    assert sum(plan is None for plan in plans) >= 4
    assert sum(plan is not None and len(plan) > 1 for plan in plans) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("block", range(3))
def test_thousands_of_random_tasks(block: int) -> None:
    for seed in range(10_000 + 500 * block, 10_000 + 500 * (block + 1)):
        check(random_task(seed))


def test_no_merging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MERGED_NODES", 1)
    for seed in range(60):
        check(random_task(seed))


def sliding(rows: int, columns: int, start: State) -> Task:
    """Sliding tiles: the tile in each cell, the goal in order, the blank last."""
    cells = rows * columns
    tiles = tuple(map(str, range(cells)))
    near = [
        (a, b)
        for a in range(cells)
        for b in range(cells)
        if abs(a // columns - b // columns) + abs(a % columns - b % columns) == 1
    ]
    operators = [
        Operator(f"{tile} {a} {b}", {a: tile, b: cells - 1}, (Effect(a, cells - 1), Effect(b, tile)))
        for a, b in near
        for tile in range(cells - 1)
    ]
    variables = tuple(TaskVariable(f"c{cell}", tiles) for cell in range(cells))
    return Task(variables, start, dict(enumerate(range(cells))), tuple(operators))


def test_images_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MOST_PRODUCT", 1)
    monkeypatch.setattr(coding, "PART_NODES", 1)
    for seed in range(60):
        check(random_task(seed))
        check(token_task(seed))


class Watched(Budget):
    """Counts the looks at it."""

    looks = 0

    def check(self) -> None:
        self.looks += 1
        super().check()


@pytest.mark.parametrize(("where", "limit"), [(relations, "MOST_PRODUCT"), (coding, "PART_NODES")])
@pytest.mark.parametrize("image", ["image", "preimage"])
def test_limits_are_checked_within_an_image(
    where: object, limit: str, image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, looks = getattr(relations.Relation, image), list[int]()

    def watched(relation: relations.Relation, states: coding.StateSet) -> coding.StateSet:
        before = budget.looks
        found = whole(relation, states)
        looks.append(budget.looks - before)
        return found

    monkeypatch.setattr(where, limit, 1)
    monkeypatch.setattr(relations.Relation, image, watched)
    budget = Watched(SMALL)
    assert plan_of(sliding(2, 3, (3, 4, 5, 0, 1, 2)), budget) is not None
    assert max(looks) > 8  # one without parts


def test_the_hardest_board_of_two_rows() -> None:
    check(sliding(2, 3, (3, 4, 5, 0, 1, 2)))
    assert check(sliding(2, 3, (1, 0, 2, 3, 4, 5))) is None


def test_a_plan_of_31_slides() -> None:
    task = sliding(3, 3, (7, 5, 6, 1, 4, 3, 2, 8, 0))
    plan = plan_of(task, Budget(Limits(memory=1 << 28)))
    assert plan is not None
    assert check_plan(task, plan) == 31


def test_the_same_answer_twice() -> None:
    for seed in range(0, 100, 5):
        task = random_task(seed)
        assert plan_of(task, Budget(SMALL)) == plan_of(task, Budget(SMALL))


def test_limits_are_no_answer() -> None:
    task = sliding(3, 3, (7, 5, 6, 1, 4, 3, 2, 8, 0))
    for limits, reason in (
        (Limits(seconds=0), "timeout"),
        (Limits(memory=1 << 20), "memory"),
        (Limits(nodes=5_000), "memory"),
    ):
        with pytest.raises(LimitReached, match=reason):
            plan_of(task, Budget(limits))


def test_a_limit_keeps_the_bound() -> None:
    bounds: list[int] = []
    budget = Budget(Limits(memory=1 << 28, nodes=20_000), report=bounds.append)
    task = sliding(3, 3, (7, 5, 6, 1, 4, 3, 2, 8, 0))
    with pytest.raises(LimitReached, match="memory"):
        plan_of(task, budget)
    assert budget.bound == bounds[-1] > 3
    assert bounds == sorted(bounds)


def test_a_cancelled_search_ends() -> None:
    budget = Budget(SMALL)
    budget.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        plan_of(random_task(1), budget)


def test_a_derived_variable_has_one_value_by_axioms() -> None:
    variables = (TaskVariable("v", ("0", "1")), TaskVariable("d", ("a", "b", "c"), 0))
    task = Task(variables, (0, 0), {1: 2}, (), (Axiom({}, 1, 1), Axiom({0: 1}, 1, 2)))
    with pytest.raises(Unsuitable, match="d different values"):
        plan_of(task, Budget(SMALL))


def test_relations_are_made_in_turns() -> None:
    """So that other searches need not wait for all of them."""
    task = sliding(2, 3, (3, 4, 5, 0, 1, 2))
    search, turns, work = SymbolicSearch(task, Budget(SMALL)), 0, [0]
    for _ in search.turns():
        if search._sides:
            break
        turns += 1
        work.append(search.work)
    assert turns > len(task.operators)
    assert work == sorted(work)
    assert work[-1] > 0


def test_small_images_by_many_relations_are_work() -> None:
    """Each of them takes time, though the sets have a few nodes."""
    size, images = 300, 0
    token = TaskVariable("token", tuple(map(str, range(size))))
    steps = tuple(Operator(f"step {a}", {0: a}, (Effect(0, a + 1),), 1 + a % 3) for a in range(size - 1))
    search = SymbolicSearch(Task((token,), (0,), {0: size - 1}, steps), Budget(SMALL))
    for _ in search.turns():
        images += bool(search._sides)
    assert images > 100
    assert search.work >= 500 * images


@pytest.mark.parametrize(("growth", "count"), [(1.0, 1), (1e9, 2)])
def test_relations_that_grow_much_are_not_merged(growth: float, count: int) -> None:
    task = sliding(2, 3, (3, 4, 5, 0, 1, 2))
    within = coding.Coding(task, variable_order(task), Budget(SMALL))
    pairs = [relations._operator_pairs(within, operator) for operator in task.operators[:2]]
    found = []

    def merged() -> Iterator[int]:
        some = [each._replace(growth=growth) for each in pairs]
        found.extend((yield from relations._merged(within, some, Budget())))

    assert len([*merged()]) == 2 - count
    assert len(found) == count


def test_the_relation_of_one_operator_may_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = tuple(TaskVariable(f"v{n}", ("0", "1")) for n in range(4))
    effects = tuple(Effect(n, 1, {(n + 1) % 4: 0}) for n in range(4))
    task = Task(variables, (0,) * 4, dict.fromkeys(range(4), 1), (Operator("all", {}, effects),))
    assert plan_of(task, Budget(SMALL)) == (0,)
    monkeypatch.setattr(relations, "MOST_NODES", 4)
    with pytest.raises(LimitReached, match="memory"):
        plan_of(task, Budget(SMALL))
