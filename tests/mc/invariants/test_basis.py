"""A basis of what never changes: one value in all reachable states, and nothing is left out."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from random_models import random_model
from random_tasks import random_task, reachable_states, token_task

from puzzlemc.mc.engines.invariants import unchanging
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.basis import basis, value_in
from puzzlemc.mc.invariants.elimination import Equations
from puzzlemc.mc.invariants.sums import Sum
from puzzlemc.mc.invariants.words import always_in_words, named_weights
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.tasks.semantics import successors
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

QUICK, ALL = 60, 600
SEEDS = pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])


def rank(vectors: list[dict[int, int]], unknowns: int) -> int:
    equations = Equations(unknowns, 2, unknowns)
    equations.add([vector for vector in vectors if vector])
    return equations.rank


def moves(seed: int) -> Task:
    """A task whose operators set variables."""
    return replace(random_task(seed, plain=True), mutexes=())


def toggles(seed: int) -> Task:
    """A task whose operators toggle variables."""
    rng = random.Random(seed)
    variables = tuple(TaskVariable(f"v{number}", ("off", "on")) for number in range(5))
    operators = []
    for name in "abc":
        some = rng.sample(range(5), rng.randint(1, 4))
        given = {rng.randrange(5): rng.randint(0, 1)} if rng.random() < 0.5 else {}
        effects = tuple(Effect(v, 1 - value, {v: value}) for v in some for value in (0, 1))
        operators.append(Operator(name, given, effects, 1))
    return Task(variables, tuple(rng.randint(0, 1) for _ in variables), {0: 0}, tuple(operators), (), ())


@SEEDS
@pytest.mark.parametrize("make", [moves, toggles])
def test_no_sum_changes_and_none_is_missing(make: Callable[[int], Task], seeds: range) -> None:
    kept = 0
    for seed in seeds:
        task = make(seed)
        sums = basis(task, Budget())
        for state in reachable_states(task):
            assert all(each.value(state) == each.value(task.initial) for each in sums)
        kept += len(sums)
        # The changes of all steps from all states, with weights for all values but the first of each variable.
        place = {(v, x): 0 for v, size in enumerate(task.domains) for x in range(1, size)}
        place = {fact: number for number, fact in enumerate(place)}
        steps = []
        for state in product(*(range(size) for size in task.domains)):
            for _, after in successors(task, state):
                named = [fact for one in (state, after) for fact in enumerate(one) if fact in place]
                steps.append({place[fact]: 1 for fact in named if named.count(fact) % 2})
        changing = {e.variable for o in task.operators for e in o.effects}
        steps += [{number: 1} for (v, _), number in place.items() if v not in changing]
        found = [
            {place[fact]: 1 for fact in place if (weight(each, fact) - weight(each, (fact[0], 0))) % 2}
            for each in sums
            if each.prime != 3
        ]
        assert rank(found, len(place)) == len(place) - rank(steps, len(place))
    assert kept > len(seeds) // 4


def weight(found: Sum, fact: tuple[int, int]) -> int:
    return found.weights.get(fact, 0)


@SEEDS
def test_sums_over_the_bits_of_a_model(seeds: range) -> None:
    for seed in seeds:
        model = random_model(seed)
        try:
            found = unchanging(model, Budget())
        except Unsuitable:
            continue
        for state in reachable_states(found.task):
            assert all(each.value(state) == each.value(found.task.initial) for each in found.sums)


@pytest.mark.parametrize("seed", range(20))
def test_tokens_are_counted(seed: int) -> None:
    task = token_task(seed)
    for each in basis(task, Budget()):
        assert {each.value(state) for state in reachable_states(task)} == {each.value(task.initial)}


def test_the_number_of_things_that_move_is_constant() -> None:
    cells = [boolean("on", cell) for cell in range(6)]
    on = [variable.bits[0] for variable in cells]
    near = [(a, b) for a in range(6) for b in (a - 1, a + 1) if 0 <= b < 6]
    actions = tuple(
        Action(f"{a} to {b}", {on[a]: True, on[b]: False}, {on[a]: False, on[b]: True}, {"steps": 1})
        for a, b in near
    )
    start = {b: cell < 2 for cell, b in enumerate(on)}
    found = unchanging(Model(tuple(cells), start, actions, {b: cell > 2 for cell, b in enumerate(on)}), Budget())
    (one,) = found.sums
    assert always_in_words(found.task, one) == f"always exactly 2 of these: {', '.join(map(str, on))}"
    assert named_weights(found.task, one) == [(str(b), 1) for b in on]
    assert value_in(found.task, one, found.goals[0]) == 3
    assert value_in(found.task, one, {}) is None


def test_what_turns_by_thirds() -> None:
    turn = [Effect(0, (value + 1) % 3, {0: value}) for value in range(3)]
    back = [Effect(1, (value + 2) % 3, {1: value}) for value in range(3)]
    variables = tuple(TaskVariable(name, tuple(f"{name} {value}" for value in range(3))) for name in ("a", "b"))
    task = Task(variables, (0, 1), {0: 0, 1: 0}, (Operator("turn", {}, (*turn, *back), 1),), (), ())
    (one,) = basis(task, Budget())
    assert one.prime == 3
    assert always_in_words(task, one) in {
        "a sum is always 1 modulo 3: 1 for a 1, b 1; 2 for a 2, b 2",
        "a sum is always 2 modulo 3: 1 for a 2, b 2; 2 for a 1, b 1",
    }


def test_random_order_of_operators_gives_as_many_sums() -> None:
    for seed in range(20):
        task = moves(seed)
        operators = list(task.operators)
        random.Random(seed).shuffle(operators)
        other = replace(task, operators=tuple(operators))
        assert len([s for s in basis(task, Budget()) if not s.prime]) == len(
            [s for s in basis(other, Budget()) if not s.prime]
        )
