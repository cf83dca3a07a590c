"""Lazy constraints against the same constraints written as clauses, over all points."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import Clauses, constant, expression, holds, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.sat.refinement import Refinement, written_out
from puzzlemc.mc.sat.solutions import satisfy, solutions
from puzzlemc.mc.sat.solvers import Assignment, Cadical
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable

VARIABLES = tuple(boolean("x", number) for number in range(5))
BITS = tuple(b for variable in VARIABLES for b in variable.bits)
NUMBERS = st.integers(1, len(BITS)).flatmap(lambda number: st.sampled_from([number, -number]))
ROWS = st.lists(st.lists(NUMBERS, min_size=1, max_size=3), max_size=8)


def satisfied(row: Sequence[int], holds: Callable[[int], bool]) -> bool:
    return any((literal > 0) == holds(abs(literal)) for literal in row)


def model_of(written: list[list[int]], lazy: list[list[int]]) -> Model:
    """A model whose goal is both kinds of clauses; the first violated lazy clause is added each time."""

    def violated(holds: Callable[[int], bool]) -> list[list[int]]:
        return next(([row] for row in lazy if not satisfied(row, holds)), [])

    goal = Clauses(BITS, written, violated)
    return Model(VARIABLES, {}, (), goal, {"solved": goal})


@given(ROWS, ROWS)
def test_lazy_constraints_agree_with_clauses(written: list[list[int]], lazy: list[list[int]]) -> None:
    model = model_of(written, lazy)
    points = [
        {number for number, is_held in enumerate(p, 1) if is_held} for p in product((0, 1), repeat=len(BITS))
    ]
    states = {
        frozenset(BITS[number - 1] for number in point)
        for point in points
        if all(satisfied(row, point.__contains__) for row in written + lazy)
    }
    assert {state for state in solutions(model, Budget()) if holds(model.goal, state)} <= states
    verdict = satisfy(model, "any", Budget())
    assert isinstance(verdict, Reachable if states else Unreachable)
    if isinstance(verdict, Reachable):
        assert verdict.trace.states[-1] in states
    for point in points:
        state = frozenset(BITS[number - 1] for number in point)
        assert holds(model.goal, state) == (state in states)


def test_the_written_clauses_can_decide_and_are_a_plain_model() -> None:
    model = model_of([[1, 2]], [[-1], [-2, 3], [-3]])
    written = written_out(model, Budget())
    assert isinstance(written.goal, Clauses)
    assert written.goal.violated is None
    assert written.atoms["solved"] is written.goal
    assert not list(solutions(written, Budget()))
    assert written_out(written, Budget()) is written
    # Other engines get the model without lazy constraints.
    assert isinstance(engine("forward")(model, "any", Budget()), Unreachable)


def test_conversions_of_a_formula_refuse_lazy_constraints() -> None:
    goal = model_of([], [[1]]).goal
    assert constant(goal) is None
    assert literals(goal) is None
    with pytest.raises(ModelError, match="lazy constraints"):
        expression(goal)


def test_a_limit_ends_the_refinement_loop() -> None:
    model = model_of([[1, 2]], [[-1], [-2]])
    with pytest.raises(LimitReached):
        written_out(model, Budget(Limits(seconds=0)))
    assert isinstance(engine("forward")(model, "any", Budget(Limits(seconds=0))), Unknown)
    assert isinstance(satisfy(model, "any", Budget(Limits(seconds=0))), Unknown)


def test_assumptions_may_add_clauses_and_a_judge_must_add_some() -> None:
    clauses = [[1, 2]]
    refinement = Refinement(clauses, Cadical(Budget()))

    def forbid(solution: Assignment) -> bool | None:
        if 1 in solution:
            clauses.append([-1])
            return None
        return True

    def assumed() -> list[int]:
        clauses.append([3])
        return [-2]

    assert refinement.find(forbid, assumed) is False
    assert refinement.find(lambda solution: 3 in solution) is True
    with pytest.raises(AssertionError, match="rejected"):
        refinement.find(lambda _: None)
