"""Plans that become shorter stay plans, and near enough to all states they become cheapest."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from random_tasks import random_plan, random_task, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.satisficing import shortening
from puzzlemc.mc.planning.satisficing.elimination import without_redundant
from puzzlemc.mc.planning.satisficing.neighbourhood import Neighbourhood, advance, grow
from puzzlemc.mc.planning.satisficing.shortening import shortened
from puzzlemc.mc.search.state_table import PAUSED
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

SEEDS = range(150)


def packed(task: Task) -> PackedTask:
    """The packed task."""
    return PackedTask(task, Operators(task))


def plans() -> Iterator[tuple[Task, list[int]]]:
    """Random tasks with plans of random walks."""
    for seed in SEEDS:
        for task in (random_task(seed), token_task(seed)):
            plan = random_plan(task, seed)
            if plan is not None:
                yield task, plan


def test_a_plan_near_all_states_becomes_cheapest() -> None:
    gain = 0
    for task, plan in plans():
        found = shortened(packed(task), initial_state(task), plan, Budget(), 10_000_000)
        assert check_plan(task, found) == uniform_cost(task, Budget()).bound
        gain += len(found) < len(plan)
    assert gain > 20


def test_without_redundant_operators() -> None:
    gain = 0
    for task, plan in plans():
        found, _ = without_redundant(packed(task), initial_state(task), plan, 1_000_000, Budget().check)
        check_plan(task, found)
        gain += len(found) < len(plan)
    assert gain > 20


def test_operators_go_together() -> None:
    """The detour is left out as a whole; no single operator of it can be left out."""
    variables = (TaskVariable("place", ("a", "b")), TaskVariable("goal", ("no", "yes")))
    steps = (
        Operator("there", {0: 0}, (Effect(0, 1),)),
        Operator("back", {0: 1}, (Effect(0, 0),)),
        Operator("end", {0: 0}, (Effect(1, 1),)),
    )
    task = Task(variables, (0, 0), {1: 1}, steps)
    assert without_redundant(packed(task), (0, 0), [0, 1, 2], 10_000, Budget().check)[0] == [2]


def test_a_limit_leaves_a_plan() -> None:
    task = switches(10)
    plan = uniform_cost(task, Budget()).plan
    assert plan is not None
    assert shortened(packed(task), initial_state(task), plan, Budget(Limits(seconds=0)), 10**9) == [*plan]
    assert shortened(packed(task), initial_state(task), plan, Budget(Limits(memory=1)), 10**9) == [*plan]


def test_the_work_is_limited() -> None:
    """A jump makes the plan of a counter short; without work for it, it is not found."""
    counter = switches(8)
    plan = uniform_cost(counter, Budget()).plan
    assert plan is not None
    jump = Operator("jump", {0: 1}, tuple(Effect(bit, 1) for bit in range(8)))
    task = replace(counter, operators=(*counter.operators, jump))
    arrays, initial = packed(task), initial_state(task)
    assert shortened(arrays, initial, plan, Budget(), 1000) == [*plan]
    assert shortened(arrays, initial, plan, Budget(), 10_000_000) == [0, 8]

    near = Neighbourhood(packed(counter), initial, plan, 1 << 20)
    assert grow(near, 1000)
    assert 1000 <= near.work < 1300
    near.queue.make_room(1 << 10)
    assert advance(near, 1000) == PAUSED
    assert 2000 <= near.work < 2800

    used = [without_redundant(arrays, initial, plan, work, Budget().check)[1] for work in (1, 50_000, 10_000_000)]
    assert used[0] < 10_000 < 50_000 < used[1] < 60_000 < used[2] < 1_000_000


def test_the_work_of_a_successor_is_that_of_its_own_effects() -> None:
    """Of many operators with one effect, the one that applies has many: the mean would count too little."""
    count = 200
    variables = tuple(TaskVariable(f"v{i}", ("0", "1")) for i in range(count))
    all_of_them = Operator("all", {}, tuple(Effect(i, 1) for i in range(count)))
    others = tuple(Operator(f"o{i}", {i: 1, 0: 0}, (Effect(i, 0),)) for i in range(1, count))
    task = Task(variables, (0,) * count, dict.fromkeys(range(count), 1), (all_of_them, *others))
    near = Neighbourhood(packed(task), initial_state(task), [0], 10)
    grow(near, 1)
    assert near.work > 3 * count  # two of them for the values of the state


def test_an_effect_may_be_undone_by_a_later_one() -> None:
    """The second effect on a variable counts, and the variable is changed back only once."""
    variables = (TaskVariable("a", ("0", "1", "2")), TaskVariable("b", ("0", "1")))
    effects = (Effect(0, 1), Effect(0, 0), Effect(0, 2), Effect(1, 1), Effect(0, 0))
    task = Task(variables, (0, 0), {1: 1}, (Operator("turn", {}, effects), Operator("half", {}, effects[:3])))
    near = Neighbourhood(packed(task), initial_state(task), [0], 10)
    while grow(near, 1):
        pass
    states = [near.task.unpack(row) for row in np.asarray(near.rows)[: near.used]]
    assert set(states) == {(0, 0), (0, 1), (2, 0), (2, 1)}


def test_a_plan_may_cost_more_than_a_word_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps back would seem to cost less than nothing, and the way to the goal would go round for ever."""
    monkeypatch.setattr(shortening, "Neighbourhood", None)
    values = TaskVariable("place", tuple(map(str, range(13))))
    pairs = [pair for n in range(12) for pair in ((n, n + 1), (n + 1, n))]
    steps = tuple(Operator(f"{a} {b}", {0: a}, (Effect(0, b),), 9 * 10**17) for a, b in pairs)
    task = Task((values,), (0,), {0: 12}, steps)
    found = shortened(packed(task), (0,), range(0, 24, 2), Budget(), 10_000_000)
    assert check_plan(task, found) == 12 * 9 * 10**17
