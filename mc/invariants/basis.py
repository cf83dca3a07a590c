"""A basis of the sums of facts that no operator changes: in whole numbers, modulo 2 and modulo 3.

Weights are unknowns, each operator gives equations (`equations`), and the sums are the solutions: one for each
unknown that the equations leave free. Each variable has exactly one value, so the facts of a variable always have
the same sum if their weights are equal. To leave such sums out, one value of each variable has weight 0.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.elimination import Equations
from puzzlemc.mc.invariants.equations import Columns, Conditions
from puzzlemc.mc.invariants.sums import POTENTIAL, Key, Sum, completed, without_constants
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import Condition, Task

MOST_UNKNOWNS = 4_000
MOST_ENTRIES = 2_000_000  # coefficients that the elimination in whole numbers writes
PRIMES = (2, 3)

Vector = dict[int, Fraction]


def basis(
    task: Task, budget: Budget, *, copies: Collection[int] = (), none: Mapping[int, int] | None = None
) -> list[Sum]:
    """Sums in whole numbers that no operator changes, then sums modulo 2 and 3 that the integer sums do not imply.

    copies  variables whose facts are facts of other variables, too; they have no weights of their own
    none    variable -> its value that says that none of some facts holds; it has weight 0

    All other sums of facts with this property are combinations of these. Raises Unsuitable if there are too many
    cases or unknown weights; LimitReached.
    """
    columns = Columns(range(len(task.variables)), POTENTIAL)  # each variable has its own weights
    conditions = Conditions(Question(task, columns.kinds, ()), columns, 1)
    changed = {effect.variable for operator in task.operators for effect in operator.effects}
    for variable in sorted(changed):
        columns.row([(1, ((variable, value),)) for value in range(task.domains[variable])])
    rows = [row for operator in task.operators for row in conditions.of_operator(operator)]
    keys = list(columns.number)
    none = {} if none is None else none
    rows += [
        {column: 1}
        for column, (variable, value) in enumerate(keys)
        if value == none.get(variable, 0) or variable in copies
    ]
    if not keys:
        return []
    if len(keys) > MOST_UNKNOWNS:
        raise Unsuitable(f"there are {len(keys)} unknown weights, more than {MOST_UNKNOWNS}")
    whole = _in_whole_numbers(rows, len(keys), budget)
    found = [_sum(POTENTIAL, keys, vector, task, none) for vector in whole]
    for prime in PRIMES:
        budget.check()
        equations = Equations(len(keys), prime, len(keys))
        equations.add([_modulo(row, prime) for row in rows])
        solutions = (equations.solution({column: 1}) for column in equations.free)
        follows = Equations(len(keys), prime, len(keys))
        follows.add([_modulo(vector, prime) for vector in whole])
        for vector in sorted(solutions, key=len):
            rank = follows.rank
            follows.add([vector])
            if follows.rank > rank:
                found.append(_sum(prime, keys, vector, task, none))
    return found


def value_in(task: Task, found: Sum, condition: Condition) -> int | None:
    """The value of a sum in all states with a condition, None if it differs between them or there is none."""
    values, possible = {0}, completed(task, condition)
    if found.degree == 2:
        if any(len(left) != 1 for left in possible.values()):
            return None
        return found.value(tuple(possible[variable][0] for variable in range(len(task.variables))))
    for variable, left in possible.items():
        weights = {found.weights.get((found.kinds[variable], value), 0) for value in left}
        values = {value + weight for value in values for weight in weights}
        values = {value % found.prime if found.prime else value for value in values}
        if len(values) != 1:
            return None
    (value,) = values
    return value


def _sum(prime: int, keys: Sequence[Key], vector: Mapping[int, int], task: Task, none: Mapping[int, int]) -> Sum:
    """The sum with these weights, less a number for each variable so that few are left."""
    kinds = range(len(task.variables))
    weights = {keys[column]: value for column, value in sorted(vector.items())}
    free = {key: value for key, value in weights.items() if key[0] not in none}
    found = {key: value for key, value in weights.items() if key[0] in none}
    found |= without_constants(free, prime, task, kinds)
    if prime == POTENTIAL:
        sign = 1 if 2 * sum(value > 0 for value in found.values()) >= len(found) else -1
        divisor = sign * gcd(*found.values())
        found = {key: value // divisor for key, value in found.items()}
    return Sum(prime, kinds, found)


def _modulo(row: Mapping[int, int], prime: int) -> dict[int, int]:
    return {column: value % prime for column, value in row.items() if value % prime}


def _in_whole_numbers(rows: Iterable[Mapping[int, int]], unknowns: int, budget: Budget) -> list[dict[int, int]]:
    """A basis of the solutions of these equations, in whole numbers without a common divisor.

    By Gauss and Jordan: no pivot is in another row. Raises Unsuitable if the rows become too full, LimitReached.
    """
    reduced: dict[int, Vector] = {}  # pivot -> its row, where it has the coefficient 1
    written = 0
    for equation in rows:
        budget.check()
        row = {column: Fraction(value) for column, value in equation.items()}
        for column in [column for column in row if column in reduced]:
            _subtract(row, reduced[column], row[column])
        if not row:
            continue
        pivot = min(row, key=lambda column: (abs(row[column]) != 1, column))
        first = row[pivot]
        row = {column: value / first for column, value in row.items()}
        for other in reduced.values():
            if pivot in other:
                _subtract(other, row, other[pivot])
                written += len(other)
        written += len(row)
        if written > MOST_ENTRIES:
            raise Unsuitable("its equations in whole numbers are too large")
        reduced[pivot] = row
    free: dict[int, Vector] = {
        column: {column: Fraction(1)} for column in range(unknowns) if column not in reduced
    }
    for pivot, row in reduced.items():
        for column, value in row.items():
            if column != pivot:
                free[column][pivot] = -value
    return sorted((_whole(vector) for vector in free.values()), key=len)


def _subtract(row: Vector, other: Mapping[int, Fraction], times: Fraction) -> None:
    """Subtract a multiple of another row."""
    for column, value in other.items():
        left = row.get(column, 0) - times * value
        if left:
            row[column] = Fraction(left)
        else:
            del row[column]


def _whole(vector: Vector) -> dict[int, int]:
    """A multiple of the vector in whole numbers without a common divisor."""
    times = lcm(*(value.denominator for value in vector.values()))
    numbers = {column: int(value * times) for column, value in vector.items()}
    divisor = gcd(*numbers.values())
    return {column: value // divisor for column, value in numbers.items()}
