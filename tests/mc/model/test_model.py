"""Formulas, variables, actions and traces, against their definitions."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cubes, formulas, signals

from examples import examples
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.expressions import And, Not, One, Or, Zero
from puzzlemc.mc.model.formula import (
    Formula,
    Signal,
    bit,
    conjunction,
    constant,
    expression,
    holds,
    literals,
    negation,
    support,
)
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.restriction import narrowed, restricted
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import Variable, binary, boolean, one_hot

BITS = tuple(bit("m", number) for number in range(4))
A, B, C, D = BITS


def by_restriction(formula: Formula, state: frozenset) -> bool:
    """The value of a formula by substitution."""
    return bool(formula.restrict({b: int(b in state) for b in BITS}))


@given(formula=formulas(BITS))
def test_holds_agrees_with_substitution(formula: Formula) -> None:
    for number in range(16):
        state = frozenset(b for i, b in enumerate(BITS) if number >> i & 1)
        assert holds(formula, state) == by_restriction(formula, state)


def test_holds_evaluates_every_operator() -> None:
    operators = pytest.importorskip("pyeda.boolalg.expr")
    formulas = [
        operators.Xor(A, B, C),
        operators.Equal(A, B, C),
        operators.Implies(A, B),
        operators.ITE(A, B, C),
        operators.And(A, ~A, simplify=False),
        Not(Or(A, B)),
        One,
        Zero,
    ]
    for formula, number in product(formulas, range(16)):
        state = frozenset(b for i, b in enumerate(BITS) if number >> i & 1)
        assert holds(formula, state) == by_restriction(formula, state)
    assert literals(formulas[4]) is None


def test_literals_returns_the_cube_of_a_conjunction_and_of_no_other_formula() -> None:
    assert literals(And(A, ~B, C)) == {A: True, B: False, C: True}
    assert literals(A) == {A: True}
    assert literals(~A) == {A: False}
    assert literals(One) == {}
    assert literals(Zero) is None
    assert literals(Or(A, B)) is None
    assert literals(And(A, Or(B, C))) is None
    assert literals(And(A, ~A)) is None
    assert literals(conjunction({A: True, D: False})) == {A: True, D: False}


@pytest.mark.parametrize("make", [binary, one_hot])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9])
def test_codes_are_distinct_for_distinct_values(make, size: int) -> None:  # type: ignore[no-untyped-def]
    variable: Variable = make("v", range(size))
    assert len(set(variable.codes)) == size
    for value in range(size):
        state = frozenset(b for b, held in variable.literals(value).items() if held)
        assert variable.read(state) == value
        assert [v for v in range(size) if holds(variable.equals(v), state)] == [value]


def test_variables_refuse_unknown_values() -> None:
    variable = binary("v", "xyz")
    with pytest.raises(ModelError, match="variable v has no value 'w'"):
        variable.equals("w")
    with pytest.raises(ModelError, match="is not the code of any value"):
        variable.read(frozenset(variable.bits))


def test_updates_are_simultaneous() -> None:
    swap = Action("swap", One, {A: B, B: A, C: True}, {})
    assert swap.fire(frozenset([A])) == frozenset([B, C])
    assert swap.fire(frozenset([B, D])) == frozenset([A, C, D])


def one_step() -> tuple[Model, Trace]:
    action = Action("set", ~A, {A: True}, {"cost": 2})
    model = Model((boolean("m", 0), boolean("m", 1)), And(~A, ~B), (action,), And(A, ~B))
    return model, Trace((frozenset(), frozenset([A])), (action,))


def test_a_trace_is_checked() -> None:
    model, trace = one_step()
    trace.check(model)
    assert trace.cost("cost") == 2
    assert trace.cost("any") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": (frozenset([B]), frozenset([A]))}, "the first state of the trace is not initial"),
        ({"states": (frozenset(), frozenset([A, B]))}, "step 1: set leads to another state"),
        ({"states": (frozenset(),)}, "1 states do not fit 1 actions"),
        ({"states": (frozenset(),), "actions": ()}, "the last state of the trace is no goal state"),
    ],
)
def test_a_wrong_trace_is_refuted(change: dict, message: str) -> None:
    model, trace = one_step()
    with pytest.raises(Refuted, match=message):
        replace(trace, **change).check(model)


def test_a_disabled_action_is_refuted() -> None:
    model, trace = one_step()
    twice = Trace((*trace.states, trace.states[-1]), trace.actions * 2)
    with pytest.raises(Refuted, match="step 2: set is not enabled"):
        twice.check(model)


def test_validate_names_the_fault() -> None:
    model, _ = one_step()
    model.validate()
    with pytest.raises(ModelError, match="two variables share a bit"):
        replace(model, variables=(boolean("m", 0), boolean("m", 0))).validate()
    with pytest.raises(ModelError, match=r"goal speaks of bits of no variable: \['m\[2\]'\]"):
        replace(model, goal=C).validate()
    with pytest.raises(ModelError, match="action off: bits of no variable"):
        replace(model, actions=(Action("off", C, {}, {}),)).validate()
    with pytest.raises(ModelError, match="action gift: cost -1 of cost is negative"):
        replace(model, actions=(Action("gift", A, {}, {"cost": -1}),)).validate()


def test_each_metric_has_its_costs() -> None:
    action = Action("push", A, {}, {"pushes": 1, "moves": 3})
    assert [cost_of(action, metric) for metric in ("pushes", "moves", "any")] == [1, 3, 1]
    with pytest.raises(ModelError, match="no cost for metric 'gold'"):
        cost_of(action, "gold")


def test_the_budget_reports_only_better_bounds() -> None:
    reported: list[int] = []
    budget = Budget(Limits(), reported.append)
    for bound in (0, 2, 1, 2, 5):
        budget.record_bound(bound)
    assert reported == [2, 5]
    budget.check()


def by_gates(signal: Signal, state: frozenset) -> bool:
    """The value of a signal, gate by gate."""
    graph = signal.graph
    values = [False, *(held if isinstance(held, bool) else held in state for held in graph.inputs)]
    for one, other in graph.gates:
        values.append(values[one >> 1] ^ bool(one & 1) and values[other >> 1] ^ bool(other & 1))
    return values[signal.literal >> 1] ^ bool(signal.literal & 1)


@settings(max_examples=examples(80, 200))
@given(signal=signals(BITS), point=cubes(BITS), state=st.sets(st.sampled_from(BITS)).map(frozenset))
def test_signals_are_evaluated_restricted_and_narrowed(signal: Signal, point: dict, state: frozenset) -> None:
    expected = by_gates(signal, state)
    assert holds(signal, state) == expected
    assert holds(negation(signal), state) != expected
    assert holds(expression(signal), state) == expected
    moved = state.difference(point).union(b for b, value in point.items() if value)
    assert holds(restricted(signal, point), state) == by_gates(signal, moved)
    assert support([restricted(signal, point)]) <= support([signal]) - point.keys()
    assert holds(narrowed(signal, point), state) == (expected and moved == state)
    cube = literals(signal)
    assert cube is None or holds(cube, state) == expected
    assert constant(signal) in (None, expected)
