"""The decision tree finds the applicable operators, and knows how many there can be."""

import random

import numpy as np
import pytest
from random_tasks import random_task, reachable_states

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.decision_tree import DecisionTree
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.tasks.semantics import holds
from puzzlemc.mc.tasks.task import Condition, Effect, Operator, State, Task, TaskVariable


def task_of(sizes: list[int], preconditions: list[Condition]) -> Task:
    variables = tuple(TaskVariable(f"v{n}", tuple(map(str, range(size)))) for n, size in enumerate(sizes))
    operators = tuple(Operator("o", condition, (Effect(0, 0),)) for condition in preconditions)
    return Task(variables, (0,) * len(sizes), {}, operators)


def tree_of(task: Task) -> DecisionTree:
    return DecisionTree(Operators(task), np.array(task.domains, np.int64))


def applicable(task: Task, state: State) -> list[int]:
    return [number for number, each in enumerate(task.operators) if holds(each.precondition, state)]


@pytest.mark.parametrize("seed", range(30))
def test_it_finds_the_applicable_operators(seed: int) -> None:
    rnd = random.Random(seed)
    sizes = [rnd.choice([1, 2, 3, 5, 60]) for _ in range(rnd.randint(1, 6))]
    few = [[rnd.randrange(size) for _ in range(rnd.randint(1, 3))] for size in sizes]  # values that are required
    preconditions = [
        {v: rnd.choice(few[v]) for v in rnd.sample(range(len(sizes)), rnd.randint(0, len(sizes)))}
        for _ in range(rnd.choice([0, 1, 40]))
    ]
    task = task_of(sizes, preconditions)
    tree = tree_of(task)
    for _ in range(40):
        state = tuple(
            rnd.choice([rnd.randrange(size), rnd.choice(some)]) for size, some in zip(sizes, few, strict=True)
        )
        found = tree.applicable(state)
        assert sorted(found) == applicable(task, state)
        assert len(found) <= tree.most


@pytest.mark.parametrize("seed", range(10))
def test_no_reachable_state_has_more_operators(seed: int) -> None:
    task = random_task(seed)
    packed = PackedTask(task, Operators(task))
    states = reachable_states(task)
    assert packed.applicable.shape[0] > max(len(applicable(task, state)) for state in states)


def test_values_exclude_each_other() -> None:
    for size in (3, 100):  # few of many values are compared, others are looked up
        task = task_of([size, 2], [{0: 0}, {0: 1}, {0: 2}, {0: 2, 1: 0}, {0: 2, 1: 1}, {1: 1}, {}])
        assert tree_of(task).most == 4


def test_frequent_variables_come_first() -> None:
    tree = tree_of(task_of([2] * 49 + [9], [{49: 5, lamp: 1} for lamp in range(49)]))
    assert list(tree.nodes[:4]) == [0, 1, 49, 5]  # no operator, one comparison: of variable 49 with 5


def test_few_of_many_values_take_little_room() -> None:
    """The room for a tree grows with the facts that are required, not with the values that a variable may have."""
    tree = tree_of(task_of([10_000], [{0: 1}, {0: 9_999}]))
    assert tree.nodes.shape[0] < 20
    assert [tree.applicable((value,)) for value in (0, 1, 9_999)] == [[], [0], [1]]
