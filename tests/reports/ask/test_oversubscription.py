"""Soft goals of unified-planning: gains of plans against all states that the simulator of that library reaches."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from unified_engines import sequence, solved, up, validated

pytest.importorskip("unified_planning")
pytest.importorskip("fast_downward")

pytestmark = pytest.mark.filterwarnings("ignore")  # of that library


def best(problem: Any) -> Fraction | int | None:
    """The greatest gain of a reachable state in which the hard goals hold."""
    from unified_planning.engines.sequential_simulator import UPSequentialSimulator
    from unified_planning.model.walkers import StateEvaluator

    simulator = UPSequentialSimulator(problem, error_on_failed_checks=False)
    evaluator = StateEvaluator(problem)
    (metric,) = problem.quality_metrics
    start = simulator.get_initial_state()
    waiting, seen, gains = [start], {_key(problem, start)}, []
    while waiting:
        state = waiting.pop()
        if simulator.is_goal(state):
            held = [gain for goal, gain in metric.goals.items() if evaluator.evaluate(goal, state).is_true()]
            gains.append(sum(held, Fraction()))
        for action, objects in simulator.get_applicable_actions(state):
            after = simulator.apply(state, action, objects)
            if (key := _key(problem, after)) not in seen:
                seen.add(key)
                waiting.append(after)
    return max(gains, default=None)


def _key(problem: Any, state: Any) -> tuple[bool, ...]:
    return tuple(state.get_value(each).is_true() for each in problem.initial_values)


def problems(seed: int) -> Any:
    """A random problem over four facts of two objects, with gains and losses, whole and not."""
    draw, names = random.Random(seed), up()
    thing = names.UserType("Thing")
    on = names.Fluent("is on", names.BoolType(), thing=thing)
    lit = names.Fluent("lit", names.BoolType())
    objects = [names.Object(name, thing) for name in ("one", "two", "three")]
    problem = names.Problem("random")
    problem.add_fluent(on, default_initial_value=False)
    problem.add_fluent(lit, default_initial_value=draw.random() < 0.5)
    problem.add_objects(objects)
    variable = names.Variable("any thing", thing)

    def literal(*terms: Any) -> Any:
        atom = lit() if draw.random() < 0.3 else on(draw.choice([*objects, *terms]))
        return atom if draw.random() < 0.5 else names.Not(atom)

    def condition(depth: int) -> Any:
        kind = draw.choice(["and", "or", "implies", "iff", "forall", "exists", "constant", *["literal"] * 4])
        if kind == "literal" or not depth:
            return literal()
        if kind == "constant":
            return names.Or(names.TRUE() if draw.random() < 0.5 else names.FALSE(), names.FALSE())
        if kind in ("forall", "exists"):
            quantifier = names.Forall if kind == "forall" else names.Exists
            return quantifier(names.Or(literal(variable), names.Equals(variable, objects[0])), variable)
        operator = {"and": names.And, "or": names.Or, "implies": names.Implies, "iff": names.Iff}[kind]
        return operator(condition(depth - 1), condition(depth - 1))

    for number in range(draw.choice([2, 3, 4])):
        action = names.InstantaneousAction(f"end {number}", thing=thing)
        action.add_precondition(literal(action.thing))
        changed = draw.choice([lit(), on(action.thing), on(action.thing)])
        action.add_effect(changed, draw.random() < 0.6)
        problem.add_action(action)
    if draw.random() < 0.6 and not (goal := condition(1)).simplify().is_bool_constant():
        problem.add_goal(goal)
    gains = [1, 2, 5, 0, -1, -3, Fraction(1, 3), Fraction(-5, 2)]
    goals = {condition(2): draw.choice(gains) for _ in range(draw.choice([0, 1, 2, 3, 4]))}
    problem.add_quality_metric(names.Oversubscription(goals))
    return problem


def check(problem: Any, engine: str = "puzzlemc") -> bool:
    """Is there a plan? If so, it has the greatest gain, and both validators agree on that."""
    names = up()
    assert names.get_environment().factory.engine(engine).supports(problem.kind)
    expected = best(problem)
    result = solved(problem, engine)
    if expected is None:
        assert result.status.name == "UNSOLVABLE_PROVEN"
        return False
    assert result.status.name == "SOLVED_OPTIMALLY", result.log_messages
    with names.PlanValidator(name="sequential_plan_validator") as validator:
        done = validator.validate(problem, result.plan)
    assert done
    own = validated(problem, result.plan)
    assert own
    assert own.metric_evaluations == done.metric_evaluations
    assert list(own.metric_evaluations.values()) == [expected]
    return True


@pytest.mark.parametrize("name", ["basic_oversubscription", "locations_connected_visited_oversubscription"])
def test_examples_of_the_library_have_the_greatest_gain(name: str) -> None:
    from unified_planning.test.examples import get_example_problems

    for engine in ("puzzlemc", "puzzlemc-opt"):
        assert check(get_example_problems()[name].problem, engine)


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 150), marks=pytest.mark.slow)])
def test_gains_agree_with_a_search_over_all_states(seeds: range) -> None:
    answers = {check(problems(seed)) for seed in seeds}
    assert True in answers
    assert False in answers or len(seeds) < 100


def journey(lake_gain: float = 3) -> Any:
    """One walk, either to the lake or to the hill, from which there is no way back."""
    names = up()
    place = names.UserType("place")
    at = names.Fluent("at", names.BoolType(), place=place)
    home, lake, hill = (names.Object(name, place) for name in ("home", "lake", "hill"))
    problem = names.Problem("journey")
    problem.add_fluent(at, default_initial_value=False)
    problem.add_objects([home, lake, hill])
    problem.set_initial_value(at(home), True)
    walk = names.InstantaneousAction("walk", end=place)
    walk.add_precondition(at(home))
    walk.add_effect(at(home), False)
    walk.add_effect(at(walk.end), True)
    problem.add_action(walk)
    goals = {at(lake): lake_gain, at(hill): 5, at(home): 1}
    problem.add_quality_metric(names.Oversubscription(goals))
    return problem


def test_certificates_prove_that_no_gain_is_greater(tmp_path: Path) -> None:
    problem, proof = journey(), str(tmp_path / "c")
    plan = solved(problem, "puzzlemc-opt", certificate=proof).plan
    assert [str(each) for each in plan.actions] == ["walk(hill)"]
    done = validated(problem, plan, certificate=proof)
    assert (done.status.name, done.metrics) == ("VALID", {"optimal": "yes"})
    (walk,), lake = problem.actions, problem.object("lake")
    for other, gain in ((sequence([walk(lake)]), 3), (sequence([]), 1)):
        done = validated(problem, other, certificate=proof)
        assert (done.metrics, list(done.metric_evaluations.values())) == ({"optimal": "no"}, [gain])


@pytest.mark.parametrize(("gain", "found"), [(10**10, "10000000000"), (0.1, "3602879701896397")])
def test_gains_of_too_many_digits_are_not_supported(gain: float, found: str) -> None:
    """The library takes a float as the binary fraction that it is."""
    result = solved(journey(gain))
    assert result.status.name == "UNSUPPORTED_PROBLEM"
    assert found in result.log_messages[0].message


def test_two_metrics_are_refused() -> None:
    from unified_planning.exceptions import UPUnsupportedProblemTypeError

    problem, names = journey(), up()
    problem.add_quality_metric(names.MinimizeSequentialPlanLength())
    with pytest.raises(UPUnsupportedProblemTypeError, match="Only one metric"):
        solved(problem)


def test_the_problem_keeps_its_metric() -> None:
    problem = journey()
    before = problem.clone()
    solved(problem)
    assert problem == before
