"""Engines and diagram packages against each other and against plain search, on random models."""

import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from known_models import check_invariant, counter, shuffle
from oracle import SMALL, least_cost
from strategies import models

from examples import examples
from puzzlemc.mc.engines.registry import Variant, engine, variants
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.graph.analysis import analyse
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Clauses, Formula, Gates, Signal, bit, fold, literals, support
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.clauses import check_by_clauses
from puzzlemc.mc.proofs.diagrams import check_by_diagrams
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.states import check_states
from puzzlemc.mc.symbolic.packages import installed_packages
from puzzlemc.mc.symbolic.prover import prove_bound, prove_unreachable
from puzzlemc.mc.temporal.check import query
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, resolved
from puzzlemc.reports.formats import aiger, pddl, smv

VARIANTS = variants(optimal=True)


@settings(max_examples=examples(35, 200))
@given(model=models())
def test_every_engine_agrees_with_plain_search(model: Model) -> None:
    model.validate()
    expected = least_cost(model, "cost")
    for hinted in (model, replace(model, hints=Hints())):  # a hint never changes the answer
        for variant in VARIANTS:
            proved: list[int] = []
            verdict = variant(hinted, "cost", Budget(SMALL, report=proved.append))
            assert expected is None or all(bound <= expected for bound in proved), str(variant)
            if expected is None:
                assert isinstance(verdict, Unreachable), str(variant)
                check_invariant(hinted, verdict)
            else:
                assert isinstance(verdict, Reachable), str(variant)
                assert verdict.optimal, str(variant)
                assert verdict.cost == expected, str(variant)
                assert verdict.trace.cost("cost") == expected, str(variant)
                verdict.trace.check(hinted)


def as_clauses(formula: Formula) -> Clauses:
    """The formula as clauses: one clause per literal, or one clause against each assignment that falsifies it."""
    if (cube := literals(formula)) is not None:
        return Clauses(tuple(cube), [[n if value else -n] for n, value in enumerate(cube.values(), 1)])
    bits = sorted(support([formula]), key=str)
    points = [dict(zip(bits, values, strict=True)) for values in product((False, True), repeat=len(bits))]
    numbers = frozenset(range(len(points)))
    right = fold(
        formula,
        lambda b, value: frozenset(n for n in numbers if points[n][b] == value),
        lambda parts: numbers.intersection(*parts),
        lambda parts: frozenset().union(*parts),
    )
    rows = [[-i if held else i for i, held in enumerate(points[n].values(), 1)] for n in numbers - right]
    return Clauses(tuple(bits), rows)


def in_clauses(model: Model) -> Model:
    """The same model with every formula as clauses."""
    actions = [
        replace(
            action,
            guard=as_clauses(action.guard),
            update={**action.constants, **{b: as_clauses(new) for b, new in action.formulas.items()}},
        )
        for action in model.actions
    ]
    init, goal = as_clauses(model.init), as_clauses(model.goal)
    return replace(model, init=init, actions=tuple(actions), goal=goal, atoms={"goal": goal})


def in_gates(model: Model) -> Model:
    """The same model with every formula as a literal of one circuit."""
    circuit = Circuit([str(b) for b in model.bits])
    graph = Gates(model.bits, circuit.gates)

    def signal(formula: Formula) -> Signal:
        return Signal(graph, circuit.formula(formula))

    actions = [
        replace(
            action,
            guard=signal(action.guard),
            update={**action.constants, **{b: signal(new) for b, new in action.formulas.items()}},
        )
        for action in model.actions
    ]
    goal = signal(model.goal)
    return replace(model, init=signal(model.init), actions=tuple(actions), goal=goal, atoms={"goal": goal})


