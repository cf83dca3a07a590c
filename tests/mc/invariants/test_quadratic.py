"""Sums of pairs of facts that never change: one value in all reachable states, and something new."""

import random
from dataclasses import replace

import pytest
from random_tasks import random_task, reachable_states

from puzzlemc.mc.engines.invariants import unchanging
from puzzlemc.mc.invariants.basis import basis, value_in
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.quadratic import quadratic
from puzzlemc.mc.invariants.words import always_in_words
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import one_hot
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable


def turned(letters: str, goal: str) -> Model:
    """Letters in a ring of places, of which three neighbours go round at once: all even permutations."""
    places = [one_hot(f"p{place}", "abcd") for place in range(4)]
    actions = []
    for place in range(4):
        here = [places[(place + step) % 4] for step in range(3)]
        update = {
            bit: old
            for one, other in zip(here, here[1:] + here[:1], strict=True)
            for bit, old in zip(other.bits, one.bits, strict=True)
        }
        actions.append(Action(f"{place}", {}, update, {"turns": 1}))
    start, end = (
        {b: v for place, sign in zip(places, signs, strict=True) for b, v in place.literals(sign).items()}
        for signs in (letters, goal)
    )
    return Model(tuple(places), start, tuple(actions), end)


@pytest.mark.parametrize(("goal", "excluded"), [("abdc", True), ("badc", False)])
def test_the_parity_of_a_permutation_is_one_such_sum(goal: str, excluded: bool) -> None:
    found = unchanging(turned("abcd", goal), Budget())
    (parity,) = found.pairs
    (end,) = found.goals
    assert parity.degree == 2
    assert (value_in(found.task, parity, end) != parity.value(found.task.initial)) == excluded
    assert value_in(found.task, parity, {}) is None
    start = parity.value(found.task.initial)
    assert always_in_words(found.task, parity) == (
        f"a sum over {len(parity.weights)} kinds of pairs of facts is always {start} modulo 2"
    )
    states = reachable_states(found.task)
    assert len(states) == 12
    assert all(parity.value(state) == start for state in states)


def test_random_sums_never_change_and_depend_on_no_other() -> None:
    kept = 0
    for seed in range(80):
        task = replace(random_task(seed, plain=True), mutexes=())
        question = Question(task, range(len(task.variables)), ())
        known = basis(task, Budget())
        for each in quadratic(question, known, Budget()):
            kept += 1
            assert each.degree == 2
            assert all(each.value(state) == each.value(task.initial) for state in reachable_states(task))
            rng = random.Random(seed)
            anywhere = [tuple(rng.randrange(size) for size in task.domains) for _ in range(100)]
            assert len({each.value(state) for state in anywhere}) == 2
    assert kept > 20


def test_what_follows_from_sums_of_facts_is_left_out() -> None:
    """Tokens that move: their number never changes, so neither does that of their pairs."""
    variables = tuple(TaskVariable(f"v{number}", ("empty", "token")) for number in range(5))
    moves = tuple(
        Operator(f"{a}-{b}", {a: 1, b: 0}, (Effect(a, 0, {}), Effect(b, 1, {})), 1)
        for a in range(5)
        for b in range(5)
        if a != b
    )
    task = Task(variables, (1, 1, 0, 0, 0), {0: 0}, moves, (), ())
    known = basis(task, Budget())
    question = Question(task, range(5), ())
    assert len(known) == 1
    assert quadratic(question, known, Budget()) == []
    assert quadratic(question, [], Budget()) != []
