"""The engine for unified-planning, through that library."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from places import ROOT

pytest.importorskip("unified_planning")
pytest.importorskip("fast_downward")

FOLDER = ROOT / "screens" / "levels" / "pddl"


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of that library
        yield


def solved(name: str) -> Any:
    """A shipped problem, and the result of the engine for it."""
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import OneshotPlanner, get_environment

    environment = get_environment()
    environment.credits_stream = None
    if "puzzlemc" not in environment.factory.engines:
        environment.factory.add_engine("puzzlemc", "puzzlemc.reports.ask.planner", "PlannerEngine")
    domain = FOLDER / f"{name.partition('-')[0]}-domain.pddl"
    problem = PDDLReader().parse_problem(str(domain), str(FOLDER / f"{name}.pddl"))
    with OneshotPlanner(name="puzzlemc", optimality_guarantee=None) as planner:
        return problem, planner.solve(problem, timeout=60)


@pytest.mark.parametrize(("name", "length"), [("hats", 7), ("lamps", 3), ("ferry", 10)])
def test_plans_are_valid_and_optimal(name: str, length: int) -> None:
    from unified_planning.shortcuts import PlanValidator

    problem, result = solved(name)
    assert result.status.name == "SOLVED_OPTIMALLY", result.log_messages
    assert len(result.plan.actions) == length
    with PlanValidator(name="sequential_plan_validator") as validator:
        assert validator.validate(problem, result.plan)


def test_a_problem_without_a_plan() -> None:
    _, result = solved("lamps-pair")
    assert result.status.name == "UNSOLVABLE_PROVEN"
    assert result.plan is None
