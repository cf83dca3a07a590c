"""Linear programs over fractions: the simplex method with dictionaries (Chvátal 1983), by Bland's rule.

The programs here have some tens of variables, and their answers are compared with one another: exact is what
counts.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Form: TypeAlias = Mapping[Hashable, Fraction]  # a linear form: coefficients by variable


@dataclass(frozen=True)
class Optimum:
    """The greatest value, a point that has it, and what proves that none has more.

    `rows` are the constraints, by index, and `bounds` the variables whose not being negative, the proof uses.
    `value` is None where no point meets the constraints; the proof is then of that.
    """

    value: Fraction | None
    point: Mapping[Hashable, Fraction]
    rows: frozenset[int]
    bounds: frozenset[Hashable]


def maximize(objective: Form, rows: Sequence[tuple[Form, Fraction]]) -> Optimum:
    """The greatest value of a form over all points ≥ 0 with form ≤ limit for each row.

    Raises ValueError where there is no greatest.
    """
    names = list(dict.fromkeys(name for form in (objective, *(form for form, _ in rows)) for name in form))
    number = {name: index for index, name in enumerate(names)}
    slack = len(names)
    extra = slack + len(rows)  # a variable that makes any point feasible, for the first phase
    table: dict[int, dict[int, Fraction]] = {}  # by basic variable: its form over the others
    limit: dict[int, Fraction] = {}
    for index, (form, bound) in enumerate(rows):
        table[slack + index] = {number[name]: -value for name, value in form.items() if value}
        limit[slack + index] = bound
    used: set[int] = set()
    if limit and min(limit.values()) < 0:
        for row in table.values():
            row[extra] = Fraction(1)
        costs = {extra: Fraction(-1)}
        worst = min(limit, key=lambda basic: (limit[basic], basic))
        value = _pivot(table, limit, costs, worst, extra)
        value += _climb(table, limit, costs)
        if value < 0:
            used = {variable for variable, cost in costs.items() if cost < 0}
            return _answer(None, {}, used, names, slack)
        if extra in table:
            row = table[extra]
            if row:
                _pivot(table, limit, costs, extra, min(row))
            else:
                del table[extra], limit[extra]
        for row in table.values():
            row.pop(extra, None)
    costs, value = {}, Fraction(0)
    for name, amount in objective.items():
        if number[name] in table:
            value += amount * limit[number[name]]
            _add(costs, table[number[name]], amount)
        else:
            _add(costs, {number[name]: Fraction(1)}, amount)
    value += _climb(table, limit, costs)
    used = {variable for variable, cost in costs.items() if cost < 0}
    point = {name: limit.get(index, Fraction(0)) for index, name in enumerate(names)}
    return _answer(value, point, used, names, slack)


def _answer(
    value: Fraction | None, point: Mapping[Hashable, Fraction], used: set[int], names: list[Hashable], slack: int
) -> Optimum:
    rows = frozenset(variable - slack for variable in used if variable >= slack)
    return Optimum(value, point, rows, frozenset(names[variable] for variable in used if variable < slack))


def _climb(
    table: dict[int, dict[int, Fraction]], limit: dict[int, Fraction], costs: dict[int, Fraction]
) -> Fraction:
    """Pivot until no cost is positive. Returns by how much the objective has grown."""
    grown = Fraction(0)
    while True:
        entering = min((variable for variable, cost in costs.items() if cost > 0), default=None)
        if entering is None:
            return grown
        best: tuple[Fraction, int] | None = None
        for basic, row in table.items():
            step = row.get(entering)
            if step is not None and step < 0:
                ratio = (limit[basic] / -step, basic)
                if best is None or ratio < best:
                    best = ratio
        if best is None:
            raise ValueError("the objective grows without end")
        grown += _pivot(table, limit, costs, best[1], entering)


def _pivot(
    table: dict[int, dict[int, Fraction]],
    limit: dict[int, Fraction],
    costs: dict[int, Fraction],
    leaving: int,
    entering: int,
) -> Fraction:
    """Exchange a basic variable and another. Returns by how much the objective grows."""
    row, bound = table.pop(leaving), limit.pop(leaving)
    step = row.pop(entering)
    made = {variable: -value / step for variable, value in row.items()}
    made[leaving] = 1 / step
    level = -bound / step
    for basic, other in table.items():
        amount = other.pop(entering, None)
        if amount is not None:
            limit[basic] += amount * level
            _add(other, made, amount)
    table[entering], limit[entering] = made, level
    amount = costs.pop(entering, None)
    if amount is None:
        return Fraction(0)
    _add(costs, made, amount)
    return amount * level


def _add(form: dict[int, Fraction], other: Mapping[int, Fraction], times: Fraction) -> None:
    """Add a multiple of a form to another."""
    for variable, value in other.items():
        total = form.get(variable, 0) + times * value
        if total:
            form[variable] = Fraction(total)
        else:
            form.pop(variable, None)
