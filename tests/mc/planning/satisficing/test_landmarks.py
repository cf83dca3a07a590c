"""Landmarks are true at some time in each plan, and their orders hold."""

from random_tasks import random_task, switches, token_task
from task_reference import uniform_cost

from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing.landmark_graph import LandmarkGraph, landmark_graph
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.tasks.semantics import applied, initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

SEEDS = range(300)


def graph_of(task: Task) -> LandmarkGraph:
    """The landmarks of a task, which has a relaxed plan."""
    relaxed = relaxation(task)
    arrays = RelaxedPlan(relaxed, [1] * len(task.operators))
    found = landmark_graph(task, relaxed, arrays, initial_state(task), Budget())
    assert found is not None
    return found


def test_plans_pass_landmarks() -> None:
    beside_goals = necessary = 0
    for seed in SEEDS:
        for task in (random_task(seed), token_task(seed)):
            plan = uniform_cost(task, Budget()).plan
            if plan is None:
                continue
            states = [initial_state(task)]
            for number in plan:
                states.append(applied(task, task.operators[number], states[-1]))
            graph = graph_of(task)
            first = [
                next((i for i, state in enumerate(states) if state[variable] == value), None)
                for variable, value in graph.facts
            ]
            assert None not in first
            assert set(task.goal.items()) <= set(graph.facts)
            beside_goals += sum(at != 0 for at in first) > len(task.goal)
            for one, others in enumerate(graph.necessary):
                variable, value = graph.facts[one]
                for at in (first[other] for other in others):
                    # A derived variable is true together with what it follows from.
                    assert at is not None
                    assert value in (states[max(0, at - 1)][variable], states[at][variable])
                    necessary += 1
    assert min(beside_goals, necessary) > 20


def test_a_counter_has_all_bits_as_landmarks() -> None:
    assert {(bit, 1) for bit in range(5)} <= set(graph_of(switches(5)).facts)


def test_sets_that_do_not_fit_in_memory_are_not_made() -> None:
    task = switches(40)
    relaxed = relaxation(task)
    arrays, initial = RelaxedPlan(relaxed, [1] * 40), initial_state(task)
    size = relaxed.facts**2 // 8
    assert landmark_graph(task, relaxed, arrays, initial, Budget(Limits(memory=2 * size))) is not None
    assert landmark_graph(task, relaxed, arrays, initial, Budget(Limits(memory=2 * size - 1))) is None


def test_reasonable_orders() -> None:
    """The place of the goal is reached last."""
    place = TaskVariable("place", ("a", "b", "c"))
    marks = tuple(TaskVariable(f"mark {name}", ("no", "yes")) for name in "bc")
    moves = tuple(Operator(f"{x} to {y}", {0: x}, (Effect(0, y),)) for x, y in ((0, 1), (1, 0), (0, 2), (2, 0)))
    sign = tuple(Operator(f"sign {x}", {0: x}, (Effect(x, 1),)) for x in (1, 2))
    task = Task((place, *marks), (0, 0, 0), {0: 2, 1: 1, 2: 1}, (*moves, *sign))
    graph = graph_of(task)
    number = {fact: place for place, fact in enumerate(graph.facts)}
    assert {number[0, 1], number[1, 1]} & set(graph.before[number[0, 2]])
    for one, earlier in enumerate(graph.before):
        assert all(one not in graph.before[other] for other in earlier)
