"""Unusual planning tasks for the hunt, as text of the format SAS+ version 3, and the truth about them.

Nothing here is shared with the program: states, axioms, successors and the format are written once more, as the
description of the format says them. A task may have variables with one value, effects that overwrite each other or
give a variable the value that it has, conditions that never hold, operators twice, costs of 0, goals about derived
variables, and groups of facts that do not exclude each other.
"""

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Fact: TypeAlias = tuple[int, int]
State: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Effect:
    """Gives `fact` if all of `given` hold."""

    given: tuple[Fact, ...]
    fact: Fact


@dataclass(frozen=True)
class Operator:
    """Has all its effects at once, the last one of several on a variable."""

    given: tuple[Fact, ...]
    effects: tuple[Effect, ...]
    cost: int


@dataclass(frozen=True)
class OddTask:
    """A task. `layers` has -1 for a variable that is not derived."""

    sizes: tuple[int, ...]
    layers: tuple[int, ...]
    initial: State
    goal: tuple[Fact, ...]
    operators: tuple[Operator, ...]
    axioms: tuple[tuple[tuple[Fact, ...], Fact], ...]
    groups: tuple[tuple[Fact, ...], ...]

    def completed(self, values: Sequence[int]) -> State:
        """The state with these values and those of derived variables: the least fixpoint of each layer."""
        state = [value if self.layers[v] < 0 else self.initial[v] for v, value in enumerate(values)]
        for layer in sorted({*self.layers} - {-1}):
            axioms = [each for each in self.axioms if self.layers[each[1][0]] == layer]
            while new := [fact for given, fact in axioms if _all(given, state) and state[fact[0]] != fact[1]]:
                for variable, value in new:
                    state[variable] = value
        return tuple(state)

    def after(self, state: State, number: int) -> State | None:
        """The state after an operator, None if it is not applicable."""
        operator = self.operators[number]
        if not _all(operator.given, state):
            return None
        values = [*state]
        for effect in operator.effects:
            if _all(effect.given, state):
                values[effect.fact[0]] = effect.fact[1]
        return self.completed(values)

    def is_goal(self, state: State) -> bool:
        """Does the goal hold?"""
        return _all(self.goal, state)

    def written(self) -> str:
        """The text of the task."""
        return "\n".join(_lines(self)) + "\n"


def _all(facts: Sequence[Fact], state: Sequence[int]) -> bool:
    return all(state[variable] == value for variable, value in facts)


