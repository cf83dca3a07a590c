"""Operators in arrays are those that are objects."""

import pytest
from random_tasks import random_task

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.tasks.operators import ArrayOperators, OperatorArrays, arrays_of, facts, starts
from puzzlemc.mc.tasks.sas import read, write
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable


def in_arrays(operators: tuple[Operator, ...]) -> ArrayOperators:
    names = [operator.name.encode() for operator in operators]
    return ArrayOperators(arrays_of(operators), b"".join(names), starts(map(len, names)))


OPERATORS = (
    Operator("lift é", {0: 1, 2: 0}, (Effect(0, 0), Effect(1, 2, {0: 1, 1: 0})), 3),
    Operator("", {}, (), 0),
    Operator("drop", {1: 2}, (Effect(0, 1, {2: 1}), Effect(0, 1), Effect(2, 0)), 10**17),
)


def test_an_operator_is_made_when_it_is_asked_for() -> None:
    found = in_arrays(OPERATORS)
    assert [found[number] for number in range(3)] == list(OPERATORS)
    assert (found[-1], found[1:], len(found)) == (OPERATORS[2], OPERATORS[1:], 3)
    assert "_objects" not in vars(in_arrays(OPERATORS))
    assert list(found) == list(OPERATORS)
    assert found[0] is found[0]
    with pytest.raises(IndexError):
        found[3]


def test_a_name_may_have_any_characters() -> None:
    """A text may come out of JSON, which has escapes for halves of characters."""
    name = "a\x00\ud800é"
    operators = (Operator(name, {}, (Effect(0, 1),)),)
    task = Task((TaskVariable("v", ("0", "1")),), (0,), {0: 1}, operators)
    assert read(write(task)).operators[0].name == name


def test_they_are_equal_to_any_sequence_of_the_same_operators() -> None:
    found = in_arrays(OPERATORS)
    assert found == OPERATORS
    assert OPERATORS.__eq__(found) is NotImplemented
    assert found == in_arrays(OPERATORS)
    assert found != OPERATORS[:2]
    assert found != (*OPERATORS[:2], OPERATORS[0])
    assert found != 3


def test_other_costs() -> None:
    found = in_arrays(OPERATORS).with_costs([1, 2, 3])
    assert [(operator.name, operator.cost) for operator in found] == [("lift é", 1), ("", 2), ("drop", 3)]
    assert in_arrays(OPERATORS)[0].cost == 3
    with pytest.raises(ValueError, match="2 costs do not fit 3 operators"):
        found.with_costs([1, 2])


@pytest.mark.parametrize("seed", range(20))
def test_a_task_from_a_file_has_the_arrays_of_its_operators(seed: int) -> None:
    task = random_task(seed)
    arrays, again = read(write(task)).arrays, arrays_of(tuple(read(write(task)).operators))
    for name, found in vars(arrays).items():
        assert (found == getattr(again, name)).all()
        assert found.shape == getattr(again, name).shape


def wrong(**changes: object) -> OperatorArrays:
    """The arrays of an operator that sets the first variable, with changes."""
    fields = {
        "precondition_first": starts([1]),
        "precondition": facts([(0, 0)]),
        "effect_first": starts([1]),
        "effect": facts([(0, 1)]),
        "condition_first": starts([1]),
        "condition": facts([(1, 0)]),
        "costs": starts([0])[1:],
    }
    return OperatorArrays(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"precondition": facts([(0, 2)])}, "operator o: found value 2 of variable 0, expected less than 2"),
        ({"precondition": facts([(3, 0)])}, "operator o: found variable 3, expected less than 3"),
        ({"precondition": facts([(-1, 0)])}, "operator o: found variable -1, expected less than 3"),
        ({"condition": facts([(1, -1)])}, "operator o: found value -1 of variable 1, expected less than 2"),
        ({"effect": facts([(1, 2)])}, "operator o: found value 2 of variable 1, expected less than 2"),
        ({"effect": facts([(2, 1)])}, "operator o has an effect on a derived variable"),
        ({"costs": starts([-1])[1:]}, "operator o: cost -1 is negative"),
    ],
)
def test_validation_of_arrays(changes: dict[str, object], message: str) -> None:
    truth = ("no", "yes")
    variables = (TaskVariable("a", truth), TaskVariable("b", truth), TaskVariable("c", truth, 0))
    Task(variables, (0, 0, 0), {0: 1}, ArrayOperators(wrong(), b"o", starts([1]))).validate()
    with pytest.raises(ModelError, match=message):
        Task(variables, (0, 0, 0), {0: 1}, ArrayOperators(wrong(**changes), b"o", starts([1]))).validate()


@pytest.mark.parametrize("blank", [chr(n) for n in range(128) if chr(n).isspace() and chr(n) != "\n"])
def test_numbers_may_have_any_blank_between_them(blank: str) -> None:
    operators = (Operator("o", {1: 0}, (Effect(0, 1, {1: 0}),)),)
    variables = tuple(TaskVariable(name, ("0", "1")) for name in "vw")
    task = Task(variables, (0, 0), {0: 1}, operators)
    assert read(write(task).replace(" ", f" {blank}")) == task
