"""Constraints: random ones against all assignments, their steps, what is counted, why there is no solution."""

import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.modelling.language.constraint import UNSET, moves_of
from puzzlemc.encodings.modelling.language.expressions import All, AnyOf, Expression
from puzzlemc.encodings.modelling.language.functions import Count, Distinct, Sum, apply
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.model.assignments import named_conditions
from puzzlemc.encodings.modelling.puzzle import built, puzzle
from puzzlemc.encodings.puzzle.text import joined, words
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.modelling import free

DOMAINS = ([False, True], [0, 1, 2], [1, 2], "abc", [(0, 0), (0, 1), (1, 0)])


def random_system(seed: int) -> System:
    """A few variables of all kinds, large ones in binary as well, and a few conditions."""
    chance = random.Random(seed)
    system = System(constraint=True)
    for number in range(chance.randint(2, 4)):
        if number == 0 and chance.random() < 0.3:
            system.number("large", 5, 5 + chance.choice([69, 80]))
        elif chance.random() < 0.5:
            system.number(f"n{number}", -1, chance.randint(-1, 3))
        else:
            system.choice(f"c{number}", chance.choice(DOMAINS))
    made = [condition(system, chance) for _ in range(chance.randint(1, 5))]
    system.goal = All(made)
    return system


def condition(system: System, chance: random.Random) -> Expression:
    one, other = chance.choice(system.variables), chance.choice(system.variables)
    numbers = [each for each in system.variables if isinstance(each.domain, range)]
    found: list[Expression] = [
        one == chance.choice(one.domain),
        one != other,
        AnyOf(one == chance.choice(one.domain), other != chance.choice(other.domain)),
        Count(each == each.domain[0] for each in system.variables) <= chance.randint(0, 2),
        apply(lambda a, b: hash((a, b)) % 3 > 0 if {type(a), type(b)} <= {int, bool} else a != b, one, other),
        Distinct(system.variables[:3]),
    ]
    if numbers:
        n = chance.choice(numbers)
        found += [n > 0, (Sum(numbers) % 3 == 1), (6 // n > 1) if chance.random() < 0.3 else n < 9]
    return chance.choice(found)


SYSTEMS: dict[str, System] = {}


def make(text: str) -> System:
    """Choose values."""
    return SYSTEMS.get(text) or random_system(int(text))


PUZZLE = puzzle("values", make, free(str))


def entry(text: str) -> Entry:
    (level,) = PUZZLE.screen.parse(text, "a.values")
    return Entry("a.values#1", "", PUZZLE, level, None)


def true_values(system: System, values: tuple[Any, ...]) -> bool | None:
    """Do some values make the goal true, by its own functions? None if they raise an exception."""
    try:
        found: bool = plainly(system.goal, values)
    except ZeroDivisionError:
        return None
    return found


def plainly(expression: Expression, values: tuple[Any, ...]) -> Any:
    """The value of an expression, by recursion over its parts."""
    name = type(expression).__name__
    if name == "Constant":
        return expression.value  # type: ignore[attr-defined]
    if name == "Variable":
        return values[expression.number]  # type: ignore[attr-defined]
    if name == "Junction":
        together = all if expression.is_conjunction else any  # type: ignore[attr-defined]
        return together(plainly(part, values) for part in expression.parts)
    if name == "Choice":
        condition, then, otherwise = expression.parts
        return plainly(then if plainly(condition, values) else otherwise, values)
    parts = [plainly(part, values) for part in expression.parts]
    if name == "Not":
        return not parts[0]
    if name == "Fold":
        return {"sum": sum, "min": min, "max": max}[expression.word](parts)  # type: ignore[attr-defined]
    return expression.function(*parts)  # type: ignore[attr-defined]


def test_random_constraints_have_the_solutions_of_a_search_through_all_values() -> None:
    seen = Counter[str]()

    @given(st.integers(0, 2**32))
    @settings(max_examples=examples(24, 1500))
    def look(seed: int) -> None:
        given_ = entry(str(seed))
        system = built(given_.level).system
        found = {values: true_values(system, values) for values in product(*(v.domain for v in system.variables))}
        right = {values for values, is_true in found.items() if is_true}
        seen["several" if len(right) > 1 else "one" if right else "none"] += 1
        result = solve_entry(given_, Options(every=True, count=True))
        if None in found.values():
            seen["fails"] += 1
            assert (result.verdict == "solvable" and right) or "ZeroDivisionError" in (result.reason or "")
            return
        assert result.verdict == ("solvable" if right else "unsolvable")
        assert result.count is not None
        names = [moves_of(variable) for variable in system.variables]
        assert result.count.number == len(right)
        listed = {
            tuple(n[move] for n, move in zip(names, trace, strict=True)) for trace in result.count.traces or ()
        }
        assert listed == right
        steps = solve_entry(given_, Options(encoding="steps"))
        assert steps.verdict == result.verdict

    look()
    assert min(seen[kind] for kind in ("several", "one", "none", "fails")) >= examples(1, 50), seen


@given(st.integers(0, 2**32))
@settings(max_examples=examples(20, 500))
def test_the_model_of_steps_has_the_positions_and_moves_of_the_plain_rules(seed: int) -> None:
    level = entry(str(seed)).level
    encoded = PUZZLE.encodings["steps"](level)
    waiting = [(initial_state(encoded.model), PUZZLE.rules.start(level))]
    for state, position in waiting[:500]:
        assert encoded.decode(state) == position
        moves = {step.name: step.position for step in PUZZLE.rules.steps(level, position)}
        fired = {each.name: each.fire(state) for each in encoded.model.actions if each.enabled(state)}
        assert fired.keys() == moves.keys()
        waiting += [(fired[name], moves[name]) for name in moves]


def houses(*clues: str) -> System:
    """Three people in three houses, with some clues."""
    system = System(constraint=True)
    house = system.numbers("house", ["Ann", "Bob", "Cyd"], 1, 3)
    known = {
        "beside": abs(house["Ann"] - house["Bob"]) == 1,
        "left": (house["Bob"] < house["Cyd"]) & (house["Bob"] != 2),
        "first": house["Ann"] == 1,
        "last": house["Ann"] == 3,
        "middle": house["Bob"] == 2,
    }
    for name in clues:
        system.fact(name, known[name])
    system.goal = All(Distinct(house), *(known[name] for name in clues))
    return system


@pytest.mark.parametrize(
    ("clues", "named"),
    [
        (("beside", "first", "last"), {"first", "last"}),
        (("left", "beside", "middle"), {"left", "middle"}),
        (("left", "first", "beside"), {"left", "first"}),
    ],
)
def test_why_names_conditions_that_cannot_hold_together(
    tmp_path: Path, clues: tuple[str, ...], named: set[str]
) -> None:
    SYSTEMS["houses"] = system = houses(*clues)
    result = solve_entry(entry("houses"), Options(why=True))
    assert result.verdict == "unsolvable"
    assert result.why is not None
    assert result.why.checked
    assert named <= set(result.why.objects)
    core = [each for name, each in named_conditions(system).items() if name in result.why.objects]
    for left_out in (None, *core):
        kept = [each for each in core if each is not left_out]
        possible = any(all(plainly(each, values) for each in kept) for values in product((1, 2, 3), repeat=3))
        assert possible == (left_out is not None)
    done = certify(entry("houses"), Options(), result, tmp_path / "a.cert")
    assert (done.verdict, done.checked) == ("unsolvable", True)
    assert verify(tmp_path / "a.cert", own=PUZZLE).status == "valid"


def test_many_solutions_are_counted_without_being_listed() -> None:
    SYSTEMS["many"] = system = System(constraint=True)
    digits = system.numbers("digit", range(9), 1, 9)
    system.goal = All(digits[0] < digits[1], Sum(digits[2], digits[3]) == 7)
    assert PUZZLE.counting is not None
    assert PUZZLE.counting.count(entry("many").level, Budget()) == 36 * 6 * 9**5


def test_a_solution_is_read_and_checked_by_the_plain_rules() -> None:
    SYSTEMS["houses"] = houses("beside", "first")
    level = entry("houses").level
    assert PUZZLE.replay(level, ["house Ann=1", "house Bob=2", "house Cyd=3"]).positions == ((1, 2, 3),)
    for moves, message in (
        (["house Ann=1", "house Bob=3", "house Cyd=2"], "this condition does not hold: .abs"),
        (["house Ann=1", "house Bob=1", "house Cyd=2"], "this condition does not hold"),
        (["house Ann=1", "house Bob=2"], "found 2 values, expected 3"),
        (["house Ann=1", "house Cyd=3", "house Bob=2"], "found 'house Cyd=3', expected a value of house Bob, as"),
    ):
        with pytest.raises(Refuted, match=message):
            PUZZLE.replay(level, moves)
    later = PUZZLE.starting_at(level, (UNSET, 2, UNSET))  # type: ignore[misc]
    result = solve_entry(Entry("a#1", "", PUZZLE, later, None), Options())
    assert result.trace == ["house Ann=1", "house Cyd=3"]


def test_a_puzzle_may_have_levels_of_moves_and_constraints() -> None:
    SYSTEMS["moves"] = system = System()
    flag = system.flag("flag")
    system.action("set", ~flag, {flag: True})
    system.goal = flag
    result = solve_entry(entry("moves"), Options())
    assert (result.trace, result.cost) == (["set"], 1)
    assert PUZZLE.counting is not None
    with pytest.raises(ModelError, match="counted if it is a constraint"):
        PUZZLE.counting.count(entry("moves").level, Budget())


def test_values_that_look_the_same_have_names_of_their_own() -> None:
    SYSTEMS["same"] = system = System(constraint=True)
    value = system.choice("value", [1, "1", None])
    system.goal = value == "1"
    result = solve_entry(entry("same"), Options(every=True))
    assert result.trace == ["value='1':2"]
    assert moves_of(value) == {"value=1:1": 1, "value='1':2": "1", "value=None:3": None}


def test_moves_with_signs_that_separate_moves_are_read_as_they_are_written() -> None:
    system = System(constraint=True)
    values = moves_of(system.choice("x", ["a;b", "c\nd", "e ", "f"]))
    assert list(values.values()) == ["a;b", "c\nd", "e ", "f"]
    assert [move.name for move in words(joined([*values, "y z"]), "")] == [*values, "y z"]


@pytest.mark.parametrize(("start", "verdict"), [(False, "unsolvable"), (True, "solvable")])
def test_a_level_in_which_nothing_can_move_is_no_constraint(start: bool, verdict: str) -> None:
    SYSTEMS["shut"] = system = System()
    flag = system.flag("flag", start)
    system.action("never", False, {flag: True})
    system.goal = flag
    level = entry("shut")
    result = solve_entry(level, Options())
    assert (result.verdict, result.cost) == (verdict, 0 if start else None)
    assert ("nothing can move in this level" in (result.reason or "")) != start
    assert PUZZLE.constraint is not None
    assert PUZZLE.constraint(level.level) is None


def test_a_constraint_has_no_actions_and_no_sides() -> None:
    system = System(constraint=True)
    flag = system.flag("flag")
    with pytest.raises(ModelError, match="action set: found an action of a constraint"):
        system.action("set", ~flag, {flag: True})
    with pytest.raises(ModelError, match="found a constraint of two sides"):
        System(sides=2, constraint=True)


@pytest.mark.parametrize("most", [68, 69, 132, 200])
def test_values_in_binary_are_those_of_the_domain(most: int) -> None:
    """Codes without a value are no solutions."""
    SYSTEMS["large"] = system = System(constraint=True)
    one, flag = system.number("one", 5, most), system.flag("flag")
    system.goal = (one != 6) | flag
    result = solve_entry(entry("large"), Options(count=True))
    assert result.count is not None
    assert result.count.number == 2 * (most - 4) - 1


def test_values_that_a_level_begins_with_stay() -> None:
    SYSTEMS["houses"] = houses("beside")
    level = entry("houses").level
    assert PUZZLE.starting_at is not None
    for bob, traces in (
        (2, {("house Ann=1", "house Cyd=3"), ("house Ann=3", "house Cyd=1")}),
        (1, {("house Ann=2", "house Cyd=3")}),
    ):
        later = PUZZLE.starting_at(level, (UNSET, bob, UNSET))
        for encoding in ("compact", "steps"):
            options = Options(every=True, count=True, encoding=encoding)
            result = solve_entry(Entry("a#1", "", PUZZLE, later, None), options)
            assert result.count is not None
            assert {tuple(each) for each in result.count.traces or ()} == traces
            assert tuple(result.trace or ()) in traces


def test_a_value_that_breaks_a_condition_is_no_move() -> None:
    SYSTEMS["houses"] = houses("beside")
    level = entry("houses").level
    moves = [step.name for step in PUZZLE.rules.steps(level, (1, UNSET, UNSET))]
    assert moves == ["house Bob=2"]
    assert PUZZLE.starting_at is not None
    given = PUZZLE.starting_at(level, (UNSET, UNSET, 1))  # the last one has a value from the beginning
    assert [step.name for step in PUZZLE.rules.steps(given, (2, UNSET, 1))] == ["house Bob=3"]
    assert [step.name for step in PUZZLE.rules.steps(given, (UNSET, UNSET, 1))] == ["house Ann=2", "house Ann=3"]


def test_a_condition_that_fails_may_be_kept_from_being_asked_for() -> None:
    """`6 // x` is not asked for where the condition before it, which reads a later variable, is false."""
    SYSTEMS["guarded"] = system = System(constraint=True)
    x, y = system.number("x", 0, 3), system.number("y", 0, 1)
    system.goal = All((x > 0) & (y <= 1) | (y == 2), 6 // x == 3)
    level = entry("guarded")
    assert [step.name for step in PUZZLE.rules.steps(level.level, (UNSET, UNSET))] == ["x=0", "x=2"]
    for encoding in ("compact", "steps"):
        result = solve_entry(level, Options(encoding=encoding))
        assert result.verdict == "solvable"
        assert (result.trace or [""])[0] == "x=2"
