"""Parities that SAT proves never change in reachable states, and exclude the goal only where it is unreachable."""

from dataclasses import replace

import pytest
from random_models import random_model, states_of

from puzzlemc.mc.engines.parities import have, parities
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Not
from puzzlemc.mc.model.formula import expression, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.checker import check_proof

QUICK, ALL = 40, 400


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_random_models(seeds: range) -> None:
    found = excluding = 0
    for seed in seeds:
        model = random_model(seed)
        result = parities(model, model.bits, Budget())
        if result is None:  # the initial state is a goal state
            continue
        # Steps from goal states are not looked at.
        states = states_of(replace(model, actions=tuple(_unless_goal(model, each) for each in model.actions)))
        assert all(have(state, result.sums) for state in states)
        found += len(result.sums)
        if result.proof is not None:
            excluding += 1
            assert not any(holds(model.goal, state) for state in states)
            check_proof(model, result.proof, Budget())
    assert found > len(seeds) // 3
    assert excluding > len(seeds) // 20


def _unless_goal(model: Model, action: Action) -> Action:
    return replace(action, guard=And(expression(action.guard), Not(expression(model.goal))))


def lamps(number: int, lit: int) -> Model:
    """A ring of lamps; a step toggles two neighbours. All have to be off."""
    variables = [boolean("lamp", n) for n in range(number)]
    bits = [variable.bits[0] for variable in variables]
    toggles = [Action(f"{n}", {}, {b: ~b for b in (bits[n], bits[n - 1])}, {"moves": 1}) for n in range(number)]
    return Model(
        tuple(variables), {b: n < lit for n, b in enumerate(bits)}, tuple(toggles), dict.fromkeys(bits, False)
    )


def test_one_parity_is_enough_for_the_proof() -> None:
    odd = parities(lamps(30, 7), lamps(30, 7).bits, Budget())
    assert odd is not None
    assert odd.proof is not None
    ((some, value),) = odd.needed
    assert (len(some), value) == (30, 1)
    check_proof(lamps(30, 7), odd.proof, Budget())
    even = parities(lamps(30, 8), lamps(30, 8).bits, Budget())
    assert even is not None
    assert even.proof is None
    assert len(even.sums) == 1


def test_nothing_is_said_of_a_start_that_is_a_goal_state() -> None:
    model = lamps(4, 0)
    assert parities(model, model.bits, Budget()) is None
    assert parities(replace(model, goal={model.bits[0]: True}), model.bits, Budget()) is not None
