"""The best plans of a task are those that a textbook search lists."""

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

import pytest
from random_tasks import painted_corridor, random_task, switches, token_task
from symmetric_tasks import like_tokens, symmetric_task

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning import best_plans as listing
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.best_plans import NONE, best_plans
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch
from puzzlemc.mc.tasks.semantics import holds, initial_state, successors
from puzzlemc.mc.tasks.task import Effect, Operator, State, Task, TaskVariable

SEEDS, MOST, POPS = 30, 12, 1000


def textbook(task: Task, *, loops: bool) -> Iterator[tuple[int, tuple[int, ...] | None]]:
    """Yield all plans by uniform-cost search over paths, with their costs; None where the search gives up."""
    start = initial_state(task)
    numbers = count()
    heap = [(0, 0, next(numbers), start, (), frozenset([start]))]
    for pops in count():
        if not heap:
            return
        cost, steps, _, state, plan, seen = heapq.heappop(heap)
        if pops == POPS:
            yield cost, None
            return
        if holds(task.goal, state):
            yield cost, plan
            if not loops:
                continue
        for number, successor in successors(task, state):
            if successor != state and (loops or successor not in seen):
                more = cost + task.operators[number].cost, steps + 1, next(numbers), successor, (*plan, number)
                heapq.heappush(heap, (*more, seen | {successor}))


