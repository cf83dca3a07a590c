"""Of the operators in a stubborn set, one begins a cheapest plan; so a search that applies no others finds one."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest
from planner_contract import agrees
from random_tasks import least_costs, random_task, reachable_states, switches, token_task
from symmetric_tasks import lamps, symmetric_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch, cheapest_plan
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.stubborn_sets import StubbornSets, leave_out
from puzzlemc.mc.tasks.semantics import holds, successors
from puzzlemc.mc.tasks.task import Effect, Operator, State, Task, TaskVariable

MANY = pytest.mark.parametrize("seeds", [range(200), pytest.param(range(200, 4000), marks=pytest.mark.slow)])


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing tells the distance of a state from the goal."""
    stage = replace(STAGES[0], pattern_size=0, total_size=0, expansions=20)
    monkeypatch.setattr(optimal, "STAGES", [stage] * len(STAGES))
    monkeypatch.setattr(optimal, "potential", lambda *_: None)


def shared_tools(seed: int) -> Task:
    """A task in which jobs have steps that require, use up and mend shared tools: their order matters."""
    rnd = random.Random(seed)
    jobs, tools = rnd.randint(2, 3), rnd.randint(1, 3)
    lengths = [rnd.randint(1, 3) for _ in range(jobs)]
    sizes = [*(length + 1 for length in lengths), *(rnd.randint(2, 3) for _ in range(tools))]
    variables = tuple(TaskVariable(f"v{n}", tuple(map(str, range(size)))) for n, size in enumerate(sizes))
    operators = []

    def add(given: dict[int, int], changed: dict[int, int]) -> None:
        for tool in rnd.sample(range(jobs, jobs + tools), rnd.randint(0, min(2, tools))):
            kind = rnd.randrange(3)
            if kind < 2:
                given[tool] = rnd.randrange(sizes[tool])
            if kind > 0:
                changed[tool] = rnd.randrange(sizes[tool])
        effects = tuple(Effect(*fact) for fact in changed.items())
        operators.append(Operator(f"o{len(operators)}", given, effects, rnd.choice((0, 1, 1, 2))))

    for job, length in enumerate(lengths):
        for step in range(length):
            for _ in range(rnd.choice((1, 1, 2))):
                add({job: step}, {job: step + 1})
    for _ in range(rnd.randint(0, 3)):
        tool = jobs + rnd.randrange(tools)
        add({}, {tool: rnd.randrange(sizes[tool])})
    goal = dict(enumerate(lengths))
    if rnd.random() < 0.3:
        goal[jobs] = rnd.randrange(sizes[jobs])
    return Task(variables, (0,) * len(sizes), goal, tuple(operators))


def plain_tasks(seeds: range) -> Iterator[Task]:
    """Random tasks of four kinds, with operators without cost."""
    for seed in seeds:
        yield shared_tools(seed)
        yield random_task(seed, plain=True)
        yield token_task(seed)
        yield symmetric_task(seed, plain=True)[0]


class Sets:
    """The stubborn sets of a task."""

    def __init__(self, task: Task) -> None:
        self.task, self.packed = task, PackedTask(task, Operators(task))
        self.sets = StubbornSets(task, is_on=True)

    def of(self, state: State) -> set[int]:
        """The applicable operators in the stubborn set of a state."""
        kept = self._of(state)
        for _ in self.task.operators:  # there may be no room for all that interfere at first
            self.sets.make_room(GIB)
            kept = self._of(state)
        return {self.packed.applicable[place] for place in range(kept)}

    def _of(self, state: State) -> int:
        self.packed.unpack(self.packed.pack(state))
        applicable = self.packed.tree.applicable(state)
        for place, operator in enumerate(applicable):
            self.packed.applicable[place] = operator
        return leave_out(self.sets, self.packed, len(applicable))


