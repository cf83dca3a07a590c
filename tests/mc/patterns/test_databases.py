"""Databases and their sums are consistent lower bounds, and the groups that shape them hold."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from random_tasks import least_costs, random_task, reachable_states, token_task

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted, Database, database
from puzzlemc.mc.patterns.estimate import bound_of
from puzzlemc.mc.patterns.generation import interesting_patterns
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.semantics import initial_state, successors
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

MAKERS = pytest.mark.parametrize("make", [random_task, token_task])
SEEDS = pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 1000), marks=pytest.mark.slow)])
ENOUGH = 1 << 20


def patterns(task: Task, rnd: random.Random, abstracted: Abstracted | None = None) -> list[Database]:
    """Databases of random patterns."""
    abstracted = abstracted or Abstracted(task)
    variables = [number for number in range(len(task.variables)) if number not in task.derived]
    chosen = [tuple(rnd.sample(variables, rnd.randint(1, min(3, len(variables))))) for _ in range(3)]
    found = [database(abstracted, each, ENOUGH) for each in chosen]
    return [each for each in found if each is not None]


@MAKERS
@SEEDS
def test_distances_are_consistent_under_saturated_costs(make: Callable[[int], Task], seeds: range) -> None:
    for seed in seeds:
        task = make(seed)
        abstracted, states, rnd = Abstracted(task), reachable_states(task), random.Random(seed)
        least = least_costs(task)
        for each in patterns(task, rnd):
            distances = each.distances(abstracted.costs, abstracted.queue)
            saturated = each.saturated(distances)
            assert (saturated <= abstracted.costs).all()
            for state in states:
                here = distances[each.index(state)]
                assert here <= least.get(state, INFINITE)
                for number, after in successors(task, state):
                    there = distances[each.index(after)]
                    if there < INFINITE:
                        assert here <= saturated[number] + there


@MAKERS
@SEEDS
def test_steps_that_states_share_change_no_distance(make: Callable[[int], Task], seeds: range) -> None:
    compared = dead = 0
    for seed in seeds:
        task, rnd = make(seed), random.Random(seed)
        smaller = reduction(task, Budget())
        assert smaller is not None
        task = smaller.task if seed % 2 else task
        abstracted = Abstracted(task, together=smaller.together if seed % 2 else None)
        for plain in patterns(task, rnd, abstracted):
            for most in (plain.stored // 3, plain.stored // 2, 2 * plain.stored // 3):
                shared = database(abstracted, plain.variables, most, ENOUGH)
                if shared is None:
                    continue
                assert shared.stored <= most or shared.stored == plain.stored
                costs = rnd.choice(
                    (abstracted.costs, np.array([rnd.randrange(4) for _ in abstracted.costs], np.int64))
                )
                distances = plain.distances(costs, abstracted.queue)
                assert (shared.distances(costs, abstracted.queue) == distances).all()
                assert (shared.saturated(distances) == plain.saturated(distances)).all()
                assert (shared.alive == plain.alive).all()
                assert (shared.relevant == plain.relevant).all()
                compared += shared.stored < plain.stored
                dead += not plain.alive.all()
    assert compared > (40 if make is token_task else 0)
    assert dead > (10 if make is token_task else 0)


@MAKERS
@SEEDS
def test_the_sums_are_consistent(make: Callable[[int], Task], seeds: range) -> None:
    for seed in seeds:
        task = make(seed)
        abstracted, states, rnd = Abstracted(task), reachable_states(task), random.Random(seed)
        least = least_costs(task)
        partitionings = Partitionings(abstracted, patterns(task, rnd), lambda: None)
        partitionings.diversify(rnd.sample(states, min(len(states), 5)), ENOUGH, ENOUGH)
        estimate = partitionings.estimate()
        bounds = {state: bound_of(estimate, state) for state in states}
        for state, bound in bounds.items():
            assert bound <= least.get(state, INFINITE)
            for number, after in successors(task, state):
                assert bounds[after] == INFINITE or bound <= task.operators[number].cost + bounds[after]


@pytest.mark.parametrize("make", [random_task, token_task])
def test_inductive_groups_hold(make: Callable[[int], Task]) -> None:
    kept = given = 0
    for seed in range(300):
        task = make(seed)
        groups = inductive_groups(task)
        kept, given = kept + len(groups), given + len(task.mutexes)
        for state in reachable_states(task):
            facts = set(enumerate(state))
            assert all(len(group & facts) <= 1 for group in groups)
    assert kept > 0
    assert (kept < given) == (make is random_task)


def corridor(length: int) -> Task:
    """A robot walks to the end of a corridor and back, between which it takes something."""
    places = TaskVariable("robot", tuple(f"p{i}" for i in range(length)))
    has = TaskVariable("has", ("no", "yes"))
    steps = [Operator(f"walk {i} {j}", {0: i}, (Effect(0, j),)) for i in range(length) for j in (i - 1, i + 1)]
    steps = [step for step in steps if 0 <= step.effects[0].value < length]
    take = Operator("take", {0: length - 1}, (Effect(1, 1),), 3)
    return Task((places, has), (0, 0), {0: 0, 1: 1}, (*steps, take))


def test_distances_of_a_corridor() -> None:
    abstracted = Abstracted(corridor(5))
    both = database(abstracted, (0, 1), ENOUGH)
    assert both is not None
    distances = both.distances(abstracted.costs, abstracted.queue)
    assert distances[both.index((0, 0))] == 4 + 3 + 4
    assert distances[both.index((3, 1))] == 3
    alone = database(abstracted, (1,), ENOUGH)
    assert alone is not None
    assert list(alone.distances(abstracted.costs, abstracted.queue)) == [3, 0]
    saturated = alone.saturated(np.array([3, 0], np.int32))
    assert saturated[-1] == 3
    assert not saturated[:-1].any()


def test_a_database_that_is_too_large_is_not_built() -> None:
    assert database(Abstracted(corridor(5)), (0, 1), 16) is None


def test_few_steps_lead_between_many_places() -> None:
    """Those of a ship that sails from each place to all others are not stored for each place of its freight."""
    places = 30
    ship, freight = (TaskVariable(name, tuple(map(str, range(places)))) for name in ("ship", "freight"))
    steps = [(a, b) for a in range(places) for b in range(places) if a != b]
    sail = [Operator(f"sail {a} {b}", {0: a}, (Effect(0, b),)) for a, b in steps]
    carry = [Operator(f"carry {a} {b}", {0: a, 1: a}, (Effect(0, b), Effect(1, b)), 3) for a, b in steps]
    abstracted = Abstracted(Task((ship, freight), (0, 1), {0: 3, 1: 2}, (*sail, *carry)))
    most, rows = len(sail) * places, len(sail) + len(carry)
    assert database(abstracted, (0, 1), rows, most - 1) is None
    assert database(abstracted, (0, 1), rows - 1, most) is None
    shared = database(abstracted, (0, 1), rows, most)
    whole = database(abstracted, (0, 1), len(carry) + most)
    assert shared is not None
    assert whole is not None
    assert (shared.stored, whole.stored) == (len(carry), len(carry) + most)
    assert shared.bytes < whole.bytes / 2
    assert shared.work < whole.work
    for each in (shared, whole):
        assert each.distances(abstracted.costs, abstracted.queue)[each.start] == 1 + 3 + 1


def test_patterns_grow_along_the_causal_graph() -> None:
    assert list(interesting_patterns(corridor(3), 2)) == [(0,), (1,), (0, 1)]
    alone = Task(corridor(3).variables, (0, 0), {0: 2}, corridor(3).operators)
    assert list(interesting_patterns(alone, 2)) == [(0,)]


def test_many_different_costs() -> None:
    """Thousands of distances, for which the queue has no room at first, and few bytes for all of them."""
    places, rnd = 45, random.Random(0)
    ship, freight = (TaskVariable(name, tuple(map(str, range(places)))) for name in ("ship", "freight"))
    steps = [(a, b) for a in range(places) for b in range(places) if a != b]
    sail = [Operator(f"sail {a} {b}", {0: a}, (Effect(0, b),), rnd.randrange(1, 10**6)) for a, b in steps]
    carry = [Operator(f"carry {a}", {0: a, 1: a}, (Effect(1, (a + 1) % places),), 5 * a) for a in range(places)]
    abstracted = Abstracted(Task((ship, freight), (0, 1), {0: 3, 1: 16}, (*sail, *carry)))
    shared = database(abstracted, (0, 1), 9_000, ENOUGH)
    whole = database(abstracted, (0, 1), ENOUGH)
    assert shared is not None
    assert whole is not None
    assert shared.stored < whole.stored
    distances = shared.distances(abstracted.costs, abstracted.queue)
    assert len(np.unique(distances)) > 1000
    assert abstracted.queue.bytes < 1 << 20
    assert (distances == whole.distances(abstracted.costs, abstracted.queue)).all()
    assert (shared.saturated(distances) == whole.saturated(distances)).all()


def test_many_small_sets_of_variables_are_not_shared() -> None:
    """Each would take a number for each state."""
    count = 12
    bits = tuple(TaskVariable(f"v{n}", ("0", "1")) for n in range(count))
    flips = [
        Operator(f"{a} {b}", {a: 0, b: 1}, (Effect(a, 1),)) for a in range(count) for b in range(count) if a != b
    ]
    abstracted = Abstracted(Task(bits, (0,) * count, dict.fromkeys(range(count), 1), tuple(flips)))
    every = len(flips) << count - 2
    assert database(abstracted, range(count), every) is not None
    assert database(abstracted, range(count), every - 1, ENOUGH) is not None
    assert database(abstracted, range(count), every // 4, ENOUGH) is None


def test_exclusion_raises_distances() -> None:
    """Two tokens pass each other: with the groups, a database of both knows that they cannot share a place."""
    raised = 0
    for seed in range(200):
        task = token_task(seed)
        if len(task.goal) < 2:
            continue
        loose = Task(task.variables, task.initial, task.goal, task.operators)
        bounds = []
        for each in (task, loose):
            abstracted = Abstracted(each)
            built = database(abstracted, (0, 1), ENOUGH)
            assert built is not None
            bounds.append(
                int(built.distances(abstracted.costs, abstracted.queue)[built.index(initial_state(each))])
            )
        assert bounds[0] >= bounds[1]
        raised += bounds[0] > bounds[1]
    assert raised > 5
