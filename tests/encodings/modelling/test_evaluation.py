"""The plain rules of systems: expressions at positions, enabled actions, and errors with their place."""

import re
from pathlib import Path

import pytest

from puzzlemc.encodings.modelling.language.evaluation import Evaluation, function, transition
from puzzlemc.encodings.modelling.language.expressions import (
    All,
    AnyOf,
    Expression,
    If,
)
from puzzlemc.encodings.modelling.language.functions import Count, Distinct, Max, Min, Sum, apply
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.model.compilation import encoded
from puzzlemc.mc.errors import ModelError, Refuted


def jugs(*sizes: int, outside: str = "error", guarded: bool = True) -> System:
    """Jugs that are filled, emptied and poured; the first one must hold one litre."""
    system = System(outside=outside)
    jug = system.numbers("jug", range(len(sizes)), 0, sizes)
    for i, one in jug.items():
        system.action(f"fill {i}", one < sizes[i], {one: sizes[i]})
        for j, other in jug.items():
            if i != j:
                poured = Min(one, sizes[j] - other) if guarded else one
                system.action(f"pour {i} {j}", one > 0, {one: one - poured, other: other + poured})
    system.goal = jug[0] == 1
    return system


def reached(system: System) -> set[tuple[object, ...]]:
    """All positions."""
    evaluation = Evaluation(system)
    found, todo = {evaluation.start}, [evaluation.start]
    while todo:
        for _, after in evaluation.successors(todo.pop()):
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def test_positions_are_those_of_the_puzzle() -> None:
    assert reached(jugs(5, 3)) == reached_by_hand(5, 3)


def reached_by_hand(first: int, second: int) -> set[tuple[object, ...]]:
    """The positions of two jugs that are never emptied but into each other."""
    found: set[tuple[object, ...]] = {(0, 0)}
    todo = [(0, 0)]
    while todo:
        a, b = todo.pop()
        over, back = min(a, second - b), min(b, first - a)
        for after in ((first, b), (a, second), (a - over, b + over), (a + back, b - back)):
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def test_a_value_outside_its_domain_is_an_error_with_its_place() -> None:
    with pytest.raises(ModelError) as raised:
        reached(jugs(5, 3, guarded=False))
    assert str(raised.value) == "action pour 0 1: found 6 for jug 1, expected 0 to 3, at jug 0 = 3, jug 1 = 3"
    assert (3, 3) in reached(jugs(5, 3, guarded=False, outside="disable"))


