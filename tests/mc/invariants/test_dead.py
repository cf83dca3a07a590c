"""Dead states by sums: no state that can reach the goal is called dead; a sum that is known decides for others."""

import random
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from random_models import random_model, states_of

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.dead import DeadStates
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model

QUICK, ALL = 60, 240


def pegs(rows: tuple[str, ...]) -> Model:
    spec = spec_from_file_location("pegs", Path(__file__).parents[3] / "tests/compatibility/0.1/pegs.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    model: Model = module.model(rows)
    return model


def reaching(model: Model, states: list[State]) -> set[State]:
    """The states from which a goal state is reachable."""
    before: dict[State, list[State]] = {}
    for state in states:
        for _, after in model.successors(state):
            before.setdefault(after, []).append(state)
    found = {state for state in states if holds(model.goal, state)}
    waiting = list(found)
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_states_that_reach_the_goal_are_not_dead(seeds: range) -> None:
    dead_by_sums = 0
    for seed in seeds:
        model = random_model(seed)
        states = states_of(model)
        live = reaching(model, states)
        try:
            dead = DeadStates(model)
        except Unsuitable:
            continue
        for state in random.Random(seed).sample(states, min(12, len(states))):
            if dead.reason(state, Budget()):
                assert state not in live
                dead_by_sums += 1
    assert dead_by_sums > len(seeds) // 4


def test_potentials_that_are_known_decide_for_other_states() -> None:
    model = pegs((".", "oo", "ooo", "oooo", "ooooo"))
    states = states_of(model)
    live = reaching(model, states)
    dead = DeadStates(model)
    asked = random.Random(1).sample(states, 150)
    called = [state for state in asked if dead.reason(state, Budget())]
    assert live.isdisjoint(called)
    assert len(called) > 20
    assert 0 < dead.found < len(called) // 2


def test_a_sum_that_never_changes_decides_for_all_states() -> None:
    model = pegs((".", "oo", "ooo", "oooo"))
    dead = DeadStates(model)
    (reason,) = {dead.reason(state, Budget()) for state in states_of(model)}
    assert reason.startswith("in every reachable state an even number of these hold, in the goal an odd number")
    assert dead.found == 0


def test_potentials_from_some_states_decide_for_many() -> None:
    number = 0
    for model in (pegs((".", "oo", "ooo", "oooo", "ooooo")), *map(random_model, range(80))):
        try:
            dead = DeadStates(model)
        except Unsuitable:
            continue
        states = states_of(model)
        values = [dead.translation.values(state) for state in states]
        dead.learn(random.Random(2).sample(values, min(40, len(values))), Budget())
        found = dead.known(np.array(values, np.int32))
        called = {state for state, is_dead in zip(states, found, strict=True) if is_dead}
        assert reaching(model, states).isdisjoint(called)
        number += bool(called)
        assert len(states) < 1000 or len(called) > len(states) // 10  # the pegs
    assert number > 5
