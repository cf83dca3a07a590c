"""What is found in a model is true of it: exclusions, dead states and groups; its task has its plans and costs."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from random_models import random_model
from random_tasks import random_task, token_task
from strategies import models
from task_reference import check_plan, uniform_cost

from examples import examples
from puzzlemc.encodings.pddl.task_level import TaskLevel, compact
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.model.variables import Variable, binary, boolean, one_hot
from puzzlemc.mc.passes.facts import facts_of
from puzzlemc.mc.passes.groups import Grouping
from puzzlemc.mc.passes.transitions import Transition
from puzzlemc.mc.passes.translation import OWN, Translation, translation
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.planning.proof import proof_of
from puzzlemc.mc.proofs.potentials import check_tables
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable


def reached(model: Model) -> dict[State, list[tuple[int, State]]]:
    """All reachable states with the costs and the successors of the actions enabled in them."""
    found: dict[State, list[tuple[int, State]]] = {}
    waiting = [initial_state(model)]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = [(action.costs["cost"], after) for action, after in model.successors(state)]
            waiting += [after for _, after in found[state]]
    return found


def goal_costs(model: Model, graph: dict[State, list[tuple[int, State]]]) -> dict[State, int]:
    """The least cost from each state from which a goal state is reachable (Bellman and Ford)."""
    costs = {state: 0 for state in graph if holds(model.goal, state)}
    changed = True
    while changed:
        changed = False
        for state, steps in graph.items():
            through = [cost + costs[after] for cost, after in steps if after in costs]
            if through and min(through) < costs.get(state, min(through) + 1):
                costs[state] = min(through)
                changed = True
    return costs


def check(model: Model) -> Translation:
    """Compare a model with its task, state by state."""
    graph = reached(model)
    costs = goal_costs(model, graph)
    made = translation(model)
    task = made.with_metric("cost")
    task.validate()
    for state in graph:
        assert made.is_possible(state)
        if made.is_dead(state):
            assert state not in costs
    for state in costs:  # each state on the way to a goal state has its values, with the mutexes
        values = made.values(state)
        assert all(sum(values[v] == value for v, value in group) <= 1 for group in task.mutexes)
    start = initial_state(model)
    found = uniform_cost(task, Budget())
    assert (found.plan is not None) == (start in costs)
    assert found.limit is None
    if found.plan is not None:
        assert check_plan(task, found.plan) == costs[start]
        trace = made.trace(found.plan)
        trace.check(model)
        assert trace.cost("cost") == costs[start]
    return made


@settings(max_examples=examples(50, 300))
@given(model=models())
def test_random_models(model: Model) -> None:
    check(model)


@pytest.mark.parametrize("seed", range(20))
def test_models_of_groups(seed: int) -> None:
    for number in range(25):
        check(random_model(1000 * seed + number))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 40))
def test_many_models_of_groups(seed: int) -> None:
    for number in range(100):
        check(random_model(1000 * seed + number))


def tiles(width: int, board: str) -> Model:
    """Sliding tiles with a boolean for each tile and cell; `.` is the gap, which ends in the last cell."""
    size = len(board)
    at = {(t, c): boolean("at", t, c) for t in range(size) for c in range(size)}
    cell = {key: variable.bits[0] for key, variable in at.items()}

    def steps() -> Iterator[Action]:
        for here in range(size):
            for there in range(size):
                if abs(here % width - there % width) + abs(here // width - there // width) == 1:
                    for t in range(1, size):
                        update = {
                            cell[0, here]: False,
                            cell[0, there]: True,
                            cell[t, there]: False,
                            cell[t, here]: True,
                        }
                        yield Action(f"{t}", {cell[0, here]: True, cell[t, there]: True}, update, {"cost": 1})

    order = [0 if sign == "." else int(sign) for sign in board]
    init = {b: order[c] == t for (t, c), b in cell.items()}
    goal = {b: t == (c + 1) % size for (t, c), b in cell.items()}
    return Model(tuple(at.values()), init, tuple(steps()), goal)


def test_tiles_become_a_variable_for_each_tile() -> None:
    made = check(tiles(2, "2.31"))
    assert made.task.domains == (4,) * 4
    assert all(len({made.bits[b].indices[0] for b in group.bits}) == 1 for group in made.groups if group)
    assert made.task.is_plain


def test_an_unsolvable_board_stays_unsolvable() -> None:
    check(tiles(2, "213."))


def test_binary_variables_are_found_again() -> None:
    place = binary("place", range(5))
    moves = [Action(f"{n}", place.literals(n), place.literals((n + 1) % 5), {"cost": 1}) for n in range(5)]
    made = check(Model((place,), place.literals(0), tuple(moves), place.literals(3)))
    assert made.task.domains == (5,)


def test_a_bit_that_must_be_false_gets_a_variable_besides() -> None:
    place = one_hot("place", range(4))
    door = boolean("door")
    moves = [Action(f"{n}", place.literals(n), place.literals((n + 1) % 4), {"cost": 1}) for n in range(4)]
    leave = Action("open", {place.bits[0]: False}, {door.bits[0]: True}, {"cost": 1})
    goal = {door.bits[0]: True, **place.literals(0)}
    initial = {door.bits[0]: False, **place.literals(0)}
    made = check(Model((place, door), initial, (*moves, leave), goal))
    assert sorted(made.task.domains) == [2, 2, 4]


def test_variables_besides_need_others_in_turn() -> None:
    """The new value of a bit that has a variable besides is read from bits that nothing else reads."""
    place = binary("place", range(7))
    low, middle, high = place.bits
    turn = Action("turn", {}, {low: middle, middle: high, high: low}, {"cost": 1})
    lamp, armed = boolean("lamp"), boolean("armed")
    arm = Action("arm", place.literals(5), armed.literals(True), {"cost": 1})
    light = Action("light", {low: True, **armed.literals(True)}, lamp.literals(True), {"cost": 1})
    initial = {**place.literals(6), **lamp.literals(False), **armed.literals(False)}
    made = check(Model((place, lamp, armed), initial, (turn, arm, light), lamp.literals(True)))
    assert {v.name for v in made.task.variables} > {str(low), str(middle)}


def test_what_the_goal_does_not_depend_on_is_left_out() -> None:
    lamp, bell, never = (boolean(name) for name in ("lamp", "bell", "never"))
    actions = (
        Action("light", {bell.bits[0]: False, never.bits[0]: False}, {lamp.bits[0]: True}, {"cost": 1}),
        Action("dim", {}, {lamp.bits[0]: False}, {"cost": 1}),
        Action("burn", {never.bits[0]: True}, {lamp.bits[0]: True}, {"cost": 0}),
    )
    ring = Action("ring", {lamp.bits[0]: True}, {boolean("noise").bits[0]: True}, {"cost": 1})
    variables = (lamp, bell, never, boolean("noise"))
    initial = {v.bits[0]: False for v in variables}
    made = check(Model(variables, initial, (*actions, ring), {lamp.bits[0]: True}))
    assert [v.name for v in made.task.variables] == ["lamp"]
    assert [operator.name for operator in made.task.operators] == ["light", "dim"]


def test_actions_that_only_lead_away_are_left_out() -> None:
    """Once fallen, a thing stays so: pairs grown backward from the goal show it."""
    up, down = (boolean(name).bits[0] for name in ("up", "down"))
    done = boolean("done").bits[0]
    fall = Action("fall", {up: True}, {up: False, down: True}, {"cost": 0})
    work = Action("work", {up: True}, {done: True}, {"cost": 1})
    variables = tuple(Variable(str(b), (False, True), (b,), ((False,), (True,))) for b in (up, down, done))
    made = check(Model(variables, {up: True, down: False, done: False}, (fall, work), {up: True, done: True}))
    assert [operator.name for operator in made.task.operators] == ["work"]
    assert made.is_dead(frozenset([down]))
    assert not made.is_dead(frozenset([up]))


def test_that_exactly_one_bit_holds_is_proved_for_all_groups_at_once() -> None:
    """Each of two groups takes its value from the other: neither has one if the other may have none."""
    pairs = ((0, 1), (2, 3))
    rows = [(1 << 8) - 1] * 8
    for one, other in pairs:
        for a, b in ((one, other), (other, one)):
            rows[2 * a + 1] &= ~(1 << 2 * b + 1)
    every = tuple(row & ~(1 << (p ^ 1)) for p, row in enumerate(rows))
    copies = [
        Transition(n, frozenset(), {}, {to: ([frozenset([2 * of])], [frozenset([2 * of + 1])]) for of, to in some})
        for n, some in enumerate((((0, 2), (1, 3)), ((2, 0), (3, 1))))
    ]
    initial = frozenset([1, 2, 5, 6])  # the first bit of each
    grouping = Grouping(copies, every)
    assert all(grouping.may_lose(bits, initial) for bits in pairs)
    assert grouping.exact(pairs, initial) == [*pairs]
    assert grouping.exact(pairs, frozenset([1, 2, 4, 6])) == []  # the second has none at the start
    lost = Transition(2, frozenset([5]), {2: False})
    assert Grouping([*copies, lost], every).exact(pairs, initial) == []


def model_of(task: Task) -> Model:
    return compact(TaskLevel("", task, "")).model


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("make", [token_task, random_task])
def test_plans_and_states_are_those_of_the_model(make: object, seed: int) -> None:
    task = token_task(seed) if make is token_task else random_task(seed, plain=True)
    model = model_of(task)
    assert OWN in model.remembered
    made = check(model)
    assert made.exclusions is None
    costs = [uniform_cost(each, Budget()).bound for each in (made.with_metric("cost"), task)]
    assert costs[0] == costs[1]


@pytest.mark.parametrize("seed", range(4))
def test_states_against_a_mutex_group_have_no_values(seed: int) -> None:
    model = model_of(token_task(seed))
    made = translation(model, whole=True)
    assert made.task.mutexes
    start = initial_state(model)
    for one, other in facts_of(made, range(len(made.groups)), []).apart:
        bits = {model.bits[one - 1], model.bits[other - 1]}
        with pytest.raises(ModelError, match="no state of the task"):
            made.values(start - {b for v in model.variables if bits & {*v.bits} for b in v.bits} | bits)


@pytest.mark.parametrize("seed", range(30))
def test_proofs_are_in_the_bits_of_the_model(seed: int) -> None:
    model = model_of(token_task(seed))
    made = translation(model, whole=True)
    search = PatternSearch(made.with_metric("cost"), Budget())
    for _ in search.turns():
        pass
    found = search.searched()
    proof = proof_of(made, search, "cost", None if found.plan is None else found.bound)
    assert proof is not None
    assert proof.facts.apart == facts_of(made, range(len(made.groups)), []).apart
    check_tables(model, proof, Budget())


def test_a_changed_model_carries_no_task() -> None:
    model = model_of(token_task(1))
    assert OWN not in replace(model, goal={}).remembered
    assert translation(replace(model, goal={})).exclusions is not None


def test_single_facts_behind_conditional_effects_are_grouped_again() -> None:
    names = ("Atom a()", "Atom b()")
    variables = tuple(TaskVariable(name, (name, f"Negated{name}")) for name in names)
    swap = Operator("swap ", {}, tuple(Effect(v, x, {v: 1 - x}) for v in (0, 1) for x in (0, 1)))
    task = Task(variables, (0, 1), {0: 1}, (swap,))
    model = model_of(task)
    assert OWN not in model.remembered
    assert check(model).task.domains == (2,)
