"""Plans that become shorter stay plans, and near enough to all states they become cheapest."""

import random
from collections.abc import Iterator

from random_tasks import random_task, switches, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.satisficing.elimination import without_redundant
from puzzlemc.mc.planning.satisficing.shortening import shortened
from puzzlemc.mc.tasks.semantics import holds, initial_state, successors
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

SEEDS = range(150)


def packed(task: Task) -> PackedTask:
    """The packed task."""
    return PackedTask(task, Operators(task))


def random_plan(task: Task, seed: int) -> list[int] | None:
    """A plan of a random walk, None if it does not come to the goal."""
    rnd, state, plan = random.Random(seed), initial_state(task), list[int]()
    while not holds(task.goal, state):
        steps = [*successors(task, state)]
        if not steps or len(plan) == 60:
            return None
        number, state = rnd.choice(steps)
        plan.append(number)
    return plan


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
        found = shortened(packed(task), initial_state(task), plan, Budget(), 100_000)
        assert check_plan(task, found) == uniform_cost(task, Budget()).bound
        gain += len(found) < len(plan)
    assert gain > 20


def test_without_redundant_operators() -> None:
    gain = 0
    for task, plan in plans():
        found = without_redundant(packed(task), initial_state(task), plan, 10_000, Budget().check)
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
    assert without_redundant(packed(task), (0, 0), [0, 1, 2], 100, Budget().check) == [2]


def test_a_limit_leaves_a_plan() -> None:
    task = switches(10)
    plan = uniform_cost(task, Budget()).plan
    assert plan is not None
    assert shortened(packed(task), initial_state(task), plan, Budget(Limits(seconds=0)), 10**9) == [*plan]
    assert shortened(packed(task), initial_state(task), plan, Budget(Limits(memory=1)), 10**9) == [*plan]
