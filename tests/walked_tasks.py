"""Random small tasks: conditional effects, costs of 0, axioms, variables of one value; some have no plan."""

import random
from dataclasses import replace

from puzzlemc.mc.tasks.semantics import initial_state, successors
from puzzlemc.mc.tasks.task import Axiom, Condition, Effect, Operator, Task, TaskVariable

COSTS = (0, 0, 1, 1, 2, 3, 7)


def random_task(seed: int) -> Task:
    """A task of at most 5 variables of at most 4 values, with at most two derived variables besides."""
    rng = random.Random(seed)
    plain = rng.randint(1, 5)
    layers = rng.choice([0, 0, 1, 2])
    domains = [rng.randint(1, 4) for _ in range(plain)] + [2] * layers
    initial = [rng.randrange(domain) for domain in domains]

    def condition(below: int, most: int, start: bool = False) -> dict[int, int]:
        """Values of some variables; with `start`, the initial ones more often."""
        some = rng.sample(range(below), min(below, rng.randint(0, most)))
        return {v: initial[v] if start and rng.random() < 0.5 else rng.randrange(domains[v]) for v in some}

    def effect(condition_of: Condition) -> Effect:
        variable = rng.randrange(plain)
        return Effect(variable, rng.randrange(domains[variable]), condition_of)

    def operator(number: int) -> Operator:
        conditional = rng.random() < 0.5
        effects = [
            effect(condition(len(domains), 2) if conditional and rng.random() < 0.6 else {})
            for _ in range(rng.randint(1, 3))
        ]
        return Operator(f"o{number}", condition(len(domains), 2, True), tuple(effects), rng.choice(COSTS))

    axioms = []
    for variable in range(plain, len(domains)):
        for _ in range(rng.randint(0, 3)):
            body = condition(variable, 2)
            if rng.random() < 0.3 and variable > plain and domains[variable - 1] > 1:
                body[variable - 1] = rng.randrange(2)
            axioms.append(Axiom(body, variable, 1 - initial[variable]))
    variables = [
        TaskVariable(f"v{number}", tuple(map(str, range(domain))), number - plain if number >= plain else None)
        for number, domain in enumerate(domains)
    ]
    operators = tuple(operator(number) for number in range(rng.randint(1, 12)))
    task = Task(tuple(variables), tuple(initial), condition(len(domains), 3), operators, tuple(axioms))
    return task if rng.random() < 0.2 else replace(task, goal=_walked(task, rng))


def _walked(task: Task, rng: random.Random) -> Condition:
    """Most of the values of a state that is some steps from the initial one."""
    state = initial_state(task)
    for _ in range(rng.randint(1, 12)):
        steps = [after for _, after in successors(task, state) if after != state]
        state = rng.choice(steps) if steps else state
    return {variable: value for variable, value in enumerate(state) if rng.random() < 0.8}
