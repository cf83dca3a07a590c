"""The expressions for installations without pyeda, against truth tables."""

from collections.abc import Mapping
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.mc.model import own_expressions as own
from puzzlemc.mc.model.formula import Formula, holds, literals, support
from puzzlemc.mc.model.own_expressions import And, Expression, Not, One, Operator, Or, Variable, Zero, exprvar

A, B, C, D = VARIABLES = tuple(exprvar("o", (number,)) for number in range(4))
POINTS = [dict(zip(VARIABLES, values, strict=True)) for values in product((0, 1), repeat=4)]

Table = tuple[int, ...]  # the value at each point


def table(value: object) -> Table:
    return tuple(int(value(point)) for point in POINTS)  # type: ignore[operator]


def leaf(variable: Variable) -> tuple[Expression, Table]:
    return variable, table(lambda point: point[variable])


def joined(parts: list[tuple[Expression, Table]], conjunction: bool) -> tuple[Expression, Table]:
    formulas = [formula for formula, _ in parts]
    columns = [[values[n] for _, values in parts] for n in range(len(POINTS))]
    if conjunction:
        return And(*formulas), tuple(int(all(column)) for column in columns)
    return Or(*formulas), tuple(int(any(column)) for column in columns)


def negated(part: tuple[Expression, Table]) -> tuple[Expression, Table]:
    return Not(part[0]), tuple(1 - value for value in part[1])


constants = st.sampled_from([(One, table(lambda _: 1)), (Zero, table(lambda _: 0))])
formulas = st.recursive(
    st.sampled_from(VARIABLES).map(leaf) | constants,
    lambda inner: st.builds(joined, st.lists(inner, max_size=3), st.booleans()) | inner.map(negated),
    max_leaves=12,
)


def value(formula: Expression, point: Mapping[Variable, int]) -> int:
    found = formula.restrict(point)
    assert found is One or found is Zero
    return int(found is One)


@given(made=formulas)
def test_they_have_the_values_of_their_truth_tables(made: tuple[Expression, Table]) -> None:
    formula, expected = made
    assert table(lambda point: value(formula, point)) == expected
    states = [frozenset(b for b, held in point.items() if held) for point in POINTS]
    assert tuple(int(holds(formula, state)) for state in states) == expected
    assert tuple(int(holds(Not(formula), state)) for state in states) == tuple(1 - v for v in expected)
    assert formula.support <= set(VARIABLES)
    assert ~~formula is formula


@given(made=formulas)
def test_they_are_simple(made: tuple[Expression, Table]) -> None:
    worklist = [made[0]]
    while worklist:
        part = worklist.pop()
        worklist += part.xs
        if isinstance(part, Operator):
            assert len(set(part.xs)) == len(part.xs) >= 2
            assert not {one.ASTOP for one in part.xs} & {"const", part.ASTOP}
            assert not any(one is ~other for one, other in combinations(part.xs, 2) if one.ASTOP == "lit")


@given(made=formulas)
def test_the_points_that_satisfy_one_are_listed_once(made: tuple[Expression, Table]) -> None:
    formula, expected = made
    cubes = list(formula.satisfy_all())
    covering = [[cube for cube in cubes if cube.items() <= point.items()] for point in POINTS]
    assert tuple(map(len, covering)) == expected


def test_names_and_numbers_are_those_of_variables() -> None:
    assert exprvar("o", 1) is B
    assert exprvar("o") is exprvar("o", ())
    assert (str(A), str(~A), str(exprvar("plain"))) == ("o[0]", "~o[0]", "plain")
    assert str(And(A, Or(~B, C))) == "And(o[0], Or(~o[1], o[2]))"
    assert A.uniqid > 0
    assert (~A).uniqid == -A.uniqid  # type: ignore[attr-defined]
    assert sorted([C, A, B]) == [A, B, C]
    cube: Formula = And(A, ~B)
    assert literals(cube) == {A: True, B: False}
    assert support([cube, C]) == {A, B, C}


def test_what_would_be_wrong_in_silence_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"And\(o\[0\], o\[1\]\) has no truth value: write & \| ~"):
        bool(A & B)
    with pytest.raises(TypeError, match="found 'o' under 'or', expected an expression"):
        Or(A, "o")  # type: ignore[arg-type]


def test_no_depth_is_too_much() -> None:
    formula: Expression = A
    for number in range(5_000):
        formula = ~(exprvar("deep", number) & formula)
    assert (~formula).restrict({A: 1}) is not Zero
    assert len(formula.support) == 5_001
    shared: Expression = A
    for number in range(200):  # as a tree, it would have 2^200 parts
        shared = And(Or(shared, exprvar("x", number)), Or(~shared, exprvar("y", number)))
    assert len(shared.support) == 401
    assert own.One.is_one()
    assert own.Zero.is_zero()
