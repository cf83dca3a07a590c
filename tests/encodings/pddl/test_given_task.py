"""Some plan of a model that was made from a task: by the task as it is, also with derived variables."""

from random_tasks import random_task, reachable_states

from examples import examples
from puzzlemc.encodings.pddl.model import facts_of
from puzzlemc.mc.engines.portfolio import stages
from puzzlemc.mc.engines.registry import PLANNER
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.translation import given_task
from puzzlemc.mc.tasks.semantics import holds
from puzzlemc.mc.tasks.task import Condition, Effect, Operator, Task, TaskVariable
from puzzlemc.mc.verdict import Reachable, Unreachable


def model_of(task: Task, goals: list[Condition]) -> Model:
    names = [f"o{number}" for number in range(len(task.operators))]
    return facts_of(task).model(task.operators, names, [goals])


def test_plans_of_given_tasks_are_runs() -> None:
    found = {False: 0, True: 0}  # has it derived variables?
    for seed in range(examples(60, 150)):
        task = random_task(seed)
        other = {v: (value + 1) % task.domains[v] for v, value in task.goal.items()}
        for goals in ([task.goal], [task.goal, other]):
            model = model_of(task, list(goals))
            is_solvable = any(holds(goal, state) for goal in goals for state in reachable_states(task))
            verdict = PLANNER(model, ANY, Budget())
            if isinstance(verdict, Reachable):
                verdict.trace.check(model)
                assert is_solvable
                found[bool(task.axioms)] += given_task(model) is not None
            else:
                assert isinstance(verdict, Unreachable)
                assert not is_solvable
    assert min(found.values()) > examples(2, 5)


def test_many_actions_leave_few_states_to_the_searches_before_the_planner() -> None:
    def chosen(count: int) -> tuple[list[str], int]:
        variables = tuple(TaskVariable(f"v{i}", ("0", "1", "2")) for i in range(20))
        operators = tuple(
            Operator(f"o{n}", {n % 20: 0, (n + 1 + n // 20) % 20: 1}, (Effect(n % 20, n % 3),))
            for n in range(count)
        )
        task = Task(variables, (0,) * 20, {0: 2, 1: 2}, operators)
        found = stages(model_of(task, [task.goal]), ANY, many=False)
        return [each.engine for each in found[:3]], next(
            int(each.options["most_states"] or 0) for each in found if each.engine == "explicit"
        )

    assert chosen(100) == (["bidirectional", "explicit", "invariants"], 1 << 14)
    engines, states = chosen(5_000)
    assert engines[0] == "explicit"
    assert 1_000 < states < 5_000
