"""Finds sums that show that no goal can be reached: no operator changes them, and each goal would.

Sums of single facts modulo 2 and 3 come first; then potentials; then sums of pairs of facts modulo 2, as the
parity of a permutation (Johnson and Story 1879). All is counted work.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Protocol

from puzzlemc.mc.invariants.elimination import Equations
from puzzlemc.mc.invariants.equations import Columns, Conditions, Row
from puzzlemc.mc.invariants.potentials import potentials_against
from puzzlemc.mc.invariants.sums import Sum, completed, without_constants
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import Condition, Task

MOST_UNKNOWNS = {2: 40_000, 3: 4_000}  # by prime
CHUNK = 4096  # equations between two looks at the limits
TRIED = 32  # sums that show the same; the shortest is taken


def sums_against(
    task: Task, kinds: Sequence[int], goals: Sequence[Condition], budget: Budget, *, degree: int, prime: int
) -> tuple[Sum, ...] | None:
    """A sum for each of the goals, which differs between the initial state and all states of that goal.

    None if there is none for one of them, or if there are too many unknown weights. Raises Unsuitable if there are
    too many cases; LimitReached.
    """
    columns = Columns(kinds, prime)
    conditions = Conditions(task, columns, degree)
    rows = [row for operator in task.operators for row in conditions.of_operator(operator)]
    asked = []
    initial = dict(enumerate(task.initial))
    for goal in goals:
        left = completed(task, goal)
        if not all(left.values()):
            return None  # the exclusions alone show that; it is not for a sum to show
        fixed, state = conditions.of_goal(left)
        asked.append((fixed, conditions.between(initial, state)))
    unknowns = len(columns.number)
    if unknowns > MOST_UNKNOWNS[prime]:
        return None
    equations = Equations(unknowns, prime, unknowns)
    for chunk in _chunks(rows):
        budget.check()
        equations.add(chunk)
    keys = list(columns.number)
    found = []
    for fixed, difference in asked:
        rank = equations.rank
        equations.add(fixed)
        left_over = equations.left(difference)
        if not left_over:
            return None
        solutions = (
            equations.solution({column: pow(value, -1, prime)})
            for column, value in islice(left_over.items(), TRIED)
        )
        shortest = min(solutions, key=len)
        weights = {keys[column]: value for column, value in shortest.items()}
        found.append(Sum(prime, columns.kinds, without_constants(weights, prime, task, kinds)))
        equations.cut(rank)
    return tuple(found)


class Search(Protocol):
    """Finds a sum against each of the goals of a task, whose variables have these kinds."""

    def __call__(
        self, task: Task, kinds: Sequence[int], goals: Sequence[Condition], budget: Budget, /
    ) -> tuple[Sum, ...] | None:
        """The sums, None if there is none for one goal. Raises Unsuitable, LimitReached."""


# The efforts, and the searches in their order.
SEARCHES: tuple[tuple[int, Search], ...] = (
    (1, partial(sums_against, degree=1, prime=2)),
    (1, partial(sums_against, degree=1, prime=3)),
    (2, potentials_against),
    (2, partial(sums_against, degree=2, prime=2)),
)


def _chunks(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    for begin in range(0, len(rows), CHUNK):
        yield rows[begin : begin + CHUNK]
