"""Width search agrees with the textbook search, and takes states in the order that sets of facts give."""

import random
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from planner_contract import PlannerContract
from random_tasks import random_task, switches, token_task
from snake_task import snake_task
from task_reference import check_plan

from examples import examples
from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.landmark_graph import goals_alone, landmark_graph
from puzzlemc.mc.planning.satisficing.relaxed_plan import DEAD, RelaxedPlan
from puzzlemc.mc.planning.satisficing.width_search import BROAD, DEEP, GUIDED, WidthSearch, advance
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Searched, State, Task, TaskVariable

PARENT, ACTION, LEFT, MARKED = range(4)  # columns of node_info
MEMORY = 1 << 24


def searched(task: Task, by_landmarks: bool, memory: int = MEMORY, order: int = GUIDED) -> WidthSearch:
    """A search that has not begun."""
    relaxed, initial = relaxation(task), initial_state(task)
    plan = RelaxedPlan(relaxed, [1] * len(task.operators))
    graph = landmark_graph(task, relaxed, plan, initial, Budget()) if by_landmarks else None
    count = LandmarkCount(task, graph or goals_alone(task))
    return WidthSearch(PackedTask(task, Operators(task)), plan, count, initial, 16, memory, order)


def width_plan(by_landmarks: bool, task: Task, budget: Budget) -> Searched:
    """The plan that the search finds."""
    memory = min(budget.limits.memory, MEMORY)
    try:
        search, status = searched(task, by_landmarks, memory), PAUSED
        turns = Turns(budget)
        while status == PAUSED:
            status = turns.turn(partial(advance, search, memory))
    except LIMITS as limit:
        return Searched(None, 0, 0, reason_of(limit))
    return Searched(tuple(search.path(search.goal)) if status == FOUND else None, search.expanded, 0)


class TestByGoals(PlannerContract):
    search = staticmethod(partial(width_plan, False))
    optimal = False


class TestByLandmarks(PlannerContract):
    search = staticmethod(partial(width_plan, True))
    optimal = False


def states_of(search: WidthSearch) -> list[State]:
    """The states found so far."""
    return [search.task.unpack(row) for row in np.asarray(search.rows)[: search.used]]


def check_order(task: Task, order: int) -> tuple[set[int], int]:
    """Compute by sets of facts in which order states must come.

    Return the novelties, and the number of facts of relaxed plans that were made true.
    """
    search = searched(task, False, order=order)
    assert advance(search, MEMORY, 10**9) in (FOUND, ENDED)
    plans = RelaxedPlan(relaxation(task), [1] * len(task.operators))
    conditions = set(np.flatnonzero(np.diff(plans.user_first)).tolist())
    info = np.asarray(search.node_info).tolist()
    seen: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    facts, wanted, made = list[set[int]](), list[set[int]](), list[set[int]]()
    keys: dict[int, tuple[int, ...]] = {}
    for number, state in enumerate(states_of(search)):
        parent = info[number][PARENT]
        facts.append({plans.first[variable] + value for variable, value in enumerate(state)})
        left = sum(state[variable] != value for variable, value in task.goal.items())
        if number == search.goal:
            assert left == 0
            break
        if parent >= 0 and left >= info[parent][LEFT]:
            wanted.append(wanted[parent])
            made.append(made[parent] | (facts[-1] - facts[parent]) & wanted[parent])
        else:
            is_dead = plans.estimate(state) == DEAD
            wanted.append({fact for fact in plans.needed[: plans.needed_count] if plans.supporter[fact] >= 0})
            made.append(set())
            if is_dead:
                continue
        assert (info[number][LEFT], info[number][MARKED]) == (left, len(made[-1]))
        known = seen.setdefault((left, len(made[-1])), set())
        sets = {size: set(combinations(sorted(facts[-1] & conditions), size)) for size in (1, 2)}
        novelty = next((size for size in (1, 2) if not sets[size] <= known), 3)
        guide = 0 if order == BROAD else -len(made[-1])
        keys[number] = novelty, left, guide, -number if order == DEEP else number
        known |= sets[1] | sets[2]
    parents = [info[number][PARENT] for number in range(1, search.used)]
    expanded = list(dict.fromkeys(parents))
    for place, parent in enumerate(expanded):
        opened = parents.index(parent) + 1  # states before its first child
        assert keys[parent] == min(keys[other] for other in expanded[place:] if other < opened)
    return {novelty for novelty, *_ in keys.values()}, sum(map(len, made))


