"""Random models of a few finite-domain variables and free bits, by their numbers."""

import random

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Bit, Formula, State, conjunction
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.model.variables import Variable, binary, boolean, one_hot


def random_formula(rng: random.Random, bits: list[Bit], depth: int = 2) -> Formula:
    if depth == 0 or rng.random() < 0.3:
        b = rng.choice(bits)
        return b if rng.random() < 0.5 else ~b
    parts = [random_formula(rng, bits, depth - 1) for _ in range(rng.randint(2, 3))]
    return rng.choice([And, Or])(*parts)


def random_variables(rng: random.Random) -> list[Variable]:
    """Some finite-domain variables, one-hot, in binary, or as bits that only the actions keep apart."""
    variables: list[Variable] = []
    for number in range(rng.randint(1, 3)):
        values = list(range(rng.randint(2, 5)))
        variables.append(rng.choice([one_hot, binary])(f"t{number}", values))
    return variables


def random_model(seed: int) -> Model:
    """A model of finite-domain variables, in half of the models spread over single bits, and of free bits."""
    rng = random.Random(seed)
    groups = random_variables(rng)
    free = [boolean("free", number) for number in range(rng.randint(0, 3))]
    bits = [b for variable in (*groups, *free) for b in variable.bits]
    actions = []
    for number in range(rng.randint(4, 25)):
        guard: dict[Bit, bool] = {}
        update: dict[Bit, bool | Formula] = {}
        for variable in rng.sample(groups, rng.randint(1, len(groups))):
            if rng.random() < 0.9:
                guard |= variable.literals(rng.choice(variable.values))
            elif rng.random() < 0.5:
                guard[rng.choice(variable.bits)] = rng.random() < 0.3
            if rng.random() < 0.8:
                update |= variable.literals(rng.choice(variable.values))
        for (b,) in (variable.bits for variable in free):
            if rng.random() < 0.25:
                guard[b] = rng.random() < 0.5
            if rng.random() < 0.4:
                update[b] = rng.random() < 0.5 if rng.random() < 0.6 else random_formula(rng, bits)
        if rng.random() < 0.02:
            update[rng.choice(bits)] = rng.random() < 0.5
        elif rng.random() < 0.05 and len(groups[0].bits) > 1:  # the variable moves on by formulas
            update |= dict(zip(groups[0].bits, [*groups[0].bits[1:], groups[0].bits[0]], strict=True))
        condition: Formula = guard
        if rng.random() < 0.2:
            condition = And(conjunction(guard), random_formula(rng, bits))
        actions.append(Action(f"a{number}", condition, update, {"cost": rng.randint(0, 3)}))
    start: dict[Bit, bool] = {}
    for variable in (*groups, *free):
        start |= variable.literals(rng.choice(variable.values))
    goals = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        wanted: dict[Bit, bool] = {}
        for variable in (*groups, *free):
            if rng.random() < 0.6:
                wanted |= variable.literals(rng.choice(variable.values))
        goals.append(wanted)
    goal: Formula = goals[0] if len(goals) == 1 else Or(*map(conjunction, goals))
    spread = [Variable(str(b), (False, True), (b,), ((False,), (True,))) for b in bits]
    return Model(tuple(spread if rng.random() < 0.5 else [*groups, *free]), start, tuple(actions), goal)


def states_of(model: Model) -> list[State]:
    """All reachable states of a model."""
    found = [initial_state(model)]
    known = set(found)
    for state in found:
        for action in model.actions:
            if action.enabled(state) and (after := action.fire(state)) not in known:
                known.add(after)
                found.append(after)
    return found