@pytest.mark.parametrize(
    ("made", "value"),
    [
        (lambda x, y: x + 2 * y - 1, 12),
        (lambda x, y: 7 // x + 7 % x - (-y), 8),
        (lambda x, y: (x < y) & ~(x == y) | (y <= 0), True),
        (lambda x, y: (x > y) ^ (y != 5), False),
        (lambda x, y: If(x >= y, x, 10 - y), 5),
        (lambda x, y: Min(x, y) * Max([x, y, 4]), 15),
        (lambda x, y: Sum([]) + Sum(x) + Count(x == 3, y == 3, x < y), 5),
        (lambda x, y: AnyOf() | All() & Distinct(x, y, 0), True),
        (lambda x, y: apply(lambda a, b: a * 100 + b, x, y), 305),
        (lambda x, y: abs(x - y), 2),
        (lambda x, y: (y != 5) & (1 // (y - 5) > 0), False),
    ],
)
def test_expressions_have_the_values_of_python(made: object, value: object) -> None:
    system = System()
    x, y = system.number("x", 0, 9, 3), system.number("y", 0, 9, 5)
    expression = made(x, y)  # type: ignore[operator]
    assert isinstance(expression, Expression)
    assert function(expression)((3, 5)) == value
    assert expression.values is None or value in expression.values


def test_a_deep_expression_is_evaluated() -> None:
    system = System()
    x = system.number("x", 0, 3)
    expression: Expression = x
    for _ in range(1000):
        expression = If(x == 0, 7, -expression)
    assert function(expression)((2,)) == 2
    assert function(sum([x] * 1000, start=0) + 1)((2,)) == 2001  # type: ignore[list-item]
    assert expression.reads == {0}


def test_a_member_of_a_family_is_chosen_by_an_expression() -> None:
    system = System()
    x, cell = system.number("x", 0, 500), system.numbers("cell", {n: n % 7 for n in range(500)}, 0, 6)
    chosen, start = function(cell[x]), tuple(system.start)
    assert [chosen((n, *start[1:])) for n in (0, 1, 499)] == [0, 1, 499 % 7]
    with pytest.raises(IndexError):
        chosen((500, *start[1:]))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda s, x, f: s.action("go", x + 1, {x: 1}), "action go: when: found (x + 1), a number, expected"),
        (lambda s, x, f: s.action("go", x == 1, {x: 12}), "action go: found 12 for x, expected one of 0 to 9"),
        (lambda s, x, f: s.action("go", True, {System().flag("x"): 1}), "expected a variable of this system"),
        (lambda s, x, f: s.action("go", True, {f: x}), "action go: found x for f, expected a truth value"),
        (lambda s, x, f: s.action("go", True, {x: 1}, cost=-1), "found -1 for cost, expected a whole number"),
        (lambda s, x, f: s.action("go", 0 < x < 5, {x: 1}), "two comparisons and & in the place of a chain"),
        (lambda s, x, f: s.action("go", f and x == 1, {x: 1}), "& in the place of and, with comparisons"),
        (lambda s, x, f: s.action("go", x == 1 & f, {x: 1}), "&: found 1, a number, expected a truth value"),
        (lambda s, x, f: s.action("go", x == System().number("y", 0, 3), {x: 1}), "a variable of another system"),
        (lambda s, x, f: s.action("go", True, {x: System().number("y", 0, 3)}), "a variable of another system"),
        (lambda s, x, f: s.action("go", True, {x: f}), "action go: found f for x, expected a number"),
        (
            lambda s, x, f: s.action("go", True, {x: x / 2}),
            "found x / 2, expected // since values are whole numbers",
        ),
        (lambda s, x, f: s.action("go", True, {x: 1}, cost=1.5), "found the cost 1.5, expected a whole number"),
        (
            lambda s, x, f: s.action("a;b", True, {x: 1}),
            "found the name 'a;b' of an action, expected a text of one",
        ),
        (
            lambda s, x, f: s.action("go", s.turn == 1, {x: 1}),
            "of a system without sides, expected System(sides=2)",
        ),
        (lambda s, x, f: s.choice("c", "ab") == "q", "found 'q', with which c is compared, expected 'a', 'b'"),
        (lambda s, x, f: x == "three", "found 'three', with which x is compared, expected a number"),
        (lambda s, x, f: setattr(s, "gaol", f), "found system.gaol = …, expected one of goal, lost, winner"),
        (lambda s, x, f: s.fact("half way", f), "found the name 'half way' of a fact, expected small letters"),
        (lambda s, x, f: s.fact("solved", f), "found the name 'solved' of a fact"),
        (lambda s, x, f: s.action("go", ~x, {x: 1}), "~: found x, a number, expected a truth value"),
        (lambda s, x, f: s.number("y", 0, 10**6), "y: found 1000001 values, expected at most 100000"),
        (lambda s, x, f: s.flag("x"), "found two of the name 'x'"),
        (lambda s, x, f: s.flags("g", ["a\nb"]), "found a variable called 'g a\\nb', expected a text of"),
        (lambda s, x, f: s.numbers("n", [1, "1"], 0, 1), "found two of the name 'n 1'"),
        (lambda s, x, f: s.fact("solved", f), "found the name 'solved' of a fact, expected small letters"),
        (lambda s, x, f: s.facts("dead", {(0, 0): f}), "found the name 'dead' of a fact, expected small letters"),
        (lambda s, x, f: s.fact("f@(1,1)", f), "found the name 'f@(1,1)' of a fact, expected small letters"),
        (lambda s, x, f: s.flags("g", [1, 2])[3], "g: found the index 3, expected one of 1, 2"),
        (lambda s, x, f: s.choice("c", "abc", "d"), "c: found the start 'd', expected one of 'a', 'b', 'c'"),
        (lambda s, x, f: s.check(), "found no goal"),
        (lambda s, x, f: s.action("go", True, {x: 1}, by=1), "expected System(sides=2) before"),
    ],
)
def test_a_mistake_is_named(wrong: object, message: str) -> None:
    system = System()
    with pytest.raises(ModelError) as raised:
        wrong(system, system.number("x", 0, 9), system.flag("f"))  # type: ignore[operator]
    assert message in str(raised.value)