def least_steps(task: Task, costs: dict[State, int]) -> dict[State, int]:
    """The least number of steps of a cheapest plan from each state that has a plan."""
    found = {state: 0 for state in costs if holds(task.goal, state)}
    for steps in count(1):
        more = {
            state: steps
            for state in costs
            if state not in found
            and any(
                found.get(after) == steps - 1 and costs[state] == task.operators[number].cost + costs[after]
                for number, after in successors(task, state)
                if after in costs
            )
        }
        if not more:
            return found
        found |= more
    raise AssertionError


@MANY
def test_one_of_the_set_begins_a_shortest_of_the_cheapest_plans(seeds: range) -> None:
    left_out = 0
    for task in plain_tasks(seeds):
        if not task.is_plain:
            continue
        sets, costs = Sets(task), least_costs(task)
        steps = least_steps(task, costs)
        for state in reachable_states(task)[:40]:
            if holds(task.goal, state):
                continue
            after = dict(successors(task, state))
            chosen = sets.of(state)
            assert chosen <= set(after)
            left_out += len(after) - len(chosen)
            if state in costs:
                best = (costs[state], steps[state])
                assert best in {
                    (task.operators[number].cost + costs[after[number]], 1 + steps[after[number]])
                    for number in chosen
                    if after[number] in costs
                }
    assert left_out > 5 * len(seeds)


@MANY
def test_the_answer_is_that_of_the_textbook(seeds: range, blind: None) -> None:
    for task in plain_tasks(seeds):
        agrees(cheapest_plan, task, optimal=True)


def finished(task: Task, *, prunes: bool) -> PatternSearch:
    """A search that has ended."""
    search = PatternSearch(task, Budget(), prunes=prunes)
    for _ in search.turns():
        pass
    return search


def test_independent_parts_are_done_one_after_the_other(blind: None) -> None:
    """Of 4^6 states, a chain is left: its first state, and one after each step."""
    task = lamps(6, last=1)
    pruned, whole = finished(task, prunes=True), finished(task, prunes=False)
    assert (pruned.search.used, whole.search.used) == (1 + 3 * 6, 4**6)
    plan = pruned.plan()
    assert plan is not None
    assert check_plan(task, plan) == 18


def test_operators_that_interfere_are_in_the_set() -> None:
    """Two ways to open a box, of which one breaks the key that the other one needs, and a step that is alone."""
    names = ("no", "yes")
    box, key, lamp = (TaskVariable(name, names) for name in ("box", "key broken", "lamp"))
    turn = Operator("turn", {0: 0, 1: 0}, (Effect(0, 1),), 3)
    strike = Operator("strike", {}, (Effect(1, 1),))
    light = Operator("light", {2: 0}, (Effect(2, 1),))
    task = Task((box, key, lamp), (0, 0, 0), {0: 1, 2: 1}, (turn, strike, light))
    assert Sets(task).of((0, 0, 0)) in ({0, 1}, {2})
    assert Sets(replace(task, goal={0: 1})).of((0, 0, 0)) == {0, 1}
    assert Sets(replace(task, goal={2: 1})).of((0, 0, 0)) == {2}
    assert Sets(replace(task, goal={0: 1, 1: 1})).of((0, 0, 0)) == {0, 1}  # who strikes first never turns
    far = Operator("far", {2: 1}, (Effect(0, 1),))  # what achieves the goal is not applicable
    assert Sets(replace(task, goal={0: 1}, operators=(strike, light, far))).of((0, 0, 0)) == {1}


def test_operators_that_exclude_each_other_do_not_interfere() -> None:
    """A value is put on from two others: who puts it on from one does not disable who does it from the other."""
    values = TaskVariable("v", ("a", "b", "c", "d")), TaskVariable("w", ("no", "yes"))
    up = Operator("up", {0: 0}, (Effect(0, 3),))
    other = Operator("other", {0: 1}, (Effect(0, 2), Effect(1, 1)))
    free = Operator("free", {1: 0}, (Effect(1, 1),))
    assert Sets(Task(values, (0, 0), {0: 3}, (up, other, free))).of((0, 0)) == {0}


