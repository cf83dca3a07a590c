"""The best plans of a model as runs of it, by the task that it was made from, or that is found in it."""

from collections.abc import Iterator, Sequence

from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace, initial_state, run_of
from puzzlemc.mc.passes.translation import given_task, translation
from puzzlemc.mc.planning.best_plans import NONE, best_plans
from puzzlemc.mc.tasks.task import Task


def best_runs(model: Model, metric: str, budget: Budget, *, loops: bool, is_least: bool) -> Iterator[Trace]:
    """Yield the best runs from the initial state to the goal. Runs whose actions have the same names are one.

    loops     a run may visit a state again, and go on behind a goal state
    is_least  runs of the least cost alone

    Each is checked: raises Refuted. Raises LimitReached; Unsuitable if the model has no task, or walks without
    cost.
    """
    actions = model.actions
    if model.hints.objects and any(cost_of(action, metric) == 0 for action in actions):
        raise Unsuitable(f"walks cost no {metric}, and would make different plans")
    task, origins = _task(model, metric)
    named: dict[str, list[Action]] = {}
    for origin in dict.fromkeys(origins):
        if origin is not None:
            named.setdefault(actions[origin].name, []).append(actions[origin])
    numbers = {name: number for number, name in enumerate(named)}
    labels = [NONE if origin is None else numbers[actions[origin].name] for origin in origins]
    alike = list(named.values())
    for path in best_plans(task, labels, budget, loops=loops, is_least=is_least):
        run = _run(model, [alike[label] for label in path.labels])
        run.check(model)
        if run.cost(metric) != path.cost:
            raise Refuted(f"the run costs {run.cost(metric)} {metric}, not {path.cost}")
        yield run


def _task(model: Model, metric: str) -> tuple[Task, Sequence[int | None]]:
    """The task of a model, with all of its states, and the number of the action of each operator.

    None is that of an operator which only says that the goal is reached. Raises Unsuitable.
    """
    task = given_task(model)
    if task is None:
        made = translation(model, whole=True)
        return made.with_metric(metric), made.origins
    origins = [number if number < len(model.actions) else None for number in range(len(task.operators))]
    costs = [0 if number is None else cost_of(model.actions[number], metric) for number in origins]
    return task.with_costs(costs), origins


def _run(model: Model, steps: Sequence[Sequence[Action]]) -> Trace:
    """The run in which each step is one of some actions with the same name: the one that is enabled."""
    state, taken = initial_state(model), list[Action]()
    for actions in steps:
        taken.append(next(action for action in actions if action.enabled(state)))
        state = taken[-1].fire(state)
    return run_of(model, taken)