def listed(task: Task, labels: list[int] | None = None, **options: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    labels = [*range(len(task.operators))] if labels is None else labels
    for path in best_plans(task, labels, Budget(), **options):
        yield path.cost, path.labels


def random_tasks() -> Iterator[Task]:
    for seed in range(SEEDS):
        yield random_task(seed)
        yield token_task(seed)


def agrees(task: Task, *, loops: bool) -> int:
    """Compare with the textbook, as far as that comes: all costs, and the plans of each cost below the greatest.

    Return the number of plans.
    """
    expected = []
    given_up: int | None = None
    for cost, plan in islice(textbook(task, loops=loops), MOST):
        if plan is None:
            given_up = cost
        else:
            expected.append((cost, plan))
    expected = [each for each in expected if given_up is None or each[0] < given_up]
    found = [*islice(listed(task, loops=loops), MOST if given_up is None else len(expected))]
    assert [cost for cost, _ in found] == [cost for cost, _ in expected]
    assert len({plan for _, plan in found}) == len(found)
    last = max((cost for cost, _ in expected), default=0)
    assert {each for each in found if each[0] < last} == {each for each in expected if each[0] < last}
    return len(found)


@pytest.mark.parametrize("first", [1, listing.FIRST])
@pytest.mark.parametrize("loops", [False, True])
def test_plans_are_those_of_the_textbook(loops: bool, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the search pauses soon."""
    monkeypatch.setattr(listing, "FIRST", first)
    assert sum(agrees(task, loops=loops) > 1 for task in random_tasks()) > SEEDS // 4


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 150), marks=pytest.mark.slow)])
@pytest.mark.parametrize("loops", [False, True])
def test_states_that_are_alike_have_plans_of_their_own(
    loops: bool, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing tells the search the distance of a state from the goal, and it pauses soon."""
    stage = replace(STAGES[0], pattern_size=0, total_size=0, expansions=2)
    monkeypatch.setattr(optimal, "STAGES", [stage] * len(STAGES))
    monkeypatch.setattr(optimal, "potential", lambda *_: None)
    monkeypatch.setattr(listing, "FIRST", 3)
    for seed in seeds:
        agrees(symmetric_task(seed)[0], loops=loops)
        agrees(like_tokens(seed), loops=loops)


def test_a_ring_has_all_its_cheapest_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has rotations, by which a state is not always turned into the least of all that are like it."""
    stage = replace(STAGES[0], pattern_size=0, total_size=0, expansions=2)
    monkeypatch.setattr(optimal, "STAGES", [stage] * len(STAGES))
    monkeypatch.setattr(optimal, "potential", lambda *_: None)
    monkeypatch.setattr(optimal, "cheapest", lambda some, _: some[-1])
    size, steps = 7, []
    for place in range(size):
        a, b, c, d = ((place + more) % size for more in range(4))
        steps.append(Operator("move", {b: 0, d: 1}, (Effect(a, 1), Effect(b, 0))))
        steps.append(Operator("light both", {b: 0}, (Effect(a, 1), Effect(b, 1))))
        steps.append(Operator("fill", {b: 1, d: 1}, (Effect(c, 1),)))
    lamps = tuple(TaskVariable(f"lamp {n}", ("off", "on")) for n in range(size))
    task = Task(lamps, (0,) * size, dict.fromkeys(range(size), 1), tuple(steps))
    found = [*best_plans(task, range(len(steps)), Budget(), is_least=True)]
    assert len({each.labels for each in found}) == len(found) == cheapest_ways(task) == 168


def cheapest_ways(task: Task) -> int:
    """The number of shortest sequences of operators to the goal, by breadth-first search."""
    layer, seen = {task.initial: 1}, {task.initial}
    while not any(holds(task.goal, state) for state in layer):
        ways: dict[State, int] = {}
        for state, number in layer.items():
            for _, after in successors(task, state):
                if after not in seen:
                    ways[after] = ways.get(after, 0) + number
        seen.update(ways)
        layer = ways
    return sum(number for state, number in layer.items() if holds(task.goal, state))


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 300), marks=pytest.mark.slow)])
@pytest.mark.parametrize("loops", [False, True])
def test_operators_that_are_in_no_plan_are_left_out(
    loops: bool, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A smaller task is looked for at once, and no list is without a plan."""
    monkeypatch.setattr(optimal, "STAGES", [replace(stage, expansions=1, pattern_size=0) for stage in STAGES])
    monkeypatch.setattr(listing, "FIRST", 3)
    smaller = 0
    go_on = PatternSearch.go_on

    def counted(search: PatternSearch, most: int, expansions: int) -> tuple[bool, int | None]:
        nonlocal smaller
        smaller += search.reduced.is_smaller
        return go_on(search, most, expansions)

    monkeypatch.setattr(PatternSearch, "go_on", counted)
    for seed in seeds:
        for task in (random_task(seed), token_task(seed), like_tokens(seed), painted_corridor(2 + seed % 3)):
            agrees(task, loops=loops)
    assert smaller > len(seeds)


def test_no_plan_is_listed_before_one_that_may_be_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    """An open state may have a lower f than the search has had before: then it goes on first."""
    calls = 0
    go_on = PatternSearch.go_on

    def lower(search: PatternSearch, most: int, expansions: int) -> tuple[bool, int | None]:
        nonlocal calls
        calls += 1
        found = go_on(search, most, expansions)
        return (True, most - 1) if calls < 3 else found

    monkeypatch.setattr(PatternSearch, "go_on", lower)
    assert next(listed(switches(3))) == (7, (0, 1, 0, 2, 0, 1, 0))
    assert calls == 3


def cheapest(task: Task) -> set[tuple[int, tuple[int, ...]]] | None:
    """All plans of the least cost; None if the textbook search gives up before it has them."""
    found = set[tuple[int, tuple[int, ...]]]()
    for cost, plan in textbook(task, loops=False):
        if any(cost > least for least, _ in found):
            return found
        if plan is None:
            return None
        found.add((cost, plan))
    return found


def test_all_plans_of_the_least_cost() -> None:
    several = 0
    for task in random_tasks():
        expected = cheapest(task)
        if expected is not None:
            found = [*listed(task, is_least=True)]
            assert len(found) == len(expected)
            assert set(found) == expected
            several += len(found) > 1
    assert several > 1


def test_more_plans_need_more_states() -> None:
    """Four switches are turned on in 24 orders; nothing else costs as little."""
    variables = tuple(TaskVariable(f"v{n}", ("off", "on")) for n in range(4))
    turns = tuple(Operator(f"{v} {x}", {v: 1 - x}, (Effect(v, x),), 1) for v in range(4) for x in (0, 1))
    task = Task(variables, (0, 0, 0, 0), dict.fromkeys(range(4), 1), turns)
    assert [cost for cost, _ in listed(task, is_least=True)] == [4] * 24
    costs = [cost for cost, _ in islice(listed(task), 200)]
    assert costs[:25] == [4] * 24 + [6]
    assert costs == sorted(costs)


def test_plans_with_equal_labels_are_one() -> None:
    task = switches(3)
    doubled = Task(task.variables, task.initial, task.goal, (*task.operators, *task.operators))
    labels = [*range(3), *range(3)]
    assert [*islice(listed(doubled, labels), 5)] == [*islice(listed(task), 5)]


def test_operators_that_reach_the_goal_are_no_steps() -> None:
    """A plan ends where the first of them is applicable, unless it may go on; two of them make no two plans."""
    variables = (TaskVariable("place", ("0", "1", "2", "3")), TaskVariable("goal", ("open", "reached")))
    steps = tuple(Operator(f"to {n + 1}", {0: n}, (Effect(0, n + 1),), 1) for n in range(3))
    goals = tuple(Operator("goal", {0: n}, (Effect(1, 1),), 0) for n in (1, 2, 2))
    task = Task(variables, (0, 0), {1: 1}, (*steps, *goals))
    labels = [0, 1, 2, NONE, NONE, NONE]
    assert [*listed(task, labels)] == [(1, (0,))]
    assert [*listed(task, labels, loops=True)] == [(1, (0,)), (2, (0, 1))]


def test_a_goal_at_the_start_has_the_empty_plan_alone() -> None:
    task = switches(2)
    solved = Task(task.variables, task.initial, {0: task.initial[0]}, task.operators)
    assert [*listed(solved)] == [(0, ())]


def test_a_small_memory_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plans before it are listed."""
    variables = tuple(TaskVariable(f"v{n}", ("off", "on")) for n in range(8))
    turns = tuple(Operator(f"{v}", {v: 0}, (Effect(v, 1),), 1) for v in range(8))
    task = Task(variables, (0,) * 8, dict.fromkeys(range(8), 1), turns)
    found = []
    monkeypatch.setattr(listing, "SHARE", 100)  # 10 MiB for paths
    paths = best_plans(task, [*range(8)], Budget(Limits(memory=1 << 30)))
    with pytest.raises(LimitReached, match="memory"):
        found.extend(iter(lambda: next(paths), None))
    assert 8 < len(found) < 40320


def test_time_is_a_limit() -> None:
    variable = TaskVariable("v", ("off", "on"))
    turns = tuple(Operator(f"{x}", {0: 1 - x}, (Effect(0, x),), 1) for x in (0, 1))
    task = Task((variable,), (0,), {0: 1}, turns)
    paths = best_plans(task, [0, 1], Budget(Limits(seconds=0.3)), loops=True)
    with pytest.raises(LimitReached, match="timeout"):
        deque(paths, maxlen=0)