@pytest.mark.parametrize("written", [in_clauses, in_gates])
def test_every_engine_takes_every_kind_of_formula(written: Callable[[Model], Model]) -> None:
    decided: Counter[str] = Counter()

    @settings(max_examples=30)
    @given(model=models())
    def decide(model: Model) -> None:
        rewritten = written(model)
        rewritten.validate()
        expected = least_cost(rewritten, "cost")
        for variant in variants():
            options = dict(variant.options)
            if "most_steps" in variant.engine.options:
                options["most_steps"] = 6  # without a limit it does not end on a model that has no trace
            try:
                verdict = variant.engine(rewritten, "cost", Budget(SMALL), **options)
            except Unsuitable:
                assert variant.engine.takes == "plain"
                continue
            if isinstance(verdict, Unknown):
                assert variant.engine.name == "bmc"
                assert verdict.reason == "bound"
                assert model.actions
                assert expected is None or verdict.bound <= expected
                continue
            decided[str(variant)] += 1
            if isinstance(verdict, Unreachable):
                assert expected is None, str(variant)
                check_invariant(rewritten, verdict)
            else:
                assert expected is not None, str(variant)
                assert verdict.cost == expected or not verdict.optimal, str(variant)
                verdict.trace.check(model)

    decide()
    few = {str(variant): decided[str(variant)] for variant in variants() if decided[str(variant)] < 10}
    assert not few


@pytest.mark.parametrize("written", [in_clauses, in_gates])
@settings(max_examples=20)
@given(model=models())
def test_proofs_properties_and_files_take_every_kind_of_formula(
    written: Callable[[Model], Model], model: Model
) -> None:
    rewritten = written(model)
    expected = least_cost(model, "cost")
    if expected is None:
        proof = prove_unreachable(rewritten, Budget(SMALL))
    else:
        proof = prove_bound(rewritten, "cost", expected, Budget(SMALL))
    check_by_clauses(rewritten, proof, None)
    check_by_diagrams(rewritten, proof, Budget(SMALL))
    for structure in ("explicit", "symbolic"):
        assert query(rewritten, parse("EF goal"), Budget(SMALL), structure).holds == (expected is not None)
    assert analyse(rewritten, ["cost"], Budget(SMALL)).goals == analyse(model, ["cost"], Budget(SMALL)).goals
    assert smv.write(rewritten)
    for write in (aiger.machine, lambda model: pddl.write(model, "cost", "a model")):
        assert refuses(write, rewritten) == refuses(write, model)


def refuses(write: Callable[[Model], object], model: Model) -> str:
    """The reason why the model cannot be exported; empty if it can."""
    try:
        write(model)
    except ModelError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_traces_may_be_long(variant: Variant) -> None:
    model = counter(8)
    verdict = variant(model, "cost", Budget(SMALL))
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 255
    verdict.trace.check(model)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("direct_first", [False, True])
def test_a_state_reached_again_at_a_lower_cost(variant: Variant, direct_first: bool) -> None:
    """Place 2 is one action or two away from the start, and two actions cost less."""
    at = binary("at", range(4))
    roads = [(0, 2, 2), (0, 1, 0), (1, 2, 1), (2, 3, 2)]
    if not direct_first:
        roads.reverse()
    actions = [Action(f"{i} to {j}", at.literals(i), at.literals(j), {"cost": cost}) for i, j, cost in roads]
    model = Model((at,), at.literals(0), tuple(actions), at.literals(3))
    verdict = variant(model, "cost", Budget(SMALL))
    assert isinstance(verdict, Reachable)
    assert (verdict.cost, verdict.optimal) == (3, True)
    verdict.trace.check(model)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("value", [False, True])
