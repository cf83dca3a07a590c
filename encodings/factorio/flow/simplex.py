"""Exact linear programs: the simplex method with dictionaries (Chvátal 1983) over fractions, with Bland's rule.

Programs have tens of variables. Fractions are slow, but optima are compared with one another for equality.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Form: TypeAlias = Mapping[Hashable, Fraction]  # a linear form: coefficients by variable


@dataclass(frozen=True)
class Optimum:
    """The greatest value, a point with this value, and the support of the proof that no point has more.

    `rows` are the indices of the constraints that the proof uses, and `bounds` the variables of which it uses that
    they are not negative. If no point satisfies the constraints, `value` is None, and the proof is one of that.
    """

    value: Fraction | None
    point: Mapping[Hashable, Fraction]
    rows: frozenset[int]
    bounds: frozenset[Hashable]


def maximize(objective: Form, rows: Sequence[tuple[Form, Fraction]]) -> Optimum:
    """The greatest value of a linear form over all points ≥ 0 that satisfy form ≤ limit for each row.

    Raises ValueError if the form is unbounded.
    """
    names = list(dict.fromkeys(name for form in (objective, *(form for form, _ in rows)) for name in form))
    number = {name: index for index, name in enumerate(names)}
    slack = len(names)
    extra = slack + len(rows)  # an auxiliary variable, with which the first phase has a feasible point
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
    """Pivot until no cost is positive. Returns the increase of the objective."""
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
    """Exchange a basic and a nonbasic variable. Returns the increase of the objective."""
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
    """Add a multiple of one form to another."""
    for variable, value in other.items():
        total = form.get(variable, 0) + times * value
        if total:
            form[variable] = Fraction(total)
        else:
            form.pop(variable, None)
