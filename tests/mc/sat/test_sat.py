"""The SAT engines, bounded model checking with both solvers and IC3, against plain search."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_models import check_invariant, counter
from oracle import SMALL, all_states, least_cost, least_cost_by_rules
from strategies import formulas, levels, models, movers

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.bmc import bmc
from puzzlemc.mc.engines.ic3 import ic3
from puzzlemc.mc.engines.k_induction import k_induction
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, Action, cost_of
from puzzlemc.mc.model.formula import State, conjunction, constant, holds
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.layered import kept_counts
from puzzlemc.mc.sat.solutions import satisfy, solutions
from puzzlemc.mc.sat.solvers import SOLVERS
from puzzlemc.mc.sat.unroll import Unroller
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable
from puzzlemc.screens.sokoban import Level


@pytest.mark.parametrize("parallel", [False, True])
@settings(max_examples=examples(20, 100))
@given(model=models())
def test_clauses_of_a_step_describe_the_steps_of_the_model(parallel: bool, model: Model) -> None:
    """Over all pairs of states: one action leads from one to the other, or several independent ones do."""
    unroller = Unroller(model, parallel=parallel)
    solver = SOLVERS["cadical"](Budget(SMALL))
    solver.add([*unroller.frame(0), *unroller.step(0), *unroller.frame(1)])
    states = all_states(model)[:16]
    for before in states:
        successors = {action.fire(before) for action in model.actions if action.enabled(before)}
        for after in states:
            fixed = [
                unroller.bit(b, time) if b in state else -unroller.bit(b, time)
                for time, state in enumerate((before, after))
                for b in model.bits
            ]
            possible = solver.solve(fixed)
            if not parallel:
                assert possible == (after in successors)
            elif after in successors or after == before:
                assert possible
            if possible:
                true = solver.solution()
                assert (unroller.goal(0) in true) == holds(model.goal, before) or unroller.goal(0) < 0
                for order in (1, -1):
                    state = before
                    for action in unroller.actions(true, 0)[::order]:
                        assert action.enabled(state)
                        state = action.fire(state)
                    assert state == after


@given(model=st.one_of(models(), movers()))
def test_bounded_search_finds_traces_and_proves_bounds(model: Model) -> None:
    same = replace(model, actions=tuple(replace(action, costs={"cost": 2}) for action in model.actions))
    least = {id(variant): least_cost(variant, "cost") for variant in (model, same)}
    for solver, variant in product(SOLVERS, (model, same)):
        proved: list[int] = []
        verdict = bmc(variant, "cost", Budget(SMALL, report=proved.append), solver=solver, most_steps=12)
        expected = least[id(variant)]
        assert expected is None or all(bound <= expected for bound in proved)
        if isinstance(verdict, Reachable):
            verdict.trace.check(variant)
            assert expected is not None
            assert verdict.cost == expected if verdict.optimal else verdict.cost >= expected
            assert verdict.optimal or variant is model
        elif not model.actions or constant(model.goal) is False:
            assert isinstance(verdict, Unreachable)
            assert expected is None
        else:
            assert isinstance(verdict, Unknown)
            assert verdict.reason == "bound"
            assert expected is None or verdict.bound <= expected
            if variant is not model:
                assert expected is None or expected > 24
                assert verdict.bound == 26


@given(model=models())
def test_parallel_steps_give_a_trace(model: Model) -> None:
    verdict = bmc(model, ANY, Budget(SMALL), most_steps=12)
    steps = replace(model, actions=tuple(replace(action, costs={"cost": 1}) for action in model.actions))
    fewest = least_cost(steps, "cost")
    if isinstance(verdict, Reachable):
        verdict.trace.check(model)
        assert not verdict.optimal
    else:
        assert fewest is None or fewest > 12
        assert isinstance(verdict, Unreachable) or verdict.bound == 0


@pytest.mark.parametrize("turn", [1, -1])
def test_an_action_and_one_that_it_disables_are_not_in_one_step(turn: int) -> None:
    """In either order of the two actions: one sets the bit that the other needs to be false."""
    one, other = boolean("one"), boolean("other")
    (x,), (y,) = one.bits, other.bits
    actions = (Action("disable", {}, {x: True}, {}), Action("other", {x: False}, {y: True}, {}))[::turn]
    model = Model((one, other), {x: False, y: False}, actions, {x: True, y: True})
    verdict = bmc(model, ANY, Budget(SMALL), most_steps=4)
    assert isinstance(verdict, Reachable)
    assert [action.name for action in verdict.trace.actions] == ["other", "disable"]
    verdict.trace.check(model)


@pytest.mark.parametrize("engine", [ic3, k_induction])
@given(model=st.one_of(models(), movers()), same=st.booleans())
def test_an_invariant_or_a_trace_decides(engine: Callable[..., Any], model: Model, same: bool) -> None:
    if same:
        model = replace(model, actions=tuple(replace(action, costs={"cost": 2}) for action in model.actions))
    proved: list[int] = []
    verdict = engine(model, "cost", Budget(Limits(seconds=60), proved.append))
    least = least_cost(model, "cost")
    assert least is None or all(bound <= least for bound in proved)
    if least is None:
        assert isinstance(verdict, Unreachable)
        check_invariant(model, verdict)
        if verdict.proof is not None:
            assert check_proof(model, verdict.proof, Budget(SMALL)) in {"sat", "diagrams"}
        else:
            assert engine is k_induction
    else:
        assert isinstance(verdict, Reachable)
        verdict.trace.check(model)
        assert verdict.cost == verdict.trace.cost("cost")
        assert verdict.cost == least if verdict.optimal else verdict.cost >= least
        assert verdict.optimal or not same or engine is ic3


@settings(max_examples=examples(25, 60), deadline=None)
@given(level=levels())
@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_bounded_search_finds_shortest_solutions(metric: str, level: Level) -> None:
    """On levels, with walks at no cost, within a few pushes."""
    model = puzzle("sokoban").encodings["compact"](level).model
    cost = least_cost_by_rules(puzzle("sokoban"), level, metric)
    verdict = bmc(model, metric, Budget(SMALL), most_steps=8)
    if constant(model.goal) is False:
        assert isinstance(verdict, Unreachable)
        assert cost is None
    elif cost is None or cost > 8:
        assert isinstance(verdict, Unknown)
        assert verdict.bound == 9 or not any(cost_of(action, metric) for action in model.actions)
    else:
        assert isinstance(verdict, Reachable)
        assert (verdict.cost, verdict.optimal) == (cost, True)
        verdict.trace.check(model)


@settings(max_examples=examples(4, 60))
@given(level=levels())
def test_levels_are_decided(level: Level) -> None:
    model = puzzle("sokoban").encodings["compact"](level).model
    solvable = least_cost_by_rules(puzzle("sokoban"), level, "moves") is not None
    verdict = ic3(model, "moves", Budget(SMALL))
    assert isinstance(verdict, Reachable) == solvable
    if isinstance(verdict, Unreachable):
        assert verdict.proof is not None
        check_proof(model, verdict.proof, Budget(SMALL))


def test_a_limit_gives_unknown_and_an_unknown_metric_is_an_error() -> None:
    verdict = ic3(counter(24), "cost", Budget(Limits(seconds=0.3)))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "timeout"
    verdict = bmc(counter(24), "cost", Budget(Limits(seconds=2)))
    assert isinstance(verdict, Unknown)
    assert (verdict.reason, verdict.bound > 3) == ("timeout", True)
    for engine in (bmc, ic3, k_induction):
        with pytest.raises(ModelError, match="no cost"):
            engine(counter(3), "moves", Budget(SMALL))


def test_the_fewest_steps_are_not_the_cheapest() -> None:
    """One step at cost 3, or two at cost 1 each."""
    half, done = (boolean(name).bits[0] for name in ("half", "done"))
    init, goal = conjunction({half: False, done: False}), done
    ways = [
        Action("leap", init, {done: True}, {"cost": 3}),
        Action("begin", ~half, {half: True}, {"cost": 1}),
        Action("end", half, {done: True}, {"cost": 1}),
    ]
    model = Model((boolean("half"), boolean("done")), init, tuple(ways), goal)
    for engine in (bmc, k_induction):
        verdict = engine(model, "cost", Budget(SMALL))
        assert isinstance(verdict, Reachable)
        assert (verdict.cost, verdict.optimal) == (3, False)


def test_a_walk_may_visit_every_place() -> None:
    """From the first place through all others, in one step that costs as much as its last action."""
    at, done = binary("at", range(5)), boolean("done")
    walks = [Action(f"w{n}", at.equals(n), at.literals(n + 1), {"cost": 0}) for n in range(4)]
    act = Action("act", at.equals(4), {done.bits[0]: True}, {"cost": 1})
    init = conjunction({**at.literals(0), done.bits[0]: False})
    model = Model((at, done), init, (*walks, act), done.bits[0], hints=Hints(location=at))
    verdict = bmc(model, "cost", Budget(SMALL), most_steps=1)
    assert isinstance(verdict, Reachable)
    verdict.trace.check(model)
    assert (verdict.cost, verdict.optimal) == (1, True)
    # If walks cost, each is a step of its own.
    dear = replace(walks[2], costs={"cost": 1})
    model = replace(model, actions=(*walks[:2], dear, walks[3], act))
    assert isinstance(bmc(model, "cost", Budget(SMALL), most_steps=1), Unknown)
    verdict = bmc(model, "cost", Budget(SMALL), most_steps=2)
    assert isinstance(verdict, Reachable)
    assert (verdict.cost, verdict.optimal) == (2, True)


def test_a_count_that_names_a_bit_twice_is_refused() -> None:
    """The clauses would count it twice, the sum once: no state would be left."""
    model = counter(2)
    bits = model.bits
    once = replace(model, init=conjunction({b: b is bits[0] for b in bits}), goal=bits[0], actions=())
    assert kept_counts(replace(once, hints=Hints(conserved=(((bits[0],), 1),))))
    twice = replace(once, hints=Hints(conserved=(((bits[0], bits[0]), 1),)))
    assert not kept_counts(twice)
    assert isinstance(k_induction(twice, "cost", Budget(SMALL)), Reachable)
    assert isinstance(ic3(twice, "cost", Budget(SMALL)), Reachable)


def test_a_model_may_have_no_actions() -> None:
    goal = boolean("g")
    model = Model((goal,), ~goal.bits[0], (), goal.bits[0])
    for engine in (bmc, ic3, k_induction):
        verdict = engine(model, "cost", Budget(SMALL))
        assert isinstance(verdict, Unreachable)
        assert verdict.proof is not None
        check_proof(model, verdict.proof, Budget(SMALL))
        assert isinstance(engine(replace(model, init=goal.bits[0]), "cost", Budget(SMALL)), Reachable)


@given(model=models(), init=st.data())
def test_all_solutions_of_a_constraint_model_are_found(model: Model, init: st.DataObject) -> None:
    """Each solution once."""
    model = replace(model, actions=(), init=init.draw(formulas(model.bits)), hints=Hints())
    expected = {state for state in product_states(model) if holds(model.init, state) and holds(model.goal, state)}
    found = list(solutions(model, Budget(SMALL)))
    assert len(found) == len(expected)
    assert set(found) == expected
    answer = auto(model, "cost", Budget(SMALL))
    assert answer.engine == "bmc"
    assert isinstance(answer.verdict, Reachable) == bool(expected)
    if isinstance(answer.verdict, Reachable):
        answer.verdict.trace.check(model)
    else:
        assert answer.verdict.proof is not None
        check_proof(model, answer.verdict.proof, Budget(SMALL))


def product_states(model: Model) -> list[State]:
    return [
        frozenset(b for b, value in zip(model.bits, values, strict=True) if value)
        for values in product([False, True], repeat=len(model.bits))
    ]


def test_sat_continues_after_a_solution_finder_that_takes_too_long() -> None:
    def find_slowly(budget: Budget) -> State | None:
        assert budget.left is not None
        assert budget.left <= 30
        raise LimitReached("timeout")

    a = boolean("a")
    model = Model((a,), a.bits[0], (), a.bits[0], hints=Hints(solution_finder=find_slowly))
    assert isinstance(satisfy(model, "cost", Budget(Limits(60))), Reachable)
