"""Lazy greedy search leaves local minima by its list of types, and pauses at the same work whatever its turns."""

import pytest

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.landmark_graph import goals_alone
from puzzlemc.mc.planning.satisficing.lazy_search import LazySearch, advance
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

MEMORY = 1 << 28
KEYS = 16


def lazy_search(task: Task) -> LazySearch:
    """A search with the goals alone as landmarks."""
    plan = RelaxedPlan(relaxation(task), [1] * len(task.operators))
    landmarks = LandmarkCount(task, goals_alone(task))
    return LazySearch(PackedTask(task, Operators(task)), plan, landmarks, initial_state(task), 1 << 10)


def local_minimum() -> Task:
    """A task with a local minimum of about 2^KEYS states, outside of a corridor that leads to the goal.

    All keys together would do as well, and a plan seems to need only those that are missing; but whoever takes a
    key loses the next one. Each step of the corridor seems to lead to a longer plan.
    """
    place, goal, first_key = 0, 1, 2
    keys = range(first_key, first_key + KEYS)
    outside = {place: 0}
    operators = [
        *(
            Operator(f"take {key}", outside, (Effect(key, 1), Effect(first_key + (key - 1) % KEYS, 0)))
            for key in keys
        ),
        Operator("use all", {**outside, **dict.fromkeys(keys, 1)}, (Effect(goal, 1),)),
        *(Operator(f"corridor {at}", {place: at}, (Effect(place, at + 1),)) for at in range(KEYS + 1)),
        Operator("end", {place: KEYS + 1}, (Effect(goal, 1),)),
    ]
    places = TaskVariable("place", tuple(str(at) for at in range(KEYS + 2)))
    variables = (places, *(TaskVariable(f"v{number}", ("0", "1")) for number in range(1 + KEYS)))
    return Task(variables, (0,) * len(variables), {goal: 1}, tuple(operators))


def test_types_leave_a_local_minimum() -> None:
    search = lazy_search(local_minimum())
    assert advance(search, MEMORY, 1 << 40) == FOUND
    assert len(search.path(search.goal)) >= KEYS + 2
    assert search.evaluated < 2**KEYS / 4


def test_the_search_is_the_same_whatever_its_turns_are() -> None:
    whole, parts = (lazy_search(local_minimum()) for _ in range(2))
    assert advance(whole, MEMORY, 1 << 40) == FOUND
    while advance(parts, MEMORY, 7_777) == PAUSED:
        pass
    assert parts.evaluated == whole.evaluated
    assert parts.work == whole.work
    assert parts.path(parts.goal) == whole.path(whole.goal)


def test_work_grows_with_each_turn() -> None:
    search = lazy_search(local_minimum())
    for turn in range(1, 11):
        assert advance(search, MEMORY, 50_000) == PAUSED
        assert 50_000 * turn <= search.work < 60_000 * turn


def test_the_table_of_types_counts_in_the_memory() -> None:
    """It does not grow: it takes 12.6 MB from the first state on, more than all states of this search."""
    search = lazy_search(local_minimum())
    assert search.bytes > 12_500_000
    with pytest.raises(LimitReached):
        advance(search, 12_500_000, 1 << 40)
    large = lazy_search(local_minimum())
    assert advance(large, 25_000_000, 1 << 40) == FOUND
    assert large.bytes <= 25_000_000
