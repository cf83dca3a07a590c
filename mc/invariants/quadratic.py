"""Sums of pairs of facts modulo 2 that no operator changes, and that do not follow from sums of single facts.

Many solutions of the equations are constants in disguise, or say again what sums of facts say. So each is
evaluated in random states that the exclusions allow, whether or not they can be reached: what depends there on the
values of those before it is left out.
"""

import random
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, islice
from operator import xor

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.elimination import Equations
from puzzlemc.mc.invariants.equations import Columns, Conditions
from puzzlemc.mc.invariants.sums import POTENTIAL, Beside, Key, Sum, key_of, most_pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import State, Task

MOST_UNKNOWNS = 3_000
MOST_FREE = 500  # solutions that are looked at
SAMPLES = 128  # states
TRIES = 20  # for each of them
PAIRS_OF = 20  # sums of facts whose products count as known


def quadratic(question: Question, known: Sequence[Sum], budget: Budget) -> list[Sum]:
    """Some sums of pairs, beside the known sums of facts; none if there are too many unknown weights or cases.

    Raises LimitReached.
    """
    task, kinds = question.task, question.kinds
    if most_pairs(task, kinds) > MOST_UNKNOWNS:
        return []
    columns = Columns(kinds, 2)
    conditions = Conditions(question, columns, 2)
    try:
        rows = [row for operator in task.operators for row in conditions.of_operator(operator)]
    except Unsuitable:
        return []
    budget.check()
    number = len(columns.number)
    if not number:
        return []
    equations = Equations(number, 2, number)
    equations.add(rows)
    budget.check()
    keys, states = list(columns.number), list(islice(_possible(task, question.beside), SAMPLES))
    held = _held(kinds, states)
    values = Equations(len(states), 2, len(states))
    values.add([_vector(vector) for vector in _followed_by(known, states)])
    solutions = (equations.solution({free: 1}) for free in equations.free[:MOST_FREE])
    found = []
    for solution in sorted(solutions, key=len):
        budget.check()
        odd = reduce(xor, (held.get(keys[column], 0) for column in solution))
        rank = values.rank
        values.add([_vector([odd >> place & 1 for place in range(len(states))])])
        if values.rank > rank:
            found.append(Sum(2, kinds, {keys[column]: 1 for column in sorted(solution)}))
    return [each for each in found if each.degree == 2]


def _possible(task: Task, beside: Beside) -> Iterator[State]:
    """Random states that the exclusions of a task allow."""
    rng = random.Random(0)
    for _ in range(TRIES * SAMPLES):
        facts: dict[int, int] = {}
        for variable in rng.sample(range(len(task.variables)), len(task.variables)):
            values = beside.values(facts, variable)
            if not values:
                break
            facts[variable] = rng.choice(values)
        else:
            yield tuple(facts[variable] for variable in range(len(task.variables)))


def _held(kinds: Sequence[int], states: Sequence[State]) -> dict[Key, int]:
    """By key, the states in which an odd number of such facts or pairs holds, as bits of a number."""
    found: dict[Key, int] = {}
    for place, state in enumerate(states):
        facts = list(enumerate(state))
        for some in (*combinations(facts, 1), *combinations(facts, 2)):
            key = key_of(kinds, *some)
            found[key] = found.get(key, 0) ^ 1 << place
    return found


def _followed_by(known: Sequence[Sum], states: Sequence[State]) -> Iterator[list[int]]:
    """The values of polynomials of degree 2 in known sums: they never change either."""
    yield [1 for _ in states]
    some = [[each.value(state) for state in states] for each in known if each.prime in (POTENTIAL, 2)]
    whole = [[each.value(state) for state in states] for each in known if each.prime == POTENTIAL]
    yield from some
    for values in whole:
        yield [value * (value - 1) // 2 for value in values]
    for one, other in combinations(some[:PAIRS_OF], 2):
        yield [here * there for here, there in zip(one, other, strict=True)]


def _vector(values: Sequence[int]) -> dict[int, int]:
    return {number: 1 for number, value in enumerate(values) if value % 2}
