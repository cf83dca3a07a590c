"""Small random finite-domain tasks, and what an exhaustive search says of them."""

import heapq
import random

from puzzlemc.mc.tasks.semantics import holds, initial_state, successors
from puzzlemc.mc.tasks.task import Axiom, Condition, Effect, Operator, State, Task, TaskVariable


def random_task(seed: int, *, plain: bool = False) -> Task:
    """A task with costs of 0, conditional effects, derived variables, and groups that may be wrong.

    A plain one has neither conditional effects nor derived variables.
    """
    rnd = random.Random(seed)
    sizes = [rnd.randint(1, 4) for _ in range(rnd.randint(2, 5))]
    layers = [] if plain else sorted(rnd.randint(0, 1) for _ in range(rnd.choice((0, 0, 1, 2))))
    variables = [TaskVariable(f"v{i}", tuple(map(str, range(size)))) for i, size in enumerate(sizes)]
    variables += [TaskVariable(f"d{i}", ("no", "yes"), layer) for i, layer in enumerate(layers)]
    initial = tuple(rnd.randrange(size) for size in sizes) + (0,) * len(layers)

    def condition(among: int, most: int) -> dict[int, int]:
        chosen = rnd.sample(range(among), min(among, rnd.randint(0, most)))
        return {variable: rnd.randrange(len(variables[variable].values)) for variable in chosen}

    def effect() -> Effect:
        variable = rnd.randrange(len(sizes))
        given = {} if plain or rnd.random() < 0.6 else condition(len(variables), 2)
        return Effect(variable, rnd.randrange(sizes[variable]), given)

    operators = tuple(
        Operator(f"o{i}", condition(len(variables), 3), tuple(effect() for _ in range(rnd.randint(1, 3))), cost)
        for i, cost in enumerate(rnd.choice((0, 1, 1, 2, 5)) for _ in range(rnd.randint(2, 9)))
    )
    axioms = tuple(
        Axiom(condition(len(sizes) + place if layer else len(sizes), 2), len(sizes) + place, 1)
        for place, layer in enumerate(layers)
        for _ in range(2)
    )
    # A negated derived variable is read by higher layers alone.
    axioms = tuple(
        axiom
        for axiom in axioms
        if all(
            variables[v].layer is None or (variables[v].layer or 0) < (variables[axiom.variable].layer or 0)
            for v in axiom.condition
        )
    )
    groups = tuple(
        tuple((v, rnd.randrange(sizes[v])) for v in rnd.sample(range(len(sizes)), 2))
        for _ in range(rnd.randint(0, 3))
    )
    goal = condition(len(variables), 3) or {0: rnd.randrange(sizes[0])}
    task = Task(tuple(variables), initial, goal, operators, axioms, groups)
    task.validate()
    return task


def token_task(seed: int) -> Task:
    """A task in which tokens move to free places; each place has a variable that says if it is taken."""
    rnd = random.Random(seed)
    places, tokens = rnd.randint(3, 5), rnd.randint(1, 2)
    variables = [TaskVariable(f"token{i}", tuple(f"place{p}" for p in range(places))) for i in range(tokens)]
    variables += [TaskVariable(f"place{p}", ("free", "taken")) for p in range(places)]
    at = rnd.sample(range(places), tokens)
    initial = (*at, *(int(p in at) for p in range(places)))
    operators = []
    for token in range(tokens):
        for here in range(places):
            for there in range(places):
                if here != there and rnd.random() < 0.6:
                    given: Condition = {token: here, tokens + there: 0, tokens + here: 1}
                    changed = ((token, there), (tokens + there, 1), (tokens + here, 0))
                    effects = tuple(Effect(*fact) for fact in changed)
                    operators.append(Operator(f"{token}: {here} {there}", given, effects, rnd.randint(0, 3)))
    groups = tuple((*((token, place) for token in range(tokens)), (tokens + place, 0)) for place in range(places))
    goal = dict(enumerate(rnd.sample(range(places), tokens)))
    return Task(tuple(variables), initial, goal, tuple(operators), (), groups)


def switches(count: int) -> Task:
    """A binary counter of that many bits, which counts from 0 up to the largest number: no shorter plan."""
    bits = tuple(TaskVariable(f"bit{i}", ("0", "1")) for i in range(count))
    steps = tuple(
        Operator(
            f"carry{i}", {i: 0, **dict.fromkeys(range(i), 1)}, (Effect(i, 1), *(Effect(j, 0) for j in range(i)))
        )
        for i in range(count)
    )
    return Task(bits, (0,) * count, dict.fromkeys(range(count), 1), steps)


def painted_corridor(length: int) -> Task:
    """A painter in a corridor, who can paint the cell before or behind, and cannot enter a painted one. All cells
    but the first have to be painted: whoever paints the cell behind is on the wrong side of it."""
    cells = range(length)
    variables = (
        TaskVariable("at", tuple(f"cell{c}" for c in cells)),
        *(TaskVariable(f"cell{c}", ("plain", "painted")) for c in cells),
    )
    steps = [(c, c + d) for c in cells for d in (-1, 1) if 0 <= c + d < length]
    moves = [Operator(f"move {c} {d}", {0: c, 1 + d: 0}, (Effect(0, d),)) for c, d in steps]
    paints = [Operator(f"paint {c} {d}", {0: c, 1 + d: 0}, (Effect(1 + d, 1),)) for c, d in steps]
    return Task(variables, (0,) * (length + 1), dict.fromkeys(range(2, length + 1), 1), (*moves, *paints))


def random_plan(task: Task, seed: int) -> list[int] | None:
    """A plan of a random walk, None if it does not come to the goal."""
    rnd, state, plan = random.Random(seed), initial_state(task), list[int]()
    while not holds(task.goal, state):
        steps = [*successors(task, state)]
        if not steps or len(plan) == 60:
            return None
        number, state = rnd.choice(steps)
        plan.append(number)
    return plan


def reachable_states(task: Task) -> list[State]:
    """All reachable states."""
    found = [initial_state(task)]
    known = set(found)
    for state in found:
        for _, successor in successors(task, state):
            if successor not in known:
                known.add(successor)
                found.append(successor)
    return found


def least_costs(task: Task) -> dict[State, int]:
    """The least cost to the goal for each reachable state that has a plan."""
    states = reachable_states(task)
    into: dict[State, list[tuple[int, State]]] = {}
    for state in states:
        for number, successor in successors(task, state):
            into.setdefault(successor, []).append((task.operators[number].cost, state))
    heap = [(0, state) for state in states if holds(task.goal, state)]
    found: dict[State, int] = {}
    while heap:
        cost, state = heapq.heappop(heap)
        if state not in found:
            found[state] = cost
            for step, before in into.get(state, []):
                heapq.heappush(heap, (cost + step, before))
    return found
