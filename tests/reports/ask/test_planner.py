"""The engines for unified-planning, through that library."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from unified_engines import sequence, solved, up, validated

pytest.importorskip("unified_planning")
pytest.importorskip("fast_downward")

pytestmark = pytest.mark.filterwarnings("ignore")  # of that library
FOLDER = ROOT / "screens" / "levels" / "pddl"


def problem_of(name: str) -> Any:
    """A shipped problem."""
    from unified_planning.io import PDDLReader

    up()
    domain = FOLDER / f"{name.partition('-')[0]}-domain.pddl"
    return PDDLReader().parse_problem(str(domain), str(FOLDER / f"{name}.pddl"))


def with_costs() -> Any:
    """From Here to There: one flight of 5, or two walks of 2; names that PDDL does not have as they are."""
    names = up()
    place = names.UserType("Place")
    at = names.Fluent("Is at", names.BoolType(), place=place)
    actions = {}
    for name in ("Walk to", "when"):
        action = names.InstantaneousAction(name, start=place, end=place)
        action.add_precondition(at(action.start))
        action.add_precondition(names.Not(names.Equals(action.start, action.end)))
        action.add_effect(at(action.start), False)
        action.add_effect(at(action.end), True)
        actions[name] = action
    problem = names.Problem("Journey")
    problem.add_fluent(at, default_initial_value=False)
    problem.add_actions(actions.values())
    here, there = names.Object("Here", place), names.Object("There", place)
    problem.add_objects([here, names.Object("Mid way", place), there])
    walk = actions["Walk to"]
    far = names.And(names.Equals(walk.start, here), names.Equals(walk.end, there))
    walk.add_precondition(names.Not(far))
    problem.set_initial_value(at(here), True)
    problem.add_goal(at(there))
    costs = {walk: names.Int(2), actions["when"]: names.Int(5)}
    problem.add_quality_metric(names.MinimizeActionCosts(costs))
    return problem


@pytest.mark.parametrize(("name", "length"), [("hats", 7), ("lamps", 3), ("ferry", 10)])
def test_plans_are_valid_and_optimal(name: str, length: int) -> None:
    problem = problem_of(name)
    result = solved(problem)
    assert result.status.name == "SOLVED_OPTIMALLY", result.log_messages
    assert len(result.plan.actions) == length
    with up().PlanValidator(name="sequential_plan_validator") as validator:
        assert validator.validate(problem, result.plan)


def test_a_problem_without_a_plan() -> None:
    for engine in ("puzzlemc", "puzzlemc-opt"):
        result = solved(problem_of("lamps-pair"), engine)
        assert result.status.name == "UNSOLVABLE_PROVEN"
        assert result.plan is None


@pytest.mark.parametrize("is_static", [True, False])
def test_values_of_other_fluents_are_assigned(is_static: bool) -> None:
    names = up()
    x, y, z = (names.Fluent(name) for name in "xyz")
    problem = names.Problem("copy")
    for fluent in (x, y, z):
        problem.add_fluent(fluent, default_initial_value=fluent is not y)
    copy, mix = names.InstantaneousAction("copy"), names.InstantaneousAction("mix")
    copy.add_effect(y, x)
    mix.add_effect(z, names.And(y, names.Not(z)), y)
    problem.add_actions([copy, mix])
    if not is_static:
        flip = names.InstantaneousAction("flip")
        flip.add_effect(x, names.Not(x))
        problem.add_action(flip)
        problem.add_goal(names.Not(x))
    problem.add_goal(names.And(y, names.Not(z)))
    for engine in ("puzzlemc", "puzzlemc-opt"):
        assert names.get_environment().factory.engine(engine).supports(problem.kind)
        result = solved(problem, engine)
        assert result.status.name == "SOLVED_OPTIMALLY", result.log_messages
        assert len(result.plan.actions) == (2 if is_static else 3)
        with names.PlanValidator(name="sequential_plan_validator") as validator:
            assert validator.validate(problem, result.plan)
        assert validated(problem, result.plan)


@pytest.mark.parametrize(("upper", "steps"), [(10, 5), (4, None), (None, 5)])
def test_numbers_with_and_without_bounds(upper: int | None, steps: int | None) -> None:
    """A counter goes up by 2 and down by 1; without bounds, a precondition limits it."""
    names = up()
    count = names.Fluent("count up", names.IntType(0, upper) if upper else names.IntType())
    problem = names.Problem("counting")
    problem.add_fluent(count, default_initial_value=0)
    add, take = names.InstantaneousAction("add"), names.InstantaneousAction("take")
    add.add_increase_effect(count, 2)
    take.add_precondition(names.GE(count, 1))
    take.add_decrease_effect(count, 1)
    if not upper:
        add.add_precondition(names.LE(names.Plus(count, 2), 8))
    problem.add_actions([add, take])
    problem.add_goal(names.Equals(names.Times(count, 2), 14))
    result = solved(problem)
    assert names.get_environment().factory.engine("puzzlemc").supports(problem.kind)
    if steps is None:
        assert result.status.name == "UNSOLVABLE_PROVEN"
        return
    assert result.status.name == "SOLVED_OPTIMALLY", result.log_messages
    assert len(result.plan.actions) == steps
    with names.PlanValidator(name="sequential_plan_validator") as validator:
        assert validator.validate(problem, result.plan)
    assert validated(problem, result.plan)


def test_a_number_without_limits_is_an_error() -> None:
    names = up()
    count = names.Fluent("count", names.IntType())
    problem = names.Problem("counting")
    problem.add_fluent(count, default_initial_value=0)
    add = names.InstantaneousAction("add")
    add.add_increase_effect(count, 1)
    problem.add_action(add)
    problem.add_goal(names.Equals(count, -1))
    result = solved(problem)
    assert result.status.name == "INTERNAL_ERROR"
    assert "found more than 1000 values of count" in result.log_messages[0].message


def test_planners_are_chosen_by_what_they_guarantee() -> None:
    from unified_planning.engines import OptimalityGuarantee

    factory, names = up().get_environment().factory, up()
    assert not factory.engine("puzzlemc").satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    assert factory.engine("puzzlemc-opt").satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    before = factory.preference_list
    factory.preference_list = ["puzzlemc", "puzzlemc-opt"]
    try:
        kind = with_costs().kind
        with names.OneshotPlanner(problem_kind=kind) as planner:
            assert planner.name == "puzzlemc"
        with names.OneshotPlanner(problem_kind=kind, optimality_guarantee="SOLVED_OPTIMALLY") as planner:
            assert planner.name == "puzzlemc-opt"
    finally:
        factory.preference_list = before


def test_without_time_no_plan_is_called_optimal(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlemc.reports.ask import planner

    problem = with_costs()
    real = planner.solve_entry

    def stopped(*arguments: Any) -> Any:  # the search ends with a plan, before the proof
        found = real(*arguments)
        return replace(found, solution=replace(found.solution, optimal=False), bound=1, reason="timeout")

    monkeypatch.setattr(planner, "solve_entry", stopped)
    assert solved(problem).status.name == "SOLVED_SATISFICING"
    result = solved(problem, "puzzlemc-opt")
    assert (result.status.name, result.plan) == ("TIMEOUT", None)
    assert "not proved to be optimal: 1 ≤ 4 cost" in result.log_messages[0].message
    monkeypatch.undo()
    assert solved(problem, timeout=1e-6).status.name == "TIMEOUT"


def test_any_plan_is_not_called_optimal() -> None:
    result = solved(with_costs(), first=True)
    assert result.status.name == "SOLVED_SATISFICING"
    assert validated(with_costs(), result.plan)


def test_plans_are_validated_with_their_costs() -> None:
    problem = with_costs()
    plan = solved(problem).plan
    assert [each.action.name for each in plan.actions] == ["Walk to", "Walk to"]
    done = validated(problem, plan)
    assert done
    assert list(done.metric_evaluations.values()) == [4]
    short = validated(problem, sequence(plan.actions[:1]))
    assert (short.status.name, short.reason.name) == ("INVALID", "UNSATISFIED_GOALS")
    wrong = validated(problem, sequence(plan.actions[::-1]))
    assert (wrong.status.name, wrong.reason.name) == ("INVALID", "INAPPLICABLE_ACTION")
    assert wrong.inapplicable_action == plan.actions[1]


def test_certificates_come_with_plans_and_are_checked_with_them(tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.cert")
    result = solved(with_costs(), "puzzlemc-opt", certificate=proof)
    assert result.metrics == {"certificate": proof}
    problem = with_costs()  # the same, made once more
    done = validated(problem, result.plan, certificate=proof)
    assert (done.status.name, done.metrics) == ("VALID", {"optimal": "yes"})
    assert "proof checked by plain rules" in done.log_messages[0].message
    (flight,) = (action for action in problem.actions if action.name == "when")
    here, _, there = problem.all_objects
    longer = sequence([flight(here, there)])
    assert validated(problem, longer, certificate=proof).metrics == {"optimal": "no"}
    problem.set_initial_value(problem.fluent("Is at")(there), True)
    other = validated(problem, sequence([]), certificate=proof)
    assert other.status.name == "UNKNOWN"
    assert "another level" in other.log_messages[0].message
    text = Path(proof).read_bytes()
    assert b'"cost": 4' in text
    Path(proof).write_bytes(text.replace(b'"cost": 4', b'"cost": 3'))
    assert validated(with_costs(), result.plan, certificate=proof).status.name == "UNKNOWN"


def test_a_problem_without_a_plan_has_a_certificate(tmp_path: Path) -> None:
    from puzzlemc.reports.certify.verify import verify

    proof = tmp_path / "proof.cert"
    solved(problem_of("lamps-pair"), certificate=str(proof))
    done = verify(proof)
    assert (done.status, done.certificate and done.certificate.verdict) == ("valid", "unsolvable")
