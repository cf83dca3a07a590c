"""The nodes of the relaxation are those of its definition."""

import pytest
from random_tasks import random_task, switches

from puzzlemc.mc.planning.relaxation import NONE, Relaxation, relaxation
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

Node = tuple[int, frozenset[int], frozenset[int]]  # operator, condition, effects


def nodes_of(found: Relaxation) -> list[Node]:
    """The nodes, whose conditions are in ascending order, and whose effects are there once."""
    nodes = []
    for number, operator in enumerate(found.operator.tolist()):
        condition = found.condition[found.condition_first[number] : found.condition_first[number + 1]].tolist()
        effects = found.effect[found.effect_first[number] : found.effect_first[number + 1]].tolist()
        assert condition == sorted(set(condition))
        assert len(effects) == len(set(effects)) > 0
        nodes.append((operator, frozenset(condition), frozenset(effects)))
    return nodes


def defined(task: Task) -> list[Node]:
    """The nodes of operators by the definition, also those that the goal does not need."""
    first = [sum(task.domains[:variable]) for variable in range(len(task.domains))]
    nodes = []
    for number, operator in enumerate(task.operators):
        effects: dict[frozenset[int], set[int]] = {}
        for effect in operator.effects:
            facts = {*operator.precondition.items(), *effect.condition.items()}
            if len(facts) == len(dict(facts)):  # they do not contradict each other
                condition = frozenset(first[variable] + value for variable, value in facts)
                effects.setdefault(condition, set()).add(first[effect.variable] + effect.value)
        nodes += [(number, given, frozenset(made - given)) for given, made in effects.items()]
    return nodes


def restricted(nodes: list[Node], goal: int) -> list[Node]:
    """The nodes with the effects that the goal needs."""
    needed, size = {goal}, 0
    while len(needed) > size:
        size = len(needed)
        needed |= {fact for _, given, made in nodes if made & needed for fact in given}
    return [(operator, given, made & needed) for operator, given, made in nodes if made & needed]


@pytest.mark.parametrize("seed", range(60))
def test_nodes_of_operators(seed: int) -> None:
    task = random_task(seed)
    found = relaxation(task)
    nodes = nodes_of(found)
    others = [node for node in nodes if node[0] == NONE]
    expected = restricted([*defined(task), *others], found.goal)
    assert sorted(nodes, key=repr) == sorted(expected, key=repr)
    assert [node[0] for node in nodes if node[0] != NONE] == sorted(node[0] for node in nodes if node[0] != NONE)


def test_effects_with_one_condition_are_one_node() -> None:
    bits = tuple(TaskVariable(f"v{number}", ("0", "1")) for number in range(5))
    effects = (
        Effect(1, 1, {2: 0, 3: 1}),
        Effect(2, 1),
        Effect(4, 1, {3: 1, 2: 0}),
        Effect(2, 1),
        Effect(3, 1, {0: 1}),
    )
    task = Task(bits, (0,) * 5, dict.fromkeys(range(1, 5), 1), (Operator("o", {0: 0}, effects),))
    assert nodes_of(relaxation(task))[:-1] == [
        (0, frozenset([0]), frozenset([5])),
        (0, frozenset([0, 4, 7]), frozenset([3, 9])),
    ]


def test_many_effects_with_conditions() -> None:
    bits = switches(9).variables
    effects = tuple(Effect(n % 9, 1, {k: n >> k & 1 for k in range(9)}) for n in range(512)) * 2
    task = Task(bits, (0,) * 9, dict.fromkeys(range(9), 1), (Operator("o", {}, effects),))
    assert len(nodes_of(relaxation(task))) == 1 + sum(not n >> n % 9 & 1 for n in range(512))
