"""Plans that become cheaper end as cheapest ones, by the searches alone, and with shorter plans in between."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from random_tasks import random_plan, random_task, switches, token_task
from task_reference import check_plan, uniform_cost

from examples import examples
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.reduction import Reduction
from puzzlemc.mc.planning.satisficing import finders as finding
from puzzlemc.mc.planning.satisficing import improvement
from puzzlemc.mc.planning.satisficing.improvement import Improvement, ordering
from puzzlemc.mc.tasks.task import Effect, Operator, Searched, State, Task, TaskVariable

COUNT = examples(60, 1000)


def plans_of(task: Task, work: int = 1, growth: int = 2) -> Iterator[int | None]:
    """The cost of the cheapest plan after each turn, which is replayed; it falls, and ends as the least one."""
    search, last = Improvement(task, Budget()), None
    for _ in search.turns(work, growth):
        if search.plan is not None:
            assert check_plan(task, search.plan) == search.cost
            assert last is None or search.cost <= last
            last = search.cost
        assert not search.is_least
        yield last
    expected = uniform_cost(task, Budget())
    assert search.is_least
    assert (search.plan is None) == (expected.plan is None)
    if search.plan is not None:
        assert check_plan(task, search.plan) == search.cost == expected.bound
    yield None if search.plan is None else search.cost


def as_they_are(task: PackedTask, initial: State, plan: list[int], budget: Budget, work: int) -> list[int]:
    """Plans that nobody shortens."""
    return plan


def test_the_last_plan_is_a_cheapest_one() -> None:
    unsolvable = 0
    for seed in range(COUNT):
        for task in (random_task(seed), token_task(seed)):
            *_, cost = plans_of(task)
            unsolvable += cost is None
    assert unsolvable > COUNT // 10


def test_weighted_search_alone_finds_a_cheapest_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first plan is a random walk, and no plan is made shorter."""
    monkeypatch.setattr(improvement, "shortened", as_they_are)
    monkeypatch.setattr(improvement, "LEAST_SHORTENING", 0)
    gains = 0
    for seed in range(COUNT):
        for task in (random_task(seed), token_task(seed)):
            plan = random_plan(task, seed)
            if plan is not None:
                found = Searched((*plan,), 0, 0)
                monkeypatch.setattr(improvement, "finders", lambda *_, found=found, **__: iter([None, found]))
                gains += len({cost for cost in plans_of(task) if cost is not None}) > 1
    assert gains > COUNT // 10


def test_the_first_plan_does_not_wait_for_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn without end would be shared: later turns do nothing until the others have had as much work."""
    monkeypatch.setattr(finding, "FIRST_TURN", 1)
    monkeypatch.setattr(improvement, "LEAST_SHORTENING", 0)
    task, before = switches(6), list[int]()
    for most in (0, 1 << 26):
        monkeypatch.setattr(improvement, "FIRST_ROUND", most)
        plans = [*plans_of(task, 1, 2)]
        before.append(plans.count(None))
        assert plans[-1] == 63
        rounds = len(plans)
    assert before[0] > 2
    assert before[1] == 0
    assert rounds > before[0]  # what came early is made up for


def test_operators_in_no_plan_are_left_out_where_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of rounds before: the plans are those of the whole task, and end as cheapest ones."""
    monkeypatch.setattr(finding, "FIRST_TURN", 1)
    reduced, made = 0, improvement.reduction

    def counted(task: Task, budget: Budget) -> Reduction | None:
        nonlocal reduced
        smaller = made(task, budget)
        reduced += smaller is not None
        return smaller

    monkeypatch.setattr(improvement, "reduction", counted)
    for seed in range(COUNT):
        monkeypatch.setattr(improvement, "FIRST_ROUND", seed % 3 * 100)
        for task in (random_task(seed), token_task(seed)):
            for _ in plans_of(task):
                pass
    assert reduced > COUNT // 12


def test_without_room_for_pairs_all_operators_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise LimitReached(reason)

    monkeypatch.setattr(finding, "FIRST_TURN", 1)
    monkeypatch.setattr(improvement, "FIRST_ROUND", 0)
    monkeypatch.setattr(improvement, "reduction", never)
    reason = "memory"
    assert [*plans_of(switches(6))][-1] == 63
    reason = "timeout"
    with pytest.raises(LimitReached, match="timeout"):
        [*plans_of(switches(6))]


def detours(count: int) -> Task:
    """Each of `count` switches goes on by a dear operator, or by two cheap ones, which is the longer way."""
    variables = tuple(TaskVariable(f"v{i}", ("off", "half", "on")) for i in range(count))
    operators = [Operator(f"dear {i}", {i: 0}, (Effect(i, 2),), 10) for i in range(count)]
    for i in range(count):
        operators += [Operator(f"{a} {i}", {i: a}, (Effect(i, a + 1),), 1) for a in (0, 1)]
    return Task(variables, (0,) * count, dict.fromkeys(range(count), 2), tuple(operators))


def test_plans_become_cheaper_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first plan is a short one, later ones are cheaper."""
    monkeypatch.setattr(improvement, "shortened", as_they_are)
    monkeypatch.setattr(improvement, "ordering", lambda costs: [1] * len(costs))
    costs = [cost for cost in plans_of(detours(4)) if cost is not None]
    assert costs[-1] == 8
    assert len({*costs}) > 2


def test_a_limit_leaves_the_best_plan() -> None:
    task = detours(9)
    search = Improvement(task, Budget(Limits(memory=1_100_000)))
    with pytest.raises(LimitReached, match="memory"):
        for _ in search.turns(1_000_000, 1):
            pass
    assert search.plan is not None
    assert check_plan(task, search.plan) == search.cost
    assert not search.is_least

    search = Improvement(switches(18), Budget(Limits(seconds=0)))
    with pytest.raises(LimitReached, match="timeout"):
        next(search.turns(1_000_000, 1))
    assert search.plan is None


def test_turns_of_any_size_give_the_same_plans() -> None:
    for task in (detours(4), token_task(3), switches(6)):
        small, large = (list(dict.fromkeys(plans_of(task, *turn))) for turn in ((1, 2), (10_000, 3)))
        assert small[-1] == large[-1]
        assert {*large} <= {*small}


def test_costs_that_order_a_search() -> None:
    assert ordering([]) == []
    assert ordering([7, 7]) == [1, 1]
    assert ordering([0, 0]) == [1, 1]
    assert ordering([0, 4, 6]) == [1, 3, 4]
    assert ordering([1, 10**12]) == [1, 1001]


def test_operators_without_cost_and_large_costs() -> None:
    task = detours(3)
    dear = replace(task, operators=tuple(replace(each, cost=each.cost << 40) for each in task.operators))
    assert [*plans_of(dear)][-1] == 6 << 40
    free = replace(task, operators=tuple(replace(each, cost=each.cost // 10) for each in task.operators))
    assert [*plans_of(free)][-1] == 0