def test_an_exception_of_an_author_has_its_place() -> None:
    system = System()
    x = system.number("x", 0, 9)
    system.action("go", True, {x: 8 // x})
    with pytest.raises(ModelError, match=r"action go: x: found ZeroDivisionError: .*, at x = 0"):
        reached(system)


def test_a_guard_may_be_one_condition_or_none() -> None:
    system = System()
    x = system.number("x", 0, 3)
    system.action("up", x + 1 < 3, {x: x + 1})
    system.action("reset", True, {x: 0})
    system.action("never", False, {x: 3})
    system.action("nor this", All(x == 0, False), {x: 3})
    assert reached(system) == {(0,), (1,), (2,)}
    assert [action.name for action in system.actions] == ["up", "reset"]


def test_values_become_those_of_the_domain_that_they_equal() -> None:
    system = System()
    flag, bit, odd = system.flag("flag", True), system.choice("bit", (1, 0)), system.choice("odd", (True, False))
    system.action("copy", True, {bit: apply(lambda value: value, flag)})
    system.action("clear", True, {bit: apply(lambda value: 1 - value, bit)})
    system.action("number", bit == 0, {odd: apply(int, flag)})
    system.goal = flag
    evaluation = Evaluation(system)
    first, second = (after for _, after in evaluation.successors(evaluation.start))
    assert [repr(value) for value in first] == ["True", "1", "True"]
    assert second == (True, 0, True)
    with pytest.raises(
        ModelError, match="action number: found 1 for odd, expected one of True, False, at flag = True"
    ):
        list(evaluation.successors(second))


def test_a_disjunction_is_no_truth_value_if_its_parts_are_none() -> None:
    system = System()
    flag = system.flag("flag")
    system.action("set", True, {flag: flag | apply(lambda _: 7, flag)})
    system.goal = flag
    with pytest.raises(ModelError, match="action set: found 7 for flag, expected one of False, True"):
        list(Evaluation(system).successors((False,)))


def test_a_variable_gets_the_value_of_its_own_domain_that_equals_a_new_one() -> None:
    """True equals 1: functions of the author would see another value than in the model."""
    system = System()
    number, flag = system.number("number", 0, 1), system.flag("flag", start=True)
    one, other = system.choice("one", [1, "x"], "x"), system.choice("other", [True, "x"])
    system.action("least", True, {number: Min(flag, 1)})
    system.action("copy", True, {one: other})
    system.goal = apply(lambda *values: True in map(repr, values), number, one)
    assert {repr(position) for position in reached(system)} == {
        f"({n}, True, {value}, True)" for n in (0, 1) for value in ("1", "'x'")
    }


def test_two_actions_of_one_name_are_named_with_the_position() -> None:
    system = System()
    x = system.number("x", 0, 3)
    system.action("go", x < 3, {x: x + 1})
    system.action("go", x == 2, {x: 0})
    rules = transition(lambda level: Evaluation(system), ["moves"])
    assert [step.name for step in rules.steps(None, (1,))] == ["go"]
    with pytest.raises(Refuted, match="two actions called go can be done at x = 2"):
        list(rules.steps(None, (2,)))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("s.goal = x == 1 and f", "& in the place of and, with comparisons in parentheses"),
        ("s.goal = f or x == 1", "| in the place of or"),
        ("s.goal = not f", "~ in the place of not"),
        ("s.goal = 0 < x <= 5", "two comparisons and & in the place of a chain"),
        ("x = min(x, 3)", "Min(…) in the place of min(…)"),
        ("s.goal = all([f, f])", "All(…) in the place of all(…)"),
        ("s.goal = x in (1, 2)", "Any(x == value for value in …) in the place of in"),
        ("y = 3 if f else 4", "If(condition, then, otherwise) in the place of if"),
    ],
)
def test_what_was_meant_is_read_off_the_line(tmp_path: Path, line: str, words: str) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        f"from puzzlemc.modelling import System\ns = System()\nx, f = s.number('x', 0, 9), s.flag('f')\n{line}\n"
    )
    with pytest.raises(ModelError, match=re.escape(words)):
        exec(compile(file.read_text(), str(file), "exec"), {})


def test_a_limit_inside_an_authors_function_is_no_mistake_of_the_author() -> None:
    def greedy(value: int) -> int:
        raise MemoryError

    system = System()
    x = system.number("x", 0, 3)
    system.action("go", apply(greedy, x) == 1, {x: 0})
    system.goal = x == 3
    evaluation = Evaluation(system)
    with pytest.raises(MemoryError):
        list(evaluation.successors((0,)))
    with pytest.raises(MemoryError):
        _ = apply(greedy, x).values
    with pytest.raises(MemoryError):
        encoded(evaluation, ["moves"])
