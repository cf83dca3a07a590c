"""What a stage prepares is no worse than what the stage before has."""

from collections.abc import Callable

import pytest
from random_tasks import least_costs, random_task, reachable_states, token_task

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.estimate import bound_of
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.planning.preparation import STAGES, Preparation
from puzzlemc.mc.tasks.task import Task


@pytest.mark.parametrize("make", [random_task, token_task])
def test_bounds_of_samples_never_fall(make: Callable[[int], Task], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a stage finds fewer databases, and no order of its own that helps."""
    for seed in range(25):
        task = make(seed)
        preparation, states, costs = Preparation(task, Budget(), 1), reachable_states(task), least_costs(task)
        samples = states[:10]
        first = preparation.partition(STAGES[1], samples)
        with monkeypatch.context() as patch:
            other = {each.variables: each for each in reversed(first.databases[1:])}
            patch.setattr(Preparation, "_systematic", lambda *_, other=other: other)
            patch.setattr(Preparation, "_grow", lambda *_: None)
            patch.setattr(Partitionings, "_greedy", lambda self, _: [*range(len(self.databases))])
            last = preparation.partition(STAGES[2], samples, first)
        assert {each.variables for each in last.databases} == {each.variables for each in first.databases}
        for state in samples:
            assert last.bound(state) >= first.bound(state)
        for state in states[:50]:
            assert last.bound(state) <= bound_of(last.estimate(), state) <= costs.get(state, INFINITE)