def test_only_plain_tasks_have_sets() -> None:
    """And a search that nothing is left out of soon does without them."""
    given = Operator("given", {}, (Effect(0, 1, {1: 1}),))
    names = ("no", "yes")
    task = Task((TaskVariable("a", names), TaskVariable("b", names)), (0, 1), {0: 1}, (given,))
    assert not StubbornSets(task, is_on=True).is_on
    counter = finished(switches(12), prunes=True)
    assert (counter.stubborn.is_on, counter.stubborn.states) == (False, 1000)


def sails(ship: int, places: int) -> list[Operator]:
    """The operators of a ship that sails from each place to all others."""
    return [
        Operator("sail", {ship: a}, (Effect(ship, b),)) for a in range(places) for b in range(places) if a != b
    ]


def test_sets_that_take_long_end_soon() -> None:
    """Each step of a ferry that sails from each of many places to all others interferes with most others."""
    places, cars = 100, 3
    names = tuple(map(str, range(places)))
    variables = TaskVariable("ferry", names), *(TaskVariable(f"car{n}", (*names, "on board")) for n in range(cars))
    sail = sails(0, places)
    board = [
        Operator(name, {0: place, car: old}, (Effect(car, new),))
        for car in range(1, 1 + cars)
        for place in range(places)
        for name, old, new in (("board", place, places), ("leave", places, place))
    ]
    goal = {car: 10 * car for car in range(1, 1 + cars)}
    task = Task(variables, (0,) * (1 + cars), goal, (*sail, *board))
    search = finished(task, prunes=True)
    assert not search.stubborn.is_on
    assert search.stubborn.states < 100
    assert check_plan(task, search.plan() or ()) == 3 * cars


def test_sets_that_leave_much_out_end_if_they_take_too_long(blind: None) -> None:
    """Those of two ferries leave half of the steps out, and look at thousands of steps for each."""
    places = 80
    names = tuple(map(str, range(places)))
    task = Task(
        tuple(TaskVariable(name, names) for name in ("one", "other")),
        (0, 0),
        {0: 1, 1: 1},
        (*sails(0, places), *sails(1, places)),
    )
    search = finished(task, prunes=True)
    assert check_plan(task, search.plan() or ()) == 2
    assert search.stubborn.kept <= 0.6 * search.stubborn.found
    assert 10 < search.stubborn.states < 100
    assert not search.stubborn.is_on


def test_the_work_of_sets_is_counted(blind: None) -> None:
    search = finished(lamps(40, last=1), prunes=True)
    assert search.stubborn.work > 512
    assert search.search.work == search.search.expanded + search.stubborn.work // 512


def test_a_proof_has_all_states(blind: None) -> None:
    """Without a plan, states that were left out count as closed if no plan leads from them."""
    task = lamps(4, last=2)
    task = replace(
        task,
        variables=(*task.variables, TaskVariable("never", ("no", "yes"))),
        initial=(0,) * 5,
        goal={3: 3, 4: 1},
    )
    search = finished(task, prunes=True)
    assert search.plan() is None
    assert search.stubborn.states
    states = reachable_states(task)
    assert search.search.used < len(states)
    assert all(search.is_closed(state) for state in states)
    assert not search.is_closed((0, 0, 0, 3, 1))
    assert finished(task, prunes=False).search.used == len(states)


def test_sets_end_where_they_take_too_much_memory(blind: None) -> None:
    """A search of many operators that interfere goes on without them, and keeps to its limit."""
    size = 120
    token = TaskVariable("token", tuple(map(str, range(size))))
    moves = tuple(
        Operator(f"{a} {b}", {0: a}, (Effect(0, b),)) for a in range(size) for b in range(size) if abs(a - b) < 9
    )
    task = Task((token,), (0,), {0: size - 1}, moves)
    search = PatternSearch(task, Budget(Limits(memory=1 << 18)), prunes=True)
    for _ in search.turns():
        pass
    assert not search.stubborn.is_on
    plan = search.plan()
    assert plan is not None
    assert check_plan(task, plan) == check_plan(task, uniform_cost(task, Budget()).plan or ())
