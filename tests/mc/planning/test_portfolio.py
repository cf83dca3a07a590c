"""The searches in turns agree with the textbook search, whichever ends first, and whatever plan is known."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

import pytest
from random_tasks import random_plan, random_task, reachable_states, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning import portfolio
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.planning.portfolio import Plans, Portfolio
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.planning.satisficing.improvement import NO_PLAN, Improvement
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

MEMBERS = (PatternSearch, SymbolicSearch)


def never(*_: object) -> Iterator[None]:
    """The turns of a search that reaches a limit at once."""
    raise LimitReached("memory")
    yield


def idle(*_: object) -> Iterator[float]:
    """The turns of a search that does nothing, each of which promises too much work for a turn."""
    while True:
        yield inf


def known(plan: Sequence[int] | None, cost: int) -> Callable[[Task, Budget], Plans]:
    """A search of plans that has one in its first turn."""

    class Known:
        def __init__(self, *_: object) -> None:
            self.plan: tuple[int, ...] | None = None
            self.cost = NO_PLAN

        def turns(self, *_: object) -> Iterator[None]:
            if plan is not None:
                self.plan, self.cost = (*plan,), cost
            while True:
                yield

    return Known


def ended(task: Task, plans: Callable[[Task, Budget], Plans] = Improvement) -> Portfolio:
    """Run all turns, and check the answer."""
    budget = Budget()
    search = Portfolio(task, budget, plans)
    for _ in search.turns():
        pass
    plan, expected = search.plan(), uniform_cost(task, Budget())
    assert (plan is None) == (expected.plan is None)
    assert budget.bound <= expected.bound or plan is None
    if plan is None:
        assert all(search.is_closed(state) for state in reachable_states(task))
    else:
        assert check_plan(task, plan) == expected.bound
    return search


@pytest.mark.parametrize("make", [random_task, token_task])
@pytest.mark.parametrize("member", MEMBERS)
def test_each_search_alone_agrees_with_the_textbook(
    make: Callable[[int], Task], member: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in {*MEMBERS, Improvement} - {member}:
        monkeypatch.setattr(other, "turns", never)
    found = Counter[str]()
    for seed in range(40):
        task = replace(make(seed), mutexes=())  # those of random tasks may be wrong
        found[type(ended(task).ended).__name__] += 1
    assert set(found) == {member.__name__}


def test_diagrams_of_a_smaller_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their plan is one of the whole task, and so are the states that no plan leads from."""
    monkeypatch.setattr(Improvement, "turns", never)

    def reduced(search: PatternSearch) -> Iterator[None]:
        found = reduction(search._task, Budget())
        search.reduced = search.reduced if found is None else found
        for _ in range(100):
            yield
        raise LimitReached("memory")

    monkeypatch.setattr(PatternSearch, "turns", reduced)
    found = Counter[tuple[bool, bool]]()
    for seed in range(60):
        search = ended(replace(random_task(seed), mutexes=()))
        found[search._drawn.is_smaller, search.plan() is None] += 1
    assert min(found[True, False], found[True, True]) > 3


