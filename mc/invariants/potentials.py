"""Potentials: weights of facts whose sum no operator raises, and which is larger in every goal state than at the
start.

In peg solitaire they are called pagoda functions (Berlekamp, Conway and Guy 1982). Such weights are the solutions
of linear inequalities. Linear programming finds one with small numbers; it counts only if whole numbers
near it satisfy every inequality exactly.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf, lcm

from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.equations import Columns, Conditions
from puzzlemc.mc.invariants.linear import least
from puzzlemc.mc.invariants.sums import POTENTIAL, Key, Sum, key_of, without_constants
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import Condition, Task

MOST_ROWS = 100_000
ITERATIONS = 50_000  # of the simplex method
DENOMINATOR = 60  # the largest one of a weight

Row = Mapping[Key, int]


def potentials_against(question: Question, budget: Budget) -> tuple[Sum, ...] | None:
    """A potential for each of the goals, larger in all its states than in the initial state; None if one has none.

    Raises Unsuitable if there are too many cases; LimitReached.
    """
    task, kinds = question.task, question.kinds
    conditions = Conditions(question, Columns(kinds, 2), 1)
    rows: dict[frozenset[tuple[Key, int]], Row] = {}
    for operator in task.operators:
        for case in conditions.cases(operator):
            row = difference(kinds, case.old, case.new)
            rows.setdefault(frozenset(row.items()), row)
        if len(rows) > MOST_ROWS:
            return None
    found = []
    for left in question.left:
        budget.check()
        if not all(left.values()):
            return None  # the exclusions alone show that
        weights = _weights(list(rows.values()), kinds, task, left)
        if weights is None:
            return None
        found.append(Sum(POTENTIAL, kinds, without_constants(weights, POTENTIAL, task, kinds)))
    return tuple(found)


def difference(kinds: Sequence[int], old: Condition, new: Condition) -> Row:
    """How a change of facts changes the sum."""
    row: dict[Key, int] = {}
    for sign, facts in ((-1, old), (1, new)):
        for fact in facts.items():
            if fact[0] in old:
                row[key_of(kinds, fact)] = row.get(key_of(kinds, fact), 0) + sign
    return {key: value for key, value in row.items() if value}


def _weights(
    rows: Sequence[Row], kinds: Sequence[int], task: Task, left: Mapping[int, list[int]]
) -> dict[Key, int] | None:
    """Weights that no row makes positive, and that are larger where variables have the values `left`."""
    keys = sorted({key for row in rows for key in row})
    if not keys:
        return None
    # A variable that has several values in goal states gets a column for the least of their weights.
    free = [variable for variable, values in left.items() if len(values) > 1]
    column = {key: number for number, key in enumerate(keys)}
    least = {variable: len(keys) + number for number, variable in enumerate(free)}
    gain: dict[int, int] = {}
    upper = [({column[key]: value for key, value in row.items()}, 0) for row in rows]
    for variable, values in left.items():
        if variable in least:
            gain[least[variable]] = 1
            for value in values:
                key = key_of(kinds, (variable, value))
                upper.append(({least[variable]: 1, **({column[key]: -1} if key in column else {})}, 0))
        elif (key := key_of(kinds, (variable, values[0]))) in column:
            gain[column[key]] = gain.get(column[key], 0) + 1
        start = key_of(kinds, (variable, task.initial[variable]))
        if start in column:
            gain[column[start]] = gain.get(column[start], 0) - 1
    upper.append(({number: -value for number, value in gain.items() if value}, -1))
    solution = _solved(upper, len(keys) + len(free), len(keys))
    if solution is None:
        return None
    parts = [Fraction(value).limit_denominator(DENOMINATOR) for value in solution]
    times = lcm(*(part.denominator for part in parts))
    whole = {key: int(part * times) for key, part in zip(keys, parts, strict=False) if part}
    return whole if _is_potential(whole, rows, kinds, task, left) else None


def _is_potential(
    weights: dict[Key, int], rows: Sequence[Row], kinds: Sequence[int], task: Task, left: Mapping[int, list[int]]
) -> bool:
    """Do these weights satisfy all inequalities, in whole numbers?"""
    if any(sum(weights.get(key, 0) * value for key, value in row.items()) > 0 for row in rows):
        return False

    def weight(variable: int, value: int) -> int:
        return weights.get(key_of(kinds, (variable, value)), 0)

    goal = sum(min(weight(variable, value) for value in values) for variable, values in left.items())
    return goal > sum(weight(variable, task.initial[variable]) for variable in left)


def _solved(upper: Sequence[tuple[dict[int, int], int]], columns: int, weights: int) -> Sequence[float] | None:
    """A solution of the inequalities row ≤ bound with a small sum of the absolute weights; None if there is
    none."""
    # Columns: the weights, least weights, and the absolute values of weights, whose sum is the objective.
    costs = [0.0] * columns + [1.0] * weights
    low = [-inf] * columns + [0.0] * weights
    absolute = [({i: sign, columns + i: -1}, 0) for i in range(weights) for sign in (1, -1)]
    solution = least(costs, [*upper, *absolute], low, inf, ITERATIONS)
    return None if solution is None else solution[:columns]
