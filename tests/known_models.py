"""Models with known answers, and the check of an invariant on all states."""

from oracle import all_states

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.verdict import Unreachable


def check_invariant(model: Model, verdict: Unreachable) -> None:
    """Over all states with a location: initial states are in it, every action preserves it, no goal is in it."""
    location = model.hints.location
    states = [
        state
        for state in all_states(model)
        if location is None or tuple(b in state for b in location.bits) in location.codes
    ]
    assert all(verdict.invariant(state) for state in states if holds(model.init, state)), verdict
    for state in filter(verdict.invariant, states):
        assert not holds(model.goal, state), verdict
        assert all(verdict.invariant(action.fire(state)) for action in model.actions if action.enabled(state))


def counter(width: int) -> Model:
    """A binary counter: the goal, all ones, is 2**width - 1 steps away."""
    variables = tuple(boolean("c", number) for number in range(width))
    bits = [variable.bits[0] for variable in variables]
    actions = []
    for number, b in enumerate(bits):
        guard = ~b
        for lower in bits[:number]:
            guard = guard & lower
        update = dict.fromkeys(bits[:number], False) | {b: True}
        actions.append(Action(f"carry{number}", guard, update, {"cost": 1}))
    init = goal = None
    for b in bits:
        init = ~b if init is None else init & ~b
        goal = b if goal is None else goal & b
    return Model(variables, init, tuple(actions), goal)


def shuffle(width: int) -> Model:
    """Any bit can be set or cleared: 2**width states within `width` steps, and no variable order helps."""
    variables = tuple(boolean("s", number) for number in range(width))
    bits = [variable.bits[0] for variable in variables]
    half = width // 2
    actions = []
    # Pairs that are far apart in the variable order must agree: the diagram has 2**half nodes.
    for left, right in zip(bits[:half], bits[half:], strict=True):
        for value in (False, True):
            literal = ~left if value else left
            update = {left: value, right: value}
            actions.append(Action(f"{left}={value}", literal, update, {"cost": 1}))
    init = None
    for b in bits:
        init = ~b if init is None else init & ~b
    return Model(variables, init, tuple(actions), bits[0] & ~bits[half])
