"""Small random tasks with symmetries that are known: what a map of facts makes of each part is a part, too."""

import random
from dataclasses import replace
from itertools import permutations

from random_tasks import random_task

from puzzlemc.mc.tasks.task import Axiom, Condition, Effect, Fact, Operator, State, Task, TaskVariable

Map = dict[Fact, Fact]


def symmetric_task(seed: int, *, plain: bool = False) -> tuple[Task, Map]:
    """A task, and a map of its facts that keeps it: one operator, axiom and fact of the goal for each image."""
    rnd = random.Random(seed)
    task = random_task(seed, plain=plain)
    image = _random_map(rnd, task)
    operators, axioms = list(task.operators), list(task.axioms)
    for number, operator in enumerate(operators):  # which grows
        made = replace(operator, name=f"o{number + 1}'", precondition=_mapped(image, operator.precondition))
        effects = [Effect(*image[e.variable, e.value], _mapped(image, e.condition)) for e in operator.effects]
        made = replace(made, effects=tuple(effects))
        if (made.precondition, made.effects, made.cost) not in [
            (each.precondition, each.effects, each.cost) for each in operators
        ]:
            operators.append(made)
    for axiom in axioms:
        new = Axiom(_mapped(image, axiom.condition), *image[axiom.variable, axiom.value])
        if new not in axioms:
            axioms.append(new)
    goal: dict[int, int] = {}
    for fact in task.goal.items():
        while goal.setdefault(*fact) == fact[1] and image[fact] not in goal.items():
            fact = image[fact]
    names = rnd.sample(operators, len(operators))
    order = [Operator(f"o{n}", each.precondition, each.effects, each.cost) for n, each in enumerate(names)]
    if any(goal.get(w) != y for (w, y) in (image[fact] for fact in goal.items())):
        goal = {}
    if not goal:  # the images of a fact were different values of one variable
        return symmetric_task(seed + 1_000_003, plain=plain)
    made_task = replace(task, operators=tuple(order), axioms=tuple(axioms), goal=goal, mutexes=())
    made_task.validate()
    return made_task, image


def like_tokens(seed: int) -> Task:
    """Two or three tokens that move by the same rules, alone and in pairs, from different places to one."""
    rnd = random.Random(seed)
    tokens, places = range(rnd.randint(2, 3)), range(rnd.randint(3, 5))
    variables = tuple(TaskVariable(f"token {n}", tuple(map(str, places))) for n in tokens)
    steps = [(here, there, rnd.randint(0, 4)) for here, there in permutations(places, 2) if rnd.random() < 0.4]
    both = [(rnd.choices(places, k=4), rnd.randint(0, 3)) for _ in range(rnd.randint(0, 4))]
    operators = [Operator("one", {n: a}, (Effect(n, b),), cost) for a, b, cost in steps for n in tokens]
    operators += [
        Operator("two", {n: a, m: b}, (Effect(n, c), Effect(m, d)), cost)
        for (a, b, c, d), cost in both
        for n, m in permutations(tokens, 2)
    ]
    rnd.shuffle(operators)
    goal = dict.fromkeys(tokens, rnd.choice(places))
    return Task(variables, tuple(rnd.choice(places) for _ in tokens), goal, tuple(operators))


def image_of(image: Map, state: State) -> State:
    """The image of a state."""
    facts = dict(image[fact] for fact in enumerate(state))
    return tuple(facts[variable] for variable in range(len(state)))


def _mapped(image: Map, condition: Condition) -> Condition:
    return dict(image[fact] for fact in condition.items())


def _random_map(rnd: random.Random, task: Task) -> Map:
    """A map between variables with as many values in the same layer, and between their values."""
    alike: dict[tuple[int, int | None], list[int]] = {}
    for v, variable in enumerate(task.variables):
        alike.setdefault((len(variable.values), variable.layer), []).append(v)
    image: Map = {}
    for (size, layer), variables in alike.items():
        for v, w in zip(variables, rnd.sample(variables, len(variables)), strict=True):
            values = [*range(size)]
            if layer is None and rnd.random() < 0.5:
                rnd.shuffle(values)
            image |= {(v, x): (w, values[x]) for x in range(size)}
    return image


def lamps(count: int, *, last: int) -> Task:
    """Lamps that are switched on one by one, each in three steps; the last one in another number of steps."""
    variables = tuple(TaskVariable(f"lamp {n}", tuple(map(str, range(4)))) for n in range(count))
    steps = tuple(
        Operator(f"{n}: {value}", {n: value}, (Effect(n, min(value + (last if n == count - 1 else 1), 3)),))
        for n in range(count)
        for value in range(3)
    )
    return Task(variables, (0,) * count, dict.fromkeys(range(count), 3), steps)
