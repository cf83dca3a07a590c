"""Relaxed plans are plans of the delete relaxation; a state without one has no plan."""

import pytest
from random_tasks import least_costs, random_task, reachable_states, token_task

from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing.relaxed_plan import DEAD, RelaxedPlan
from puzzlemc.mc.tasks.semantics import holds, initial_state
from puzzlemc.mc.tasks.task import Axiom, Effect, Fact, Operator, State, Task, TaskVariable

SEEDS = range(200)


def relaxed_plan(task: Task) -> RelaxedPlan:
    """The relaxed plans of a task with unit costs."""
    return RelaxedPlan(relaxation(task), [1] * len(task.operators))


def operators_of(plans: RelaxedPlan) -> list[int]:
    """The operators of the last relaxed plan."""
    return [number for number, stamp in enumerate(plans.stamps) if stamp == plans.stamp]


def preferred_operators(plans: RelaxedPlan) -> list[int]:
    """The preferred operators of the last relaxed plan, as the searches find them."""
    return [number for number, stamp in enumerate(plans.preferred) if stamp == plans.stamp]


def reached(task: Task, state: State, operators: list[int]) -> set[Fact]:
    """The facts that become true by these operators, in any order, if nothing becomes false."""
    true = set(enumerate(state))
    grows = True
    while grows:
        before = len(true)
        for operator in (task.operators[number] for number in operators):
            if true.issuperset(operator.precondition.items()):
                true |= {(e.variable, e.value) for e in operator.effects if true.issuperset(e.condition.items())}
        grows = len(true) > before
    return true


@pytest.mark.parametrize("axioms", [False, True])
def test_states_with_a_plan_have_a_relaxed_plan(axioms: bool) -> None:
    dead = 0
    for seed in SEEDS:
        task = random_task(seed, plain=not axioms)
        plans, costs = relaxed_plan(task), least_costs(task)
        for state in reachable_states(task):
            if plans.estimate(state) == DEAD:
                assert state not in costs
                dead += 1
    assert dead


def test_a_relaxed_plan_reaches_the_goal() -> None:
    long = 0
    for seed in SEEDS:
        for task in (random_task(seed, plain=True), token_task(seed)):
            plans = relaxed_plan(task)
            for state in reachable_states(task):
                estimate = plans.estimate(state)
                operators = [*range(len(task.operators))] if estimate == DEAD else operators_of(plans)
                assert (estimate == DEAD) != reached(task, state, operators).issuperset(task.goal.items())
                if estimate != DEAD:
                    assert estimate == len(operators)
                    assert (estimate == 0) == holds(task.goal, state)
                    long += estimate > 1
                    applicable = [n for n in operators if holds(task.operators[n].precondition, state)]
                    assert preferred_operators(plans) == applicable
    assert long


def test_preferred_operators_make_a_fact_true_at_once() -> None:
    some = 0
    for seed in SEEDS:
        task = random_task(seed)
        plans = relaxed_plan(task)
        for state in reachable_states(task):
            if plans.estimate(state) == DEAD:
                continue
            preferred = preferred_operators(plans)
            for operator in (task.operators[number] for number in preferred):
                assert holds(operator.precondition, state)
                assert any(
                    holds(each.condition, state) for each in operator.effects if state[each.variable] != each.value
                )
            if operators_of(plans) and not task.axioms:
                assert preferred
            some += len(preferred)
    assert some > 100


def test_an_operator_is_not_preferred_before_the_effect_that_is_needed_can_happen() -> None:
    """Each operator applies in each state: what a token does depends on where it is."""
    places = 9
    token = TaskVariable("token", tuple(map(str, range(places))))
    steps = tuple(Operator(f"{n} on", {}, (Effect(0, n + 1, {0: n}),)) for n in range(places - 1))
    plans = relaxed_plan(Task((token,), (0,), {0: places - 1}, steps))
    for place in range(places - 1):
        assert plans.estimate((place,)) == places - 1 - place
        assert preferred_operators(plans) == [place]


def test_large_costs() -> None:
    """Costs of facts are rounded where they are compared, and bounded; the sum is exact."""
    variable = TaskVariable("v", tuple(map(str, range(4))))
    steps = tuple(Operator(f"{n} {k}", {0: n}, (Effect(0, k),)) for n, k in ((0, 1), (1, 3), (0, 2), (2, 3)))
    task = Task((variable,), (0,), {0: 3}, steps)
    plans = RelaxedPlan(relaxation(task), [1_000_003, 7, 1, 900_001])
    assert (plans.estimate((0,)), operators_of(plans)) == (900_002, [2, 3])
    plans = RelaxedPlan(relaxation(task), [1, 1_000_003, 7, 900_001])
    assert (plans.estimate((0,)), operators_of(plans)) == (900_008, [2, 3])
    goals = 20
    twice = tuple(TaskVariable(f"x{n}", ("no", "yes")) for n in range(goals))
    doubling = tuple(
        Operator(f"{n}", {n - 1: 1, n - 2: 1} if n > 1 else {}, (Effect(n, 1),)) for n in range(goals)
    )
    plans = RelaxedPlan(relaxation(Task(twice, (0,) * goals, {goals - 1: 1}, doubling)), [10**12] * goals)
    assert plans.estimate((0,) * goals) == goals << 30
    assert operators_of(plans) == [*range(goals)]


def test_what_the_goal_does_not_need_is_left_out() -> None:
    variables = tuple(TaskVariable(name, ("no", "yes")) for name in ("key", "door", "lamp", "song"))
    steps = (
        Operator("take", {}, (Effect(0, 1), Effect(2, 1))),
        Operator("open", {0: 1}, (Effect(1, 1), Effect(3, 1))),
        Operator("sing", {2: 1}, (Effect(3, 1),)),
    )
    relaxed = relaxation(Task(variables, (0,) * 4, {1: 1}, steps))
    assert list(relaxed.operator) == [0, 1, -1]
    assert list(relaxed.effect) == [1, 3, relaxed.goal]


def test_costs_count() -> None:
    variable = TaskVariable("v", ("a", "b", "c"))
    steps = (
        Operator("far", {0: 0}, (Effect(0, 2),)),
        Operator("near", {0: 0}, (Effect(0, 1),)),
        Operator("on", {0: 1}, (Effect(0, 2),)),
    )
    plans = RelaxedPlan(relaxation(Task((variable,), (0,), {0: 2}, steps)), [9, 2, 3])
    assert (plans.estimate((0,)), operators_of(plans)) == (5, [1, 2])


def test_a_derived_variable_returns_to_its_default() -> None:
    """Two axioms depend on each other: both derived variables become false when the switch goes off."""
    variables = (TaskVariable("switch", ("off", "on")), *(TaskVariable(n, ("no", "yes"), 0) for n in "xy"))
    axioms = (Axiom({0: 1}, 1, 1), Axiom({1: 1}, 2, 1), Axiom({2: 1}, 1, 1))
    task = Task(variables, (1, 0, 0), {1: 0, 2: 0}, (Operator("off", {}, (Effect(0, 0),)),), axioms)
    plans = relaxed_plan(task)
    assert initial_state(task) == (1, 1, 1)
    assert plans.estimate(initial_state(task)) != DEAD
    single = Task(variables[:2], (1, 0), {1: 0}, (), (Axiom({0: 1}, 1, 1),))
    assert relaxed_plan(single).estimate(initial_state(single)) == DEAD