def test_free_steps_that_meet_at_a_location_all_go_on(variant: Variant, value: bool) -> None:
    """Two ways without cost lead to place 3, one of them over a bit; the only way on needs one value of it."""
    place, flag = binary("place", range(6)), boolean("flag")
    at = [place.literals(number) for number in range(6)]
    (b,) = flag.bits
    ways = [(0, 1, {}, {b: False}), (0, 2, {}, {b: True}), (1, 3, {}, {}), (2, 3, {}, {}), (3, 4, {b: value}, {})]
    ways.append((4, 5, {}, {}))
    actions = tuple(
        Action(f"{begin}{end}", at[begin] | guard, at[end] | update, {"cost": int(end == 5)})
        for begin, end, guard, update in ways
    )
    init = at[0] | {b: False}
    model = Model((place, flag), init, actions, at[5], hints=Hints(location=place))
    verdict = variant(model, "cost", Budget(SMALL))
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 1


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_time_limit_gives_unknown_with_the_bound_so_far(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test has its own clock: the progress of an engine in real time depends on the machine."""
    proved: list[int] = []
    now = 0.0

    def report(bound: int) -> None:
        nonlocal now
        proved.append(bound)
        now = 2.0 if len(proved) > 10 else 0.0

    monkeypatch.setattr("puzzlemc.mc.limits.time", SimpleNamespace(perf_counter=lambda: now))
    verdict = variant(counter(30), "cost", Budget(Limits(seconds=1), report))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "timeout"
    assert verdict.bound == proved[-1] > 10
    assert proved == sorted(proved)


@pytest.mark.parametrize("variant", variants("forward", "explicit"), ids=str)
def test_a_memory_limit_gives_unknown(variant: Variant) -> None:
    verdict = variant(shuffle(44), "cost", Budget(Limits(seconds=60, memory=12 << 20)))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "memory"
    assert verdict.bound > 2


def test_a_search_uses_most_of_the_memory_that_it_may_use() -> None:
    most = 64 << 20
    tracemalloc.start()
    try:
        verdict = uniform_cost(shuffle(44), "cost", Budget(Limits(seconds=60, memory=most)))
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "memory"
    assert 0.7 * most < used < most


@pytest.mark.parametrize("diagrams", installed_packages())
def test_a_node_limit_gives_unknown(diagrams: str) -> None:
    verdict = engine("forward")(shuffle(40), "cost", Budget(Limits(seconds=60, nodes=20_000)), diagrams=diagrams)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "memory"


@pytest.mark.parametrize("diagrams", installed_packages())
def test_diagram_tables_grow_until_they_suffice(diagrams: str) -> None:
    model = shuffle(26)
    reached = engine("forward")(model, "cost", Budget(SMALL), diagrams=diagrams)
    assert isinstance(reached, Unreachable)
    assert reached.statistics.states == 2**13


def test_an_unknown_metric_is_an_error() -> None:
    for variant in VARIANTS:
        with pytest.raises(ModelError, match="no cost for metric 'steps'"):
            variant(counter(2), "steps", Budget(SMALL))


def test_an_unknown_engine_or_diagram_package_is_an_error() -> None:
    with pytest.raises(ModelError, match="unknown engine 'magic', expected one of forward"):
        engine("magic")
    with pytest.raises(ModelError, match="ic3 has no option diagrams"):
        engine("ic3")(counter(2), "cost", Budget(SMALL), diagrams="zdd")
    with pytest.raises(ModelError, match=r"unknown diagrams 'paper', expected one of (cudd, )?zdd"):
        engine("forward")(counter(2), "cost", Budget(SMALL), diagrams="paper")


def test_a_location_set_by_a_free_formula_is_an_error() -> None:
    at, b = boolean("at"), bit("b", 0)
    action = Action("jump", at.bits[0], {at.bits[0]: b}, {"cost": 1})
    model = Model((at, boolean("b", 0)), at.bits[0], (action,), ~at.bits[0], hints=Hints(location=at))
    with pytest.raises(ModelError, match="jump does not lead to one known value of at"):
        engine("forward")(model, "cost", Budget(SMALL))


@pytest.mark.parametrize("goal", [{}, And(), Or(), Clauses((), ()), Clauses((), ((),)), Signal(Gates((), []), 1)])
@pytest.mark.parametrize("guards", [(), ({},), (And(), Or())])
def test_models_without_variables_are_decided_and_proved(goal: Formula, guards: tuple[Formula, ...]) -> None:
    actions = tuple(Action(f"a{number}", guard, {}, {"cost": number}) for number, guard in enumerate(guards))
    model = Model((), {}, actions, goal)
    model.validate()
    expected = least_cost(model, "cost")
    for variant in (*variants(), Variant(engine("explicit"), {"proving": "bits"})):
        for metric in ("cost", ANY):
            try:
                verdict = variant(model, metric, Budget(SMALL))
            except Unsuitable:
                continue
            assert isinstance(verdict, Unreachable if expected is None else Reachable), str(variant)
            if isinstance(verdict, Unreachable):
                check_invariant(model, verdict)
            proof = resolved(verdict.proof)
            if isinstance(proof, ListedStates):
                check_states(model, proof, Budget())
    assert query(model, parse("EF solved"), Budget()).holds == (expected is not None)
