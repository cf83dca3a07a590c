"""The engines for unified-planning, added to that library, and what they answer."""

from functools import cache
from typing import Any

ENGINES = {
    "puzzlemc": ("planner", "PlannerEngine"),
    "puzzlemc-opt": ("planner", "OptimalPlannerEngine"),
    "puzzlemc-val": ("validator", "ValidatorEngine"),
}


@cache
def up() -> Any:
    """The names of the library, with the engines added."""
    import unified_planning.shortcuts as names

    environment = names.get_environment()
    environment.credits_stream = None
    for name, (module, kind) in ENGINES.items():
        environment.factory.add_engine(name, f"puzzlemc.reports.ask.{module}", kind)
    return names


def solved(problem: Any, engine: str = "puzzlemc", timeout: float = 60, **params: Any) -> Any:
    """The result of a planner."""
    with up().OneshotPlanner(name=engine, params=params) as planner:
        return planner.solve(problem, timeout=timeout)


def validated(problem: Any, plan: Any, **params: Any) -> Any:
    """The result of the validator."""
    with up().PlanValidator(name="puzzlemc-val", params=params) as validator:
        return validator.validate(problem, plan)


def sequence(actions: Any) -> Any:
    """A plan of these actions."""
    from unified_planning.plans import SequentialPlan

    return SequentialPlan(actions)
