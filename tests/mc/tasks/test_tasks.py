"""Tasks mean what the definitions say, and the textbook search finds cheapest plans."""

import pytest
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.tasks.semantics import applied, completed, initial_state, successors
from puzzlemc.mc.tasks.task import Axiom, Effect, Operator, Task, TaskVariable

PLACES = ("left", "middle", "right")
TRUTH = ("no", "yes")


def corridor(**changes: object) -> Task:
    """A robot in three places lights a lamp in the middle, which wakes a bird; bird and silence are derived."""
    fields = {
        "variables": (
            TaskVariable("robot", PLACES),
            TaskVariable("lamp", TRUTH),
            TaskVariable("bird", TRUTH, 0),
            TaskVariable("silence", TRUTH, 1),
        ),
        "initial": (0, 0, 0, 0),
        "goal": {2: 1, 0: 0},
        "operators": (
            Operator("right", {0: 0}, (Effect(0, 1),), 2),
            Operator("far", {0: 1}, (Effect(0, 2),), 1),
            Operator("left", {0: 1}, (Effect(0, 0),), 3),
            Operator("switch", {0: 1}, (Effect(1, 1, {1: 0}), Effect(1, 0, {1: 1})), 0),
        ),
        "axioms": (Axiom({1: 1}, 2, 1), Axiom({2: 0}, 3, 1)),
    }
    return Task(**(fields | changes))


def test_effects_read_the_state_before() -> None:
    task = corridor()
    switch = task.operators[3]
    assert applied(task, switch, (1, 0, 0, 1)) == (1, 1, 1, 0)
    assert applied(task, switch, (1, 1, 1, 0)) == (1, 0, 0, 1)


def test_the_last_effect_on_a_variable_counts() -> None:
    task = corridor()
    both = Operator("both", {}, (Effect(0, 1), Effect(0, 2)))
    assert applied(task, both, initial_state(task))[0] == 2


def test_axioms_are_evaluated_layer_by_layer() -> None:
    task = corridor()
    assert initial_state(task) == (0, 0, 0, 1)
    assert completed(task, (0, 1, 0, 1)) == (0, 1, 1, 0)


def test_axioms_of_a_layer_fire_until_nothing_changes() -> None:
    chain = tuple(TaskVariable(name, TRUTH, 0) for name in "abc")
    axioms = (Axiom({1: 1}, 0, 1), Axiom({2: 1}, 1, 1), Axiom({}, 2, 1))
    assert initial_state(Task(chain, (0, 0, 0), {}, (), axioms)) == (1, 1, 1)


def test_successors_are_by_applicable_operators() -> None:
    task = corridor()
    assert list(successors(task, (0, 0, 0, 1))) == [(0, (1, 0, 0, 1))]


def test_uniform_cost_finds_a_cheapest_plan() -> None:
    task = corridor()
    found = uniform_cost(task, Budget())
    assert found.plan is not None
    assert found.plan == (0, 3, 2)
    assert found.bound == check_plan(task, found.plan) == 5
    assert found.limit is None


def test_uniform_cost_exhausts_the_states() -> None:
    found = uniform_cost(corridor(goal={0: 2, 1: 0, 2: 1}), Budget())
    assert (found.plan, found.limit, found.expanded) == (None, None, 6)


@pytest.mark.parametrize(("limits", "reason"), [(Limits(seconds=0), "timeout"), (Limits(memory=100), "memory")])
def test_a_limit_is_no_answer(limits: Limits, reason: str) -> None:
    found = uniform_cost(corridor(), Budget(limits))
    assert (found.plan, found.limit) == (None, reason)


def test_a_wrong_plan_is_refuted() -> None:
    task = corridor()
    right, far, left, switch = range(4)
    for plan in ([left], [right, left], [right, switch]):
        with pytest.raises(Refuted):
            check_plan(task, plan)
    assert check_plan(task, [right, switch, left]) == 5
    assert not corridor().is_plain
    assert task.operators[far].is_plain


def test_costs_are_replaced() -> None:
    assert [operator.cost for operator in corridor().with_costs([1, 1, 1, 0]).operators] == [1, 1, 1, 0]


WRONG = {
    "initial values": {"initial": (0, 0, 0)},
    "initial state": {"initial": (3, 0, 0, 0)},
    "goal": {"goal": {4: 0}},
    "mutex": {"mutexes": (((0, 3),),)},
    "precondition": {"operators": (Operator("o", {0: -1}, ()),)},
    "effect": {"operators": (Operator("o", {}, (Effect(0, 3),)),)},
    "condition": {"operators": (Operator("o", {}, (Effect(0, 1, {9: 0}),)),)},
    "derived": {"operators": (Operator("o", {}, (Effect(2, 1),)),)},
    "cost": {"operators": (Operator("o", {}, (), -1),)},
    "axiom of a state variable": {"axioms": (Axiom({}, 0, 1),)},
    "default": {"axioms": (Axiom({}, 2, 0),)},
    "layer above": {"axioms": (Axiom({3: 1}, 2, 1),)},
    "negation in its layer": {"axioms": (Axiom({2: 0}, 2, 1),)},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_validation(changes: dict[str, object]) -> None:
    corridor().validate()
    with pytest.raises(ModelError):
        corridor(**changes).validate()