def _lines(task: OddTask) -> Iterator[str]:
    yield from ("begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(task.sizes)))
    for number, (size, layer) in enumerate(zip(task.sizes, task.layers, strict=True)):
        yield from ("begin_variable", f"v{number}", str(layer), str(size))
        yield from (f"Atom v{number}-{value}()" for value in range(size))
        yield "end_variable"
    yield str(len(task.groups))
    for group in task.groups:
        yield from ("begin_mutex_group", *_facts(group), "end_mutex_group")
    yield from ("begin_state", *map(str, task.initial), "end_state", "begin_goal", *_facts(task.goal), "end_goal")
    yield str(len(task.operators))
    for number, operator in enumerate(task.operators):
        before = dict(operator.given)
        changed = {effect.fact[0] for effect in operator.effects}
        yield from ("begin_operator", f"o{number}")
        yield from _facts([fact for fact in operator.given if fact[0] not in changed])
        yield str(len(operator.effects))
        for effect in operator.effects:
            variable, value = effect.fact
            given = [f"{v} {x}" for v, x in effect.given]
            yield " ".join([str(len(given)), *given, f"{variable} {before.get(variable, -1)} {value}"])
        yield from (str(operator.cost), "end_operator")
    yield str(len(task.axioms))
    for given, (variable, value) in task.axioms:
        yield from ("begin_rule", *_facts(given), f"{variable} {task.initial[variable]} {value}", "end_rule")


def _facts(facts: Sequence[Fact]) -> Iterator[str]:
    yield str(len(facts))
    yield from (f"{variable} {value}" for variable, value in facts)


def odd_task(choice: random.Random) -> OddTask:
    """A random task: of anything, or of variables that walk through graphs and open ways for each other."""
    sizes = [choice.choice((1, 2, 3, 3, 4, 5)) for _ in range(choice.randint(1, 7))]
    moving = len(sizes)
    if choice.random() < 0.15:  # variables that hardly change: a state does not fit into one word
        sizes += [choice.choice((3, 4, 5)) for _ in range(30)]
    plain = len(sizes)
    layers = [-1] * plain
    if choice.random() < 0.5:
        layers += sorted(choice.randint(0, 2) for _ in range(choice.choice((1, 2, 3, 8))))
        sizes += [2] * (len(layers) - plain)
    initial = tuple(choice.randrange(sizes[v]) for v in range(len(sizes)))
    walks = choice.random() < 0.6
    conditional = choice.random() < 0.5

    def facts(most: int, among: Sequence[int]) -> tuple[Fact, ...]:
        chosen = choice.sample(among, min(len(among), choice.randint(0, most)))
        # A condition on a variable that hardly changes mostly agrees with the initial state.
        agrees = [moving <= v < plain and choice.random() < 0.9 for v in chosen]
        return tuple(
            (v, initial[v] if same else choice.randrange(sizes[v])) for v, same in zip(chosen, agrees, strict=True)
        )

    def effect() -> Effect:
        variable = choice.randrange(plain if choice.random() < 0.05 else moving)
        given = facts(2, range(len(sizes))) if conditional and choice.random() < 0.5 else ()
        return Effect(given, (variable, choice.randrange(sizes[variable])))

    costs = choice.choice(((0, 1, 2, 5), (1,), (0,), (3, 1000), (0, 0, 7)))
    operators = []
    edges = sum(size + size // 2 for size in sizes[:moving]) if walks else choice.randint(0, 20)
    for _ in range(edges):
        if walks:
            variable = choice.randrange(moving)
            here, there = (choice.randrange(sizes[variable]) for _ in range(2))
            others = [v for v in range(len(sizes)) if v != variable]
            given = ((variable, here), *(facts(1, others) if choice.random() < 0.6 else ()))
            more = [effect() for _ in range(choice.choice((0, 0, 0, 0, 1, 2)))]
            effects = [Effect((), (variable, there)), *more]
        else:
            given = facts(2, range(len(sizes)))
            effects = [effect() for _ in range(choice.randint(1, 3))]
        operators.append(Operator(given, tuple(effects), choice.choice(costs)))
    if operators and choice.random() < 0.1:
        operators.append(choice.choice(operators))
    axioms = []
    for variable in range(plain, len(sizes)):
        lower = [v for v in range(len(sizes)) if layers[v] < layers[variable]]
        for _ in range(choice.randint(0, 3)):
            # Of its own layer, an axiom may only ask that a variable has its derived value.
            same = [v for v in range(plain, len(sizes)) if layers[v] == layers[variable]]
            more = tuple((v, 1 - initial[v]) for v in same if choice.random() < 0.2)
            axioms.append(((*facts(2, lower), *more), (variable, 1 - initial[variable])))
    choice.shuffle(axioms)
    groups = tuple(facts(3, range(plain)) for _ in range(choice.choice((0, 0, 2))))
    goal = facts(4, range(len(sizes))) or ((0, choice.randrange(sizes[0])),)
    if choice.random() < 0.8:  # a goal that does not hold yet, where there is one
        goal = tuple((v, value if value != initial[v] else (value + 1) % sizes[v]) for v, value in goal)
    return OddTask(
        tuple(sizes),
        tuple(layers),
        initial,
        goal,
        tuple(operators),
        tuple(axioms),
        tuple(group for group in groups if group),
    )


@dataclass(frozen=True)
class Truth:
    """All reachable states, and the least cost to the goal of each state that has a plan; see `judged`."""

    initial: State
    states: dict[State, list[tuple[int, State]]]
    costs: dict[State, int]

    @property
    def least(self) -> int | None:
        """The cost of a cheapest plan."""
        return self.costs.get(self.initial)


def judged(task: OddTask, most: int) -> Truth | None:
    """The truth about a task, None if more than `most` states are reachable."""
    initial = task.completed(task.initial)
    states: dict[State, list[tuple[int, State]]] = {}
    into: dict[State, list[tuple[int, State]]] = {}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        if state in states:
            continue
        if len(states) == most:
            return None
        states[state] = []
        for number, operator in enumerate(task.operators):
            if (after := task.after(state, number)) is not None:
                states[state].append((number, after))
                into.setdefault(after, []).append((operator.cost, state))
                waiting.append(after)
    costs: dict[State, int] = {}
    heap = [(0, state) for state in states if task.is_goal(state)]
    while heap:
        cost, state = heapq.heappop(heap)
        if state not in costs:
            costs[state] = cost
            for step, before in into.get(state, []):
                heapq.heappush(heap, (cost + step, before))
    return Truth(initial, states, costs)