@pytest.mark.parametrize("order", [BROAD, GUIDED, DEEP])
def test_states_come_in_the_order_of_novelty_and_goals_left(order: int) -> None:
    tasks = [make(seed) for seed in range(examples(40, 400)) for make in (random_task, token_task)]
    marked = sum(check_order(task, order)[1] for task in tasks)
    assert marked > 30


@pytest.mark.parametrize("order", [BROAD, GUIDED, DEEP])
def test_states_without_new_pairs_come_last(order: int) -> None:
    assert check_order(switches(8), order)[0] == {1, 2, 3}


def test_a_search_goes_on_where_it_has_paused() -> None:
    """Turns of any size make the same states; the least ones look at one successor."""
    for seed in range(20):
        task = token_task(seed)
        whole, parts = searched(task, True), searched(task, True)
        status = PAUSED
        while status == PAUSED:
            work, used = parts.work, parts.used
            status = advance(parts, MEMORY, 1)
            assert status != PAUSED or parts.work > work
            assert parts.used <= used + 1
        assert advance(whole, MEMORY, 10**9) == status
        assert states_of(whole) == states_of(parts)
        assert (whole.work, whole.expanded) == (parts.work, parts.expanded)


def test_its_memory_is_counted() -> None:
    """With novelty, the arrays take all of the memory and no more of it."""
    memory = 1 << 20
    search = searched(switches(18), False, memory)
    with pytest.raises(LimitReached, match="memory"):
        advance(search, memory, 10**12)
    assert 0.5 < search.bytes / memory < 1.01


def test_a_large_limit_of_memory_reserves_little_of_it() -> None:
    search = searched(switches(4), False, 1 << 50)
    assert advance(search, 1 << 50, 10**9) == FOUND
    assert search.bytes < 1 << 20


def test_relaxed_plans_are_computed_for_expanded_states_alone() -> None:
    """Each step leaves fewer goals, and most of its states are never expanded."""
    count = 12
    lamps = tuple(TaskVariable(f"lamp{i}", ("off", "on")) for i in range(count))
    steps = tuple(Operator(f"switch{i}", {i: 0}, (Effect(i, 1),)) for i in range(count))
    search = searched(Task(lamps, (0,) * count, dict.fromkeys(range(count), 1), steps), False)
    assert advance(search, MEMORY, 10**9) == FOUND
    assert search.evaluated == search.expanded == count
    assert search.used > count * count // 2


def test_a_state_without_a_relaxed_plan_is_never_expanded() -> None:
    """The goal that is nearest cannot be undone, and excludes the other one."""
    variables = (TaskVariable("place", ("start", "trap", "end")), TaskVariable("done", ("no", "yes")))
    steps = (
        Operator("fall", {0: 0}, (Effect(0, 1), Effect(1, 1))),
        Operator("walk", {0: 0}, (Effect(0, 2),)),
        Operator("do", {0: 2}, (Effect(1, 1),)),
    )
    search = searched(Task(variables, (0, 0), {0: 2, 1: 1}, steps), False)
    assert advance(search, MEMORY, 10**9) == FOUND
    trapped = states_of(search).index((1, 1))
    assert trapped not in np.asarray(search.node_info)[: search.used, PARENT]
    assert search.path(search.goal) == [1, 2]


def test_what_is_new_comes_first() -> None:
    """Of 2²⁰ states of switches that turn on in any order, few are looked at before the last switch."""
    count = 20
    variables = tuple(TaskVariable(f"v{number}", ("off", "on")) for number in range(count + 1))
    operators = [Operator(f"on {number}", {}, (Effect(number, 1),), 1) for number in range(count)]
    operators.append(Operator("last", dict.fromkeys(range(count), 1), (Effect(count, 1),), 1))
    search = searched(Task(variables, (0,) * (count + 1), {count: 1}, tuple(operators)), False)
    assert advance(search, MEMORY, 10**9) == FOUND
    assert search.expanded < 1 << 10


@pytest.mark.parametrize(
    ("height", "width", "apples", "by_landmarks", "most"),
    [(4, 5, 16, 200, 1600), (5, 6, 24, 500, 5000)],
)
def test_snakes_that_fill_a_room_take_few_expansions(
    height: int, width: int, apples: int, by_landmarks: int, most: int
) -> None:
    body = [width, 0]
    cells = [cell for cell in range(height * width) if cell not in body]
    task = snake_task(height, width, body, random.Random(apples).sample(cells, apples), 3)
    for is_by_landmarks, expansions in ((True, by_landmarks), (False, most)):
        search = searched(task, is_by_landmarks)
        assert advance(search, MEMORY, 1 << 31) == FOUND
        check_plan(task, tuple(search.path(search.goal)))
        assert search.expanded < expansions
