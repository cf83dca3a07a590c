"""Finds sums that show that no goal can be reached: no operator changes them, and each goal would.

Sums of single facts modulo 2 and 3 come first; then potentials; then sums of pairs of facts modulo 2, as the
parity of a permutation (Johnson and Story 1879). All is counted work.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Protocol

from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.elimination import Equations
from puzzlemc.mc.invariants.equations import Columns, Conditions, Row
from puzzlemc.mc.invariants.potentials import potentials_against
from puzzlemc.mc.invariants.sums import Sum, most_pairs, without_constants
from puzzlemc.mc.limits import Budget

MOST_UNKNOWNS = {2: 40_000, 3: 4_000}  # by prime
CHUNK = 4096  # equations between two looks at the limits
TRIED = 32  # sums that show the same; the shortest is taken


def sums_against(question: Question, budget: Budget, *, degree: int, prime: int) -> tuple[Sum, ...] | None:
    """A sum for each of the goals, which differs between the initial state and all states of that goal.

    None if there is none for one of them, or if there are too many unknown weights. Raises Unsuitable if there are
    too many cases; LimitReached.
    """
    task, kinds = question.task, question.kinds
    if degree == 2 and most_pairs(task, kinds) > MOST_UNKNOWNS[prime]:
        return None
    columns = Columns(kinds, prime)
    conditions = Conditions(question, columns, degree)
    asked: list[tuple[list[Row], Row]] = []
    initial = dict(enumerate(task.initial))
    for left in question.left:
        if not all(left.values()):
            return None  # the exclusions alone show that; it is not for a sum to show
        fixed, state = conditions.of_goal(left)
        asked.append((fixed, conditions.between(initial, state)))
    rows: list[Row] = []
    solutions: list[Row] | None = None
    for operators in question.unlike:
        for operator in operators:
            budget.check()
            rows += conditions.of_operator(operator)
            if len(columns.number) > MOST_UNKNOWNS[prime]:
                return None
        solutions = _solutions(rows, asked, len(columns.number), prime, budget) if operators else solutions
        if solutions is None:
            return None
    assert solutions is not None
    keys = list(columns.number)
    found = []
    for shortest in solutions:
        weights = {keys[column]: value for column, value in shortest.items()}
        found.append(Sum(prime, columns.kinds, without_constants(weights, prime, task, kinds)))
    return tuple(found)


def _solutions(
    rows: Sequence[Row], asked: Sequence[tuple[list[Row], Row]], unknowns: int, prime: int, budget: Budget
) -> list[Row] | None:
    """A short solution for each goal that its difference does not make 0; None if there is none for one."""
    equations = Equations(unknowns, prime, unknowns)
    for chunk in _chunks(rows):
        budget.check()
        equations.add(chunk)
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
        found.append(min(solutions, key=len))
        equations.cut(rank)
    return found


class Search(Protocol):
    """Finds a sum against each of the goals of a question."""

    def __call__(self, question: Question, budget: Budget, /) -> tuple[Sum, ...] | None:
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
