"""Mutex groups by induction: those that the definition says, whatever a task comes with."""

import random
from dataclasses import replace

import pytest
from random_tasks import random_task, token_task

from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.task import Effect, Fact, Operator, Task, TaskVariable


def keeps(operator: Operator, group: frozenset[Fact]) -> bool:
    """Does an operator keep a group, if at most one fact holds before? No if that is not evident."""
    before = {fact for fact in operator.precondition.items() if fact in group}
    always = {effect.variable: effect.value for effect in operator.effects if not effect.condition}
    if len(before) > 1 or not any((effect.variable, effect.value) in group for effect in operator.effects):
        return True
    if any(effect.condition and (effect.variable, effect.value) in group for effect in operator.effects):
        return False
    may_hold = before or {(v, value) for v, value in group if v not in operator.precondition}
    stays = any(variable not in always for variable, _ in may_hold)
    return sum(fact in group for fact in always.items()) + stays <= 1


def expected(task: Task) -> list[frozenset[Fact]]:
    """The groups of several variables that hold at the start, and that all operators keep."""
    return [
        group
        for group in map(frozenset, task.mutexes)
        if len({v for v, _ in group}) > 1
        and not {v for v, _ in group} & {*task.derived}
        and len(group & {*enumerate(task.initial)}) <= 1
        and all(keeps(operator, group) for operator in task.operators)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_groups_of_random_tasks(seed: int) -> None:
    rnd = random.Random(seed)
    task = token_task(seed) if seed % 3 == 0 else random_task(seed, plain=seed % 3 == 1)
    facts = [(v, value) for v, size in enumerate(task.domains) for value in range(size)]
    more = (rnd.sample(facts, min(len(facts), rnd.randint(1, 5))) for _ in range(20))
    task = replace(task, mutexes=(*task.mutexes, *map(tuple, more)))
    assert inductive_groups(task) == expected(task)


def test_an_operator_that_changes_all_groups_again_and_again() -> None:
    places = tuple(TaskVariable(f"place{p}", ("free", "taken")) for p in range(4))
    group = tuple((p, 1) for p in range(4))
    move = [Operator(f"{p}", {p: 1}, (Effect(p, 0), Effect((p + 1) % 4, 1))) for p in range(4)]
    task = Task(places, (1, 0, 0, 0), {3: 1}, tuple(move), (), (group, group[:2]))
    assert inductive_groups(task) == [frozenset(group)]
    again = Operator("again", {0: 1}, (Effect(1, 1), Effect(1, 0)))
    assert inductive_groups(replace(task, operators=(*move, again))) == [frozenset(group)]
    twice = Operator("twice", {0: 1}, (Effect(1, 1),))
    assert inductive_groups(replace(task, operators=(*move, twice))) == []
    never = Operator("never", {0: 1, 1: 1}, (Effect(2, 1),))
    assert inductive_groups(replace(task, operators=(*move, never))) == [frozenset(group)]
