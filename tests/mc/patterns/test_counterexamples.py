"""Patterns grow by what an abstract plan violates, and stop where it is a plan of the task."""

import random

from random_tasks import random_task, token_task
from task_reference import uniform_cost

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.counterexamples import grow
from puzzlemc.mc.patterns.database import Abstracted, Database, database
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

ENOUGH = 1 << 20
TRUTH = ("no", "yes")


def grown(task: Task, goal: int, most: int = ENOUGH) -> tuple[Abstracted, Database | None]:
    abstracted = Abstracted(task)

    def build(variables: tuple[int, ...]) -> Database | None:
        return database(abstracted, variables, ENOUGH) if len(variables) <= most else None

    return abstracted, grow(abstracted, goal, build, random.Random(1))


def chain(length: int) -> Task:
    """Each switch needs the one before it; a further one is never needed."""
    switches = tuple(TaskVariable(f"switch{i}", TRUTH) for i in range(length + 1))
    operators = tuple(Operator(f"on {i}", {i - 1: 1} if i else {}, (Effect(i, 1),)) for i in range(length + 1))
    return Task(switches, (0,) * (length + 1), {length - 1: 1}, operators)


def test_a_pattern_grows_by_violated_preconditions() -> None:
    abstracted, found = grown(chain(4), 3)
    assert found is not None
    assert found.variables == (0, 1, 2, 3)
    assert found.distances(abstracted.costs, abstracted.queue)[found.start] == 4


def test_a_pattern_grows_by_conditions_of_effects() -> None:
    switch, lamp = TaskVariable("switch", TRUTH), TaskVariable("lamp", TRUTH)
    press = Operator("press", {}, (Effect(0, 1),))
    light = Operator("light", {}, (Effect(1, 1, {0: 1}),))
    _, found = grown(Task((switch, lamp), (0, 0), {1: 1}, (press, light)), 1)
    assert found is not None
    assert found.variables == (0, 1)


def test_a_pattern_grows_by_other_goals() -> None:
    both = Task(chain(2).variables, (0, 0, 0), {0: 1, 2: 1}, chain(2).operators)
    _, found = grown(both, 0)
    assert found is not None
    assert found.variables == (0, 1, 2)


def test_a_pattern_stops_growing_at_its_limit() -> None:
    _, found = grown(chain(4), 3, most=2)
    assert found is not None
    assert found.variables == (2, 3)
    assert grown(chain(4), 3, most=0)[1] is None


def test_a_pattern_that_stops_growing_knows_the_cost() -> None:
    """Without costs of 0, which the abstract plan counts as 1, and if the task is solvable."""
    checked = 0
    for make in (random_task, token_task):
        for seed in range(200):
            task = make(seed)
            task = task.with_costs([max(1, operator.cost) for operator in task.operators])
            expected = uniform_cost(task, Budget())
            goals = sorted(set(task.goal).difference(task.derived))
            if task.derived or expected.plan is None or not goals:
                continue
            abstracted, found = grown(task, goals[0])
            assert found is not None
            distance = found.distances(abstracted.costs, abstracted.queue)[found.index(initial_state(task))]
            assert distance == expected.bound
            checked += 1
    assert checked > 50