def test_turns_of_diagrams_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first turns are small ones, so that an easy task is solved before A* has had much time."""
    rounds: list[int] = []

    def waiting(search: PatternSearch) -> Iterator[None]:
        while True:
            rounds.append(0)
            yield

    def working(search: SymbolicSearch) -> Iterator[float]:
        for number in range(60):
            yield 0.0
            search._made = number << 15
            rounds[-1] += 1

    monkeypatch.setattr(PatternSearch, "turns", waiting)
    monkeypatch.setattr(SymbolicSearch, "turns", working)
    for _ in Portfolio(switches(3), Budget(), known(None, 0)).turns():
        pass
    assert rounds == [0, 5, 9, 36, 10]


def test_plans_that_become_cheaper_end_as_proved_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "PLANS_WORK", 1)
    for member in MEMBERS:
        monkeypatch.setattr(member, "turns", idle)
    solvable = 0
    for seed in range(60):
        task = token_task(seed)
        if uniform_cost(task, Budget()).plan is not None:
            solvable += 1
            assert ended(task).ended is None
    assert solvable > 20


def test_a_plan_is_a_cheapest_one_once_the_bound_is_its_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "PLANS_AFTER", 0)
    for member in MEMBERS:
        monkeypatch.setattr(member, "turns", idle)
    budget = Budget()
    search = Portfolio(switches(3), budget, known((0, 1, 0), 3))
    turns = search.turns()
    budget.record_bound(2)
    for _ in range(10):
        next(turns)
    budget.record_bound(3)
    assert [*turns] == []
    assert search.plan() == (0, 1, 0)


@pytest.mark.parametrize("plans", [Improvement, known(None, 0), known(range(12), 12 * 9 * 10**17)])
@pytest.mark.parametrize("member", MEMBERS)
def test_a_plan_may_cost_more_than_a_word_has_room_for(
    member: type, plans: Callable[[Task, Budget], Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio, "PLANS_AFTER", 0)
    for other in {*MEMBERS} - {member}:
        monkeypatch.setattr(other, "turns", never)
    steps = [Operator(f"o{n}", {0: n}, (Effect(0, n + 1),), 9 * 10**17) for n in range(12)]
    values = TaskVariable("v", tuple(map(str, range(13))))
    assert ended(Task((values,), (0,), {0: 12}, tuple(steps)), plans).plan() == tuple(range(12))


@pytest.mark.parametrize("member", MEMBERS)
def test_a_known_plan_never_changes_the_least_cost(member: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan of a random walk, or a cheapest plan; with the latter, the bound alone may end the search."""
    monkeypatch.setattr(portfolio, "PLANS_AFTER", 0)
    for other in {*MEMBERS} - {member}:
        monkeypatch.setattr(other, "turns", never)
    found = Counter[bool]()
    for seed in range(25):
        for make in (random_task, token_task):
            task = replace(make(seed), mutexes=())
            for plan in (random_plan(task, seed), uniform_cost(task, Budget()).plan):
                plans = known(plan, 0 if plan is None else check_plan(task, plan))
                search = ended(task, plans)
                found[search.ended is None or search.ended.plan() is None] += plan is not None
    assert min(found[False], found[True]) > 5


def test_a_known_plan_prunes() -> None:
    """A* expands no state whose f is the cost of a known plan, and the bound is that cost."""
    saved = 0
    for seed in range(40):
        task = replace(token_task(seed), mutexes=())
        expected = uniform_cost(task, Budget())
        if expected.plan is None or not expected.bound:
            continue
        budget = Budget()
        whole, pruned, least = (PatternSearch(task, each) for each in (Budget(), budget, Budget()))
        pruned.prune(expected.bound)
        least.prune(expected.bound + whole.unit)
        for search in (whole, pruned, least):
            for _ in search.turns():
                pass
        assert whole.searched().bound == expected.bound
        assert (pruned.plan(), budget.bound) == (None, expected.bound)
        assert check_plan(task, least.plan() or ()) == expected.bound
        assert pruned.search.expanded <= whole.search.expanded
        saved += whole.search.expanded - pruned.search.expanded
    assert saved > 20


def test_a_limit_leaves_the_cheapest_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    task = switches(4)
    plan = uniform_cost(task, Budget()).plan
    assert plan is not None
    plans = known([0, 1, 0, *plan[3:]], 99)
    for member in MEMBERS:
        monkeypatch.setattr(member, "turns", idle)
    search = Portfolio(task, Budget(), plans)
    turns = search.turns()
    for _ in range(12):
        next(turns)
    assert search.plan() == plan


def test_a_limit_of_all_searches_is_the_answer() -> None:
    """Where none can prove anything, the search of plans ends, too."""
    search = Portfolio(switches(24), Budget(Limits(memory=1 << 22, nodes=1000)), known(None, 0))
    with pytest.raises(LimitReached, match=r"memory|nodes"):
        for _ in search.turns():
            pass


def test_patterns_have_two_turns_before_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    """One operation with diagrams may take any time."""
    turns: list[str] = []

    def turn(name: str) -> Callable[..., Iterator[float]]:
        def endless(*_: object) -> Iterator[float]:
            while True:
                turns.append(name)
                yield inf

        return endless

    monkeypatch.setattr(PatternSearch, "turns", turn("patterns"))
    monkeypatch.setattr(SymbolicSearch, "turns", turn("diagrams"))
    running = Portfolio(switches(4), Budget(), known(None, 0)).turns()
    while "diagrams" not in turns:
        next(running)
    assert turns == ["patterns"] * 2 + ["diagrams"]
