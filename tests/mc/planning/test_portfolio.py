"""The searches in turns agree with the textbook search, whichever of them ends first."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from random_tasks import random_task, reachable_states, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.planning.portfolio import Portfolio
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Task

MEMBERS = (PatternSearch, SymbolicSearch)


def never(*_: object) -> Iterator[None]:
    """The turns of a search that reaches a limit at once."""
    raise LimitReached("memory")
    yield


def ended(task: Task) -> str:
    """Run all turns, and check the answer; return the name of the search that has ended."""
    search = Portfolio(task, Budget())
    for _ in search.turns():
        pass
    plan, expected = search.plan(), uniform_cost(task, Budget())
    assert (plan is None) == (expected.plan is None)
    if plan is None:
        assert all(search.is_closed(state) for state in reachable_states(task))
    else:
        assert check_plan(task, plan) == expected.bound
    return type(search.ended).__name__


@pytest.mark.parametrize("make", [random_task, token_task])
@pytest.mark.parametrize("member", MEMBERS)
def test_each_search_alone_agrees_with_the_textbook(
    make: Callable[[int], Task], member: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in MEMBERS:
        if other is not member:
            monkeypatch.setattr(other, "turns", never)
    found = Counter[str]()
    for seed in range(40):
        task = replace(make(seed), mutexes=())  # those of random tasks may be wrong
        found[ended(task)] += 1
    assert set(found) == {member.__name__}


def test_a_limit_of_all_searches_is_the_answer() -> None:
    search = Portfolio(switches(24), Budget(Limits(memory=1 << 22, nodes=1000)))
    with pytest.raises(LimitReached, match=r"memory|nodes"):
        for _ in search.turns():
            pass
